/**
 * Drives the library's rig with the browser's devices: does what it says, tells it what happened, and keeps the link's
 * messages moving between the page and the worklet. Knows no lobby and no game.
 */
import { Link, N, nowUs, Rig, type Library, type LinkConfig, type RigAction, type RigEvent, type RigStatus } from '../wasm';
import { NEW_VERSION } from '../offline';
import { setAudioSession } from './capability';
import { Device } from './device';
import { askMicrophone, isRefusal, type Microphone } from './microphone';
import { PumpNode } from './pump-node';
import { WakeLock } from './wake-lock';

/** Why sound could not start. */
export interface RigFailure {
  code: 'no-audio' | 'no-worklet' | 'mic-refused' | 'no-mic' | 'rate' | 'update' | 'closed';
  message: string;
  advice: string;
}

export interface LiveRigOptions {
  micMode?: number;
  latencyHint?: AudioContextLatencyCategory;
}

export type LiveRigStatus = RigStatus & { failure: RigFailure | null };

/** How often time comes by itself: also while nothing is drawn. */
const TICK_MS = 100;

export class LiveRig {
  /** The microphone is connected; rejects with a `RigFailure`, and then everything has been let go. */
  readonly ready: Promise<void>;
  /** The modem stopped: its words. */
  onFatal: ((message: string) => void) | null = null;
  /** Something was refused, or is not as asked for, and sound goes on: for a log. */
  onRefusal: ((message: string) => void) | null = null;

  private readonly rig: Rig;
  private readonly devices = new Map<number, Device>();
  private device = 0;
  private readonly microphones = new Map<number, Microphone>();
  private microphone = 0;
  private source: MediaStreamAudioSourceNode | null = null;
  private node: PumpNode | null = null;
  private theLink: Link | null = null;
  private readonly wakeLock = new WakeLock();
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly latencyHint: AudioContextLatencyCategory;
  private readonly ends: (() => void)[] = [];
  /** What failed last, as the browser told it. */
  private failing: RigFailure['code'] = 'no-audio';
  private failure: RigFailure | null = null;
  /** As it was when it was closed, from then on. */
  private last: RigStatus;
  private settle: { resolve: () => void; reject: (why: RigFailure) => void } | null = null;
  private known = new Set<string>();
  private draining = false;
  private closed = false;

  /** Opens within the tap that asks for it: all that has to happen inside happens before this returns. */
  static open(lib: Library, options: LiveRigOptions = {}): LiveRig {
    return new LiveRig(lib, options);
  }

  private constructor(
    private readonly lib: Library,
    options: LiveRigOptions,
  ) {
    const { micMode = N.MIC_RAW, latencyHint = 'interactive' } = options;
    this.latencyHint = latencyHint;
    this.ready = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
    // Whoever does not wait for it is not to be told of an error nobody handles.
    this.ready.catch(() => undefined);
    // Role and plan are chosen later: a device has to carry what asks most of it.
    this.rig = Rig.open(lib, nowUs(), N.PLAN_HIGH, N.ROLE_HOST, N.LISTEN_PEER, micMode);
    this.last = this.rig.status(nowUs());
    this.timer = setInterval(() => this.look(), TICK_MS);
    this.listen(document, 'visibilitychange', () => {
      if (document.visibilityState === 'visible') this.tell({ kind: N.RIG_SHOWN });
    });
    this.listen(window, 'pagehide', () => this.shut());
    this.listen(navigator.mediaDevices, 'devicechange', () => void this.noteDevices(true));
    this.drain();
  }

  /** The rig, to draw. */
  status(): LiveRigStatus {
    if (!this.closed) this.last = this.rig.status(nowUs());
    return { ...this.last, failure: this.failure };
  }

  get link(): Link | null {
    return this.theLink;
  }

  /** The open device's rate, or 0. */
  get sampleRateHz(): number {
    return this.devices.get(this.device)?.context.sampleRate ?? 0;
  }

  /** Starts a link on the open device, within the tap on Host, Join or Self-test; one that ran before is stopped. It is the
   * rig's, and good until `stopLink` or `close`. */
  async startLink(config: Partial<LinkConfig>): Promise<Link> {
    await this.ready;
    this.stopLink();
    const device = this.devices.get(this.device);
    if (!device) throw new Error('the audio device is not open');
    const link = Link.alone(this.lib, { ...config, sampleRateHz: device.context.sampleRate });
    this.theLink = link;
    this.build(device, link);
    this.tell({ kind: N.RIG_LINK_STARTED });
    return link;
  }

  /** Back to where no link runs. The link is closed and freed: whatever uses it, its session first, is to be freed before. */
  stopLink(): void {
    this.closeLink();
    this.theLink?.free();
    this.theLink = null;
  }

