/** What both practice links are alike in: no device, so nothing to prove, to tell, to tap or to choose. */
import type { Link } from '../wasm';
import { PracticeClock } from '../app/clock';
import type { LinkWant, Medium } from '../app/medium';

export const PRACTICE_NOTE = 'Practice link (no sound)';

export abstract class PracticeMedium implements Medium {
  readonly real = false;
  readonly note = PRACTICE_NOTE;
  readonly clock: PracticeClock;
  readonly ready = Promise.resolve();
  onFatal = null;
  /** Nothing passes: an outage. */
  cut = false;

  constructor(speed: number) {
    this.clock = new PracticeClock(speed);
  }

  abstract startLink(want: LinkWant): Promise<Link>;
  abstract stopLink(): void;
  abstract watch(now: number): void;

  captured(): boolean {
    return true;
  }

  status(): null {
    return null;
  }

  tap(): void {}
  setMicMode(): void {}

  close(): void {
    this.stopLink();
  }
}
