/** Every error, warning and hint of the lobby, shown by making it happen. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { FAKE_MICROPHONE, launch, serve } from './browser.mjs';
import { shows, until } from './driving.mjs';
import { FAILING_PROCESSOR, hearsItself, LOW_RATE, microphoneFails, NO_MICROPHONES, NO_MODEM_FILE, NO_WORKLETS } from './forcing.mjs';

/** Less than what a link takes of the library's memory. */
const LINK_BYTES = 100_000;

let site, chrome;
before(async () => {
  site = await serve();
  // What a service worker kept would be loaded past the tests' own answers.
  const context = { viewport: { width: 420, height: 800 }, serviceWorkers: 'block' };
  chrome = await launch({ args: FAKE_MICROPHONE, context });
});
after(async () => {
  await chrome?.close();
  await site?.close();
});

async function page(script = '', query = '') {
  const page = await chrome.context.newPage();
  if (script) await page.addInitScript(script);
  await page.goto(site.url + query);
  await page.waitForSelector('[data-testid=menu]');
  return page;
}

// Most of a test's time is waiting, so two wait at once.
describe('in a page', { concurrency: 2 }, () => {
  test('a browser that cannot duel says why, and still offers practice', async () => {
    for (const [script, why] of [[NO_MICROPHONES, /no microphone/], [NO_WORKLETS, /no AudioWorklet/]]) {
      const one = await page(script);
      assert.equal(await one.locator('#duel').isDisabled(), true);
      await shows(one, 'duel-reason', why);
      assert.equal(await one.locator('#practice').isEnabled(), true);
      await one.close();
    }
  });

  test('what keeps sound from starting is said with advice, and closing it leads back', { timeout: 240_000 }, async () => {
    const cases = [
      [microphoneFails('NotAllowedError'), /Microphone refused/, /Allow the microphone/],
      [microphoneFails('NotFoundError'), /No microphone found/, /headphones and Bluetooth/],
      [LOW_RATE, /16000 Hz|16,000 Hz|16 kHz/, /headphones|Bluetooth/],
    ];
    for (const [script, why, advice] of cases) {
      const one = await page(script);
      await one.click('#duel');
      await one.getByTestId('failure').waitFor();
      await shows(one, 'failure', why);
      await shows(one, 'advice', advice);
      await one.getByTestId('noise').waitFor();
      await until(one, () => document.activeElement.id === 'close', 'the way out to have the focus');
      await one.keyboard.press('Enter');
      await one.getByTestId('menu').waitFor();
      await one.close();
    }
  });

  test('a page whose files are gone asks to be reloaded', async () => {
    const one = await page(NO_MODEM_FILE);
    await one.click('#duel');
    await one.getByTestId('failure').waitFor();
    await shows(one, 'failure', /A new version is ready: reload this phone \(and your friend.s\)/);
    await one.locator('#reload').waitFor();
    await one.close();
  });

  test('a modem that stops is told with its words, and tapping Duel starts it again', { timeout: 240_000 }, async () => {
    const one = await page(FAILING_PROCESSOR);
    await one.click('#duel');
    await one.click('#host');
    await until(one, () => window.__duel.state === 'failed', 'the modem to stop');
    await shows(one, 'failure', 'The sound link stopped working.');
    await shows(one, 'advice', /Close, then tap Duel to start it again\. \(.+\)/);
    await one.evaluate(() => (globalThis.planted = false));
    await one.click('#close');
    await one.click('#duel');
    await one.locator('#host').waitFor();
    await one.close();
  });

  test('before Host or Join there is a warning, advice, and no sound; a phone that hears nothing of itself is told', { timeout: 240_000 }, async () => {
    const one = await page();
    await one.click('#duel');
    await one.locator('#host').waitFor();
    await shows(one, 'noise', /unpleasant noise.+headaches/);
    await shows(one, 'placement', /10–30 cm apart.+silent switch off/);
    assert.equal(await one.evaluate(() => window.__duel.app.medium.rig.link), null, 'nothing sounds yet');
    await one.click('#host');
    await one.getByTestId('warning').waitFor();
    await shows(one, 'warning', /can.t hear its own signal/);
    await shows(one, 'step', /Waiting for a friend who joins/);
    // Nothing heard for 8 s: the other role is offered, and taking it works.
    await one.locator('#switch-role').waitFor();
    await shows(one, 'hint', /Nothing heard yet\. One phone hosts, the other joins\./);
    await one.click('#switch-role');
    await until(one, () => window.__duel.app.want.role === 1 && window.__duel.state === 'lobby', 'the other role');
    await shows(one, 'step', /Listening for a friend who hosts/);
    await shows(one, 'lobby-heading', /You join, finding the band/);
    await one.click('#cancel');
    await one.getByTestId('menu').waitFor();
    await one.close();
  });

  test('a phone that hears itself passes its self-test; too loud, it turns itself down and says so', { timeout: 240_000 }, async () => {
    const one = await page(hearsItself(0.5));
    await one.click('#duel');
    await one.click('text=Advanced');
    await one.click('#self-test-host');
    await until(one, () => document.querySelector('[data-testid=verdict]').dataset.well === 'true', 'the self-test to pass');
    await shows(one, 'verdict', /hears itself well/);
    await one.click('#self-test-back');
    await one.locator('#host').waitFor();
    await one.close();

    const loud = await page(hearsItself(5));
    await loud.click('#duel');
    await loud.click('#host');
    await until(loud, () => window.__duel.app.duel?.gain < 0.8, 'the gain to go down');
    await shows(loud, 'warning', /too loud at its microphone: it plays at [57]\d % now/);
    await loud.close();
  });

  test('a deaf phone fails its self-test', { timeout: 240_000 }, async () => {
    const one = await page();
    await one.click('#duel');
    await one.click('text=Advanced');
    await one.click('#self-test-guest');
    await until(one, () => document.querySelector('[data-testid=verdict]').dataset.well === 'false', 'the self-test to fail');
    await shows(one, 'verdict', /does not hear itself/);
    await one.close();
  });

  test('a microphone that goes is covered, and a tap brings it back; two taps that fail offer to leave', { timeout: 240_000 }, async () => {
    const one = await page(hearsItself(0.5));
    await one.click('#duel');
    await one.click('#host');
    await until(one, () => window.__duel.state === 'lobby');
    const unplug = () => one.evaluate(() => {
      const track = window.microphones.at(-1);
      track.stop();
      track.dispatchEvent(new Event('ended'));
    });
    await unplug();
    await one.getByTestId('cover').waitFor();
    await shows(one, 'cover-title', 'Tap to reconnect the sound link');
    await shows(one, 'cover-reason', /microphone was taken away/);
    await one.click('#cover-tap');
    await one.getByTestId('cover').waitFor({ state: 'hidden', timeout: 20_000 });
    // Lost again within 10 s, the first tap counts as failed after all; the next one fails outright.
    await one.evaluate(microphoneFails('NotAllowedError'));
    await unplug();
    await one.locator('#cover-tap').click();
    await shows(one, 'cover-error', /Microphone refused/);
    await shows(one, 'cover-advice', /Allow the microphone/);
    await one.locator('#cover-leave').waitFor();
    await one.close();
  });

  test('what was measured is offered with its reason: the low plan, or the other role', { timeout: 240_000 }, async () => {
    const one = await page(hearsItself(0.5));
    await one.click('#duel');
    await one.click('#host');
    await until(one, () => window.__duel.state === 'lobby');
    // The measurement itself is the library's, and tested there: here it is planted.
    await one.evaluate(() => {
      const { duel } = window.__duel.app;
      duel.advised = () => ({ band: 2, fallbackPlan: 1, otherRole: 1, routeText: '', loud: 0, gain: 1, bandText: 'This phone hears itself, but only 12 % of its friend’s packets (4 dB).' });
    });
    await one.getByTestId('offer').waitFor();
    await shows(one, 'offer', /only 12 % of its friend.s packets/);
    await one.locator('#offer-role').waitFor();
    await shows(one, 'fall-back', /Switch to band Low/);
    await one.click('#fall-back');
    await shows(one, 'lobby-heading', /You host, band Low/);
    assert.equal(await one.evaluate(() => window.__duel.link.plan), 1, 'the modem sends in the low band');
    await one.close();
  });

  test('the game\'s own sounds keep out of the plan that a guest finds its host on', async () => {
    // The other test keeps its choice of plan in the browser.
    const one = await page(hearsItself(0.5), '?plan=high');
    await one.click('#duel');
    await one.click('#join');
    await until(one, () => window.__duel.state === 'lobby');
    // Finding it is the library's, and tested there: here it is planted.
    await one.evaluate(() => {
      const { app } = window.__duel;
      const { guard } = app.around;
      window.guarded = [];
      app.around.guard = (plan) => (window.guarded.push(plan), guard(plan));
      const { link } = app.duel;
      const status = link.status.bind(link);
      link.status = () => ({ ...status(), plan: 1, detectedPlan: 1 });
    });
    await until(one, () => window.guarded.length > 0, 'another guard');
    await one.evaluate(() => new Promise((done) => setTimeout(done, 500)));
    assert.deepEqual(await one.evaluate(() => window.guarded), [1], 'once, and for the low plan');
    await one.close();
  });

  test('a link goes with its duel: many duels, each begun anew once, take no more memory than one', { timeout: 240_000 }, async () => {
    const one = await page(hearsItself(0.5));
    const duel = async () => {
      await one.click('#duel');
      await one.click('#host');
      await until(one, () => window.__duel.app.want.role === 0 && window.__duel.link?.ownSnrDb > 10, 'the link');
      await one.evaluate(() => window.__duel.app.leaveFor({ to: 'role' }));
      await until(one, () => window.__duel.app.want.role === 1 && window.__duel.state === 'lobby', 'the other role');
      await one.click('#cancel');
      await one.getByTestId('menu').waitFor();
      return one.evaluate(() => window.__duel.app.lib.memory.buffer.byteLength);
    };
    const first = await duel();
    let last = first;
    for (let again = 0; again < 5; again++) last = await duel();
    // Ten links more were there: less than one's memory is a matter of how the heap lies.
    assert.ok(last - first < LINK_BYTES, `${last - first} bytes more`);
    await one.close();
  });

  test('phones of different versions refuse each other on both screens', { timeout: 240_000 }, async () => {
    const address = '?duel=relay&speed=8&table=versions&seat=';
    const [own, other] = [await page('', `${address}host`), await page('', `${address}guest&build=4660`)];
    for (const [one, role] of [[own, '#host'], [other, '#join']]) {
      await one.click('#duel');
      await one.click(role);
    }
    for (const one of [own, other]) {
      await until(one, () => window.__duel.status?.pairing === 7, 'another version');
      await one.locator('#retry').waitFor();
      await shows(one, 'step', /different versions of the game \([0-9A-F]{4} here, [0-9A-F]{4} there\)\. .*Reload the page on both\./);
      await one.close();
    }
  });

  test('a friend that never comes: the role switch after 8 s, tips after 30', { timeout: 240_000 }, async () => {
    const one = await page('', '?duel=relay&speed=10&table=alone');
    await one.click('#duel');
    await one.click('#join');
    await one.locator('#switch-role').waitFor();
    await shows(one, 'hint', /Still nothing heard\. Check on both/);
    await shows(one, 'switch-role', /Host instead/);
    await one.close();
  });
});

test('no page failed by itself', () => assert.deepEqual(chrome.errors, []));