  private closeLink(): void {
    if (!this.theLink) return;
    this.theLink.close();
    this.dropNode(true);
    this.tell({ kind: N.RIG_LINK_CLOSED });
  }

  /** Every frame, after the link or its session was polled. */
  watch(): void {
    const link = this.theLink;
    if (!this.closed && link) {
      this.node?.flush();
      this.rig.watch(nowUs(), link);
      for (let refusal; (refusal = link.pollRefusal()); ) this.onRefusal?.(refusal.detail);
    }
    this.look();
  }

  /** The person tapped to start sound, or to reconnect: within the tap. */
  tap(): void {
    this.rig.handleTap(nowUs());
    this.drain();
  }

  setMicMode(mode: number): void {
    this.rig.setMicMode(nowUs(), mode);
    this.drain();
  }

  /** Stops the microphone, closes the device, gives the audio session back, and frees the link. */
  close(): void {
    this.shut();
    this.stopLink();
  }

  /** All of that but the link: where the page only goes away, a duel still uses it. */
  private shut(): void {
    if (this.closed) return;
    this.closeLink();
    this.rig.close(nowUs());
    this.drain();
    this.last = this.rig.status(nowUs());
    this.closed = true;
    this.letGo();
    this.settle?.reject({ code: 'closed', message: 'The sound link was closed', advice: '' });
    this.settle = null;
    this.rig.free();
  }

  private letGo(): void {
    clearInterval(this.timer);
    for (const end of this.ends) end();
    this.ends.length = 0;
    this.dropNode();
    this.wakeLock.release();
    setAudioSession('auto');
  }

  private listen(target: EventTarget | undefined, name: string, heard: () => void): void {
    target?.addEventListener(name, heard);
    this.ends.push(() => target?.removeEventListener(name, heard));
  }

  private look(): void {
    if (this.closed) return;
    this.devices.get(this.device)?.look();
    this.rig.handleTime(nowUs());
    this.drain();
  }

  private tell(event: Partial<RigEvent>): void {
    if (this.closed) return;
    this.rig.handleEvent(nowUs(), event);
    this.drain();
  }

  /** Does all that the rig says; what happens at once is told it in turn. */
  private drain(): void {
    if (this.draining) return;
    this.draining = true;
    try {
      for (let action; (action = this.rig.pollAction()); ) this.act(action);
    } finally {
      this.draining = false;
    }
    this.note();
  }

  private note(): void {
    const status = this.rig.status(nowUs());
    if (status.state === N.RIG_IS_FAILED && !this.failure) {
      const update = this.failing === 'update';
      this.failure = {
        code: this.failing,
        message: update ? NEW_VERSION : status.errorText,
        advice: update ? 'Reload the page.' : status.adviceText,
      };
      this.letGo();
      this.settle?.reject(this.failure);
      this.settle = null;
    } else if (status.state === N.RIG_IS_LIVE || status.state === N.RIG_IS_TAP_TO_START) {
      this.settle?.resolve();
      this.settle = null;
    }
  }

  private act(action: RigAction): void {
    const { id } = action;
    switch (action.kind) {
      case N.DO_OPEN_AUDIO:
        return this.openAudio(id);
      case N.DO_RESUME_AUDIO:
        return void this.devices.get(id)?.resume();
      case N.DO_CLOSE_AUDIO:
        return this.closeAudio(id);
      case N.DO_ASK_MICROPHONE:
        return void this.askMicrophone(id, action.micMode);
      case N.DO_RELEASE_MICROPHONE:
        return this.releaseMicrophone(id);
      case N.DO_REBUILD_LINK:
        return this.rebuildLink(id);
      case N.DO_REQUEST_WAKE_LOCK:
        return void this.wakeLock.request().then((held) => this.tell({ kind: N.RIG_WAKE_LOCK, flag: held ? 1 : 0 }));
      case N.DO_RELEASE_WAKE_LOCK:
        return this.wakeLock.release();
    }
  }

  private openAudio(id: number): void {
    this.device = id;
    const tell = (kind: number) => this.tell({ kind, id });
    try {
      const device = new Device(
        {
          opened: (rateHz, running) => {
            this.failing = 'rate';
            this.tell({ kind: N.RIG_AUDIO_OPENED, id, rateHz, flag: running ? 1 : 0 });
          },
          failed: (modem, why) => {
            // A page that outlived its server's files cannot load what it has not loaded yet.
            this.failing = modem ? (isMissing(why) ? 'update' : 'no-worklet') : 'no-audio';
            this.tell({ kind: N.RIG_AUDIO_FAILED, id, flag: modem ? 1 : 0 });
          },
          running: () => tell(N.RIG_AUDIO_RUNNING),
          stopped: () => tell(N.RIG_AUDIO_STOPPED),
          suspended: () => tell(N.RIG_AUDIO_SUSPENDED),
          broken: () => tell(N.RIG_AUDIO_BROKEN),
        },
        this.latencyHint,
      );
      this.devices.set(id, device);
      this.connect();
    } catch {
      // Told once this action is done.
      queueMicrotask(() => {
        this.failing = 'no-audio';
        this.tell({ kind: N.RIG_AUDIO_FAILED, id });
      });
    }
  }

