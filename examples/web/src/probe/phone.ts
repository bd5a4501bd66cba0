/** This phone's speaker and microphone, for the probe: plays and records on one device, and counts its frames. */
import { setAudioSession } from '../audio/capability';
import { askMicrophone, type Microphone } from '../audio/microphone';
import type { Stretch } from './recorder-worklet';
import recorderUrl from './recorder-worklet.ts?worker&url';
import type { Recording } from './wav';

/** A recording, and the device's count of its first frame. */
export type Heard = Recording & { firstFrame: number };

export class Phone {
  private microphone: Microphone | null = null;
  private recording: Stretch[] | null = null;

  private constructor(readonly context: AudioContext) {}

  /** Opens the speaker, within a tap. */
  static open(latencyHint: AudioContextLatencyCategory): Phone {
    const phone = new Phone(new AudioContext({ latencyHint }));
    void phone.context.resume();
    return phone;
  }

  /** Opens the microphone; what is not as it was asked for is said. */
  async listen(mode: number): Promise<string> {
    // Only now: a phone that plays with its microphone closed is measured as it plays everything else.
    setAudioSession('play-and-record');
    const [microphone] = await Promise.all([askMicrophone(mode), this.context.audioWorklet.addModule(recorderUrl)]);
    this.microphone = microphone;
    const node = new AudioWorkletNode(this.context, 'recorder', { numberOfOutputs: 1, channelCount: 1, channelCountMode: 'explicit' });
    node.port.onmessage = ({ data }: MessageEvent<Stretch>) => this.recording?.push(data);
    // Connected so that it runs; it plays silence.
    this.context.createMediaStreamSource(microphone.stream).connect(node).connect(this.context.destination);
    await this.context.resume();
    const settings = microphone.track.getSettings();
    return `${microphone.track.label || 'microphone'} at ${settings.sampleRate ?? this.context.sampleRate} Hz. ${microphone.note}`;
  }

  get listens(): boolean {
    return this.microphone !== null;
  }

  record(): void {
    this.recording = [];
  }

  /** Ends a recording. */
  stop(): Heard {
    const stretches = this.recording ?? [];
    this.recording = null;
    const samples = new Float32Array(stretches.reduce((sum, stretch) => sum + stretch.samples.length, 0));
    let at = 0;
    for (const stretch of stretches) {
      samples.set(stretch.samples, at);
      at += stretch.samples.length;
    }
    return { samples, rateHz: this.context.sampleRate, firstFrame: stretches[0]?.frame ?? 0 };
  }

  /** Plays samples from soon on; the frame that they start at, and their end. */
  play(samples: Float32Array<ArrayBuffer>): { frame: number; done: Promise<void> } {
    const buffer = this.context.createBuffer(1, samples.length, this.context.sampleRate);
    buffer.copyToChannel(samples, 0);
    const source = new AudioBufferSourceNode(this.context, { buffer });
    source.connect(this.context.destination);
    const at = this.context.currentTime + 0.2;
    source.start(at);
    return { frame: Math.round(at * this.context.sampleRate), done: new Promise((done) => (source.onended = () => done())) };
  }

  close(): void {
    this.microphone?.track.stop();
    void this.context.close();
    setAudioSession('auto');
  }
}
