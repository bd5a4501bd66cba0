/** A duel on one phone: its session from the lobby to the report. Draws nothing. */
import { N, Advice, Session } from '../wasm';
import type { AdviceStatus, Agreed, Library, Link, LinkStatus, ScoreBook, SessionStatus, SkirmishEffect, SkirmishOrder } from '../wasm';
import { headline, type Headline } from '../report/words';
import type { Medium } from './medium';
import { emptyBook } from './store';
import { Trail } from './trail';

/** A guest that has heard nothing on the plan it found for this long searches both plans again. */
const SEARCH_AGAIN_US = 8_000_000;
/** A peer that is heard but does not hear for this long: something has to change. */
const PEER_DEAF_US = 10_000_000;
/** Heard within this: the peer is there. Source: the lobby's own "was heard hearing this phone within 2 s". */
const HEARD_MS = 2000;

/** Nothing heard for this long is a lost signal. Source: the specification's "Stall overlays". */
const SIGNAL_LOST_US = 5_000_000;

/** Where a player goes from a duel. */
export type Going = { to: 'menu' } | { to: 'rematch' } | { to: 'role' } | { to: 'plan'; plan: number } | { to: 'again' };

/** What a lobby offers because of what it measured. */
export interface Offer {
  reason: string;
  /** This plan instead; the host's to choose. */
  plan: number | null;
  /** The other role instead. */
  role: boolean;
}

/** The end of a match, as far as it is known. */
export interface Report {
  headline: Headline;
  /** One line of JSON, as it was when the match ended. */
  record: string | null;
  debug: string | null;
}

export interface DuelWant {
  role: number;
  plan: number;
  map: { random: number; index: number; seed: number };
  mutators: number;
  hostSide: number;
  delayTicks: number;
  ai: number;
  build: number;
  seed: () => number;
  trail: boolean;
}

/** The pause menu, while it is up. */
export interface PauseMenu {
  sure: boolean;
  /** The match had waited long enough to be left when the menu came up: a pause waits for nobody. */
  leave: boolean;
}

export class Duel {
  session: Session;
  status: SessionStatus;
  linkStatus: LinkStatus;
  menu: PauseMenu | null = null;
  resigning = false;
  going: Going | null = null;
  report: Report | null = null;
  agreed: Agreed | null = null;
  rematch = false;
  /** What happened in the ticks just stepped; whoever draws takes it. */
  effects: SkirmishEffect[] = [];
  /** Something worth telling. */
  onNotice: (text: string) => void = () => {};
  /** The tally to count in: the app's, at the moment. */
  book: () => ScoreBook = emptyBook;
  onBook: (book: ScoreBook) => void = () => {};
  gain: number;
  readonly trail: Trail;
  /** A practice link has no modem to give advice about. */
  private readonly advice: Advice | null;
  private readonly fallen: [boolean, boolean] = [false, false];
  private readonly snr = { sum: 0, count: 0 };
  private deafSince: number | null = null;
  private unlockedSince: number | null = null;
  private lost = false;
  private lastGood = -1;
  private reported = '';

  constructor(
    private readonly lib: Library,
    private readonly medium: Medium,
    readonly link: Link,
    readonly want: DuelWant,
    now: number,
  ) {
    const { role, map, mutators, hostSide, delayTicks, build } = want;
    this.session = Session.skirmish(lib, link, { role, map, mutators, hostSide, delayTicks, build, seed: want.seed() });
    const config = medium.real ? link.config() : null;
    this.gain = config?.gain ?? 1;
    this.advice = config && Advice.of(lib, config);
    this.trail = new Trail(want.trail);
    this.status = this.session.status(now);
    this.linkStatus = link.status();
  }

  /** The mean of the peer's packets, dB. */
  get snrDb(): number | null {
    return this.snr.count > 0 ? this.snr.sum / this.snr.count : null;
  }

  /** What the modem's measurements advise; null without a modem. */
  advised(): AdviceStatus | null {
    return this.advice?.status(this.rematch) ?? null;
  }

  /** True while a lobby may still be left for another role or plan without anybody waiting for it. */
  mayChange(): boolean {
    const { phase, pairing } = this.status;
    const early: number[] = [N.PAIRING_LISTENING, N.PAIRING_MEASURING, N.PAIRING_FAILED];
    return !this.going && phase === N.PHASE_LOBBY && early.includes(pairing);
  }

