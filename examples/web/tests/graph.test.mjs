/** What runs on the audio thread uses nothing that an AudioWorklet lacks: in every file it imports, and as built. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parseSync } from 'vite';
import { WEB } from './load.mjs';

/** The language's own globals that are used, and the worklet's. */
const ALLOWED = new Set([
  ...['Array', 'ArrayBuffer', 'BigInt', 'DataView', 'Error', 'Float32Array', 'Int32Array', 'Math', 'Number', 'String'],
  ...['Uint8Array', 'WebAssembly', 'undefined', 'NaN', 'Infinity', 'Object'],
  ...['AudioWorkletProcessor', 'registerProcessor', 'sampleRate', 'currentFrame', 'currentTime'],
]);

/** Every node of a syntax tree, with the key it hangs on and its parent. */
function* walk(node, key = '', parent = null) {
  if (!node || typeof node !== 'object') return;
  if (typeof node.type === 'string') yield { node, key, parent };
  for (const [name, child] of Object.entries(node)) {
    if (Array.isArray(child)) for (const item of child) yield* walk(item, name, node);
    else yield* walk(child, name, node);
  }
}

function parse(file) {
  const { program, errors } = parseSync(file, readFileSync(file, 'utf8'));
  assert.deepEqual(errors, [], file);
  return program;
}

/** Names that a file uses and does not declare itself. TypeScript's types are no use of a name. */
function freeNames(program) {
  const declared = new Set();
  const used = new Set();
  const typed = (node) => node.type.startsWith('TS') && !['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(node.type);
  const visit = (node, key, parent) => {
    if (!node || typeof node !== 'object') return;
    if (Array.isArray(node)) return node.forEach((item) => visit(item, key, parent));
    if (typeof node.type === 'string') {
      if (typed(node) && node.type !== 'TSParameterProperty') return;
      if (key === 'typeAnnotation' || key === 'typeArguments' || key === 'returnType' || key === 'superTypeArguments') return;
      if (node.declare === true || node.importKind === 'type') return;
      if (node.type === 'Identifier') {
        const declares =
          (key === 'id' && /Declar|Class|Function/.test(parent.type)) ||
          key === 'params' || key === 'param' || key === 'local' || key === 'argument' && parent.type === 'RestElement' ||
          (key === 'elements' && parent.type === 'ArrayPattern') || (key === 'left' && parent.type === 'AssignmentPattern') ||
          key === 'parameter' ||
          (key === 'value' && parent.type === 'Property' && parent.pattern);
        const property =
          (key === 'property' && !parent.computed) || (key === 'key' && !parent.computed) || key === 'label' ||
          key === 'imported' || key === 'exported' || (key === 'meta');
        if (declares) declared.add(node.name);
        else if (!property) used.add(node.name);
        return;
      }
      if (node.type === 'ObjectPattern') for (const property of node.properties) property.pattern = true;
    }
    for (const [name, child] of Object.entries(node)) if (name !== 'pattern') visit(child, name, node.type ? node : parent);
  };
  visit(program, '', null);
  return [...used].filter((name) => !declared.has(name)).sort();
}

/** A file and all it imports, types aside. */
function graph(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const { node } of walk(parse(file))) {
    const imports = /^(Import|Export(Named|All))Declaration$/.test(node.type) && node.source;
    if (!imports || node.importKind === 'type' || node.exportKind === 'type') continue;
    if (node.specifiers?.length > 0 && node.specifiers.every((one) => one.importKind === 'type')) continue;
    const path = join(dirname(file), node.source.value);
    graph(existsSync(`${path}.ts`) ? `${path}.ts` : join(path, 'index.ts'), found);
  }
  return found;
}

for (const entry of ['pump-worklet', 'guard-worklet']) {
  test(`${entry}: every file it imports uses allowed globals only`, () => {
    const files = [...graph(`${WEB}src/audio/${entry}.ts`)];
    assert.ok(files.some((file) => file.endsWith('src/wasm/instance.ts')), files.join());
    for (const file of files) {
      const program = parse(file);
      assert.deepEqual(freeNames(program).filter((name) => !ALLOWED.has(name)), [], file);
      for (const { node } of walk(program)) {
        assert.ok(!['ImportExpression', 'MetaProperty'].includes(node.type), `${file}: ${node.type}`);
      }
    }
  });

  test(`${entry}: so does what is built of them, in one file`, () => {
    const built = readdirSync(`${WEB}dist/assets`).filter((name) => name.startsWith(entry) && name.endsWith('.js'));
    assert.equal(built.length, 1);
    const program = parse(`${WEB}dist/assets/${built[0]}`);
    assert.deepEqual(freeNames(program).filter((name) => !ALLOWED.has(name)), []);
    const imports = [...walk(program)].filter(({ node }) => /^(Import|Export)|MetaProperty/.test(node.type));
    assert.deepEqual(imports, []);
  });
}

test('a global that is not allowed is found', () => {
  const { program } = parseSync('x.ts', 'const a = performance.now(); function f(b) { return b + a + new TextDecoder().x; }');
  assert.deepEqual(freeNames(program), ['TextDecoder', 'performance']);
});
