/** The modem's node: carries the messages between a link on the page and its audio half in the worklet. */
import type { Instance, Link } from '../wasm';
import { messagesOf, type FromPump, type ToPump } from './protocol';
import { makePump } from './worklets';

/** How often the link's messages go out by themselves; `flush` sends them at once. */
const FLUSH_MS = 20;

export class PumpNode {
  readonly node: AudioWorkletNode;
  private readonly timer: ReturnType<typeof setInterval>;
  private dead = false;

  /** `fatal` hears why the modem stopped; the link knows by then. */
  constructor(
    context: BaseAudioContext,
    lib: Instance,
    private readonly link: Link,
    private readonly fatal: (message: string) => void,
  ) {
    this.node = makePump(context, lib, link.config());
    this.node.port.onmessage = ({ data }: MessageEvent<FromPump>) => this.take(data);
    this.node.port.onmessageerror = () => this.fail('The modem and the page do not understand each other.');
    this.node.addEventListener('processorerror', () => this.fail('The modem failed while processing sound.'));
    this.timer = setInterval(() => this.flush(), FLUSH_MS);
    this.flush();
  }

  /** Sends what the link has for its modem. */
  flush(): void {
    if (this.dead) return;
    for (let bytes; (bytes = this.link.pollMessage()); ) {
      this.node.port.postMessage({ t: 'message', bytes } satisfies ToPump, [bytes.buffer]);
    }
  }

  /** Takes the node out; the link may be freed then. `say`: it has closed, and its modem is to hear that. */
  close(say: boolean): void {
    if (say) this.flush();
    this.dead = true;
    clearInterval(this.timer);
    this.node.port.onmessage = null;
    this.node.disconnect();
  }

  private take(message: FromPump): void {
    if (this.dead) return;
    if (message.t === 'fatal') return this.fail(message.message);
    for (const bytes of messagesOf(message.bytes)) this.link.pushMessage(bytes);
    this.flush();
  }

  private fail(message: string): void {
    if (this.dead) return;
    this.dead = true;
    this.link.pumpFailed();
    this.fatal(message);
  }
}
