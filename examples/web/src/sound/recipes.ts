/** The game's sounds as tables: what is heard when, made of a few tones and noises. Nothing is loaded. */

/** One tone or noise of a sound. Times in seconds, pitches in Hz. */
export interface Voice {
  wave: OscillatorType | 'noise';
  /** A tone's pitch at its start and its end; of noise the filter's. */
  from: number;
  to: number;
  at?: number;
  lasts: number;
  gain: number;
}

const tone = (from: number, to: number, lasts: number, gain: number, at = 0, wave: OscillatorType = 'triangle'): Voice => ({
  wave,
  from,
  to,
  at,
  lasts,
  gain,
});
const noise = (from: number, to: number, lasts: number, gain: number, at = 0): Voice => ({ wave: 'noise', from, to, at, lasts, gain });

export const RECIPES = {
  select: [tone(760, 760, 0.04, 0.2)],
  order: [tone(520, 780, 0.07, 0.25)],
  refused: [tone(220, 180, 0.14, 0.3, 0, 'square')],
  shot: [noise(2400, 500, 0.07, 0.25)],
  burst: [noise(900, 120, 0.35, 0.5), tone(90, 45, 0.3, 0.5, 0, 'sine')],
  lost: [noise(700, 90, 0.5, 0.5), tone(160, 50, 0.4, 0.4)],
  made: [tone(440, 440, 0.08, 0.25), tone(660, 660, 0.1, 0.25, 0.08)],
  ready: [tone(523, 523, 0.1, 0.3), tone(784, 784, 0.16, 0.3, 0.1)],
  placed: [tone(150, 90, 0.16, 0.5, 0, 'sine'), noise(500, 200, 0.12, 0.2)],
  wave: [tone(330, 330, 0.12, 0.3), tone(440, 440, 0.12, 0.3, 0.12), tone(550, 550, 0.2, 0.3, 0.24)],
  power: [tone(300, 1200, 0.4, 0.3, 0, 'sawtooth')],
  strike: [noise(1600, 60, 0.8, 0.7), tone(70, 30, 0.7, 0.6, 0, 'sine')],
  win: [tone(523, 523, 0.14, 0.35), tone(659, 659, 0.14, 0.35, 0.14), tone(784, 784, 0.14, 0.35, 0.28), tone(1047, 1047, 0.5, 0.35, 0.42)],
  lose: [tone(392, 392, 0.2, 0.35), tone(330, 330, 0.2, 0.35, 0.2), tone(262, 247, 0.6, 0.35, 0.4)],
  draw: [tone(440, 440, 0.2, 0.3), tone(440, 440, 0.35, 0.3, 0.25)],
} as const satisfies Record<string, readonly Voice[]>;

export type SoundName = keyof typeof RECIPES;

/** The menu's music: chords, low and slow. */
export const CHORDS: readonly (readonly number[])[] = [
  [110, 165, 220, 277],
  [98, 147, 196, 247],
  [87, 131, 175, 220],
  [98, 147, 185, 247],
];
export const CHORD_S = 6;
