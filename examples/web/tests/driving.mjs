/** What a player does on the pages, for the tests. */
import { PATIENCE_MS } from './browser.mjs';

/** Waits until something is true on a page, and says what it waited for. */
export async function until(page, what, named = String(what)) {
  try {
    await page.waitForFunction(what, undefined, { timeout: PATIENCE_MS, polling: 50 });
  } catch (why) {
    const state = await page.evaluate(() => JSON.stringify([window.__duel.state, window.__duel.tick, window.__duel.status])).catch(() => '?');
    throw new Error(`waited for ${named}; the page is at ${state}`, { cause: why });
  }
}

/** Picks an opener, as soon as there are any; if the clock has picked already, that is fine. */
export async function pickOpener(page, opener) {
  await until(page, () => window.__duel.status && (window.__duel.status.pairing >= 2 || window.__duel.status.phase > 0), 'openers');
  await page.evaluate((index) => document.querySelector(`[data-opener="${index}"]`)?.click(), opener);
}

export const reachMatch = (page) => until(page, () => window.__duel.state === 'playing', 'the match');

/** Waits until an element says this: a text, or what matches an expression. */
export async function shows(page, id, wanted) {
  const [text, pattern] = typeof wanted === 'string' ? [wanted, null] : [null, wanted.source];
  const says = ([id, text, pattern]) => {
    const said = document.querySelector(`[data-testid="${id}"]`)?.textContent ?? '';
    return pattern === null ? said === text : new RegExp(pattern).test(said);
  };
  try {
    await page.waitForFunction(says, [id, text, pattern], { timeout: PATIENCE_MS, polling: 50 });
  } catch (why) {
    const said = await page.getByTestId(id).textContent({ timeout: 100 }).catch(() => 'nothing');
    throw new Error(`waited for ${id} to say ${wanted}; it says: ${said}`, { cause: why });
  }
}
