/**
 * The filter that keeps the game's own sound out of the peer's band, on the audio thread, in an instance of the library
 * of its own. Uses no global but the language's and the worklet's.
 */
import { Instance } from '../wasm/instance';
import { FRAMES_MAX, Guard } from '../wasm/pump';
import { GUARD_PROCESSOR, type FromGuard, type GuardOptions, type ToGuard } from './protocol';
import type { WorkletScope } from './scope';

declare const AudioWorkletProcessor: WorkletScope['AudioWorkletProcessor'];
declare const registerProcessor: WorkletScope['registerProcessor'];
declare const sampleRate: number;

const CHANNELS = 2;

class GuardProcessor extends AudioWorkletProcessor<ToGuard, FromGuard> {
  private guard: Guard | null = null;

  constructor(options: { processorOptions: GuardOptions }) {
    super();
    try {
      const { code, plan } = options.processorOptions;
      const module = 'module' in code ? code.module : new WebAssembly.Module(code.bytes);
      this.guard = Guard.of(new Instance(module), plan, sampleRate, CHANNELS);
    } catch (why) {
      this.fail(why);
    }
    this.port.onmessage = ({ data }) => this.guard?.setOn(data.on);
  }

  /** A guard that has failed lets nothing through: the link comes before the game's sounds. */
  process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const guard = this.guard;
    if (!guard) return false;
    try {
      const input = inputs[0]!;
      const output = outputs[0]!;
      const frames = output[0]!.length;
      for (let from = 0; from < frames; from += FRAMES_MAX) {
        const count = frames - from < FRAMES_MAX ? frames - from : FRAMES_MAX;
        for (let channel = 0; channel < CHANNELS; channel++) {
          const heard = input[channel] ?? input[0];
          for (let frame = 0; frame < count; frame++) {
            guard.mix[frame * CHANNELS + channel] = heard ? heard[from + frame]! : 0;
          }
        }
        guard.process(count * CHANNELS);
        for (let channel = 0; channel < output.length; channel++) {
          const played = output[channel]!;
          const source = channel < CHANNELS ? channel : 0;
          for (let frame = 0; frame < count; frame++) played[from + frame] = guard.mix[frame * CHANNELS + source]!;
        }
      }
      return true;
    } catch (why) {
      this.fail(why);
      return false;
    }
  }

  private fail(why: unknown): void {
    this.guard = null;
    this.port.postMessage({ t: 'fatal', message: why instanceof Error ? why.message : String(why) });
  }
}

registerProcessor(GUARD_PROCESSOR, GuardProcessor);
