/** Every overlay of a match, every way out of one, and every end, shown by making it happen on a practice link. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launch, PATIENCE_MS, serve } from './browser.mjs';
import { pickOpener, reachMatch, shows, until } from './driving.mjs';

let site, chrome;
before(async () => {
  site = await serve();
  chrome = await launch({ context: { viewport: { width: 420, height: 760 }, serviceWorkers: 'block', permissions: ['microphone', 'clipboard-read', 'clipboard-write'] } });
});
after(async () => {
  await chrome?.close();
  await site?.close();
});

/** A match against the loop's peer, who does nothing but answer. */
async function match(query = '', role = '#host') {
  const page = await chrome.newPage(`${site.url}?duel=loop&seed=3&friend=none&${query}&speed=8`);
  await page.click('#duel');
  await page.click(role);
  await pickOpener(page, 2);
  await reachMatch(page);
  await until(page, () => window.__duel.tick > 5);
  return page;
}

const slow = (page, speed) => page.evaluate((speed) => (window.__duel.app.medium.clock.speed = speed), speed);
const peer = (page, does) => page.evaluate(`{ const s = window.__duel.peer.session; const now = window.__duel.app.now(); ${does} }`);

async function ends(page, title, how = null, sync = null) {
  await page.getByTestId('report').waitFor();
  await shows(page, 'end-title', title);
  if (how) await shows(page, 'end-how', how);
  if (sync) await shows(page, 'sync', sync);
  else await page.getByTestId('sync').waitFor({ state: 'hidden' });
}

/** Gives the match up by hand, through the pause menu and its question. */
async function resign(page) {
  await page.click('#pause');
  await shows(page, 'pause-line', /vs your friend · 🔊 \d+ ms/);
  await page.click('#resign');
  await shows(page, 'resign-sure', /Your friend wins\. Are you sure\?/);
  // A key pressed too often must not give the match up.
  await until(page, () => document.activeElement.id === 'resign-no', 'the question to have the focus on no');
  await page.click('#resign-yes');
}

