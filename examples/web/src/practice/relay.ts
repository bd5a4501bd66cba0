/** A practice link between two pages of one browser: each hands its relay's bytes to the other over a channel. */
import { Link, type Library } from '../wasm';
import { PracticeClock } from '../app/clock';
import type { LinkWant, Medium } from '../app/medium';
import type { Params } from '../app/params';
import { PRACTICE_NOTE } from './loop';

const CHANNEL = 'sound-duel-relay';

export class RelayMedium implements Medium {
  readonly real = false;
  readonly note = PRACTICE_NOTE;
  readonly clock: PracticeClock;
  readonly ready = Promise.resolve();
  onFatal = null;
  /** Nothing passes, either way: an outage. */
  cut = false;
  private readonly channel: BroadcastChannel;
  private link: Link | null = null;

  constructor(
    private readonly lib: Library,
    private readonly params: Params,
    private readonly seed: () => number,
  ) {
    this.clock = new PracticeClock(params.speed);
    this.channel = new BroadcastChannel(`${CHANNEL} ${params.table}`);
    this.channel.onmessage = (message: MessageEvent<Uint8Array>) => {
      if (!this.cut) this.link?.pushMessage(message.data);
    };
  }

  async startLink(want: LinkWant): Promise<Link> {
    this.stopLink();
    const { latencyMs, lossPermille } = this.params;
    this.link = Link.relay(this.lib, { plan: want.plan, role: want.role, latencyMs, lossPermille, seed: this.seed() });
    return this.link;
  }

  stopLink(): void {
    this.link?.free();
    this.link = null;
  }

  watch(): void {
    for (let bytes = this.link?.pollMessage(); bytes; bytes = this.link?.pollMessage()) {
      if (!this.cut) this.channel.postMessage(bytes);
    }
  }

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
    this.channel.close();
  }
}
