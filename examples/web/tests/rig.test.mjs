/** The rig's driver in Chromium, with its own fake microphone: the order within the tap, every loss, every way back. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { FAKE_MICROPHONE, launch, serve } from './browser.mjs';
import { WEB } from './load.mjs';

let server;
let browser;
let page;
before(async () => {
  server = await serve('dist-test');
  browser = await launch({ args: FAKE_MICROPHONE });
  await browser.context.addInitScript({ path: `${WEB}tests/pages/rig-spy.js` });
});
afterEach(async () => {
  await page?.close();
  assert.deepEqual(browser.errors.splice(0), []);
});
after(async () => {
  await browser?.close();
  await server?.close();
});

/** A page, its library loaded, what `given` says of the browser set before the rig opens. */
async function open(given = {}) {
  page = await browser.newPage(`${server.url}tests/pages/bench.html`);
  await page.waitForFunction(() => window.bench);
  await page.evaluate(async (given) => {
    const { Library, LiveRig } = window.bench;
    const lib = await Library.load();
    Object.assign(window.spy, given);
    window.spy.log.length = 0;
    window.said = { fatal: [], refusal: [] };
    window.rig = LiveRig.open(lib);
    window.within = [...window.spy.log];
    window.rig.onFatal = (message) => window.said.fatal.push(message);
    window.rig.onRefusal = (message) => window.said.refusal.push(message);
    window.failure = await window.rig.ready.then(() => null, (why) => why);
  }, given);
}

/** Starts a link, and keeps it polled as a game would. */
const link = () =>
  page.evaluate(async () => {
    const { N, nowUs } = window.bench;
    const link = await window.rig.startLink({ plan: N.PLAN_HIGH, role: N.ROLE_HOST, listen: N.LISTEN_PEER });
    window.slots = 0;
    setInterval(() => {
      if (link.pointer === 0) return;
      for (let event; (event = link.poll(nowUs())); ) window.slots += event.kind === N.LINK_SLOT ? 1 : 0;
      window.rig.watch();
    }, 16);
  });

const state = (name) => page.waitForFunction((name) => window.rig.status().state === window.bench.N[name], name);
const status = () => page.evaluate(() => window.rig.status());
const log = () => page.evaluate(() => window.spy.log);
/** Packets of one's own go out: the modem runs, and the link hears of it. */
const sends = async () => {
  const before = await page.evaluate(() => window.slots);
  await page.waitForFunction((before) => window.slots > before + 3, before);
};

test('within the tap: context, session, resume, a silent sound, wake lock, microphone; then a link runs', async () => {
  await open();
  const within = await page.evaluate(() => window.within);
  assert.deepEqual(within, ['context', 'session play-and-record', 'resume', 'play', 'wake lock', 'microphone raw']);
  await state('RIG_IS_LIVE');
  await link();
  await sends();
  assert.equal((await status()).warnsOfAutoLock, 0);
  await page.evaluate(() => window.rig.close());
  assert.deepEqual((await log()).slice(-4).sort(), ['close', 'microphone stopped', 'session auto', 'wake lock released'].sort());
  assert.equal((await status()).state, 7);
});

test('a refused microphone lets everything go', async () => {
  await open({ refuse: ['NotAllowedError'] });
  const failure = await page.evaluate(() => window.failure);
  assert.equal(failure.code, 'mic-refused');
  assert.equal(failure.message, 'Microphone refused');
  assert.match(failure.advice, /Allow the microphone/);
  const did = await log();
  assert.ok(did.includes('close') && did.includes('session auto'), did.join());
});

test('no microphone is no refusal', async () => {
  await open({ refuse: ['NotFoundError', 'NotFoundError'] });
  assert.equal(await page.evaluate(() => window.failure.code), 'no-mic');
});

test('where the microphone does not open without echo cancellation, it opens with it, and that is said', async () => {
  await open({ refuse: ['OverconstrainedError'] });
  assert.equal(await page.evaluate(() => window.failure), null);
  await state('RIG_IS_LIVE');
  assert.match((await page.evaluate(() => window.said.refusal))[0], /without echo cancellation/);
});

test('a context at a stale rate is opened anew, once; one that stays slow is the reason', async () => {
  await open({ rates: [16_000] });
  await state('RIG_IS_LIVE');
  assert.equal((await log()).filter((what) => what === 'context').length, 2);
  assert.ok((await page.evaluate(() => window.rig.sampleRateHz)) >= 44_100);
  await page.close();

  await open({ rates: [16_000, 16_000] });
  const failure = await page.evaluate(() => window.failure);
  assert.equal(failure.code, 'rate');
  assert.match(failure.message, /16[,.]?000/);
});

