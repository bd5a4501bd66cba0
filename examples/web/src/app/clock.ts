/** What time it is for a duel, in microseconds: the wall's for sound, as fast as is wanted for practice. */
import { nowUs } from '../wasm';

/** The most a practice clock moves between two looks: it does not run through what the machine slept through. */
const PRACTICE_STEP_MAX_US = 250_000;

export interface Clock {
  now(): number;
}

/** A live link's clock. */
export const wallClock: Clock = { now: nowUs };

/** A practice link's: it may run fast, and waits for a machine that sleeps. */
export class PracticeClock implements Clock {
  private last = nowUs();
  private elapsed = 0;

  constructor(private readonly speed: number) {}

  now(): number {
    const now = nowUs();
    this.elapsed += Math.min(PRACTICE_STEP_MAX_US, now - this.last) * this.speed;
    this.last = now;
    return Math.floor(this.elapsed);
  }
}
