/** After one visit the page needs no network, and a new version waits until it is let in. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, serve } from './browser.mjs';
import { WEB } from './load.mjs';

let folder;
let server;
let url;
let browser;
before(async () => {
  // A copy, so that a newer version can be put in its place.
  folder = mkdtempSync(join(tmpdir(), 'sound-duel-'));
  cpSync(join(WEB, 'dist'), folder, { recursive: true });
  server = await serve(folder);
  ({ url } = server);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const controlled = () => navigator.serviceWorker.controller !== null;

/** Until a newer version waits (true), or none does any more. */
const waits = (page, whether) =>
  page.evaluate(async (whether) => {
    while (((await navigator.serviceWorker.getRegistration()).waiting !== null) !== whether) {
      await new Promise((done) => setTimeout(done, 50));
    }
  }, whether);

test('the first load is ready soon', async () => {
  const page = await browser.newPage();
  const started = performance.now();
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector('#duel:not([disabled])'));
  console.log(`first load: interactive after ${(performance.now() - started).toFixed(0)} ms on localhost (goal: under 2000)`);
  await page.waitForFunction(controlled);
  await page.getByText('Ready for airplane mode').waitFor();
  await page.close();
});

test('a newer version waits, and takes over when it is let', async () => {
  // One that is in the middle of something: the version that it runs stays.
  const busy = await browser.newPage(url);
  const page = await browser.newPage(url);
  await page.waitForFunction(controlled);
  await busy.evaluate(() => (window.stays = true));
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const worker = readFileSync(join(folder, 'sw.js'), 'utf8');
  writeFileSync(join(folder, 'index.html'), html.replace('<title>', '<meta name="newer" /><title>'));
  writeFileSync(join(folder, 'sw.js'), worker.replace(/VERSION = "\w+"/, 'VERSION = "newer"'));
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await waits(page, true);
  await page.reload();
  const newer = 'meta[name=newer]';
  assert.equal(await page.locator(newer).count(), 0, 'no page changes its version by itself');
  // The player's tap on the notice: the page reloads by itself once the newer version has taken over.
  // Nothing may ask anything of the old worker meanwhile: it would be woken, and rest only half a minute later. Here, where a
  // debugger is on it, never.
  const reloaded = page.waitForEvent('load', { timeout: 20_000 });
  await page.click('#update-now');
  await reloaded;
  await waits(page, false);
  assert.equal(await page.locator(newer).count(), 1);
  await page.close();
  assert.equal(await busy.evaluate(() => window.stays), true, 'the other page goes on');
  await busy.close();
});

test('with the network cut it starts and plays all the same', async () => {
  await server.close();
  server = null;
  const page = await browser.newPage();
  await page.goto(`${url}?duel=loop`);
  await page.waitForFunction(() => document.querySelector('#duel:not([disabled])'));
  await page.click('#duel');
  await page.waitForFunction(() => document.querySelector('#host'));
  assert.deepEqual(browser.errors, []);
  // The probe is the same visit's.
  await page.goto(`${url}probe.html`);
  await page.waitForFunction(() => document.querySelector('#app')?.children.length > 0);
  // What the worklets are made of was kept too.
  const kept = await page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('sound-duel-'));
    const cache = await caches.open(names[0]);
    return { names, files: (await cache.keys()).map((request) => new URL(request.url).pathname) };
  });
  assert.equal(kept.names.length, 1, 'older versions are gone');
  for (const part of ['pump-worklet', 'guard-worklet', '.wasm', 'index.html']) {
    assert.ok(kept.files.some((file) => file.includes(part)), `${part} in ${kept.files}`);
  }
});
