/** Two pages of one browser duel through the relay, with delay and loss: by hand through the lobby, then AI against AI to
 * a decision, a one-way outage and a pause between. What both saw must be the same. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, serve } from './browser.mjs';
import { pickOpener, reachMatch, shows, until } from './driving.mjs';

let site, chrome;
before(async () => {
  site = await serve();
  // A small picture is drawn faster, and nobody looks.
  chrome = await launch({ context: { viewport: { width: 480, height: 560 } } });
});
after(async () => {
  await chrome?.close();
  await site?.close();
});

const SPEED = 8;
const address = (seat, more) => `${site.url}?duel=relay&seat=${seat}&latency=180&loss=0.1&speed=${SPEED}&trail&${more}`;

/** Both pages, and a way to ask both the same. */
async function pair(more) {
  const pages = [
    await chrome.newPage(address('host', `seed=11&${more}`)),
    await chrome.newPage(address('guest', `seed=22&${more}`)),
  ];
  const both = (what, ...args) => Promise.all(pages.map((page) => page.evaluate(what, ...args)));
  return { pages, both, close: () => Promise.all(pages.map((page) => page.close())) };
}

async function intoMatch({ pages }) {
  await Promise.all(
    pages.map(async (page, at) => {
      await page.click('#duel');
      await page.click(at === 0 ? '#host' : '#join');
    }),
  );
  await Promise.all(pages.map((page, at) => pickOpener(page, at)));
  await Promise.all(pages.map(reachMatch));
}

/** The ticks at which both pages kept a digest, and how many of them agree. */
function compare([a, b]) {
  const theirs = new Map(b);
  const common = a.filter(([tick]) => theirs.has(tick));
  return { common: common.length, equal: common.filter(([tick, digest]) => theirs.get(tick) === digest).length };
}

test('AI against AI through 10 % loss: trails, hashes, results and records are equal', { timeout: 240_000 }, async () => {
  const duel = await pair('ai=hard&mutators=blitz');
  const { pages, both } = duel;
  await intoMatch(duel);
  await until(pages[1], () => window.__duel.tick > 60);

  // The guest hears nothing for four seconds of its time: the host's words are lost, then the match goes on.
  await pages[1].evaluate(() => window.__duel.cut(true));
  await until(pages[1], () => window.__duel.status.overlay === 4, 'signal lost');
  await shows(pages[1], 'wait', /Signal lost: bring the phones closer/);
  await pages[1].evaluate(() => window.__duel.cut(false));
  await until(pages[1], () => window.__duel.status.overlay === 0, 'the match goes on');

  // The host pauses; its peer is told.
  await pages[0].click('#pause');
  await until(pages[1], () => window.__duel.status.overlay === 3, 'friend paused');
  await shows(pages[1], 'wait', /Friend paused/);
  await pages[0].click('#resume');

  await Promise.all(pages.map((page) => until(page, () => window.__duel.result?.sync === 1, 'in sync')));
  const [results, trails, hashes, records] = await Promise.all([
    both(() => window.__duel.result),
    both(() => window.__duel.trail()),
    both(() => window.__duel.hash()),
    both(() => window.__duel.record()),
  ]);
  const trail = compare(trails);
  assert.ok(trail.common > 100, `${trail.common} ticks were compared`);
  assert.equal(trail.equal, trail.common, 'every digest agrees');
  assert.equal(hashes[0], hashes[1]);
  assert.equal(records[0], records[1], 'records are equal byte for byte');
  const [{ score: a, ...first }, { score: b, ...second }] = results;
  assert.deepEqual(first, second);
  assert.deepEqual([a, b].sort(), a === 3 ? [3, 3] : [1, 2], 'one won, the other lost');
  const saved = JSON.parse(records[0]);
  assert.ok(saved.hashes.length > 3 && saved.turns.length > 10, 'the record holds the match');
  for (const page of pages) {
    await shows(page, 'sync', 'In sync ✓');
    await shows(page, 'end-line', /Practice link \(no sound\)/);
    assert.equal(await page.evaluate(() => localStorage.getItem('sound-duel.score')), null, 'practice never counts');
  }

  // Once more, sides swapped.
  const before = (await both(() => window.__duel.agreed)).map(({ localSide }) => localSide);
  await Promise.all(pages.map((page) => page.click('#rematch')));
  await Promise.all(pages.map((page, at) => pickOpener(page, at)));
  await Promise.all(pages.map(reachMatch));
  const swapped = await both(() => window.__duel.agreed);
  assert.deepEqual(swapped.map(({ localSide }) => localSide), [before[1], before[0]]);
  assert.deepEqual(swapped.map(({ role }) => role), [0, 1], 'roles never swap');

  // And given up by hand: both phones end it in the same tick.
  await until(pages[1], () => window.__duel.tick > 20);
  await pages[1].click('#pause');
  await pages[1].click('#resign');
  await pages[1].click('#resign-yes');
  await Promise.all(pages.map((page) => until(page, () => window.__duel.result?.sync === 1, 'in sync')));
  await shows(pages[0], 'end-title', 'Your friend resigned · Victory');
  await shows(pages[1], 'end-title', 'You resigned · Defeat');
  const again = await both(() => window.__duel.record());
  assert.equal(again[0], again[1]);
  assert.deepEqual(chrome.errors, []);
  await duel.close();
});

test('resigning and leaving is offered while packets arrive, leaving only when they do not', { timeout: 240_000 }, async () => {
  const duel = await pair('');
  const [host, guest] = duel.pages;
  await intoMatch(duel);
  await until(host, () => window.__duel.tick > 5);
  await host.click('#pause');
  await host.locator('#resign-and-leave').waitFor();
  await host.locator('#leave').waitFor({ state: 'hidden' });
  // The peer falls silent while the menu is up, where no turn is waited for, and comes back.
  await duel.both(() => window.__duel.cut(true));
  await host.locator('#leave').waitFor();
  await host.locator('#resign-and-leave').waitFor({ state: 'hidden' });
  await duel.both(() => window.__duel.cut(false));
  await host.locator('#leave').waitFor({ state: 'hidden' });
  await host.locator('#resign-and-leave').waitFor();
  await host.click('#resume');
  await duel.both(() => window.__duel.cut(true));
  await until(host, () => window.__duel.status.overlay === 4, 'signal lost');
  await host.getByTestId('wait-leave').waitFor();
  await host.click('#pause');
  await host.locator('#leave').waitFor();
  await host.locator('#resign-and-leave').waitFor({ state: 'hidden' });
  await host.click('#leave');
  await host.getByTestId('report').waitFor();
  await shows(host, 'end-title', 'Signal lost');
  await shows(host, 'end-how', /no longer heard each other\. The match has no result\./);
  // Heard again, the peer learns that the other has left.
  await duel.both(() => window.__duel.cut(false));
  await guest.getByTestId('report').waitFor();
  await shows(guest, 'end-title', 'Your friend left');
  await duel.close();
});
