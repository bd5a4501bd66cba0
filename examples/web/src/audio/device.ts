/** One audio context of the rig's: opened within a tap, watched for all that can happen to it. */
import { setAudioSession } from './capability';
import { loadPump } from './worklets';

/** What a device tells of itself. */
export interface DeviceEvents {
  opened(rateHz: number, running: boolean): void;
  /** `modem`: its processor is what did not load. */
  failed(modem: boolean, why: unknown): void;
  running(): void;
  stopped(): void;
  suspended(): void;
  broken(): void;
}

/** A context that says it runs, but whose clock stands still for so long, does not. */
const STANDS_STILL_MS = 500;
/** How long an opening waits for the context to run before it says that a tap is wanted. */
const RUNS_WITHIN_MS = 300;

export class Device {
  readonly context: AudioContext;
  private closed = false;
  private opened = false;
  /** The context's clock, and when it last moved. */
  private clock = { at: -1, moved: performance.now(), still: false };

  /** Opens it at its own rate, starts it and lets it play something: all of that within the tap. */
  constructor(
    private readonly events: DeviceEvents,
    latencyHint: AudioContextLatencyCategory,
  ) {
    this.context = new AudioContext({ latencyHint });
    // After the context: made under play-and-record, Safari may give it that session's lower rate.
    setAudioSession('play-and-record');
    void this.resume();
    const silence = this.context.createBufferSource();
    silence.buffer = this.context.createBuffer(1, 1, this.context.sampleRate);
    silence.connect(this.context.destination);
    silence.start();
    this.context.addEventListener('statechange', () => this.note());
    // Newer browsers tell when the device behind a context is gone.
    this.context.addEventListener('error', () => this.opened && !this.closed && this.events.broken());
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      await loadPump(this.context);
    } catch (why) {
      if (!this.closed) this.events.failed(true, why);
      return;
    }
    const until = performance.now() + RUNS_WITHIN_MS;
    while (this.context.state !== 'running' && performance.now() < until) {
      await new Promise((done) => setTimeout(done, 20));
    }
    this.opened = true;
    // Told even if it was closed meanwhile: the rig has its rules for what opens too late.
    this.events.opened(this.context.sampleRate, this.context.state === 'running');
  }

  async resume(): Promise<void> {
    try {
      await this.context.resume();
    } catch {
      // A context that will not run says so by its state.
    }
  }

  private note(): void {
    if (this.closed || !this.opened) return;
    // Safari knows one state more than the standard: a call took the sound away.
    switch (this.context.state as AudioContextState | 'interrupted') {
      case 'running':
        return this.events.running();
      case 'suspended':
        return this.events.suspended();
      case 'interrupted':
        return this.events.stopped();
      case 'closed':
        return this.events.broken();
    }
  }

  /** Looks whether the clock moves; call it several times a second. */
  look(): void {
    if (!this.opened || this.closed || this.context.state !== 'running') {
      this.clock.moved = performance.now();
      return;
    }
    const [at, now] = [this.context.currentTime, performance.now()];
    if (at !== this.clock.at) {
      const { still } = this.clock;
      this.clock = { at, moved: now, still: false };
      if (still) this.events.running();
    } else if (!this.clock.still && now - this.clock.moved > STANDS_STILL_MS) {
      this.clock.still = true;
      this.events.stopped();
    }
  }

  close(): void {
    this.closed = true;
    if (this.context.state !== 'closed') void this.context.close().catch(() => undefined);
  }
}
