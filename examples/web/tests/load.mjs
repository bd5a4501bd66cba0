/** TypeScript modules and the library, in Node. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

export const WEB = fileURLToPath(new URL('..', import.meta.url));
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A module of this project's by its path from `examples/web`. */
export async function loadTs(path) {
  const { module } = await runnerImport(WEB + path, { root: WEB, configFile: false, logLevel: 'error' });
  return module;
}

/** The library's code, as built. */
export async function wasmModule() {
  return WebAssembly.compile(await readFile(`${WEB}wasm/sound_duel.wasm`));
}
