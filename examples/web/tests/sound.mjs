/**
 * By real audio, on two virtual phones: two pages play each other through the real lobby, and a page plays a native
 * program. `node tests/sound.mjs SOUND-DUEL [page|native|probe]` within the phones' sound server: see `cargo xtask web --sound`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { launch, serve } from './browser.mjs';
import { pickOpener, reachMatch, until } from './driving.mjs';

const [program, only] = process.argv.slice(2);
/** Ticks of a match before somebody pauses, and before somebody gives up. */
const PAUSE_AT = 100;
const RESIGN_AT = 200;
const PAUSE_MS = 3000;
/** A program that has everything said to it ends within. */
const ENDS_WITHIN_MS = 60_000;

const started = performance.now();
const say = (text) => console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}`);

/** A browser on phone A or B: its speaker and its microphone. */
async function phone(site, letter, more) {
  const env = { PULSE_SINK: `speaker${letter}`, PULSE_SOURCE: `mic${letter}` };
  const browser = await launch({ env, context: { viewport: { width: 800, height: 450 } } });
  const page = await browser.newPage(`${site.url}?latency=playback&mutators=blitz&${more}`);
  return { page, browser, close: () => browser.close() };
}

async function intoLobby({ page }, role) {
  await page.click('#duel');
  await page.click(role);
}

async function linkOf({ page }) {
  const link = await page.evaluate(() => window.__duel.link);
  return `${link.rxGood} good, ${link.rxBad} bad, ${link.snrDb?.toFixed(0)} dB, own ${link.ownSnrDb?.toFixed(0)} dB`;
}

const resign = async ({ page }) => {
  await page.click('#pause');
  await page.click('#resign');
  await page.click('#resign-yes');
};

/** The end of a match on a page: in sync, and its record. */
async function ended({ page, browser }) {
  await until(page, () => window.__duel.state === 'over' && window.__duel.result?.sync === 1, 'an end in sync');
  assert.deepEqual(browser.errors, []);
  return page.evaluate(() => ({ result: window.__duel.result, record: window.__duel.record(), status: window.__duel.status }));
}

async function pageAndPage(site) {
  const host = await phone(site, 'A', 'ai=normal');
  const guest = await phone(site, 'B', 'ai=easy');
  const both = [host, guest];
  await Promise.all([intoLobby(host, '#host'), intoLobby(guest, '#join')]);
  await Promise.all(both.map(({ page }, index) => pickOpener(page, index)));
  await Promise.all(both.map(({ page }) => reachMatch(page)));
  say(`page and page: playing; host ${await linkOf(host)}; guest ${await linkOf(guest)}`);

  await until(host.page, `window.__duel.tick > ${PAUSE_AT}`);
  await host.page.click('#pause');
  await until(guest.page, () => window.__duel.status.overlay === 3, '"Friend paused"');
  await new Promise((done) => setTimeout(done, PAUSE_MS));
  const paused = await guest.page.evaluate(() => window.__duel.tick);
  await host.page.click('#resume');
  await until(guest.page, `window.__duel.status.overlay === 0 && window.__duel.tick > ${paused + 20}`);
  say('page and page: paused, and went on');

  await until(guest.page, `window.__duel.tick > ${RESIGN_AT}`);
  await resign(guest);
  const [one, other] = await Promise.all(both.map(ended));
  assert.equal(one.record, other.record);
  assert.deepEqual([one.result.winner, one.result.resigned], [0, 1], 'blue, the host, won by resignation');
  const { stallMs, orderDelayTicks } = one.status;
  say(`page and page: in sync after ${one.status.tick} ticks, equal records, ${stallMs} ms stalled, orders ${orderDelayTicks.toFixed(1)} ticks`);

  for (const { page } of both) await page.click('#rematch');
  await Promise.all(both.map(({ page }) => until(page, () => window.__duel.state === 'lobby', 'the lobby again')));
  await Promise.all(both.map(({ page }, index) => pickOpener(page, index)));
  await Promise.all(both.map(({ page }) => reachMatch(page)));
  const sides = await Promise.all(both.map(({ page }) => page.evaluate(() => window.__duel.status.localSide)));
  assert.deepEqual(sides, [1, 0], 'sides are swapped');
  await until(host.page, 'window.__duel.tick > 30');
  await resign(host);
  const [first, second] = await Promise.all(both.map(ended));
  assert.equal(first.record, second.record);
  say(`page and page: rematch with sides swapped, in sync after ${first.status.tick} ticks`);
  await Promise.all(both.map(({ close }) => close()));
}

/** A native program on phone B: what it tells, and how it ends. */
function native(role, out) {
  const args = ['play', role, '--json', '--ai', 'easy', '--setup', 'blitz', '--output', 'speakerB', '--input', 'micB', '--out', out];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  const end = new Promise((done) => child.on('exit', (code) => done(code)));
  return { lines, end, kill: () => child.kill() };
}

async function pageAndNative(site) {
  const out = mkdtempSync(join(tmpdir(), 'sound-duel-'));
  const peer = native('--join', out);
  const host = await phone(site, 'A', 'ai=normal');
  try {
    await intoLobby(host, '#host');
    await pickOpener(host.page, 0);
    await reachMatch(host.page);
    say(`page and program: playing; page ${await linkOf(host)}`);
    await until(host.page, `window.__duel.tick > ${PAUSE_AT}`);
    await resign(host);
    const { record, result, status } = await ended(host);
    assert.equal(result.resigned, 1);
    say(`page and program: the page is in sync after ${status.tick} ticks, ${status.stallMs} ms stalled`);
    const late = new Promise((done) => setTimeout(() => done('it has not ended'), ENDS_WITHIN_MS));
    assert.equal(await Promise.race([peer.end, late]), 0, peer.lines.slice(-3).join('\n'));
    const saved = readdirSync(out, { recursive: true }).filter((name) => name.endsWith('.json'));
    const records = saved.map((name) => readFileSync(join(out, name), 'utf8').trim());
    assert.ok(records.includes(record.trim()), `the program saved the page's record: ${saved}`);
    say(`page and program: the program ended in sync, with the page's record, byte for byte`);
  } finally {
    peer.kill();
    await host.close();
    rmSync(out, { recursive: true, force: true });
  }
}

