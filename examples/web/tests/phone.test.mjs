/** `npm run phone`: the page over HTTPS with a certificate of its own, its address as a picture. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { get } from 'node:https';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { WEB } from './load.mjs';

test('it serves the page over HTTPS, and nothing outside of it', { timeout: 30_000 }, async (t) => {
  const child = spawn(process.execPath, ['scripts/phone.mjs', '--port', '0'], { cwd: WEB, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill());
  let said = '';
  let port;
  for await (const line of createInterface(child.stdout)) {
    said += `${line}\n`;
    port ??= /https:\/\/[^:]+:(\d+)\//.exec(line)?.[1];
    if (/Ctrl/.test(line)) break;
  }
  assert.match(said, /[▀▄█]{5}/, 'a QR code');
  const ask = (path) =>
    new Promise((done, fail) => {
      get({ host: '127.0.0.1', port, path, rejectUnauthorized: false }, (response) => {
        let text = '';
        response.on('data', (part) => (text += part));
        response.on('end', () => done({ status: response.statusCode, type: response.headers['content-type'], text }));
      }).on('error', fail);
    });
  const page = await ask('/');
  assert.equal(page.status, 200);
  assert.match(page.text, /<title>Sound Duel/);
  assert.equal((await ask('/../package.json')).status, 404);
  assert.equal((await ask('/%2e%2e/%2e%2e/etc/passwd')).status, 404);
  assert.equal((await ask('/sw.js')).type, 'text/javascript');
});
