/** The page's longer sentences, and names for what the tables hold. */
import { N, type Library, type MapChoice } from '../wasm';

export const NOISE =
  'Warning: unpleasant noise. The sound link plays a constant high-pitched noise for the whole match. Many people find ' +
  'it unpleasant, and it may even cause headaches. Stop if it bothers you.';
export const PLACEMENT =
  'Lay both phones flat, 10–30 cm apart. Turn the volume to about 75 %, silent switch off. Headphones out, Bluetooth ' +
  'off. On an iPhone the sound may come from the earpiece at the top: turn the phones until both bars below are full.';
export const TIPS =
  'Still nothing heard. Check on both: volume at 75 %, nothing plugged in, the phones 10–30 cm apart with nothing ' +
  'between them, one hosting and one joining.';
export const AUTO_LOCK = 'Set Auto-Lock to Never: the screen may lock in the match.';

/** What a mutator changes. Names without a line here stand for themselves. */
const MUTATORS: Record<string, string> = {
  blitz: 'more credits and units, weak bases: a short match',
  bonanza: 'much more ore',
  famine: 'much less ore',
  glass: 'double damage',
  stout: 'little damage',
  grounded: 'no aircraft',
  disarmed: 'no turrets',
  rush: 'everything is made twice as fast',
  clearSkies: 'the whole map in sight',
  swift: 'everything moves faster',
  powerless: 'no powers',
  waveless: 'no waves',
};

const OPENERS: Record<string, string> = {
  prospector: 'one more harvester',
  raiders: 'two rifles and a scout',
  fortress: 'a turret and barracks',
};

export const aboutMutator = (name: string): string => MUTATORS[name] ?? '';
export const aboutOpener = (name: string): string => OPENERS[name] ?? '';

/** A tick as minutes and seconds. */
export function matchTime(tick: number): string {
  const seconds = Math.floor(tick / 10);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** "clearSkies" → "clear skies". */
export const spaced = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

export function mapName(lib: Library, map: MapChoice): string {
  const name = lib.name(map.random === 1 ? N.NAMES_BIOMES : N.NAMES_MAPS, map.index) ?? 'unknown';
  return map.random === 1 ? `${name} ${map.seed}` : name;
}

export function mutatorList(lib: Library, mask: number): string {
  const on = lib.names(N.NAMES_MUTATORS).filter((_, index) => (mask >> index) & 1);
  return on.length > 0 ? on.map(spaced).join(', ') : 'no mutators';
}

export const BANDS: Record<string, string> = {
  [`${N.PLAN_HIGH}${N.ROLE_HOST}`]: '9.5–12.5 kHz',
  [`${N.PLAN_HIGH}${N.ROLE_GUEST}`]: '16–19 kHz',
  [`${N.PLAN_LOW}${N.ROLE_HOST}`]: '5–6.5 kHz',
  [`${N.PLAN_LOW}${N.ROLE_GUEST}`]: '8–9.5 kHz',
};

export const planName = (plan: number): string => (plan === N.PLAN_LOW ? 'Low' : 'High');
