/** Small parts that need no browser: wake locks that only seem to hold, batches of messages, WAV files, text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadTs } from './load.mjs';

test('a wake lock only seems to hold in a Home Screen app before iOS 18.4', async () => {
  const { onlySeems } = await loadTs('src/audio/wake-lock.ts');
  const iphone = (version) => `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15`;
  assert.equal(onlySeems(iphone('17_7'), true), true);
  assert.equal(onlySeems(iphone('18_3_1'), true), true);
  assert.equal(onlySeems(iphone('18_4'), true), false);
  assert.equal(onlySeems(iphone('26_0'), true), false);
  assert.equal(onlySeems(iphone('17_7'), false), false, 'in Safari itself it holds');
  assert.equal(onlySeems('Mozilla/5.0 (Linux; Android 15) Chrome/140', true), false);
});

test('a batch of messages comes apart as it was put together', async () => {
  const { messagesOf } = await loadTs('src/audio/protocol.ts');
  const long = new Uint8Array(300).fill(7);
  const batch = Uint8Array.from([2, 0, 9, 8, 300 & 0xff, 300 >> 8, ...long, 0, 0]);
  assert.deepEqual([...messagesOf(batch)].map((bytes) => [...bytes]), [[9, 8], [...long], []]);
  assert.deepEqual([...messagesOf(new Uint8Array())], []);
});

test('a WAV file of floats says what it holds', async () => {
  const { writeWav } = await loadTs('src/probe/wav.ts');
  const samples = Float32Array.from([0, 0.5, -1, 0.25]);
  const view = new DataView(await writeWav({ samples, rateHz: 44_100 }).arrayBuffer());
  assert.equal(view.getUint32(24, true), 44_100);
  assert.equal(view.getUint32(40, true), 16);
  assert.deepEqual([0, 1, 2, 3].map((index) => view.getFloat32(44 + 4 * index, true)), [...samples]);
});

test('an address\'s numbers are clamped, and what makes no sense counts as not given', async () => {
  const { readParams } = await loadTs('src/app/params.ts');
  const read = (query) => {
    const { delayTicks, lossPermille, latencyMs } = readParams(query);
    return [delayTicks, lossPermille, latencyMs];
  };
  assert.deepEqual(read('?duel=loop'), [0, 0, 250]);
  assert.deepEqual(read('?delay=4&loss=0.1&latency=180'), [4, 100, 180]);
  assert.deepEqual(read('?delay=0&loss=-1&latency=-5'), [3, 0, 0]);
  assert.deepEqual(read('?delay=99&loss=2&latency=9000'), [8, 900, 2000]);
  assert.deepEqual(read('?delay=&loss=much&latency='), [0, 0, 250]);
});

test('UTF-8 without a TextDecoder', async () => {
  const { decode } = await loadTs('src/wasm/instance.ts');
  const text = 'Tap → “Duel” — 𝄞 é';
  assert.equal(decode(new TextEncoder().encode(text)), text);
});
