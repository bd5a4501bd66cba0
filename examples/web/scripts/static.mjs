/** Answers requests with the files of a folder. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** A listener for `http` or `https`: files below `root`, `index.html` for a folder, 404 for the rest. */
export function files(root) {
  return (request, response) => {
    const file = find(root, request.url);
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    // Whoever changes a file wants it seen; what is kept for offline asks past every cache anyway.
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' });
    createReadStream(file).pipe(response);
  };
}

function find(root, url) {
  let path;
  try {
    path = normalize(decodeURIComponent(new URL(url, 'http://x').pathname));
  } catch {
    return null;
  }
  const named = join(root, path);
  if (named !== root && !named.startsWith(root.endsWith(sep) ? root : root + sep)) return null;
  const file = existsSync(named) && statSync(named).isDirectory() ? join(named, 'index.html') : named;
  return existsSync(file) && statSync(file).isFile() ? file : null;
}
