/** The radio probe reads a recording, draws it, and saves what `sound-duel probe` reads the same. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { FAKE_MICROPHONE, launch, serve } from './browser.mjs';
import { WEB, loadTs } from './load.mjs';

const RATE_HZ = 48_000;
/** An echo that the link's windows forgive, and one that they do not. */
const ECHOES = [[0.002, 0.4], [0.012, 0.08]];

let server;
let browser;
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sound-duel-'));
  server = await serve();
  browser = await launch({ args: FAKE_MICROPHONE });
});
after(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The measurement as a phone would record it: a second of silence first, echoes, a little noise. */
async function recording() {
  const { instance } = await WebAssembly.instantiate(readFileSync(`${WEB}wasm/web_probe.wasm`), {});
  const { memory, probe_play, probe_played } = instance.exports;
  const length = probe_play(RATE_HZ);
  const played = new Float32Array(memory.buffer, probe_played(), length);
  const samples = new Float32Array(length + 2 * RATE_HZ);
  let dice = 1;
  for (let at = 0; at < samples.length; at++) {
    dice = (Math.imul(dice, 1664525) + 1013904223) >>> 0;
    samples[at] = 1e-4 * (dice / 2 ** 31 - 1);
  }
  for (const [delayS, gain] of [[0, 1], ...ECHOES]) {
    const from = RATE_HZ + Math.round(delayS * RATE_HZ);
    for (let at = 0; at < length; at++) samples[from + at] += 0.3 * gain * played[at];
  }
  return samples;
}

test('a recording is read, drawn and saved', async () => {
  const { writeWav } = await loadTs('src/probe/wav.ts');
  const wav = Buffer.from(await writeWav({ samples: await recording(), rateHz: RATE_HZ }).arrayBuffer());
  const given = join(folder, 'given.wav');
  writeFileSync(given, wav);

  const page = await browser.newPage(`${server.url}probe.html`);
  await page.setInputFiles('#file', given);
  await page.waitForSelector('[data-testid=result]:not([hidden])');
  assert.equal(await page.locator('svg.plot').count(), 4);
  const rows = await page.locator('tbody tr').allTextContents();
  assert.equal(rows.length, 4);
  assert.match(rows[0], /high host.*9\.5–12\.5 kHz/);

  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-wav')]);
  const saved = join(folder, 'saved.wav');
  await download.saveAs(saved);
  assert.deepEqual(readFileSync(saved), wav);

  if (process.env.SOUND_DUEL) {
    const told = JSON.parse(execFileSync(process.env.SOUND_DUEL, ['probe', saved, '--json'], { encoding: 'utf8' }));
    const ours = await page.evaluate(() => [...document.querySelectorAll('tbody tr')].map((row) => parseFloat(row.children[2].textContent)));
    assert.deepEqual(told.links.map((link) => link.snr_db), ours, 'as the command line reads it');
  }
  assert.deepEqual(browser.errors, []);
});

test('what is no measurement is said so', async () => {
  const { writeWav } = await loadTs('src/probe/wav.ts');
  const wav = Buffer.from(await writeWav({ samples: new Float32Array(12 * RATE_HZ), rateHz: RATE_HZ }).arrayBuffer());
  const page = await browser.newPage(`${server.url}probe.html`);
  await page.setInputFiles('#file', { name: 'silence.wav', mimeType: 'audio/wav', buffer: wav });
  await page.waitForFunction(() => /no sweep found/.test(document.querySelector('[data-testid=status]').textContent));
  await page.setInputFiles('#file', { name: 'text.wav', mimeType: 'audio/wav', buffer: Buffer.from('not a sound at all'.repeat(9)) });
  await page.waitForFunction(() => /not a WAV file/.test(document.querySelector('[data-testid=status]').textContent));
});

test('while it records, no file is read', async () => {
  const page = await browser.newPage(`${server.url}probe.html`);
  await page.click('#open');
  await page.click('#record');
  await page.locator('#stop').waitFor();
  assert.equal(await page.locator('#file').isDisabled(), true);
  await page.click('#stop');
  await page.waitForFunction(() => !document.querySelector('#file').disabled);
});

test('a block without input is recorded as silence, so that what follows keeps its time', async () => {
  const BLOCK = 128;
  let Recorder;
  let recorded = [];
  class AudioWorkletProcessor {
    port = { postMessage: ({ samples }) => (recorded = [...recorded, ...samples]) };
  }
  Object.assign(globalThis, { AudioWorkletProcessor, currentFrame: 0, registerProcessor: (_name, made) => (Recorder = made) });
  await loadTs('src/probe/recorder-worklet.ts');
  const recorder = new Recorder();
  const heard = new Float32Array(BLOCK).fill(0.5);
  // The same room is filled twice: what was in it before must not come back.
  for (let block = 0; recorded.length < 2 * 3072; block++) {
    recorder.process([block % 3 === 1 ? [] : [heard]], [[new Float32Array(BLOCK)]]);
  }
  recorded.forEach((sample, at) => assert.equal(sample, Math.floor(at / BLOCK) % 3 === 1 ? 0 : 0.5, `sample ${at}`));
});

test('holes in a recording', async () => {
  const { holes } = await loadTs('src/probe/holes.ts');
  const samples = Float32Array.from({ length: RATE_HZ }, (_, at) => (at % 2 ? 1e-3 : -1e-3));
  samples.fill(0, 4800, 9600);
  samples.fill(0, 20_000, 20_100);
  assert.deepEqual(holes(samples, RATE_HZ), [{ startsMs: 100, lastsMs: 100 }]);
});
