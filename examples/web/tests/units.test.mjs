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

test('WAV files of floats and integers, of one channel and more', async () => {
  const { readWav, writeWav } = await loadTs('src/probe/wav.ts');
  const samples = Float32Array.from([0, 0.5, -1, 0.25]);
  const own = await writeWav({ samples, rateHz: 44_100 }).arrayBuffer();
  assert.deepEqual(readWav(own), { samples, rateHz: 44_100 });

  // Two channels of 16 bits, with a chunk in between that nobody knows.
  const view = new DataView(new ArrayBuffer(64));
  const word = (at, text) => [...text].forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  word(0, 'RIFF'), word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true), view.setUint16(20, 1, true), view.setUint16(22, 2, true);
  view.setUint32(24, 48_000, true), view.setUint16(32, 4, true), view.setUint16(34, 16, true);
  word(36, 'LIST'), view.setUint32(40, 3, true);
  word(48, 'data'), view.setUint32(52, 8, true);
  [16_384, 1, -32_768, 2].forEach((sample, index) => view.setInt16(56 + 2 * index, sample, true));
  assert.deepEqual(readWav(view.buffer), { samples: Float32Array.from([0.5, -1]), rateHz: 48_000 });
  assert.throws(() => readWav(new ArrayBuffer(100)), /no WAV file/);
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