// Most of a test's time is waiting, so two wait at once.
describe('in a page', { concurrency: 2 }, () => {
  test('you resigned; the record is saved as a file; the menu is one tap away', { timeout: 240_000 }, async () => {
    const page = await match();
    await resign(page);
    await ends(page, 'You resigned · Defeat', null, 'In sync ✓');
    await shows(page, 'fact-link', /^\d+ good packets, \d+ bad \([\d.]+ %, 21 dB\)$/);
    await shows(page, 'fact-order-delay', /^0\.\d s$/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
    assert.equal(download.suggestedFilename(), 'sound-duel-host.json');
    await page.getByTestId('friend-waits').waitFor();
    await shows(page, 'friend-waits', 'Your friend is back in the lobby: tap Rematch');
    await page.click('#to-menu');
    await page.getByTestId('menu').waitFor();
    await page.close();
  });

  test('whoever hosts, both phones agree on the delay that the address names', { timeout: 240_000 }, async () => {
    // No round trip of this link's would call for as little.
    for (const role of ['#host', '#join']) {
      const page = await match('delay=3', role);
      const delays = await page.evaluate(() => [window.__duel.agreed, window.__duel.peer.session.agreed()].map((agreed) => agreed.delayTicks));
      assert.deepEqual(delays, [3, 3], role);
      await page.close();
    }
  });

  test('your friend resigned', { timeout: 240_000 }, async () => {
    const page = await match('', '#join');
    await peer(page, 's.resign(now);');
    await ends(page, 'Your friend resigned · Victory', null, 'In sync ✓');
    await page.close();
  });

  test('both resigned in one tick', { timeout: 240_000 }, async () => {
    // One tick a look, or one phone could seal the other's turn away.
    const page = await match();
    await slow(page, 1);
    // Both sessions seal their next turn in the same look at the clock.
    await page.evaluate(async () => {
      const { app, peer, status } = window.__duel;
      const equal = () => peer.session.status(app.now()).tick === app.duel.session.status(app.now()).tick;
      while (!equal()) await new Promise((done) => setTimeout(done, 5));
      app.duel.resign(app.now());
      peer.session.resign(app.now());
      return status;
    });
    await ends(page, 'Both resigned · Draw', null, 'In sync ✓');
    await page.close();
  });

  test('you left, your friend left, out of sync by either phone’s finding', { timeout: 240_000 }, async () => {
    let page = await match();
    await page.evaluate(() => window.__duel.app.duel.leave(window.__duel.app.now()));
    await ends(page, 'You left', /The match has no result\./);
    await page.close();

    page = await match();
    await peer(page, 's.leave(now);');
    await ends(page, 'Your friend left', /The match has no result\./);
    await page.close();

    for (const finds of [(one) => one.evaluate(() => window.__duel.desync()), (one) => peer(one, 's.leave(now, true);')]) {
      page = await match();
      await finds(page);
      await ends(page, 'Out of sync', /The two phones’ worlds differ, found after tick \d+\. The match counts for nobody\./);
      await page.click('#copy-debug');
      const debug = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
      assert.ok(debug.agreed.seed > 0 && debug.record.turns && debug.status.delayTicks > 0, 'what explains it is copied');
      await page.close();
    }
  });

  test('a friend that does not say the same: "Checking sync…", then "Not verified"', { timeout: 240_000 }, async () => {
    const page = await match('latency=100');
    await slow(page, 2);
    // The peer goes away after its last turn has been said, and before it can say how the match ended.
    await page.evaluate(() => {
      const { app, tick, status } = window.__duel;
      const { session } = app.duel;
      const run = session.run.bind(session);
      session.run = (now) => {
        const ran = run(now);
        if (session.status(now).tick >= tick + status.delayTicks - 1) app.medium.cut = true;
        return ran;
      };
      app.duel.resign(app.now());
    });
    await page.getByTestId('report').waitFor();
    const seen = await page.evaluate(async () => {
      const seen = new Set();
      while (window.__duel.result.sync === 0) {
        seen.add(document.querySelector('[data-testid=sync]')?.textContent);
        await new Promise((done) => setTimeout(done, 20));
      }
      return [...seen];
    });
    assert.ok(seen.includes('Checking sync…'), String(seen));
    await ends(page, 'You resigned · Defeat', null, 'Not verified: your friend’s phone has not said the same');
    await page.close();
  });

  test('a friend that loads, one that pauses, orders that wait', { timeout: 240_000 }, async () => {
    const page = await chrome.newPage(`${site.url}?duel=loop&seed=3&friend=none&speed=8`);
    await page.click('#duel');
    await page.click('#host');
    await until(page, () => window.__duel.peer !== null);
    await page.evaluate(() => {
      const { session } = window.__duel.peer;
      const begin = session.begin.bind(session);
      session.begin = (...given) => (window.letItLoad ? begin(...given) : undefined);
    });
    await pickOpener(page, 0);
    await until(page, () => window.__duel.status.overlay === 2, 'loading');
    await shows(page, 'wait', /Waiting for your friend to load…/);
    await page.evaluate(() => (window.letItLoad = true));
    await until(page, () => window.__duel.tick > 5);
    await peer(page, 's.setPaused(now, true);');
    await until(page, () => window.__duel.status.overlay === 3, 'friend paused');
    await shows(page, 'wait', /Friend paused/);
    await peer(page, 's.setPaused(now, false);');
    await until(page, () => window.__duel.status.overlay === 0, 'going on');
    // A hidden page pauses at once.
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    assert.equal(await page.evaluate(() => window.__duel.app.duel.menu !== null), true);
    await until(page, () => window.__duel.status.paused === 1, 'paused');
    await page.getByTestId('pause-menu').waitFor();
    await page.keyboard.press('Escape');
    await until(page, () => window.__duel.status.paused === 0, 'going on');
    await page.close();
  });

  test('a lost sound link covers the match with why, and offers to leave after two taps', { timeout: 240_000 }, async () => {
    const page = await match();
    // The rig itself is tested with devices; here its words are planted over a match.
    const rig = (state, more) => page.evaluate(([state, more]) => {
      const words = { state, lost: 1, lostText: 'The microphone was taken away', errorText: '', adviceText: '', offersLeave: 0, warnsOfAutoLock: 0, ...more };
      window.__duel.app.medium.status = () => words;
    }, [state, more]);
    for (const [state, title] of [[1, 'Tap to start sound'], [3, 'Tap to reconnect the sound link'], [4, 'Reconnecting…'], [5, 'The sound is back: listening…']]) {
      await rig(state, {});
      await shows(page, 'cover-title', title);
      await page.locator('#cover-leave').waitFor({ state: 'hidden' });
    }
    await rig(3, { errorText: 'No microphone found', adviceText: 'Try again with headphones and Bluetooth disconnected.', offersLeave: 1 });
    await page.locator('#cover-leave').waitFor();
    await shows(page, 'cover-error', 'No microphone found.');
    await page.click('#cover-leave');
    await rig(2, {});
    await ends(page, 'Signal lost', /no longer heard each other/);
    await page.close();
  });

  test('a match by keys alone: the cursor speaks, a selection moves, a building is begun', { timeout: 240_000 }, async () => {
    const page = await match();
    await page.getByTestId('field').focus();
    await page.keyboard.press('e');
    assert.ok(await page.evaluate(() => window.__duel.match().field.selected.size > 0), 'the army is selected');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowUp');
    assert.match(await page.locator('.match > .visually-hidden').textContent(), /^\d+, \d+: \w+/);
    const at = () => page.evaluate(() => {
      const { field, scene } = window.__duel.match();
      const [id] = field.selected;
      return [scene.byId.get(id).x, scene.byId.get(id).y].join();
    });
    const before = await at();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    await page.keyboard.press('b');
    await page.keyboard.press('1');
    await until(page, () => window.__duel.match().scene.world.site[0] >= 0, 'a building is begun');
    await page.waitForTimeout(500);
    assert.notEqual(await at(), before, 'the army moved');
    await page.keyboard.press('?');
    await page.getByTestId('help').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('help').waitFor({ state: 'hidden' });
    await page.close();
  });

  test('a match by finger: a tap selects, another sends, a button builds', { timeout: 240_000 }, async () => {
    const context = await chrome.browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const page = await context.newPage();
    await page.goto(`${site.url}?duel=loop&seed=3&friend=none&speed=8`);
    await page.tap('#duel');
    await page.tap('#host');
    await pickOpener(page, 2);
    await reachMatch(page);
    await until(page, () => window.__duel.tick > 5);
    const where = (kind) => page.evaluate((kind) => {
      const { scene, camera } = window.__duel.match();
      const box = document.querySelector('[data-testid=field]').getBoundingClientRect();
      const unit = scene.ownUnits.find((unit) => unit.kind === kind);
      camera.centre({ x: unit.x / 1024, y: unit.y / 1024 });
      const at = camera.pixel(unit);
      return { x: box.left + at.x, y: box.top + at.y, id: unit.id, from: [unit.x, unit.y] };
    }, kind);
    const rifle = await where(2);
    await page.touchscreen.tap(rifle.x, rifle.y);
    await until(page, () => window.__duel.match().field.selected.size === 1, 'a tap selects');
    const stood = await page.evaluate(() => {
      const { field, scene } = window.__duel.match();
      const [id] = field.selected;
      const { x, y } = scene.byId.get(id);
      return { id, x, y };
    });
    await page.touchscreen.tap(rifle.x + 60, rifle.y + 50);
    await page.waitForFunction(({ id, x, y }) => {
      const unit = window.__duel.match().scene.byId.get(id);
      return Math.hypot(unit.x - x, unit.y - y) > 512;
    }, stood, { timeout: PATIENCE_MS });
    await page.getByTestId('building-reactor').tap();
    await until(page, () => window.__duel.match().scene.world.site[0] === 1, 'the reactor is begun');
    await page.getByTestId('command-clear').tap();
    assert.equal(await page.evaluate(() => window.__duel.match().field.selected.size), 0);
    await context.close();
  });
});

test('no page failed by itself', () => assert.deepEqual(chrome.errors, []));
