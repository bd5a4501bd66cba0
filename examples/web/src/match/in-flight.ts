/** Orders given that have not landed yet, so that a second tap within the delay means what it would without one. */
import { N, type Session, type SkirmishOrderWaiting } from '../wasm';

export class InFlight {
  private waiting: SkirmishOrderWaiting[] = [];

  follow(session: Session): void {
    this.waiting = session.inFlight();
  }

  /** A building whose begin is on its way, or -1. */
  get starting(): number {
    const last = this.waiting.findLast(({ kind }) => kind === N.ORDER_START_BUILDING || kind === N.ORDER_CANCEL_BUILDING);
    return last?.kind === N.ORDER_START_BUILDING ? last.what : -1;
  }

  get placing(): boolean {
    return this.has(N.ORDER_PLACE_BUILDING);
  }

  get wave(): boolean {
    return this.has(N.ORDER_CALL_WAVE);
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

  private has(order: number): boolean {
    return this.waiting.some(({ kind }) => kind === order);
  }
}
