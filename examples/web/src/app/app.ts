/** One phone: its medium, its lobby, its match and its report, as a state machine. What the player wants goes in; the
 * screens draw what it is. */
import { N, type Library, type Link, type ScoreBook } from '../wasm';
import type { RigFailure } from '../audio';
import { asFailure, type Medium } from './medium';
import { seeds } from './chance';
import { Duel, type Going } from './duel';
import { loadBook, loadWant, saveBook, saveWant, type Want } from './store';
import { SelfTest } from './self-test';
import type { Params } from './params';

/** Where an app is. */
export type Stage =
  | { kind: 'menu' }
  | { kind: 'opening' }
  | { kind: 'failed'; failure: RigFailure; reload: boolean }
  | { kind: 'choose' }
  | { kind: 'selftest'; test: SelfTest }
  | { kind: 'duel'; duel: Duel };

/** What the app asks of the page around it. */
export interface Around {
  /** Opens the medium: within the tap. */
  openMedium(app: App): Medium;
  /** The game's own sounds keep out of the link's bands (the plan), or may do as they like (`null`). */
  guard(plan: number | null): void;
  notice(text: string): void;
}

/** Half a tick, and the most of them that one look catches up with. */
const PIECE_US = 50_000;
const PIECES_MAX = 64;

export class App {
  stage: Stage = { kind: 'menu' };
  medium: Medium | null = null;
  book: ScoreBook = loadBook();
  readonly want: Want;
  readonly seed: () => number;
  /** Counts what was opened: what comes back for an older one does nothing. */
  private generation = 0;
  /** When the duel was last looked at. */
  private ticked = 0;
  /** The plan that the game's sounds keep out of. */
  private guarded: number | null = null;

  constructor(
    readonly lib: Library,
    readonly params: Params,
    readonly around: Around,
  ) {
    this.seed = seeds(params.seed);
    const chosen = { role: N.ROLE_HOST, plan: N.PLAN_HIGH, micMode: N.MIC_RAW, map: { random: 0, index: 0, seed: 0 } };
    this.want = loadWant({ ...chosen, mutators: 0 });
    if (params.map !== null) this.want.map = { random: 0, index: params.map, seed: 0 };
    if (params.mutators !== null) this.want.mutators = params.mutators;
    if (params.plan !== null) this.want.plan = params.plan;
    if (params.seat !== null) this.want.role = params.seat;
    if (!lib.mapSize(this.want.map)) this.want.map = { random: 0, index: 0, seed: 0 };
  }

  get duel(): Duel | null {
    return this.stage.kind === 'duel' ? this.stage.duel : null;
  }

  now(): number {
    return this.medium?.clock.now() ?? 0;
  }

  /** The Duel tap: everything that needs the tap happens before this returns. */
  open(): void {
    if (this.stage.kind !== 'menu') return;
    const generation = ++this.generation;
    const medium = this.around.openMedium(this);
    this.medium = medium;
    if (medium.real) this.guard(this.want.plan);
    this.stage = { kind: 'opening' };
    medium.onFatal = (message) => this.stopped(message);
    medium.ready.then(
      () => {
        if (generation === this.generation && this.stage.kind === 'opening') this.stage = { kind: 'choose' };
      },
      (error: unknown) => {
        if (generation === this.generation) this.fail(asFailure(error));
      },
    );
  }

  /** Cancel, an error's button, the menu: everything is let go. */
  silence(): void {
    this.generation += 1;
    this.duel?.free();
    this.medium?.close();
    this.medium = null;
    this.guard(null);
    this.stage = { kind: 'menu' };
  }

  private fail(failure: RigFailure): void {
    const reload = failure.code === 'update';
    this.silence();
    this.stage = { kind: 'failed', failure, reload };
  }

  /** The modem stopped: an error before the match, and the rig's matter once it runs. */
  private stopped(message: string): void {
    const phase = this.duel?.status.phase;
    if (phase === N.PHASE_PLAYING || phase === N.PHASE_OVER) {
      console.warn(`The modem stopped: ${message}`);
      return;
    }
    const advice = `Close, then tap Duel to start it again. (${message})`;
    this.silence();
    this.stage = { kind: 'failed', failure: { code: 'no-audio', message: 'The sound link stopped working.', advice }, reload: true };
  }

