/** One phone's half of a duel, with the reference game, or a saved one. */
import { DuelError, type Instance } from './instance';
import { Handle } from './handle';
import * as L from './layout';
import type { Link } from './link';
import * as N from './numbers';
import { read, type Fields, type MapChoice, type Of, type Struct } from './struct';

/** What a phone brings to a duel; what is missing is the default. */
export interface SessionConfig {
  role: number;
  map?: MapChoice;
  mutators?: number;
  hostSide?: number;
  start?: number;
  keepMode?: boolean;
  /** The host's choice, for practice and tests: 3 to 8; 0 is what the measured round trip calls for. */
  delayTicks?: number;
  /** Where nonces are drawn from: not to be foreseen, and never the same twice. */
  seed: bigint | number;
  /** Another build's number, for tests of what two versions say of each other. */
  build?: number;
}

/** An order; which fields count depends on its kind. */
export interface SkirmishOrder {
  kind: number;
  units?: readonly number[];
  object?: number;
  what?: number;
  x?: number;
  y?: number;
  here?: boolean | number;
}

/** One that has not been applied yet. */
export type SkirmishOrderWaiting = Pick<L.SkirmishOrder, 'kind' | 'what'>;

/** Units or buildings asked for at first; more room is taken when there are more. */
const ROOM = 128;

export class Session extends Handle {
  private constructor(lib: Instance, pointer: number) {
    super(lib, pointer, 'session');
  }

  /** Takes the link for as long as it lives. */
  static skirmish(lib: Instance, link: Link, config: SessionConfig): Session {
    const { keepMode, seed, ...rest } = config;
    const given = { ...rest, keepMode: keepMode ? 1 : 0, seed: seed as unknown as number };
    return new Session(lib, lib.make('duel_skirmish_new', 1, [lib.config(L.SessionConfig, given), link.pointer])[0]!);
  }

  /** A saved record, to run and draw like a match. */
  static replay(lib: Instance, record: string): Session {
    const bytes = new TextEncoder().encode(record);
    const at = lib.alloc(bytes.length);
    try {
      lib.bytes(at, bytes.length).set(bytes);
      return new Session(lib, lib.make('duel_replay_new', 1, [at, bytes.length])[0]!);
    } finally {
      lib.dealloc(at, bytes.length);
    }
  }

  pump(nowUs: number): void {
    this.call('pump', BigInt(nowUs));
  }

  /** Chooses an opener, or `N.NO_OPENER`; false if it may not be. */
  pick(opener: number): boolean {
    return this.may('duel_session_pick', opener);
  }

  openers(): number {
    this.call('openers', this.lib.out());
    return this.lib.u32(this.lib.out());
  }

  retry(nowUs: number): void {
    this.call('retry', BigInt(nowUs));
  }

  agreed(): L.Agreed | null {
    return this.unless(N.NOT_NOW, () => this.lib.ask(L.Agreed, 'duel_session_agreed', this.why, this.pointer));
  }

  begin(nowUs: number, ai: number, aiSeed: number): void {
    this.lib.call('duel_skirmish_begin', this.why, this.pointer, BigInt(nowUs), ai, aiSeed);
  }

  run(nowUs: number): { ticks: number; stalled: boolean } {
    const status = this.call('run', BigInt(nowUs), this.lib.out());
    return { ticks: this.lib.u32(this.lib.out()), stalled: status === N.STALLED };
  }

  resign(nowUs: number): void {
    this.call('resign', BigInt(nowUs));
  }

  setPaused(nowUs: number, paused: boolean): void {
    this.call('set_paused', BigInt(nowUs), paused ? 1 : 0);
  }

  leave(nowUs: number, desync = false): void {
    this.call('leave', BigInt(nowUs), desync ? 1 : 0);
  }

  close(): void {
    this.call('close');
  }

  /** The lobby again, for a rematch: sides swap. */
  reset(nowUs: number, seed: bigint | number): void {
    this.call('reset', BigInt(nowUs), BigInt.asUintN(64, BigInt(seed)));
  }

  status(nowUs: number): L.SessionStatus {
    return this.lib.ask(L.SessionStatus, 'duel_session_get_status', this.why, this.pointer, BigInt(nowUs))!;
  }

  pollEvent(): L.SessionEvent | null {
    return this.lib.ask(L.SessionEvent, 'duel_session_poll_event', this.why, this.pointer);
  }

  /** The match so far as one line of JSON; null before one began. */
  record(): string | null {
    const bytes = this.unless(N.NOT_NOW, () => this.bytesOf('record'));
    return bytes && new TextDecoder().decode(bytes);
  }

  /** The world as the game saves it. */
  save(): Uint8Array<ArrayBuffer> {
    return this.bytesOf('save');
  }

  /** The tally with this match counted, as far as its end is known; null if nothing changed. */
  countScore(nowUs: number, hidden: boolean, book: L.ScoreBook): L.ScoreBook | null {
    const at = this.lib.put(L.ScoreBook, book);
    const status = this.call('count_score', BigInt(nowUs), hidden ? 1 : 0, at);
    return status === N.OK ? this.lib.get(L.ScoreBook, at) : null;
  }

