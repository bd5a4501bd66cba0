/** The audio half of a link, and the filter for the game's own sound. Used in worklets: no globals, no garbage a block. */
import { Handle } from './handle';
import type { Export, Instance } from './instance';
import * as L from './layout';
import * as N from './numbers';
import { blockShim, type BlockCall } from './shim';

/** Channels handed over: the louder one is heard. */
const CHANNELS = 2;
/** The most frames a call takes; longer blocks come in parts. */
export const FRAMES_MAX = 1024;
const SAMPLE_BYTES = 4;

export class Pump extends Handle {
  /** Where each channel's input goes, and where the output is: `FRAMES_MAX` samples each. */
  readonly input: Float32Array[];
  readonly output: Float32Array;
  private readonly room: number;
  private readonly channels: number;
  private readonly message: number;
  private readonly length: number;
  private readonly block: BlockCall;
  private readonly poll: Export;
  private readonly lengthView: DataView;
  private readonly messageView: Uint8Array<ArrayBuffer>;

  private constructor(lib: Instance, pointer: number) {
    super(lib, pointer, 'pump');
    const channelBytes = FRAMES_MAX * SAMPLE_BYTES;
    // One piece of memory: the pointers to the channels, the channels, the output, a message and its length.
    this.room = lib.alloc(ROOM_BYTES);
    this.channels = this.room;
    const first = this.room + HEAD_BYTES;
    for (let channel = 0; channel < CHANNELS; channel++) {
      lib.data().setUint32(this.channels + 4 * channel, first + channel * channelBytes, true);
    }
    this.message = first + (CHANNELS + 1) * channelBytes;
    this.length = this.room + 4 * CHANNELS;
    this.block = blockShim(lib);
    this.poll = lib.exported('duel_pump_poll_message');
    // Nothing allocates from here on, so the memory does not grow and the views stay good.
    const buffer = lib.memory.buffer as ArrayBuffer;
    this.input = Array.from(
      { length: CHANNELS },
      (_, channel) => new Float32Array(buffer, first + channel * channelBytes, FRAMES_MAX),
    );
    this.output = new Float32Array(buffer, first + CHANNELS * channelBytes, FRAMES_MAX);
    this.lengthView = new DataView(buffer, this.length, 4);
    this.messageView = new Uint8Array(buffer, this.message, N.MESSAGE_BYTES);
  }

  static at(lib: Instance, pointer: number): Pump {
    return new Pump(lib, pointer);
  }

  static alone(lib: Instance, config: Partial<L.LinkConfig>): Pump {
    return new Pump(lib, lib.make('duel_pump_new', 1, [lib.config(L.LinkConfig, config)])[0]!);
  }

  override free(): void {
    if (this.pointer !== 0) this.lib.dealloc(this.room, ROOM_BYTES);
    super.free();
  }

  /** Takes `frames` frames of `channels` channels of `input`, and fills `output`; `N.OK`, or `N.CLOSED`. */
  process(channels: number, frames: number, firstFrame: number): number {
    // As an i32 a number is taken modulo 2³²; no arithmetic here makes a number that is no small integer.
    const high = firstFrame < FRAME_WORD ? 0 : Math.floor(firstFrame / FRAME_WORD);
    return this.block(this.pointer, this.channels, channels, this.output.byteOffset, frames, firstFrame, high);
  }

  /** A message of the game's half. */
  pushMessage(bytes: Uint8Array): void {
    this.messageView.set(bytes.length <= N.MESSAGE_BYTES ? bytes : bytes.subarray(0, N.MESSAGE_BYTES));
    this.call('push_message', this.message, Math.min(bytes.length, N.MESSAGE_BYTES));
  }

  /** Writes the next message for the game's half into `to` at `at`; its length, 0 if there is none. */
  pollMessage(to: Uint8Array, at: number): number {
    if (this.poll(this.pointer, this.message, N.MESSAGE_BYTES, this.length) !== N.OK) return 0;
    const length = this.lengthView.getUint32(0, true);
    for (let index = 0; index < length; index++) to[at + index] = this.messageView[index]!;
    return length;
  }

  dropped(): number {
    return Number(this.lib.raw('duel_pump_dropped', this.pointer));
  }
}

const HEAD_BYTES = 16;
const ROOM_BYTES = HEAD_BYTES + (CHANNELS + 1) * FRAMES_MAX * SAMPLE_BYTES + N.MESSAGE_BYTES;
/** A frame count crosses as two halves of 32 bits. */
const FRAME_WORD = 0x1_0000_0000;

/** The filter that keeps the game's own sound out of the peer's band. */
export class Guard extends Handle {
  /** The mix, frame by frame, filtered in place. */
  readonly mix: Float32Array;
  private readonly room: number;
  private readonly filter: Export;

  private constructor(lib: Instance, pointer: number, channels: number) {
    super(lib, pointer, 'guard');
    this.filter = lib.exported('duel_guard_process');
    this.room = lib.alloc(FRAMES_MAX * channels * SAMPLE_BYTES);
    this.mix = new Float32Array(lib.memory.buffer as ArrayBuffer, this.room, FRAMES_MAX * channels);
  }

  static of(lib: Instance, plan: number, sampleRateHz: number, channels: number): Guard {
    return new Guard(lib, lib.make('duel_guard_new', 1, [plan, sampleRateHz, channels])[0]!, channels);
  }

  override free(): void {
    if (this.pointer !== 0) this.lib.dealloc(this.room, this.mix.byteLength);
    super.free();
  }

  setOn(on: boolean): void {
    this.call('set_on', on ? 1 : 0);
  }

  latencyFrames(): number {
    return this.lib.raw('duel_guard_latency_frames', this.pointer) as number;
  }

  /** Filters the first `samples` samples of `mix`. */
  process(samples: number): void {
    this.filter(this.pointer, this.room, samples);
  }
}
