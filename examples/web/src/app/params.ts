/** The page's address: practice modes, and what tests and demonstrations settle in advance. Reads nothing else. */
import { N } from '../wasm';

/** Over what is played. */
export type Mode = 'sound' | 'loop' | 'relay';

export interface Params {
  mode: Mode;
  /** A relay's seat; `null` where the player chooses. */
  seat: number | null;
  /** Of a practice link, each way. */
  lossPermille: number;
  latencyMs: number;
  /** Ticks between an order and its being applied, as the host has it; 0: as the round trip calls for. */
  delayTicks: number;
  /** The side the host plays. */
  hostSide: number;
  /** An AI plays this phone's side. */
  ai: number;
  /** A practice peer's AI. */
  peerAi: number;
  /** How fast a practice link's clock runs; a live link's is the wall's. */
  speed: number;
  /** Decides everything random of a practice link; `null`: chance does. */
  seed: number | null;
  map: number | null;
  mutators: number | null;
  plan: number | null;
  /** Another build's number, to be refused by. */
  build: number;
  /** The audio context's latency hint. */
  latencyHint: AudioContextLatencyCategory | undefined;
  /** Which pages a relay joins: those at the same table. */
  table: string;
  /** Every tick's digest is kept. */
  trail: boolean;
}

const AIS: Record<string, number> = { easy: N.AI_EASY, normal: N.AI_NORMAL, hard: N.AI_HARD, none: N.AI_NONE };

function clamped(text: string | null, least: number, most: number, otherwise: number): number {
  const value = Number(text);
  return text === null || text === '' || Number.isNaN(value) ? otherwise : Math.min(most, Math.max(least, value));
}

/** Reads a query string. Values out of range are clamped; what makes no sense counts as not given. */
export function readParams(query: string, mutatorNames: readonly string[] = []): Params {
  const given = new URLSearchParams(query);
  const mode = given.get('duel');
  const number = (name: string): number | null => {
    const text = given.get(name);
    return text !== null && /^\d+$/.test(text) ? Number(text) : null;
  };
  const seat = given.get('seat');
  const hint = given.get('latency');
  const mutators = given.get('mutators');
  return {
    mode: mode === 'loop' || mode === 'relay' ? mode : 'sound',
    seat: seat === 'host' ? N.ROLE_HOST : seat === 'guest' ? N.ROLE_GUEST : null,
    lossPermille: Math.round(1000 * clamped(given.get('loss'), 0, 0.9, 0)),
    latencyMs: Math.round(clamped(hint, 0, 2000, 250)),
    delayTicks: Math.round(clamped(given.get('delay'), 3, 8, 0)),
    hostSide: given.get('side') === 'red' ? N.SIDE_RED : N.SIDE_BLUE,
    ai: AIS[given.get('ai') ?? ''] ?? N.AI_NONE,
    peerAi: AIS[given.get('friend') ?? ''] ?? N.AI_NORMAL,
    speed: clamped(given.get('speed'), 0.1, 50, 1),
    seed: number('seed'),
    map: number('map'),
    mutators: mutators === null ? null : mutatorMask(mutators, mutatorNames),
    plan: given.get('plan') === 'low' ? N.PLAN_LOW : given.get('plan') === 'high' ? N.PLAN_HIGH : null,
    build: number('build') ?? 0,
    latencyHint: hint === 'playback' || hint === 'balanced' || hint === 'interactive' ? hint : undefined,
    table: given.get('table') ?? '',
    trail: given.has('trail'),
  };
}

function mutatorMask(text: string, names: readonly string[]): number {
  return text.split(',').reduce((mask, word) => {
    const index = names.indexOf(word.trim());
    return index < 0 ? mask : mask | (1 << index);
  }, 0);
}
