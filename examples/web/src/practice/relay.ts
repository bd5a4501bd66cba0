/** A practice link between two pages of one browser: each hands its relay's bytes to the other over a channel. */
import { Link, type Library } from '../wasm';
import type { LinkWant } from '../app/medium';
import type { Params } from '../app/params';
import { PracticeMedium } from './medium';

const CHANNEL = 'sound-duel-relay';

export class RelayMedium extends PracticeMedium {
  private readonly channel: BroadcastChannel;
  private link: Link | null = null;

  constructor(
    private readonly lib: Library,
    private readonly params: Params,
    private readonly seed: () => number,
  ) {
    super(params.speed);
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

  override close(): void {
    super.close();
    this.channel.close();
  }
}