  private closeAudio(id: number): void {
    if (id === this.device) this.dropNode();
    this.devices.get(id)?.close();
    this.devices.delete(id);
  }

  private async askMicrophone(id: number, mode: number): Promise<void> {
    try {
      const microphone = await askMicrophone(mode);
      if (microphone.note) this.onRefusal?.(microphone.note);
      this.microphones.set(id, microphone);
      if (this.closed) return this.releaseMicrophone(id);
      const { track, rateHz } = microphone;
      const tell = (kind: number) => this.tell({ kind, id });
      track.addEventListener('ended', () => tell(N.RIG_MICROPHONE_ENDED));
      track.addEventListener('mute', () => tell(N.RIG_MICROPHONE_MUTED));
      track.addEventListener('unmute', () => tell(N.RIG_MICROPHONE_UNMUTED));
      this.microphone = id;
      this.connect();
      await this.noteDevices(false);
      this.failing = 'rate';
      this.tell({ kind: N.RIG_MICROPHONE_OPENED, id, rateHz });
      if (track.muted) tell(N.RIG_MICROPHONE_MUTED);
      if (track.readyState === 'ended') tell(N.RIG_MICROPHONE_ENDED);
    } catch (why) {
      this.releaseMicrophone(id); // if it was there, and could not be connected
      const refused = isRefusal(why);
      this.failing = refused ? 'mic-refused' : 'no-mic';
      this.tell({ kind: N.RIG_MICROPHONE_FAILED, id, flag: refused ? 1 : 0 });
    }
  }

  private releaseMicrophone(id: number): void {
    const microphone = this.microphones.get(id);
    this.microphones.delete(id);
    for (const track of microphone?.stream.getTracks() ?? []) track.stop();
    if (id === this.microphone) {
      this.source?.disconnect();
      this.source = null;
    }
  }

  private rebuildLink(id: number): void {
    const [device, link] = [this.devices.get(id), this.theLink];
    queueMicrotask(() => {
      try {
        if (!device || !link || link !== this.theLink) throw new Error('there is no link to rebuild');
        link.reset(device.context.sampleRate);
        this.build(device, link);
        this.tell({ kind: N.RIG_LINK_STARTED });
      } catch (why) {
        this.onRefusal?.(String(why));
        this.tell({ kind: N.RIG_LINK_FAILED });
      }
    });
  }

  private build(device: Device, link: Link): void {
    this.dropNode();
    const node = new PumpNode(device.context, this.lib, link, (message) => {
      if (node === this.node) this.onFatal?.(message);
    });
    this.node = node;
    node.node.connect(device.context.destination);
    this.connect();
  }

  private dropNode(say = false): void {
    this.node?.close(say);
    this.node = null;
  }

  /** Joins the microphone, the device and the modem, as far as they are there. */
  private connect(): void {
    const microphone = this.microphones.get(this.microphone);
    const context = this.devices.get(this.device)?.context;
    if (!microphone || !context) return;
    if (this.source?.context !== context || this.source.mediaStream !== microphone.stream) {
      this.source?.disconnect();
      this.source = context.createMediaStreamSource(microphone.stream);
    }
    if (this.node?.node.context === context) this.source.connect(this.node.node);
  }

  /** Which audio devices there are; told only if others than before: some browsers also report that names are known now. */
  private async noteDevices(changed: boolean): Promise<void> {
    try {
      const devices = await navigator.mediaDevices.enumerateDevices();
      const audio = devices.filter((device) => device.kind !== 'videoinput' && device.deviceId !== '');
      const now = new Set(audio.map((device) => `${device.kind} ${device.deviceId} ${device.groupId}`));
      const same = now.size === this.known.size && [...now].every((device) => this.known.has(device));
      this.known = now;
      if (changed && !same) this.tell({ kind: N.RIG_DEVICES_CHANGED });
    } catch {
      if (changed) this.tell({ kind: N.RIG_DEVICES_CHANGED });
    }
  }
}

/** Whether a script could not be fetched, rather than not be run. */
function isMissing(why: unknown): boolean {
  return why instanceof DOMException && why.name === 'AbortError';
}
