/** The typed bindings, in Node: links, rooms, sessions, what fails and how. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { ROOT, loadTs, wasmModule } from './load.mjs';

let W;
let lib;
before(async () => {
  W = await loadTs('src/wasm/index.ts');
  lib = new W.Library(await wasmModule());
});

const bits = (text) => {
  const bytes = new Uint8Array(32);
  bytes.set([...text].map((letter) => letter.charCodeAt(0)));
  return { bits: bytes, bitCount: 8 * text.length, key: 0, keyed: 0 };
};

test('two pumps in the simulated room hear each other', () => {
  const { N } = W;
  const room = W.Room.of(lib, { seed: 7 });
  const host = W.Link.pair(lib, { role: N.ROLE_HOST });
  const guest = W.Link.pair(lib, { role: N.ROLE_GUEST });
  host.link.send([bits('hi')]);
  guest.link.send([bits('yo')]);
  const heard = new Set();
  const ownHeard = () => host.link.status().ownSnrDb > 10;
  for (let nowUs = 0; (heard.size < 2 || !ownHeard()) && nowUs < 8_000_000; nowUs += 20_000) {
    room.run(nowUs, host.pump, guest.pump);
    for (const [name, { link }] of Object.entries({ host, guest })) {
      for (let event; (event = link.poll(nowUs)); ) {
        if (event.kind !== N.LINK_PACKET) continue;
        assert.equal(event.bitCount, link.capacityBits());
        heard.add(`${name} ${String.fromCharCode(...event.bits.subarray(0, 2))}`);
      }
    }
  }
  assert.deepEqual([...heard].sort(), ['guest hi', 'host yo']);
  const status = host.link.status();
  assert.equal(status.plan, N.PLAN_HIGH);
  assert.ok(ownHeard(), `own signal at ${status.ownSnrDb} dB`);
  for (const part of [host.link, host.pump, guest.link, guest.pump, room]) part.free();
});

test('two duels over a relay agree, play and save one record', () => {
  const { N } = W;
  const ends = [N.ROLE_HOST, N.ROLE_GUEST].map((role) => {
    const link = W.Link.relay(lib, { role, seed: 3 + role, latencyMs: 120 });
    const session = W.Session.skirmish(lib, link, {
      role,
      map: { random: 0, index: 0, seed: 0 },
      seed: BigInt(11 + role),
    });
    return { link, session };
  });
  const carry = (from, to) => {
    for (let bytes; (bytes = from.pollMessage()); ) to.pushMessage(bytes);
  };
  // A building is ordered once; from then on it is on its way, until it has begun.
  let ordered = null;
  const build = (session, nowUs, { tick }) => {
    const onItsWay = session.inFlight().some(({ kind, what }) => kind === N.ORDER_START_BUILDING && what === N.BUILDING_REACTOR);
    if (ordered === null) {
      assert.ok(session.give(nowUs, { kind: N.ORDER_START_BUILDING, what: N.BUILDING_REACTOR }));
      ordered = { tick, landed: null };
    } else if (!onItsWay) ordered.landed ??= tick;
    else assert.equal(ordered.landed, null);
  };
  let over = 0;
  for (let nowUs = 0; over < 2 && nowUs < 60_000_000; nowUs += 10_000) {
    for (const { session } of ends) session.pump(nowUs);
    carry(ends[0].link, ends[1].link);
    carry(ends[1].link, ends[0].link);
    over = 0;
    for (const { session } of ends) {
      const status = session.status(nowUs);
      if (status.pairing === N.PAIRING_PICKING) {
        const allowed = session.openers();
        session.pick(allowed ? 31 - Math.clz32(allowed & -allowed) : N.NO_OPENER);
      }
      if (status.phase === N.PHASE_READY) session.begin(nowUs, session === ends[0].session ? N.AI_NONE : N.AI_EASY, 5);
      if (status.phase === N.PHASE_PLAYING) {
        session.run(nowUs);
        if (session === ends[0].session) build(session, nowUs, status);
        if (status.tick === 80 && session === ends[0].session) session.resign(nowUs);
      }
      over += Number(status.phase === N.PHASE_OVER && status.sync === N.SYNC_IN_SYNC);
    }
  }
  assert.equal(over, 2, 'both came to an end in sync');
  const [one, other] = ends.map(({ session }) => session.record());
  assert.equal(one, other);
  const { delayTicks } = ends[0].session.status(0);
  assert.ok(ordered.landed - ordered.tick >= delayTicks, `landed after ${ordered.landed - ordered.tick} ticks`);
  const world = ends[0].session.world();
  assert.equal(ends[0].session.terrain().length, world.width * world.height);
  assert.equal(ends[0].session.units().length, world.units);
  assert.ok(ends[0].session.buildings().some((building) => building.kind === N.BUILDING_HQ));

  const replay = W.Session.replay(lib, one);
  replay.seek(0xffff_ffff);
  assert.equal(replay.report().agrees, 1);
  for (const part of [replay, ...ends.flatMap(({ session, link }) => [session, link])]) part.free();
});

test('what fails says why, and what is refused is no error', () => {
  const { N } = W;
  assert.throws(() => W.Link.alone(lib, { sampleRateHz: 16_000 }), (why) => {
    assert.ok(why instanceof W.DuelError);
    assert.equal(why.status, N.BAD_RATE);
    assert.match(why.message, /16[,.]?000/);
    return true;
  });
  const { host } = W.Link.air(lib, {});
  assert.throws(() => host.setMode(9), /mode/);
  const session = W.Session.skirmish(lib, host, { role: N.ROLE_HOST, seed: 1n });
  assert.equal(session.agreed(), null);
  assert.equal(session.record(), null);
  host.free();
  host.free();
  session.free();
});

test('names and specifications of the reference game', () => {
  const { N } = W;
  assert.ok(lib.names(N.NAMES_MAPS).length >= 1);
  assert.equal(lib.names(N.NAMES_UNITS).length, N.UNIT_GOLIATH + 1);
  assert.ok(lib.spec(N.NAMES_BUILDINGS, N.BUILDING_REACTOR).power > 0);
  assert.ok(lib.mapSize({ random: 0, index: 0, seed: 0 }).width > 0);
  assert.equal(lib.mapSize({ random: 0, index: 99, seed: 0 }), null);
});

test('the committed record replays, hash for hash', () => {
  const record = readFileSync(`${ROOT}game-sim/tests/golden.json`, 'utf8');
  const replay = W.Session.replay(lib, record.trim());
  replay.seek(0xffff_ffff);
  const report = replay.report();
  assert.equal(report.differsAt, -1);
  assert.equal(report.agrees, 1);
  replay.free();
});
