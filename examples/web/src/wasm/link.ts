/** The game's half of a link, and links without sound. */
import { Handle } from './handle';
import type { Instance } from './instance';
import * as L from './layout';
import * as N from './numbers';
import { Pump } from './pump';

export class Link extends Handle {
  private readonly message: number;

  private constructor(lib: Instance, pointer: number) {
    super(lib, pointer, 'link');
    this.message = lib.alloc(N.MESSAGE_BYTES);
  }

  /** A half whose messages the host carries to a `Pump.alone` elsewhere. */
  static alone(lib: Instance, config: Partial<L.LinkConfig>): Link {
    const noPump = 0;
    return new Link(lib, lib.make('duel_link_new', 1, [lib.config(L.LinkConfig, config)], [noPump])[0]!);
  }

  /** Both halves in this instance: for tests, and the simulated room. */
  static pair(lib: Instance, config: Partial<L.LinkConfig>): { link: Link; pump: Pump } {
    const [link, pump] = lib.make('duel_link_new', 2, [lib.config(L.LinkConfig, config)]);
    return { link: new Link(lib, link!), pump: Pump.at(lib, pump!) };
  }

  /** One end of a relay: its messages go to the other end's relay over anything that carries bytes. */
  static relay(lib: Instance, config: Partial<L.PracticeConfig>): Link {
    return new Link(lib, lib.make('duel_relay_new', 1, [lib.config(L.PracticeConfig, config)])[0]!);
  }

  /** Two ends joined within this page, without sound. */
  static air(lib: Instance, config: Partial<L.PracticeConfig>): { host: Link; guest: Link } {
    const [host, guest] = lib.make('duel_air_new', 2, [lib.config(L.PracticeConfig, config)]);
    return { host: new Link(lib, host!), guest: new Link(lib, guest!) };
  }

  override free(): void {
    if (this.pointer !== 0) this.lib.dealloc(this.message, N.MESSAGE_BYTES);
    super.free();
  }

  send(frames: Partial<L.Frame>[]): void {
    const bytes = L.Frame.bytes;
    const at = frames.map((frame, index) => this.lib.put(L.Frame, frame, index * bytes))[0] ?? this.lib.out();
    this.call('send', at, frames.length);
  }

  poll(nowUs: number): L.LinkEvent | null {
    return this.lib.ask(L.LinkEvent, 'duel_link_poll', this.why, this.pointer, BigInt(nowUs));
  }

  capacityBits(): number {
    return this.lib.raw('duel_link_capacity_bits', this.pointer) as number;
  }

  status(): L.LinkStatus {
    return this.lib.ask(L.LinkStatus, 'duel_link_get_status', this.why, this.pointer)!;
  }

  config(): L.LinkConfig {
    return this.lib.ask(L.LinkConfig, 'duel_link_get_config', this.why, this.pointer)!;
  }

  setMode(mode: number): void {
    this.call('set_mode', mode);
  }

  setSessionKey(hostNonce: number, guestNonce: number): void {
    this.call('set_session_key', hostNonce, guestNonce);
  }

  setBands(plan: number, role: number, listen: number): void {
    this.call('set_bands', plan, role, listen);
  }

  setGain(gain: number): void {
    this.call('set_gain', gain);
  }

  pollGap(): L.Gap | null {
    return this.lib.ask(L.Gap, 'duel_link_poll_gap', this.why, this.pointer);
  }

  pollRefusal(): { fault: number; detail: string } | null {
    const out = this.lib.out();
    if (this.call('poll_refusal', out) !== N.OK) return null;
    return { fault: this.lib.u32(out), detail: this.detail() };
  }

  /** The audio half died without a word. */
  pumpFailed(): void {
    this.call('pump_failed');
  }

  /** The next message for the other half, as bytes of its own. */
  pollMessage(): Uint8Array<ArrayBuffer> | null {
    const length = this.lib.out();
    if (this.call('poll_message', this.message, N.MESSAGE_BYTES, length) !== N.OK) return null;
    return this.lib.bytes(this.message, this.lib.u32(length)).slice();
  }

  /** A message of the other half; of a relay, any piece of what its other end sent. */
  pushMessage(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += N.MESSAGE_BYTES) {
      const piece = bytes.subarray(at, at + N.MESSAGE_BYTES);
      this.lib.bytes(this.message, piece.length).set(piece);
      this.call('push_message', this.message, piece.length);
    }
  }

  /** A new modem elsewhere will carry on at this rate. */
  reset(sampleRateHz: number): void {
    this.call('reset', sampleRateHz, 0);
  }

  close(): void {
    this.call('close');
  }
}