test('a worklet that is not there any more is a newer version', async () => {
  await open({ missing: true });
  const failure = await page.evaluate(() => window.failure);
  assert.equal(failure.code, 'update');
  assert.match(failure.message, /new version is ready/);
});

test('without a wake lock the lobby is to warn', async () => {
  await open({ wakeLock: false });
  await page.waitForFunction(() => window.rig.status().warnsOfAutoLock === 1);
});

test('a microphone that ends is lost, and a tap asks for it again', async () => {
  await open();
  await link();
  await state('RIG_IS_LIVE');
  await page.evaluate(() => {
    const [track] = window.spy.streams.at(-1).getTracks();
    track.stop();
    track.dispatchEvent(new Event('ended'));
  });
  await state('RIG_IS_LOST');
  assert.equal((await status()).lostText, 'The microphone was taken away');
  await page.evaluate(() => window.rig.tap());
  await page.waitForFunction(() => [4, 5, 2].includes(window.rig.status().state));
  await sends();
  assert.equal((await log()).filter((what) => what === 'context').length, 1, 'the device and its modem were kept');
});

test('a microphone muted for over a second is lost, and comes back by itself', async () => {
  await open();
  await link();
  await state('RIG_IS_LIVE');
  await page.evaluate(() => window.spy.streams.at(-1).getTracks()[0].dispatchEvent(new Event('mute')));
  await state('RIG_IS_LOST');
  assert.equal((await status()).lostText, 'The microphone is muted');
  await page.evaluate(() => window.spy.streams.at(-1).getTracks()[0].dispatchEvent(new Event('unmute')));
  await page.waitForFunction(() => [5, 2].includes(window.rig.status().state));
});

test('a suspended context is resumed and kept', async () => {
  await open();
  await link();
  await state('RIG_IS_LIVE');
  await page.evaluate(() => window.spy.contexts.at(-1).suspend());
  await page.waitForFunction(() => window.spy.contexts.at(-1).state === 'running');
  await sends();
  assert.equal((await log()).filter((what) => what === 'context').length, 1);
});

test('other audio devices are a loss; the same ones told again are none', async () => {
  await open();
  await link();
  await state('RIG_IS_LIVE');
  await page.evaluate(() => navigator.mediaDevices.dispatchEvent(new Event('devicechange')));
  await page.waitForTimeout(300);
  assert.equal((await status()).state, 2);
  await page.evaluate(() => {
    window.spy.devices = [{ kind: 'audioinput', deviceId: 'headset', groupId: 'h' }];
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
  });
  await state('RIG_IS_LOST');
  assert.equal((await status()).lostText, 'An audio device was plugged in or out');
});

test('a modem that fails is told, and a tap builds another one in a new context', async () => {
  await open();
  await link();
  await state('RIG_IS_LIVE');
  await page.evaluate(() => window.rig.node.node.dispatchEvent(new ErrorEvent('processorerror')));
  await state('RIG_IS_LOST');
  assert.deepEqual(await page.evaluate(() => window.said.fatal), ['The modem failed while processing sound.']);
  assert.equal((await status()).lostText, 'The sound link stopped working');
  await page.evaluate(() => window.rig.tap());
  await page.waitForFunction(() => [5, 2].includes(window.rig.status().state));
  await sends();
  assert.equal((await log()).filter((what) => what === 'context').length, 2);
});

test('another microphone mode: the old microphone goes first, and a mode that fails falls back', async () => {
  await open();
  await link();
  await state('RIG_IS_LIVE');
  const switched = async (mode) => {
    const from = (await log()).length;
    await page.evaluate((mode) => window.rig.setMicMode(mode), mode);
    await page.waitForFunction((from) => window.spy.log.slice(from).filter((what) => /raw|ec$/.test(what)).length > 0, from);
    await sends();
    return (await log()).slice(from);
  };
  assert.deepEqual(await switched(1), ['microphone stopped', 'microphone ec']);
  await page.evaluate(() => (window.spy.refuse = ['NotReadableError', 'NotReadableError']));
  assert.deepEqual(await switched(0), ['microphone stopped', 'microphone raw', 'microphone ec', 'microphone ec']);
});
