/** Over what a phone plays: sound, or a practice link. An app asks for links and draws what it is told. */
import type { Link, RigStatus } from '../wasm';
import type { RigFailure } from '../audio';
import type { Clock } from './clock';

export interface LinkWant {
  plan: number;
  role: number;
  listen: number;
}

export interface Medium {
  /** It makes sound: the warning stands on every step. */
  readonly real: boolean;
  readonly clock: Clock;
  /** `null` for sound; otherwise what a report says of the link. */
  readonly note: string | null;
  /** Opens devices; must be made within the tap. */
  readonly ready: Promise<void>;
  startLink(want: LinkWant): Promise<Link>;
  /** The link is let go; another may be started. */
  stopLink(): void;
  /** Every frame, after the session was pumped. */
  watch(now: number): void;
  /** Capture has been free of gaps for long enough to begin a match. */
  captured(): boolean;
  status(): RigStatus | null;
  tap(): void;
  setMicMode(mode: number): void;
  /** The modem stopped before a match. */
  onFatal: ((message: string) => void) | null;
  close(): void;
}

/** A failure that is none of the devices' own. */
export function asFailure(error: unknown): RigFailure {
  if (typeof error === 'object' && error !== null && 'code' in error && 'advice' in error) return error as RigFailure;
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'no-audio', message: 'The sound link could not start', advice: message };
}
