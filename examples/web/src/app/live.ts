/** Sound: a rig's devices under an app's link. */
import { N, type Library, type Link, type RigStatus } from '../wasm';
import { LiveRig } from '../audio';
import { wallClock } from './clock';
import type { LinkWant, Medium } from './medium';

export class LiveMedium implements Medium {
  readonly real = true;
  readonly clock = wallClock;
  readonly note = null;
  readonly ready: Promise<void>;
  onFatal: ((message: string) => void) | null = null;
  private readonly rig: LiveRig;

  /** Opens the rig: within the tap, synchronously. */
  constructor(lib: Library, micMode: number, latencyHint: AudioContextLatencyCategory | undefined) {
    this.rig = LiveRig.open(lib, latencyHint ? { micMode, latencyHint } : { micMode });
    this.rig.onFatal = (message) => this.onFatal?.(message);
    this.rig.onRefusal = (message) => console.info(`The modem refused something: ${message}`);
    this.ready = this.rig.ready;
  }

  startLink(want: LinkWant): Promise<Link> {
    return this.rig.startLink(want);
  }

  stopLink(): void {
    this.rig.stopLink();
  }

  watch(): void {
    this.rig.watch();
  }

  captured(): boolean {
    const status = this.rig.status();
    return status.state === N.RIG_IS_LIVE && status.captureOkUs >= N.CAPTURE_OK_US;
  }

  status(): RigStatus {
    return this.rig.status();
  }

  tap(): void {
    this.rig.tap();
  }

  setMicMode(mode: number): void {
    this.rig.setMicMode(mode);
  }

  close(): void {
    this.rig.close();
  }
}
