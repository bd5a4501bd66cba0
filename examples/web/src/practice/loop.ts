/** A practice link within the page: a peer of the same kind at the other end of a packet air, played by an AI. */
import { N, Link, Session, type Library } from '../wasm';
import type { LinkWant } from '../app/medium';
import type { Params } from '../app/params';
import { PracticeMedium } from './medium';

/** How long the peer looks at a report before it comes back to the lobby. */
const READS_US = 2_000_000;

export class LoopMedium extends PracticeMedium {
  peer: Peer | null = null;
  private ends: Link[] = [];

  constructor(
    private readonly lib: Library,
    private readonly params: Params,
    private readonly seed: () => number,
  ) {
    super(params.speed);
  }

  async startLink(want: LinkWant): Promise<Link> {
    this.stopLink();
    const { latencyMs, lossPermille } = this.params;
    const air = Link.air(this.lib, { plan: want.plan, latencyMs, lossPermille, seed: this.seed() });
    this.ends = [air.host, air.guest];
    const host = want.role === N.ROLE_HOST;
    this.peer = new Peer(this.lib, host ? air.guest : air.host, 1 - want.role, this.params, this.seed);
    return host ? air.host : air.guest;
  }

  stopLink(): void {
    this.peer?.free();
    this.peer = null;
    for (const end of this.ends) end.free();
    this.ends = [];
  }

  watch(now: number): void {
    if (!this.cut) this.peer?.tick(now);
  }
}

/** The other phone: pairs, picks the first opener, lets an AI play, and comes back for a rematch. */
class Peer {
  readonly session: Session;
  private settledAt: number | null = null;

  constructor(
    lib: Library,
    link: Link,
    role: number,
    private readonly params: Params,
    private readonly seed: () => number,
  ) {
    const { hostSide, delayTicks } = params;
    this.session = Session.skirmish(lib, link, { role, hostSide, delayTicks, seed: seed() });
  }

  tick(now: number): void {
    const { session } = this;
    session.pump(now);
    const status = session.status(now);
    if (status.phase === N.PHASE_LOBBY && status.pairing === N.PAIRING_PICKING) this.pick();
    else if (status.phase === N.PHASE_LOBBY && status.pairing === N.PAIRING_FAILED) session.retry(now);
    else if (status.phase === N.PHASE_READY) session.begin(now, this.params.peerAi, this.seed() >>> 0);
    else if (status.phase === N.PHASE_PLAYING) session.run(now);
    else if (status.settled === 1) {
      this.settledAt ??= now;
      if (now - this.settledAt >= READS_US) {
        this.settledAt = null;
        session.reset(now, this.seed());
      }
    }
  }

  private pick(): void {
    const mask = this.session.openers();
    const first = [0, 1, 2].find((opener) => (mask >> opener) & 1);
    this.session.pick(first ?? N.NO_OPENER);
  }

  free(): void {
    this.session.free();
  }
}
