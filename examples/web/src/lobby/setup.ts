/** What a host chooses: map, mutators; and, for either, how the link is made. */
import { N, type Library } from '../wasm';
import { button, el } from '../ui/dom';
import { aboutMutator, spaced } from '../ui/words';
import type { Want } from '../app/store';

function choice(label: string, id: string, options: readonly (readonly [string, string])[], value: string, pick: (value: string) => void): HTMLElement {
  const select = el('select', { id, 'data-testid': id });
  for (const [key, text] of options) select.append(el('option', { value: key, selected: key === value }, text));
  select.addEventListener('change', () => pick(select.value));
  return el('label', { class: 'row', for: id }, el('span', {}, label), select);
}

/** Map and mutators. */
export function matchSettings(lib: Library, want: Want): HTMLElement {
  const built = lib.names(N.NAMES_MAPS).map((name, index) => [`0:${index}`, name] as const);
  const random = lib.names(N.NAMES_BIOMES).map((name, index) => [`1:${index}`, `random ${name}`] as const);
  const map = choice('Map', 'map', [...built, ...random], `${want.map.random}:${want.map.index}`, (value) => {
    const [kind, index] = value.split(':').map(Number) as [number, number];
    // A random map's seed travels with the offer: sixteen bits of choice are plenty to look at.
    const seed = kind === 1 ? crypto.getRandomValues(new Uint16Array(1))[0]! : 0;
    want.map = { random: kind, index, seed };
  });
  const list = el('div', { class: 'chips' });
  lib.names(N.NAMES_MUTATORS).forEach((name, index) => {
    const box = el('input', { type: 'checkbox', id: `mutator-${name}`, checked: ((want.mutators >> index) & 1) === 1 });
    box.addEventListener('change', () => {
      want.mutators = box.checked ? want.mutators | (1 << index) : want.mutators & ~(1 << index);
    });
    list.append(el('label', { class: 'chip', title: aboutMutator(name) }, box, el('span', {}, spaced(name))));
  });
  return el('details', { class: 'fold' }, el('summary', {}, 'Match: map and mutators (the host’s)'), map, el('fieldset', {}, el('legend', {}, 'Mutators'), list));
}

/** Band plan, microphone mode, self-test. */
export function advancedSettings(want: Want, wants: { mic(mode: number): void; selfTest(role: number): void }): HTMLElement {
  const band = choice('Band (the host’s)', 'plan', [['0', 'High: 9.5–19 kHz'], ['1', 'Low: 5–9.5 kHz, audible']], String(want.plan), (value) => {
    want.plan = Number(value);
  });
  const mic = choice('Microphone', 'mic', [['0', 'raw'], ['1', 'echo cancelling']], String(want.micMode), (value) => wants.mic(Number(value)));
  const test = (label: string, role: number, id: string): HTMLElement => button(label, () => wants.selfTest(role), { id, class: 'small' });
  const row = el('div', { class: 'row' }, el('span', {}, 'Self-test (this phone alone)'), el('span', { class: 'pair' }, test('as host', N.ROLE_HOST, 'self-test-host'), test('as guest', N.ROLE_GUEST, 'self-test-guest')));
  return el('details', { class: 'fold' }, el('summary', {}, 'Advanced'), band, mic, row);
}