  /** What the lobby offers now because of what it measured. */
  offer(now: number): Offer | null {
    if (!this.mayChange() || this.rematch || !this.medium.real) return null;
    const host = this.want.role === N.ROLE_HOST;
    const advised = this.advised();
    if (advised?.band === N.BAND_FAILS) {
      const { bandText: reason, fallbackPlan, otherRole } = advised;
      return { reason, plan: host && fallbackPlan >= 0 ? fallbackPlan : null, role: otherRole >= 0 };
    }
    if (this.deafSince === null || now - this.deafSince < PEER_DEAF_US) return null;
    const high = this.linkStatus.plan === N.PLAN_HIGH;
    return {
      reason: 'You hear your friend, but your friend has not heard you for 10 s.',
      plan: host && high ? N.PLAN_LOW : null,
      role: high,
    };
  }

  /** The ways out of the match. */
  ways(now: number): { resignAndLeave: boolean; leave: boolean } {
    const { status, menu, linkStatus } = this;
    if (status.phase !== N.PHASE_PLAYING) return { resignAndLeave: false, leave: false };
    const cover = this.medium.status()?.offersLeave === 1;
    // A paused phone waits for no turn, so what counts then is whether anything is heard.
    const silent = linkStatus.lastRxUs < 0 || now - linkStatus.lastRxUs >= SIGNAL_LOST_US;
    const inMenu = menu !== null && (menu.leave || silent);
    return {
      resignAndLeave: status.resignAndLeave === 1 && !this.resigning,
      leave: cover || inMenu || status.overlayLeave === 1,
    };
  }

  /** Lets time come. */
  tick(now: number): void {
    this.session.pump(now);
    this.medium.watch(now);
    this.followLink(now);
    this.status = this.session.status(now);
    const { phase, pairing } = this.status;
    if (phase === N.PHASE_LOBBY) this.tickLobby(now, pairing);
    else if (phase === N.PHASE_READY) this.tickReady(now);
    else if (phase === N.PHASE_PLAYING) this.play(now);
    this.takeEvents();
    this.noteEnd(now);
  }

  private tickLobby(now: number, pairing: number): void {
    this.searchAgain(now);
    if (this.going) return;
    if (pairing === N.PAIRING_FAILED) {
      const why = this.status.problemText;
      this.session.retry(now);
      this.onNotice(`Pairing starts over: ${why}`);
    } else if (pairing === N.PAIRING_PICKING && this.session.openers() === 0) {
      this.session.pick(N.NO_OPENER);
    } else if (this.rematch && this.status.rematchOver === 1) {
      this.onNotice('Your friend did not come back.');
      this.leaveFor(now, { to: 'menu' });
    }
  }

  private tickReady(now: number): void {
    if (this.status.peerEnded === N.PEER_LEFT && !this.going) {
      this.onNotice('Your friend left before the match began.');
      this.leaveFor(now, { to: 'menu' });
      return;
    }
    // Lockstep starts on a microphone that has proved itself.
    if (this.going || !this.medium.captured()) return;
    this.agreed = this.session.agreed();
    this.session.begin(now, this.want.ai, this.want.seed() >>> 0);
    this.status = this.session.status(now);
    if (document.hidden) this.hidden(now); // it went into the background in the lobby
  }

  private play(now: number): void {
    const { ticks } = this.session.run(now);
    this.status = this.session.status(now);
    if (ticks === 0) return;
    this.trail.note(this.status.tick, this.session);
    this.takeEffects();
  }

  private takeEffects(): void {
    for (let effect = this.session.pollEffect(); effect; effect = this.session.pollEffect()) {
      this.effects.push(effect);
      if (effect.kind === N.EFFECT_BUILDING_LOST && effect.what === N.BUILDING_HQ) this.fallen[effect.side as 0 | 1] = true;
    }
  }

  /** Takes in what the modem tells: the advised gain, the meters, who hears whom. */
  private followLink(now: number): void {
    this.gain = this.advice?.watch(this.link) ?? this.gain;
    const link = this.link.status();
    this.linkStatus = link;
    if (link.rxGood !== this.lastGood && !Number.isNaN(link.snrDb)) {
      this.snr.sum += link.snrDb;
      this.snr.count += 1;
      this.lastGood = link.rxGood;
    }
    const { sinceHeardMs, peerHearsMe } = this.status;
    const heard = sinceHeardMs >= 0 && sinceHeardMs < HEARD_MS;
    // It is heard well and still says that it hears nothing.
    const deaf = heard && link.locked === 1 && peerHearsMe === 0;
    this.deafSince = deaf ? (this.deafSince ?? now) : null;
  }

