/**
 * The modem's audio half on the browser's audio thread: an instance of the library of its own, run once a block. Uses no
 * global but the language's and the worklet's; a test walks what it imports.
 */
import { Instance } from '../wasm/instance';
import * as N from '../wasm/numbers';
import { FRAMES_MAX, Pump } from '../wasm/pump';
import { LENGTH_BYTES, PUMP_PROCESSOR, type FromPump, type PumpOptions, type ToPump } from './protocol';
import type { WorkletScope } from './scope';

declare const AudioWorkletProcessor: WorkletScope['AudioWorkletProcessor'];
declare const registerProcessor: WorkletScope['registerProcessor'];
declare const currentFrame: number;
declare const sampleRate: number;

/**
 * What the modem says is handed to the page once in so many frames, so that most blocks make no garbage and the page is
 * not woken 200 times a second; a packet takes ten times as long.
 */
const FRAMES_PER_POST = 512;
const BATCH_BYTES = 8192;
const NEXT_BYTES = LENGTH_BYTES + N.MESSAGE_BYTES;

class PumpProcessor extends AudioWorkletProcessor<ToPump, FromPump> {
  private pump: Pump | null = null;
  private failed = false;
  private readonly batch = new Uint8Array(BATCH_BYTES);
  private batched = 0;
  private sincePost = 0;

  constructor(options: { processorOptions: PumpOptions }) {
    super();
    try {
      const { code, config } = options.processorOptions;
      const module = 'module' in code ? code.module : new WebAssembly.Module(code.bytes);
      this.pump = Pump.alone(new Instance(module), { ...config, sampleRateHz: sampleRate });
    } catch (why) {
      this.fail(why);
    }
    this.port.onmessage = ({ data }) => {
      if (this.failed || !this.pump) return;
      try {
        this.pump.pushMessage(data.bytes);
      } catch (why) {
        // A message that it cannot read it reports itself, and goes on.
        if (!(why instanceof Error && why.name === 'DuelError')) this.fail(why);
      }
    };
  }

  process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const pump = this.pump;
    if (this.failed || !pump) return false;
    try {
      const input = inputs[0]!;
      const output = outputs[0]!;
      const frames = output[0]!.length;
      const channels = input.length < pump.input.length ? input.length : pump.input.length;
      let status: number = N.OK;
      for (let from = 0; from < frames; from += FRAMES_MAX) {
        const count = frames - from < FRAMES_MAX ? frames - from : FRAMES_MAX;
        for (let channel = 0; channel < channels; channel++) {
          copy(input[channel]!, from, pump.input[channel]!, 0, count);
        }
        status = pump.process(channels, count, currentFrame + from);
        if (status < 0) throw new Error(pump.detail());
        for (let channel = 0; channel < output.length; channel++) {
          copy(pump.output, 0, output[channel]!, from, count);
        }
      }
      this.tell(pump, frames);
      return status !== N.CLOSED;
    } catch (why) {
      this.fail(why);
      return false;
    }
  }

  private tell(pump: Pump, frames: number): void {
    for (;;) {
      if (this.batched + NEXT_BYTES > BATCH_BYTES) this.post();
      const length = pump.pollMessage(this.batch, this.batched + LENGTH_BYTES);
      if (length === 0) break;
      this.batch[this.batched] = length & 0xff;
      this.batch[this.batched + 1] = length >> 8;
      this.batched += LENGTH_BYTES + length;
    }
    this.sincePost += frames;
    if (this.sincePost >= FRAMES_PER_POST && this.batched > 0) this.post();
  }

  private post(): void {
    // A view would carry the whole batch's room along.
    this.port.postMessage({ t: 'messages', bytes: this.batch.slice(0, this.batched) });
    this.batched = 0;
    this.sincePost = 0;
  }

  /** Before anything else: the page hears why rather than a bare `processorerror`. */
  private fail(why: unknown): void {
    if (this.failed) return;
    this.failed = true;
    this.port.postMessage({ t: 'fatal', message: why instanceof Error ? why.message : String(why) });
  }
}

/** Copies samples one by one: a view for `set` would be garbage in every block. */
function copy(from: Float32Array, at: number, to: Float32Array, place: number, count: number): void {
  for (let index = 0; index < count; index++) to[place + index] = from[at + index]!;
}

registerProcessor(PUMP_PROCESSOR, PumpProcessor);