  /** Host or Join: the link starts, and with it the sound. */
  begin(role: number): void {
    if (this.stage.kind !== 'choose') return;
    this.want.role = role;
    saveWant(this.want);
    void this.startDuel();
  }

  selfTest(role: number): void {
    if (this.stage.kind !== 'choose' || !this.medium?.real) return;
    this.want.role = role;
    void this.startLink(N.LISTEN_SELF, (link) => {
      this.stage = { kind: 'selftest', test: new SelfTest(link, this.now()) };
    });
  }

  /** Self-test: back to the choice. */
  back(): void {
    if (this.stage.kind !== 'selftest') return;
    this.medium?.stopLink();
    this.stage = { kind: 'choose' };
  }

  setMicMode(mode: number): void {
    this.want.micMode = mode;
    saveWant(this.want);
    this.medium?.setMicMode(mode);
  }

  private async startLink(listen: number, then: (link: Link) => void): Promise<void> {
    const { medium, generation, want } = this;
    if (!medium) return;
    if (medium.real) this.guard(want.plan);
    this.stage = { kind: 'opening' };
    try {
      const link = await medium.startLink({ plan: want.plan, role: want.role, listen });
      if (generation === this.generation) then(link);
    } catch (error) {
      if (generation === this.generation) this.fail(asFailure(error));
    }
  }

  private startDuel(): Promise<void> {
    const { want, params } = this;
    const searches = this.medium?.real && want.role === N.ROLE_GUEST;
    return this.startLink(searches ? N.LISTEN_DETECT : N.LISTEN_PEER, (link) => {
      const { role, plan, map, mutators } = want;
      const { hostSide, ai, build, trail } = params;
      // By sound, what was measured decides.
      const delayTicks = this.medium!.real ? 0 : params.delayTicks;
      const wanted = { role, plan, map, mutators, hostSide, delayTicks, ai, build, trail, seed: this.seed };
      const duel = new Duel(this.lib, this.medium!, link, wanted, this.now());
      duel.onNotice = this.around.notice;
      duel.book = () => this.book;
      duel.onBook = (book) => {
        this.book = book;
        saveBook(book);
      };
      this.ticked = this.now();
      this.stage = { kind: 'duel', duel };
    });
  }

  /** The game's sounds keep out of this plan's bands; null: they may have them all. */
  private guard(plan: number | null): void {
    this.guarded = plan;
    this.around.guard(plan);
  }

  /** Lets time come: call it every frame. */
  tick(): void {
    const { medium, stage } = this;
    if (!medium) return;
    const now = medium.clock.now();
    if (stage.kind === 'duel') {
      // A practice clock may run fast: time comes in pieces all the same, a tick at most in each.
      const from = medium.real ? now : Math.max(this.ticked, now - PIECES_MAX * PIECE_US);
      for (let at = from + PIECE_US; at < now; at += PIECE_US) stage.duel.tick(at);
      this.ticked = now;
      stage.duel.tick(now);
      // A guest finds its host on either plan.
      const found = stage.duel.linkStatus.detectedPlan;
      if (medium.real && found >= 0 && found !== this.guarded) this.guard(found);
      this.goOn(stage.duel, now);
    } else {
      medium.watch(now);
      if (stage.kind === 'selftest') stage.test.tick(now);
    }
  }

  leaveFor(going: Going): void {
    this.duel?.leaveFor(this.now(), going);
  }

  /** Goes where the player wanted to, once everything is said. */
  private goOn(duel: Duel, now: number): void {
    const { going } = duel;
    if (!going) return;
    const { closable, phase } = duel.status;
    if (closable !== 1 && phase !== N.PHASE_CLOSED) return;
    if (going.to === 'rematch' && phase !== N.PHASE_CLOSED) {
      duel.again(now);
      return;
    }
    if (going.to === 'menu' || going.to === 'rematch') {
      this.silence();
      return;
    }
    duel.free();
    this.medium?.stopLink();
    if (going.to === 'role') this.want.role = 1 - this.want.role;
    if (going.to === 'plan') this.want.plan = going.plan;
    saveWant(this.want);
    void this.startDuel();
  }

  /** The page is hidden: the match pauses at once. */
  hidden(): void {
    this.duel?.hidden(this.now());
  }
}
