/** The audio life of a live link, what a lobby says of it, and the simulated room. */
import { Handle } from './handle';
import type { Instance } from './instance';
import * as L from './layout';
import type { Link } from './link';
import * as N from './numbers';
import type { Pump } from './pump';

export class Rig extends Handle {
  private constructor(lib: Instance, pointer: number) {
    super(lib, pointer, 'rig');
  }

  static open(lib: Instance, nowUs: number, plan: number, role: number, listen: number, micMode: number): Rig {
    return new Rig(lib, lib.make('duel_rig_new', 1, [BigInt(nowUs), plan, role, listen, micMode])[0]!);
  }

  handleEvent(nowUs: number, event: Partial<L.RigEvent>): void {
    this.call('handle_event', BigInt(nowUs), this.lib.put(L.RigEvent, event));
  }

  handleTap(nowUs: number): void {
    this.call('handle_tap', BigInt(nowUs));
  }

  handleTime(nowUs: number): void {
    this.call('handle_time', BigInt(nowUs));
  }

  watch(nowUs: number, link: Link): void {
    this.call('watch', BigInt(nowUs), link.pointer);
  }

  pollAction(): L.RigAction | null {
    return this.lib.ask(L.RigAction, 'duel_rig_poll_action', this.why, this.pointer);
  }

  status(nowUs: number): L.RigStatus {
    return this.lib.ask(L.RigStatus, 'duel_rig_get_status', this.why, this.pointer, BigInt(nowUs))!;
  }

  setMicMode(nowUs: number, mode: number): void {
    this.call('set_mic_mode', BigInt(nowUs), mode);
  }

  close(nowUs: number): void {
    this.call('close', BigInt(nowUs));
  }
}

export class Advice extends Handle {
  private constructor(lib: Instance, pointer: number) {
    super(lib, pointer, 'advice');
  }

  /** Watches a link set up like this; its gain is the loudest that will be advised. */
  static of(lib: Instance, config: Partial<L.LinkConfig>): Advice {
    return new Advice(lib, lib.make('duel_advice_new', 1, [lib.config(L.LinkConfig, config)])[0]!);
  }

  /** Looks at the link, every frame; the loudness it set, if it changed it. */
  watch(link: Link): number | null {
    const gain = this.lib.out();
    return this.call('watch', link.pointer, gain) === N.OK ? this.lib.data().getFloat32(gain, true) : null;
  }

  status(rematch: boolean): L.AdviceStatus {
    return this.lib.ask(L.AdviceStatus, 'duel_advice_get_status', this.why, this.pointer, rematch ? 1 : 0)!;
  }
}

/** Two phones on a simulated table. */
export class Room extends Handle {
  private constructor(lib: Instance, pointer: number) {
    super(lib, pointer, 'room');
  }

  static of(lib: Instance, config: Partial<L.RoomConfig>): Room {
    return new Room(lib, lib.make('duel_room_new', 1, [lib.config(L.RoomConfig, config)])[0]!);
  }

  /** Runs both phones' pumps until the room's clock shows `untilUs`; without a pump a phone is switched off. */
  run(untilUs: number, a: Pump | null, b: Pump | null): void {
    this.call('run', BigInt(untilUs), a?.pointer ?? 0, b?.pointer ?? 0);
  }

  trouble(trouble: number, phone: number, atUs: number, lastsUs: number): void {
    this.call('trouble', trouble, phone, BigInt(atUs), BigInt(lastsUs));
  }
}