/** The probe page of phone B records what that of phone A plays, then measures its own phone. */
async function probe(site) {
  const [one, other] = [await phone(site, 'A', ''), await phone(site, 'B', '')];
  for (const { page } of [one, other]) await page.goto(`${site.url}probe.html`);
  const says = async (page, what) => {
    const status = page.getByTestId('status');
    const until = performance.now() + 60_000;
    while (!what.test(await status.textContent())) {
      if (performance.now() > until) throw new Error(`waited for ${what}; the page says: ${await status.textContent()}`);
      await new Promise((done) => setTimeout(done, 100));
    }
  };
  await other.page.click('#open');
  await says(other.page, /^Listening/);
  await other.page.click('#record');
  await one.page.click('#play');
  await says(one.page, /^Played/);
  await other.page.click('#stop');
  await says(other.page, /^Read\./);
  const [row] = await other.page.locator('tbody tr').allTextContents();
  assert.match(row, /high host.*(works|may work)/);
  say(`probe: ${row}`);
  await other.page.click('#self');
  await says(other.page, /^Read\./);
  const [trip] = await other.page.getByText('Round trip').allTextContents();
  const ms = Number(/(-?\d+) ms/.exec(trip)?.[1]);
  assert.ok(ms > 20 && ms < 1000, trip);
  say(`probe: ${trip}`);
  await Promise.all([one, other].map(({ close }) => close()));
}

const PARTS = { page: pageAndPage, native: pageAndNative, probe };
const site = await serve();
try {
  for (const [name, part] of Object.entries(PARTS)) if (!only || only === name) await part(site);
} finally {
  await site.close();
}
