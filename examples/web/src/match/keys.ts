/** The keys of a match, and the help that names them all. */

export type Key =
  | 'select' | 'add' | 'box' | 'army' | 'harvesters' | 'next-building' | 'act' | 'move' | 'attack-move' | 'stop'
  | 'anchor' | 'pack-up' | 'unload' | 'rally' | 'sell' | 'wave' | 'build' | 'train' | 'powers' | 'give-up'
  | 'zoom-in' | 'zoom-out' | 'home' | 'pause' | 'cancel' | 'help' | { arrow: [number, number] } | { place: number };

const KEYS: Record<string, Key> = {
  ' ': 'select',
  '+': 'add',
  v: 'box',
  e: 'army',
  h: 'harvesters',
  g: 'next-building',
  Enter: 'act',
  m: 'move',
  a: 'attack-move',
  s: 'stop',
  n: 'anchor',
  u: 'pack-up',
  d: 'unload',
  y: 'rally',
  X: 'sell',
  w: 'wave',
  b: 'build',
  t: 'train',
  o: 'powers',
  c: 'give-up',
  z: 'zoom-in',
  Z: 'zoom-out',
  Home: 'home',
  p: 'pause',
  Escape: 'cancel',
  '?': 'help',
};

/** For the help, in its order. */
export const HELP: readonly (readonly [string, string])[] = [
  ['fingers', 'tap: select, then tap where to; drag: look around; hold and drag: a box; two fingers: zoom'],
  ['mouse', 'left: select, drag a box; right: act; wheel: zoom'],
  ['arrows', 'move the cursor (Shift: five tiles)'],
  ['space, +', 'select at the cursor, add to the selection'],
  ['v, arrows, v', 'select a box'],
  ['e / h', 'select the whole army / the harvesters'],
  ['g', 'select the next building'],
  ['Enter', 'act here: move, attack, mine, board, lift, place'],
  ['m / a', 'move / attack-move to where Enter or a tap says'],
  ['s', 'stop'],
  ['n / u', 'artillery: dig in / pack up'],
  ['d', 'Condors: put down what they carry'],
  ['b / c', 'build / give up the building begun'],
  ['t / o', 'units / powers; 1 to 9, 0: the entry of the open list'],
  ['y / X', 'the building’s rally point / sell it'],
  ['w', 'call a wave'],
  ['z / Z, Home', 'zoom in / out, go home'],
  ['p, Esc', 'pause, resign, leave'],
];

export function keyOf(event: KeyboardEvent): Key | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const far = event.shiftKey ? 5 : 1;
  switch (event.key) {
    case 'ArrowLeft':
      return { arrow: [-far, 0] };
    case 'ArrowRight':
      return { arrow: [far, 0] };
    case 'ArrowUp':
      return { arrow: [0, -far] };
    case 'ArrowDown':
      return { arrow: [0, far] };
  }
  if (/^\d$/.test(event.key)) return { place: (Number(event.key) + 9) % 10 };
  return KEYS[event.key] ?? null;
}
