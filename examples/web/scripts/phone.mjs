/**
 * Serves the built page to phones on the local network: `npm run phone [-- --port N]`.
 *
 * Over HTTPS, because a page gets no microphone otherwise, with a certificate of its own that it makes once with the
 * system's openssl. Each phone warns once that the connection is not private: proceed. (A browser keeps nothing for
 * offline under a certificate that it does not trust; for that, put `dist` on a server with a real one.)
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderUnicodeCompact } from 'uqr';
import { files } from './static.mjs';

const WEB = fileURLToPath(new URL('..', import.meta.url));
const DAYS = 365;
const PORT = 8443;

/** This machine's addresses that a phone may reach. */
function addresses() {
  const all = Object.values(networkInterfaces()).flat();
  return all.filter((one) => one && one.family === 'IPv4' && !one.internal).map((one) => one.address);
}

/** The certificate for these addresses: the one made before, if it was for the same and is not about to end. */
function certificate(names) {
  const folder = join(WEB, 'certificate');
  const [key, cert, made] = ['key.pem', 'cert.pem', 'made.txt'].map((name) => join(folder, name));
  const wanted = ['DNS:localhost', ...names.map((name) => `IP:${name}`)].join(',');
  const good = () => {
    if (!existsSync(made) || readFileSync(made, 'utf8') !== wanted) return false;
    try {
      execFileSync('openssl', ['x509', '-checkend', '86400', '-noout', '-in', cert], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  if (!good()) {
    mkdirSync(folder, { recursive: true });
    const asks = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', String(DAYS)];
    const says = ['-subj', '/CN=Sound Duel on this network', '-addext', `subjectAltName=${wanted}`];
    try {
      execFileSync('openssl', [...asks, ...says, '-keyout', key, '-out', cert], { stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (why) {
      throw new Error(`openssl makes the certificate, and failed: ${why.stderr ?? why.message}`, { cause: why });
    }
    writeFileSync(made, wanted);
  }
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

function port(words) {
  const at = words.indexOf('--port');
  const number = at < 0 ? PORT : Number(words[at + 1]);
  if (!Number.isInteger(number) || number < 0 || number > 65_535) throw new Error('usage: npm run phone [-- --port N]');
  return number;
}

const dist = join(WEB, 'dist');
if (!existsSync(join(dist, 'index.html'))) throw new Error('There is nothing to serve yet: cargo xtask web');
const names = addresses();
const server = createServer(certificate(names), files(dist));
server.on('error', (why) => {
  console.error(why.code === 'EADDRINUSE' ? 'That port is taken: npm run phone -- --port N' : why.message);
  process.exitCode = 1;
});
server.listen(port(process.argv.slice(2)), () => {
  const urls = (names.length > 0 ? names : ['localhost']).map((name) => `https://${name}:${server.address().port}/`);
  console.log(renderUnicodeCompact(urls[0]));
  console.log(`\nOpen on both phones, in the same network as this computer:\n  ${urls.join('\n  ')}`);
  console.log('Each phone warns once that the connection is not private: proceed. Ctrl+C ends.');
});
