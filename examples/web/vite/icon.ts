/**
 * Writes the icon into the pages themselves.
 *
 * A browser asks for a linked icon some time after the page has loaded. The request wakes the service worker, and a worker
 * woken while a newer version takes over holds that one off until it rests again: half a minute, or five under a debugger.
 */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const ICON = './icon.svg';

export function inlineIcon(): Plugin {
  return {
    name: 'inline-icon',
    apply: 'build',
    transformIndexHtml(html) {
      const svg = readFileSync(new URL('../public/icon.svg', import.meta.url), 'utf8').trim();
      const inlined = html.replace(`"icon" href="${ICON}"`, `"icon" href="data:image/svg+xml,${encodeURIComponent(svg)}"`);
      if (inlined === html) throw new Error(`the page does not link ${ICON}`);
      return inlined;
    },
  };
}
