/** Writes the service worker: its source with the list of files to keep and a version made of their contents. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const SOURCE = 'src/offline/service-worker.js';

/** What is in `public/`, which is copied as it is. */
function publicFiles(folder: string): { name: string; bytes: Uint8Array }[] {
  const found = readdirSync(folder, { withFileTypes: true, recursive: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ name: path.slice(folder.length + 1), bytes: readFileSync(path) }));
}

export function precache(): Plugin {
  let root = '.';
  return {
    name: 'precache',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    generateBundle: {
      // After the pages themselves are in the bundle.
      order: 'post',
      handler(_options, bundle) {
        const built = Object.values(bundle).map((file) => ({
          name: file.fileName,
          bytes: file.type === 'asset' ? file.source : file.code,
        }));
        const files = [...built, ...publicFiles(join(root, 'public'))];
        files.sort((one, other) => (one.name < other.name ? -1 : 1));
        const hash = createHash('sha256');
        for (const { name, bytes } of files) hash.update(name).update(bytes);
        const list = ['./', ...files.map((file) => `./${file.name}`)];
        const source = readFileSync(join(root, SOURCE), 'utf8')
          .replace("'__VERSION__'", JSON.stringify(hash.digest('hex').slice(0, 16)))
          .replace("['__FILES__']", JSON.stringify(list));
        this.emitFile({ type: 'asset', fileName: 'sw.js', source });
      },
    },
  };
}