  /** A guest whose host has gone silent, perhaps to the other plan, searches both. */
  private searchAgain(now: number): void {
    const { want, linkStatus } = this;
    const searches = this.medium.real && want.role === N.ROLE_GUEST && linkStatus.detectedPlan >= 0 && !this.rematch;
    if (!searches || linkStatus.locked === 1) {
      this.unlockedSince = null;
      return;
    }
    this.unlockedSince ??= now;
    if (now - this.unlockedSince >= SEARCH_AGAIN_US) {
      this.unlockedSince = null;
      this.link.setBands(linkStatus.plan, want.role, N.LISTEN_DETECT);
    }
  }

  private takeEvents(): void {
    for (let event = this.session.pollEvent(); event; event = this.session.pollEvent()) {
      if (event.kind === N.EVENT_ORDER_REFUSED) this.onNotice(`An order was not taken: ${event.text}`);
    }
  }

  /** The match has ended, or more is known of its end: says so at once, and counts. */
  private noteEnd(now: number): void {
    const { status } = this;
    if (status.end === N.END_NONE || !this.agreed) return;
    const book = this.session.countScore(now, false, this.book());
    if (book) this.onBook(book);
    const known = [status.end, status.sync, status.winner, status.resigned, this.lost].join();
    if (known === this.reported) return;
    this.reported = known;
    [this.menu, this.resigning] = [null, false];
    this.takeEffects();
    const record = this.report?.record ?? this.session.record();
    this.report = {
      headline: headline(status, this.agreed.localSide, this.fallen, this.lost),
      record,
      debug: status.end === N.END_DESYNC ? this.debugInfo(record) : null,
    };
  }

  /** What explains worlds that differ: the agreed match, both statuses, and the record with its orders and hashes. */
  private debugInfo(record: string | null): string {
    const { agreed, status, linkStatus: link } = this;
    return JSON.stringify({ version: this.lib.version(), agreed, status, link, record: record && JSON.parse(record) });
  }

  /** The page went into the background: paused at once, and counted as abandoned, since it may never come back. */
  hidden(now: number): void {
    if (this.status.phase !== N.PHASE_PLAYING) return;
    if (!this.menu) this.pause(now, true);
    const book = this.session.countScore(now, true, this.book());
    if (book) this.onBook(book);
  }

  give(now: number, order: SkirmishOrder): boolean {
    if (this.resigning || this.status.phase !== N.PHASE_PLAYING) return false;
    const taken = this.session.give(now, order);
    if (!taken) this.onNotice(this.session.detail());
    return taken;
  }

  pause(now: number, paused: boolean): void {
    const leave = this.status.menuLeave === 1;
    this.menu = paused ? { sure: false, leave } : null;
    this.session.setPaused(now, paused);
  }

  /** Closes the menu, goes on, and gives the match up: the order lands some ticks later on both phones. */
  resign(now: number): void {
    this.pause(now, false);
    this.session.resign(now);
    this.resigning = true;
  }

  /** Leaves the match without a result; the report says why. */
  leave(now: number, desync = false): void {
    const cover = this.medium.status()?.offersLeave === 1;
    this.lost = cover || this.menu !== null || this.status.overlay === N.OVERLAY_SIGNAL_LOST;
    this.menu = null;
    this.session.leave(now, desync);
  }

  /** Says goodbye for as long as it takes; the app goes there then. */
  leaveFor(now: number, going: Going): void {
    if (this.going) return;
    this.going = going;
    // A rematch pairs again on the same link: what is said already needs no goodbye.
    if (going.to === 'rematch' && this.status.closable === 1) return;
    this.session.leave(now);
    this.status = this.session.status(now);
  }

  /** Opens the lobby again on the same link, sides swapped. */
  again(now: number): void {
    this.session.reset(now, this.want.seed());
    Object.assign(this, { going: null, report: null, agreed: null, rematch: true, resigning: false, menu: null });
    [this.lost, this.reported, this.effects] = [false, '', []];
    this.fallen.fill(false);
    [this.snr.sum, this.snr.count] = [0, 0];
    this.trail.clear();
    this.status = this.session.status(now);
  }

  free(): void {
    this.session.free();
    this.advice?.free();
  }
}
