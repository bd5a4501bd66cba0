/** What the tests run in a browser: the built worklet between two ends, and the golden replay in page and worklet. */
import { Library, Link, N, nowUs, Session } from '../../src/wasm';
import { messagesOf, type FromPump } from '../../src/audio/protocol';
import { LiveRig } from '../../src/audio';
import { loadGuard, loadPump, makeGuard, makePump } from '../../src/audio/worklets';
import goldenUrl from './golden-worklet.ts?worker&url';

const RATE_HZ = 48_000;
/** The own path loud, the peer's 40 dB quieter and a few milliseconds later, as on a table. */
const OWN_GAIN = 1;
const PEER_GAIN = 0.01;
const PEER_DELAY_S = 0.003;

const frame = (text: string) => {
  const bits = new Uint8Array(32);
  bits.set([...text].map((letter) => letter.charCodeAt(0)));
  return { bits, bitCount: 8 * text.length, key: 0, keyed: 0 };
};

/** Two modems, each an instance of its own on the audio thread, hear each other and themselves. */
async function crossWired(seconds: number) {
  const lib = await Library.load();
  const context = new OfflineAudioContext(1, seconds * RATE_HZ, RATE_HZ);
  await loadPump(context);
  const ends = [N.ROLE_HOST, N.ROLE_GUEST].map((role) => {
    const link = Link.alone(lib, { role, sampleRateHz: RATE_HZ });
    link.send([frame(role === N.ROLE_HOST ? 'host' : 'guest')]);
    const node = makePump(context, lib, link.config());
    const told: Uint8Array[] = [];
    const fatal: string[] = [];
    node.port.onmessage = ({ data }: MessageEvent<FromPump>) => {
      if (data.t === 'fatal') fatal.push(data.message);
      else told.push(data.bytes);
    };
    for (let bytes; (bytes = link.pollMessage()); ) node.port.postMessage({ t: 'message', bytes });
    return { link, node, told, fatal };
  });
  for (const [index, { node }] of ends.entries()) {
    const other = ends[1 - index]!.node;
    node.connect(new GainNode(context, { gain: OWN_GAIN })).connect(new DelayNode(context, { delayTime: 0.001 })).connect(node);
    const path = new DelayNode(context, { delayTime: PEER_DELAY_S });
    node.connect(new GainNode(context, { gain: PEER_GAIN })).connect(path).connect(other);
    node.connect(context.destination);
  }
  // Rendering faster than real time leaves no time for what was sent to arrive: it stops once, and waits.
  void context.suspend(PEER_DELAY_S).then(async () => {
    await new Promise((done) => setTimeout(done, 100));
    await context.resume();
  });
  const started = performance.now();
  await context.startRendering();
  const elapsedMs = performance.now() - started - 100;
  // What the worklets posted last is still on its way.
  await new Promise((done) => setTimeout(done, 200));
  const heard = ends.map(({ link, told, fatal }) => {
    const texts: Record<string, number> = {};
    let nowUs = 0;
    for (const batch of told) {
      for (const bytes of messagesOf(batch)) link.pushMessage(bytes);
      nowUs += 10_000;
      for (let event; (event = link.poll(nowUs)); ) {
        if (event.kind !== N.LINK_PACKET) continue;
        const text = String.fromCharCode(...event.bits.subarray(0, 5)).replaceAll('\0', '');
        texts[text] = (texts[text] ?? 0) + 1;
      }
    }
    const status = link.status();
    link.free();
    return { texts, fatal, good: status.rxGood, bad: status.rxBad, snrDb: status.snrDb };
  });
  // Each of 128 frames, for each of the two modems.
  const blocks = (seconds * RATE_HZ) / 128;
  return { heard, elapsedMs, meanBlockMs: elapsedMs / blocks / ends.length };
}

/** How loud a low and a high tone come out of the guard, switched on, against what went in: dB. */
async function guarded(plan: number, lowHz: number, highHz: number) {
  const lib = await Library.load();
  const context = new OfflineAudioContext(2, RATE_HZ, RATE_HZ);
  await loadGuard(context);
  const guard = makeGuard(context, lib, plan);
  guard.port.postMessage({ t: 'on', on: true });
  const level = 0.05;
  for (const frequency of [lowHz, highHz]) {
    const tone = new OscillatorNode(context, { frequency });
    tone.connect(new GainNode(context, { gain: level })).connect(guard);
    tone.start();
  }
  guard.connect(context.destination);
  void context.suspend(PEER_DELAY_S).then(async () => {
    await new Promise((done) => setTimeout(done, 100));
    await context.resume();
  });
  const samples = (await context.startRendering()).getChannelData(0).subarray(RATE_HZ / 2);
  return [lowHz, highHz].map((frequency) => {
    const turn = (2 * Math.PI * frequency) / RATE_HZ;
    let [real, imaginary] = [0, 0];
    samples.forEach((sample, at) => {
      real += sample * Math.cos(turn * at);
      imaginary += sample * Math.sin(turn * at);
    });
    return 20 * Math.log10((2 * Math.hypot(real, imaginary)) / samples.length / level);
  });
}

async function goldenInPage(record: string) {
  const replay = Session.replay(await Library.load(), record);
  replay.seek(0xffff_ffff);
  const report = replay.report();
  const world = replay.save();
  replay.free();
  return { ...report, world: await digest(world) };
}

async function goldenInWorklet(record: string) {
  const lib = await Library.load();
  const context = new OfflineAudioContext(1, 128, RATE_HZ);
  await context.audioWorklet.addModule(goldenUrl);
  const bytes = new TextEncoder().encode(record);
  const node = new AudioWorkletNode(context, 'golden', { processorOptions: { module: lib.module, record: bytes } });
  const said = new Promise<Record<string, unknown> & { world: Uint8Array<ArrayBuffer> }>((done) => {
    node.port.onmessage = ({ data }) => done(data);
  });
  await context.startRendering();
  const report = await said;
  return { ...report, world: report.world ? await digest(report.world) : null };
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

Object.assign(window, { bench: { crossWired, guarded, goldenInPage, goldenInWorklet, Library, LiveRig, N, nowUs } });
