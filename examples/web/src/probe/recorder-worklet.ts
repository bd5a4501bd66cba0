/** Hands the microphone's samples to the page, with the device's count of the first one. */
import type { WorkletScope } from '../audio/scope';

declare const AudioWorkletProcessor: WorkletScope['AudioWorkletProcessor'];
declare const registerProcessor: WorkletScope['registerProcessor'];
declare const currentFrame: number;

const BATCH_FRAMES = 4096;

/** A stretch of the recording. */
export interface Stretch {
  frame: number;
  samples: Float32Array<ArrayBuffer>;
}

class Recorder extends AudioWorkletProcessor<never, Stretch> {
  private samples = new Float32Array(BATCH_FRAMES);
  private count = 0;
  private frame = 0;

  process([input]: [Float32Array[]], [output]: [Float32Array[]]): boolean {
    // Without input there is no channel; left out, the block would move all that follows.
    const heard = input[0];
    const frames = output[0]!.length;
    if (this.count === 0) this.frame = currentFrame;
    for (let index = 0; index < frames; index++) this.samples[this.count++] = heard ? heard[index]! : 0;
    if (this.count > BATCH_FRAMES - 1024) {
      this.port.postMessage({ frame: this.frame, samples: this.samples.slice(0, this.count) });
      this.count = 0;
    }
    return true;
  }
}

registerProcessor('recorder', Recorder);
