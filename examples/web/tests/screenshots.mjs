/** Pictures of every page at a phone's two orientations and a desk's size: `node tests/screenshots.mjs FOLDER [SIZE]`. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FAKE_MICROPHONE, launch, PATIENCE_MS, serve } from './browser.mjs';
import { pickOpener, reachMatch, until } from './driving.mjs';
import { hearsItself, microphoneFails } from './forcing.mjs';

const folder = process.argv[2] ?? 'screenshots';
/** What is photographed at which size; a phone is also shown in the light. */
const SIZES = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, colorScheme: 'dark' },
  landscape: { viewport: { width: 844, height: 390 }, deviceScaleFactor: 2, hasTouch: true, colorScheme: 'light' },
  desktop: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1, colorScheme: 'dark' },
};
/** The match is photographed in the first fight after so many ticks. */
const MATCH_TICK = 330;

await mkdir(folder, { recursive: true });
const site = await serve();
const chrome = await launch({ args: FAKE_MICROPHONE });

/** A page of one's own, and a way to photograph it under a name. */
async function open(size, query, script = '') {
  const context = await chrome.browser.newContext({ ...SIZES[size], serviceWorkers: 'block', permissions: ['microphone'] });
  const page = await context.newPage();
  if (script) await page.addInitScript(script);
  await page.goto(site.url + query);
  await page.getByTestId('menu').waitFor();
  const shot = async (name) => {
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(folder, `${name}-${size}.png`) });
    console.log(`${name}-${size}.png`);
  };
  return { page, shot, close: () => context.close() };
}

/** The steps of a live lobby: the phone alone on a table hears itself, and what a peer would say is planted. */
async function lobby(size) {
  const { page, shot, close } = await open(size, '', hearsItself(0.5));
  await shot('1-menu');
  await page.click('#duel');
  await page.locator('#host').waitFor();
  await shot('2-lobby-choose');
  await page.locator('summary').first().click();
  await page.getByText('Advanced').click();
  await page.locator('#self-test-host').scrollIntoViewIfNeeded();
  await shot('3-lobby-settings');
  await page.evaluate(() => document.querySelector('#host').click());
  await until(page, () => window.__duel.state === 'lobby' && window.__duel.link.ownSnrDb > 20, 'the link');
  await shot('4-lobby-waiting');
  await page.evaluate(() => {
    const { duel } = window.__duel.app;
    const { session } = duel;
    const status = session.status.bind(session);
    const link = duel.link.status.bind(duel.link);
    window.plant = {};
    duel.link.status = () => ({ ...link(), rxGood: 118, rxBad: 2, snrDb: 22.4, ...window.plant.link });
    session.status = (now) => ({ ...status(now), pairing: 1, rxQuality: 7, peerRxQuality: 6, sinceHeardMs: 90, peerHearsMe: 1, roundTripUs: 612_000, offered: 1, localSide: 0, delayTicks: 6, hint: 0, ...window.plant.session });
    session.openers = () => 7;
  });
  await shot('5-lobby-measuring');
  await page.evaluate(() => (window.plant.session = { pairing: 2, pickLeftMs: 12_400 }));
  await shot('6-lobby-openers');
  await page.evaluate(() => (window.plant.session = { pairing: 3, ownPick: 1 }));
  await shot('7-lobby-picked');
  await page.evaluate(() => {
    window.plant = { session: { pairing: 1, rxQuality: 1, peerRxQuality: 2 }, link: { rxGood: 14, rxBad: 103, snrDb: 4.1 } };
    window.__duel.app.duel.advised = () => ({ band: 2, fallbackPlan: 1, otherRole: 1, routeText: '', loud: 0, gain: 1, bandText: 'This phone hears itself, but only 12 % of its friend’s packets (4 dB).' });
  });
  await shot('8-lobby-offer');
  await close();
}

async function error(size) {
  const { page, shot, close } = await open(size, '', microphoneFails('NotAllowedError'));
  await page.click('#duel');
  await page.getByTestId('failure').waitFor();
  await shot('9-lobby-error');
  await close();
}

async function match(size) {
  const { page, shot, close } = await open(size, '?duel=loop&seed=9&speed=10&ai=normal&friend=normal&mutators=blitz,bonanza&map=0');
  await page.click('#duel');
  await page.click('#host');
  await pickOpener(page, 2);
  await reachMatch(page);
  const fight = (tick) => {
    const scene = window.__duel.match()?.scene;
    if (!scene || window.__duel.tick < tick) return false;
    return scene.units.filter(({ side, target }) => side !== scene.side && target >= 0).length > 2;
  };
  await page.waitForFunction(fight, MATCH_TICK, { timeout: PATIENCE_MS, polling: 30 });
  await page.evaluate(() => {
    // Slow enough to be photographed, and as a player would see it.
    window.__duel.app.medium.clock.speed = 0.5;
    window.__duel.app.duel.want.ai = 0;
    const { field, camera, scene } = window.__duel.match();
    field.selectArmy();
    const front = scene.units.find(({ side, target }) => side !== scene.side && target >= 0);
    if (front) camera.centre({ x: front.x / 1024, y: front.y / 1024 });
  });
  await shot('10-match');
  await page.getByTestId('tab-units').click();
  await page.evaluate(() => {
    const { field, camera, scene } = window.__duel.match();
    const base = scene.own.find(({ kind }) => kind === 3) ?? scene.own[0];
    field.clear();
    field.building = base.id;
    camera.centre({ x: base.tileX + 1, y: base.tileY + 1 });
  });
  await shot('11-match-base');
  await page.evaluate(() => window.__duel.cut(true));
  await page.evaluate(() => (window.__duel.app.medium.clock.speed = 10));
  await until(page, () => window.__duel.status.overlay !== 0 && window.__duel.status.overlayLeave === 1, 'a stall');
  await shot('12-stall');
  await page.click('#pause');
  await shot('13-pause');
  await page.click('#resume');
  await page.click('#show-help');
  await shot('14-help');
  await page.click('#help-close');
  await page.evaluate(() => {
    const words = { state: 3, lostText: 'The microphone was taken away', errorText: 'No microphone found', adviceText: 'Try again with headphones and Bluetooth disconnected.', offersLeave: 1 };
    window.__duel.app.medium.status = () => words;
  });
  await shot('15-reconnect');
  await page.evaluate(() => {
    window.__duel.app.medium.status = () => null;
    window.__duel.cut(false);
  });
  await until(page, () => window.__duel.status.overlay === 0, 'the match goes on');
  await page.evaluate(() => {
    const { peer, app } = window.__duel;
    peer.session.resign(app.now());
  });
  await page.getByTestId('report').waitFor();
  await until(page, () => window.__duel.result?.sync === 1, 'in sync');
  await shot('16-report');
  await close();
}

try {
  const only = process.argv[3];
  for (const size of Object.keys(SIZES).filter((size) => !only || size === only)) {
    await lobby(size);
    if (size === 'phone') await error(size);
    await match(size);
  }
} finally {
  await chrome.close();
  await site.close();
}
if (chrome.errors.length > 0) throw chrome.errors[0];
