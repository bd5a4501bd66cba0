/** `window.__duel`: what tests and the curious may look at and push. `state`, `tick`, `trail()`, `hash()` and `result` are the
 * specification's ("Dev and test modes"); the rest reaches what no address can settle. */
import { N } from '../wasm';
import type { App } from './app';
import { digest } from './trail';
import { LoopMedium } from '../practice/loop';
import { RelayMedium } from '../practice/relay';

const PHASES = ['lobby', 'ready', 'playing', 'over', 'leaving', 'closed'] as const;

interface DebugDuel {
  /** Where the app is: a stage's kind, or the phase of its duel. */
  readonly state: string;
  readonly tick: number;
  readonly result: { end: number; winner: number; resigned: number; sync: number; endTick: number; score: number } | null;
  readonly status: unknown;
  readonly link: unknown;
  readonly agreed: unknown;
  /** Digests by tick, with `?trail`. */
  trail(): [number, string][];
  /** The world's digest now. */
  hash(): string | null;
  record(): string | null;
  /** A practice link passes nothing any more, or again. */
  cut(on: boolean): void;
  /** Ends the match as out of sync, as if this phone had found it out. */
  desync(): void;
  /** A loop's peer: its session, to play by hand. */
  readonly peer: unknown;
  readonly app: App;
  /** The match's screen, while one is up. */
  match(): unknown;
}

export function expose(app: App, match: () => unknown): void {
  const duel: DebugDuel = {
    get state() {
      return app.duel ? (PHASES[app.duel.status.phase] ?? 'unknown') : app.stage.kind;
    },
    get tick() {
      return app.duel?.status.tick ?? 0;
    },
    get result() {
      if (!app.duel || app.duel.status.end === N.END_NONE) return null;
      const { end, winner, resigned, sync, endTick, score } = app.duel.status;
      return { end, winner, resigned, sync, endTick, score };
    },
    get status() {
      return app.duel?.status ?? null;
    },
    get link() {
      return app.duel?.linkStatus ?? null;
    },
    get agreed() {
      return app.duel?.agreed ?? null;
    },
    trail: () => app.duel?.trail.all() ?? [],
    hash: () => (app.duel?.agreed ? digest(app.duel.session.save()) : null),
    record: () => app.duel?.report?.record ?? app.duel?.session.record() ?? null,
    cut: (on) => {
      if (app.medium instanceof RelayMedium || app.medium instanceof LoopMedium) app.medium.cut = on;
    },
    desync: () => app.duel?.leave(app.now(), true),
    get peer() {
      return app.medium instanceof LoopMedium ? app.medium.peer : null;
    },
    app,
    match,
  };
  Object.assign(window, { __duel: duel });
}