  /** Which kinds this match's mutators ban, as bits. */
  bans(): { units: number; buildings: number } {
    const [units, buildings] = [this.lib.out(0), this.lib.out(4)];
    this.skirmish('bans', units, buildings);
    return { units: this.lib.u32(units), buildings: this.lib.u32(buildings) };
  }

  /** Gives an order; false if it was not taken: `detail` says why. */
  give(nowUs: number, order: SkirmishOrder): boolean {
    const { units = [], here, ...rest } = order;
    return this.lend(Math.max(4, 4 * units.length), (list) => {
      units.forEach((id, index) => this.lib.data().setUint32(list + 4 * index, id, true));
      const given = { ...rest, units: list, unitCount: units.length, here: here ? 1 : 0 };
      return this.may('duel_skirmish_give', BigInt(nowUs), this.lib.config(L.SkirmishOrder, given));
    });
  }

  /** This player's orders that are given and not applied yet, in the order they will be; without their units. */
  inFlight(): SkirmishOrderWaiting[] {
    const orders: SkirmishOrderWaiting[] = [];
    for (;;) {
      const order = this.lib.ask(L.SkirmishOrder, 'duel_skirmish_in_flight', this.why, this.pointer, orders.length);
      if (!order) return orders;
      orders.push(order);
    }
  }

  world(): L.SkirmishWorld {
    return this.lib.ask(L.SkirmishWorld, 'duel_skirmish_get_world', this.why, this.pointer)!;
  }

  /** The units, by id; with a side, what that side sees. */
  units(seenBy = N.NONE): L.SkirmishUnit[] {
    return this.list(L.SkirmishUnit, 'get_units', seenBy);
  }

  buildings(seenBy = N.NONE): L.SkirmishBuilding[] {
    return this.list(L.SkirmishBuilding, 'get_buildings', seenBy);
  }

  /** `N.TERRAIN_...` for each tile, row by row from the north-west. */
  terrain(): Uint8Array<ArrayBuffer> {
    return this.tiles(1, (at, tiles) => this.skirmish('get_terrain', at, tiles));
  }

  /** Credits of ore left, for each tile. */
  ore(): Uint16Array<ArrayBuffer> {
    return new Uint16Array(this.tiles(2, (at, tiles) => this.skirmish('get_ore', at, tiles)).buffer);
  }

  /** For each tile 0 never seen, 1 seen before, 2 in sight. */
  fog(side: number): Uint8Array<ArrayBuffer> {
    return this.tiles(1, (at, tiles) => this.skirmish('get_fog', side, at, tiles));
  }

  canPlace(side: number, kind: number, tileX: number, tileY: number): boolean {
    this.skirmish('can_place', side, kind, tileX, tileY, this.lib.out());
    return this.lib.u32(this.lib.out()) !== 0;
  }

  pollEffect(): L.SkirmishEffect | null {
    return this.lib.ask(L.SkirmishEffect, 'duel_skirmish_poll_effect', this.why, this.pointer);
  }

  /** Replays: goes to a tick. */
  seek(tick: number): void {
    this.lib.call('duel_replay_seek', this.why, this.pointer, tick);
  }

  setSpeed(permille: number): void {
    this.lib.call('duel_replay_set_speed', this.why, this.pointer, permille);
  }

  report(): L.ReplayReport {
    return this.lib.ask(L.ReplayReport, 'duel_replay_get_report', this.why, this.pointer)!;
  }

  private skirmish(verb: string, ...words: (number | bigint)[]): number {
    return this.lib.call(`duel_skirmish_${verb}`, this.why, this.pointer, ...words);
  }

  private may(name: string, ...words: (number | bigint)[]): boolean {
    return this.unless(N.REFUSED, () => (this.lib.call(name, this.why, this.pointer, ...words), true)) ?? false;
  }

  /** What `call` says, or null if it failed with just that status. */
  private unless<T>(status: number, call: () => T): T | null {
    try {
      return call();
    } catch (why) {
      if (why instanceof DuelError && why.status === status) return null;
      throw why;
    }
  }

  /** Bytes whose length is asked for first. */
  private bytesOf(verb: string): Uint8Array<ArrayBuffer> {
    const length = this.lib.out();
    this.call(verb, this.lib.out(8), 0, length);
    const bytes = this.lib.u32(length);
    return this.lend(Math.max(1, bytes), (at) => {
      this.call(verb, at, bytes, length);
      return this.lib.bytes(at, this.lib.u32(length)).slice();
    });
  }

  private list<F extends Fields>(shape: Struct<F>, verb: string, seenBy: number): Of<Struct<F>>[] {
    const count = this.lib.out();
    for (let room = ROOM; ; ) {
      const found = this.lend(room * shape.bytes, (at) => {
        this.skirmish(verb, seenBy, at, room, count);
        const there = this.lib.u32(count);
        if (there > room) return there;
        const view = this.lib.data();
        return Array.from({ length: there }, (_, index) => read(shape, view, at + index * shape.bytes, () => ''));
      });
      if (typeof found !== 'number') return found;
      room = found;
    }
  }

  private tiles(width: number, fill: (at: number, tiles: number) => void): Uint8Array<ArrayBuffer> {
    const world = this.world();
    const tiles = world.width * world.height;
    return this.lend(tiles * width, (at) => {
      fill(at, tiles);
      return this.lib.bytes(at, tiles * width).slice();
    });
  }
}

