/** The built worklet in Chromium: two modems hear each other; and the golden replay, on every thread the same. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, serve } from './browser.mjs';
import { ROOT } from './load.mjs';

let server;
let browser;
let page;
before(async () => {
  server = await serve('dist-test');
  browser = await launch();
  page = await browser.newPage(`${server.url}tests/pages/bench.html`);
  await page.waitForFunction(() => window.bench);
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test('two worklet nodes cross-wired in an OfflineAudioContext decode both ways', async () => {
  const { heard, elapsedMs, meanBlockMs } = await page.evaluate(() => window.bench.crossWired(12));
  console.log(`worklet: 12 s of two modems in ${elapsedMs.toFixed(0)} ms, mean ${(1000 * meanBlockMs).toFixed(1)} µs a block of 128`);
  const [host, guest] = heard;
  assert.deepEqual([host.fatal, guest.fatal], [[], []]);
  // 12 s are 60 packets of the starting mode; the first second or two goes into finding each other.
  assert.ok(host.texts.guest >= 40, JSON.stringify(host));
  assert.ok(guest.texts.host >= 40, JSON.stringify(guest));
  assert.deepEqual([Object.keys(host.texts), Object.keys(guest.texts)], [['guest'], ['host']]);
});

test('the guard lets the game through and keeps out of the friend\'s band', async () => {
  for (const [plan, lowHz, highHz, stopDb] of [[0, 1000, 10_000, 70], [1, 1000, 5500, 60]]) {
    const [low, high] = await page.evaluate((words) => window.bench.guarded(...words), [plan, lowHz, highHz]);
    // 10 dB of cut, and what the limiter takes.
    assert.ok(low < -8 && low > -20, `plan ${plan}: ${lowHz} Hz at ${low.toFixed(1)} dB`);
    assert.ok(high < low - stopDb, `plan ${plan}: ${highHz} Hz at ${high.toFixed(1)} dB, ${lowHz} Hz at ${low.toFixed(1)} dB`);
  }
});

test('the golden replay: page and worklet come to the committed hashes, and to one world', async () => {
  const record = readFileSync(`${ROOT}game-sim/tests/golden.json`, 'utf8').trim();
  const inPage = await page.evaluate((text) => window.bench.goldenInPage(text), record);
  const inWorklet = await page.evaluate((text) => window.bench.goldenInWorklet(text), record);
  assert.equal(inPage.agrees, 1, JSON.stringify(inPage));
  assert.equal(inPage.differsAt, -1);
  assert.ok(inPage.hashesEqual >= 10);
  assert.deepEqual(inWorklet, inPage);
  const committed = JSON.parse(record).hashes;
  assert.equal(inPage.hashesEqual, committed.length);
  if (process.env.GOLDEN_HASHES) {
    // What this machine itself came to just now: `golden TICK HASH`, among the lines of other games.
    const lines = readFileSync(process.env.GOLDEN_HASHES, 'utf8').split('\n').filter((line) => line.startsWith('golden '));
    const native = lines.map((line) => line.split(' ').slice(1));
    assert.deepEqual(native, committed.slice(1).map(([tick, hash]) => [String(tick), hash]), 'natively');
  }
  console.log(`golden: ${inPage.hashesEqual} hashes over ${inPage.ticks} ticks equal, world ${inPage.world.slice(0, 16)}`);
});
