/** Builds the two pages, the worklets beside them, and the list of files that the service worker keeps. */
import { defineConfig } from 'vite';
import { inlineIcon } from './vite/icon.ts';
import { precache } from './vite/precache.ts';

export default defineConfig(({ mode }) => ({
  // Works from any folder of any server.
  base: './',
  build: {
    target: 'es2022',
    // The wasm and the worklets are files of their own: an AudioWorklet takes no data URL everywhere.
    assetsInlineLimit: 0,
    // The tests' page is built like the game's, beside it.
    ...(mode === 'test' ? { outDir: 'dist-test' } : {}),
    rollupOptions: { input: mode === 'test' ? ['tests/pages/bench.html'] : ['index.html', 'probe.html'] },
  },
  worker: { format: 'iife' },
  publicDir: mode === 'test' ? false : 'public',
  plugins: mode === 'test' ? [] : [inlineIcon(), precache()],
}));
