/** Loads the processors into audio contexts, once each, and makes their nodes. */
import type { Instance } from '../wasm';
import type { LinkConfig } from '../wasm/layout';
import guardUrl from './guard-worklet.ts?worker&url';
import { GUARD_PROCESSOR, PUMP_PROCESSOR, type Code } from './protocol';
import pumpUrl from './pump-worklet.ts?worker&url';

const loaded = new WeakMap<BaseAudioContext, Map<string, Promise<void>>>();

function load(context: BaseAudioContext, url: string): Promise<void> {
  const scripts = loaded.get(context) ?? new Map<string, Promise<void>>();
  loaded.set(context, scripts);
  let loading = scripts.get(url);
  if (!loading) {
    loading = context.audioWorklet.addModule(url);
    scripts.set(url, loading);
  }
  return loading;
}

/** The modem's processor, ready to be made in this context. */
export function loadPump(context: BaseAudioContext): Promise<void> {
  return load(context, pumpUrl);
}

/** The guard's. */
export function loadGuard(context: BaseAudioContext): Promise<void> {
  return load(context, guardUrl);
}

/** A modem's node, its processor loaded before: at most two channels in, each as it is, and one out. */
export function makePump(context: BaseAudioContext, lib: Instance, config: Partial<LinkConfig>): AudioWorkletNode {
  return withCode(lib, (code) =>
    new AudioWorkletNode(context, PUMP_PROCESSOR, {
      numberOfInputs: 1,
      numberOfOutputs: 1,
      outputChannelCount: [1],
      channelCount: 2,
      channelCountMode: 'explicit',
      channelInterpretation: 'discrete',
      processorOptions: { code, config },
    }),
  );
}

/** A guard's node, its processor loaded before; it starts switched off. */
export function makeGuard(context: BaseAudioContext, lib: Instance, plan: number): AudioWorkletNode {
  return withCode(lib, (code) =>
    new AudioWorkletNode(context, GUARD_PROCESSOR, {
      outputChannelCount: [2],
      channelCount: 2,
      channelCountMode: 'explicit',
      channelInterpretation: 'speakers',
      processorOptions: { code, plan },
    }),
  );
}

/** Some browsers hand no compiled module to a worklet; they get the bytes, and compile them there. */
function withCode(lib: Instance, make: (code: Code) => AudioWorkletNode): AudioWorkletNode {
  try {
    return make({ module: lib.module });
  } catch (why) {
    if (!(why instanceof DOMException && why.name === 'DataCloneError') || !lib.code) throw why;
    return make({ bytes: lib.code });
  }
}
