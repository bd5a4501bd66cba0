/** The tables written by hand say what the library's own snapshots say. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ROOT, loadTs, wasmModule } from './load.mjs';

const snapshot = (name) => readFileSync(`${ROOT}capi/abi/${name}`, 'utf8').trim().split('\n');
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

test('every number is the ABI\'s, and none is missing', async () => {
  const numbers = await loadTs('src/wasm/numbers.ts');
  const ours = Object.entries(numbers).map(([name, value]) => `DUEL_${name} = ${value}`);
  assert.deepEqual(ours.sort(), snapshot('numbers.txt').sort());
});

/** The snapshot's structures: `{name: {bytes, fields: {name: [offset, kind]}}}`. */
function layouts() {
  const scalars = {
    uint8_t: 'u8',
    uint32_t: 'u32',
    int32_t: 'i32',
    uint64_t: 'u64',
    int64_t: 'i64',
    float: 'f32',
    double: 'f64',
    duel_map: 'map',
    duel_log_fn: 'ptr',
    'const char *': 'text',
  };
  const found = {};
  let current;
  for (const line of snapshot('layout-wasm32.txt')) {
    const head = /^(\w+), (?:sized|frozen) of (\d+) bytes$/.exec(line);
    if (head) {
      current = found[head[1]] = { bytes: Number(head[2]), fields: {} };
      continue;
    }
    const [, offset, type, name] = /^\s*(\d+) \+\d+\s+(.*) (\w+)$/.exec(line);
    const [, item, dimensions] = /^(.*?)((?:\[\d+\])*)$/.exec(type);
    const counts = [...dimensions.matchAll(/\d+/g)].map(Number);
    const scalar = scalars[item] ?? 'ptr';
    const kind = counts.length > 0 ? `${scalar}[${counts.reduce((one, other) => one * other)}]` : scalar;
    current.fields[camel(name)] = [Number(offset), kind];
  }
  return found;
}

test('every structure lies as the ABI says, to the byte', async () => {
  const known = layouts();
  const tables = Object.values(await loadTs('src/wasm/layout.ts')).filter((table) => table?.fields);
  for (const { name, bytes, fields } of tables) {
    assert.deepEqual({ bytes, fields }, known[name], name);
  }
  // A game of one's own is played through the C ABI, not by this page.
  const left = Object.keys(known).filter((name) => !tables.some((table) => table.name === name));
  assert.deepEqual(left, ['duel_order', 'duel_game', 'duel_catalogue']);
});

test('the module imports nothing and exports every function', async () => {
  const module = await wasmModule();
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  const exported = new Set(WebAssembly.Module.exports(module).map((entry) => entry.name));
  const missing = snapshot('symbols.txt').map((line) => line.split(':')[0]).filter((name) => !exported.has(name));
  assert.deepEqual(missing, []);
});
