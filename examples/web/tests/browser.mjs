/** Chromium and the built pages, for the tests. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { files } from '../scripts/static.mjs';
import { WEB } from './load.mjs';

/** The browser: Debian's, unless another is named. */
const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Longer than anything takes on a busy machine. */
export const PATIENCE_MS = 120_000;

/** Nothing of the network, no permission prompts, and a page in the background runs like one in front. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/** Chromium's own microphone: a tone, so that no sound server is needed. */
export const FAKE_MICROPHONE = ['--use-fake-device-for-media-stream'];

/** Serves what was built, on a port of its own. `close` is also how the network is cut. */
export async function serve(folder = 'dist') {
  const root = resolve(WEB, folder);
  if (!existsSync(root)) throw new Error(`${root} is not there: cargo xtask web`);
  const server = createServer(files(root));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://localhost:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}

/**
 * A browser. `args`: more of its flags; `env`: more of its environment; `context`: Playwright's options for its pages.
 * Errors that a page does not catch are kept in `errors`.
 */
export async function launch({ args = [], env = {}, context = {}, ...rest } = {}) {
  const browser = await chromium.launch({
    executablePath: BROWSER,
    args: [...FLAGS, ...args],
    env: { ...process.env, ...env },
    ignoreDefaultArgs: ['--mute-audio'],
    ...rest,
  });
  const made = await browser.newContext({ permissions: ['microphone'], ...context });
  made.setDefaultTimeout(PATIENCE_MS);
  const errors = [];
  return {
    browser,
    context: made,
    errors,
    async newPage(url) {
      const page = await made.newPage();
      page.on('pageerror', (error) => errors.push(error));
      if (url) await page.goto(url);
      return page;
    },
    close: () => browser.close(),
  };
}
