/** The self-test: one phone alone decodes its own packets, which shows its speaker, its microphone and its band. */
import { N, type Link, type LinkStatus } from '../wasm';

const WORDS = 'self-test';
/** A phone whose own packets come back to it this often has a working speaker and microphone. */
const GOOD_PACKETS = 10;
/** With none after this long, it has not. */
const NONE_AFTER_US = 8_000_000;

export class SelfTest {
  snrDb: number | null = null;
  status: LinkStatus;
  private readonly since: number;

  constructor(
    readonly link: Link,
    now: number,
  ) {
    this.since = now;
    const bits = new Uint8Array(32);
    for (let at = 0; at < WORDS.length; at++) bits[at] = WORDS.charCodeAt(at);
    link.send([{ bits, bitCount: 8 * WORDS.length, key: 1, keyed: 0 }]);
    this.status = link.status();
  }

  tick(now: number): void {
    for (let event = this.link.poll(now); event; event = this.link.poll(now)) {
      if (event.kind === N.LINK_PACKET && !Number.isNaN(event.snrDb)) this.snrDb = event.snrDb;
    }
    this.status = this.link.status();
  }

  /** `null`: not known yet. */
  verdict(now: number): boolean | null {
    if (this.status.rxGood >= GOOD_PACKETS) return true;
    return now - this.since >= NONE_AFTER_US && this.status.rxGood === 0 ? false : null;
  }
}
