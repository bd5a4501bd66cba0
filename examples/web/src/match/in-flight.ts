/** Orders given that have not landed yet, so that a second tap within the delay means what it would without one. */
import { N, type SkirmishOrder, type SkirmishWorld } from '../wasm';

interface Waiting {
  kind: number;
  what: number;
  object: number;
  /** The tick by which it has landed, if nothing holds it up. */
  until: number;
}

/** Ticks past the delay after which an order counts as landed whatever happened to it. */
const SPARE_TICKS = 2;

export class InFlight {
  private waiting: Waiting[] = [];

  note(order: SkirmishOrder, tick: number, delayTicks: number): void {
    const until = tick + Math.max(1, delayTicks) + SPARE_TICKS;
    this.waiting.push({ kind: order.kind, what: order.what ?? -1, object: order.object ?? -1, until });
  }

  follow(world: SkirmishWorld, side: number): void {
    const begun = world.site[side]! >= 0;
    this.waiting = this.waiting.filter(({ kind, until }) => {
      if (kind === N.ORDER_START_BUILDING && begun) return false;
      if (kind === N.ORDER_PLACE_BUILDING && !begun) return false;
      return until > world.tick;
    });
  }

  private find(kind: number): Waiting | undefined {
    return this.waiting.find((waiting) => waiting.kind === kind);
  }

  /** A building whose begin is on its way, or -1. */
  get starting(): number {
    return this.find(N.ORDER_START_BUILDING)?.what ?? -1;
  }

  get placing(): boolean {
    return this.find(N.ORDER_PLACE_BUILDING) !== undefined;
  }

  get wave(): boolean {
    return this.find(N.ORDER_CALL_WAVE) !== undefined;
  }

  /** Units of a kind on their way into queues, less those taken out. */
  units(kind: number): number {
    return this.waiting.reduce((sum, { kind: order, what }) => {
      if (what !== kind) return sum;
      return order === N.ORDER_PRODUCE ? sum + 1 : order === N.ORDER_CANCEL_PRODUCE ? sum - 1 : sum;
    }, 0);
  }

  get powers(): ReadonlySet<number> {
    return new Set(this.waiting.filter(({ kind }) => kind === N.ORDER_CALLDOWN).map(({ what }) => what));
  }
}
