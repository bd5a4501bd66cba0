// Plays the golden matches on this WebAssembly machine: node determinism.mjs golden.wasm MATCHES TICKS
import { readFileSync } from 'node:fs';

const [file, matches, ticks] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(file), {});
const { memory, golden_run, golden_text } = instance.exports;
const length = golden_run(Number(matches), Number(ticks));
const text = new TextDecoder().decode(new Uint8Array(memory.buffer, golden_text(), length));
process.stdout.write(text);
process.exitCode = text.includes('\nerror ') ? 1 : 0;
