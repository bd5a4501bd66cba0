/** The globals of an AudioWorklet that the processors use, declared for them alone. */

export interface WorkletPort<To, From> {
  onmessage: ((event: { data: To }) => void) | null;
  postMessage(message: From): void;
}

export interface ProcessorBase<To, From> {
  readonly port: WorkletPort<To, From>;
}

/** What an AudioWorkletProcessor's constructor and scope look like from inside. */
export interface WorkletScope {
  AudioWorkletProcessor: new <To, From>() => ProcessorBase<To, From>;
  registerProcessor(name: string, processor: new (options: never) => unknown): void;
  readonly currentFrame: number;
  readonly sampleRate: number;
}
