/** Plays the golden replay on the audio thread and says what it found. */
import { Instance } from '../../src/wasm/instance';
import { ReplayReport } from '../../src/wasm/layout';
import type { ProcessorBase, WorkletScope } from '../../src/audio/scope';

declare const AudioWorkletProcessor: WorkletScope['AudioWorkletProcessor'];
declare const registerProcessor: WorkletScope['registerProcessor'];

class Golden extends AudioWorkletProcessor<never, unknown> implements ProcessorBase<never, unknown> {
  constructor({ processorOptions }: { processorOptions: { module: WebAssembly.Module; record: Uint8Array } }) {
    super();
    try {
      this.port.postMessage(play(new Instance(processorOptions.module), processorOptions.record));
    } catch (why) {
      this.port.postMessage({ error: String(why) });
    }
  }

  process(): boolean {
    return false;
  }
}

function play(lib: Instance, record: Uint8Array) {
  const at = lib.alloc(record.length);
  lib.bytes(at, record.length).set(record);
  const [session] = lib.make('duel_replay_new', 1, [at, record.length]);
  lib.call('duel_replay_seek', null, session!, 0xffff_ffff);
  const report = lib.ask(ReplayReport, 'duel_replay_get_report', null, session!);
  const length = lib.out();
  lib.call('duel_session_save', null, session!, lib.out(8), 0, length);
  const bytes = lib.u32(length);
  const world = lib.alloc(bytes);
  lib.call('duel_session_save', null, session!, world, bytes, length);
  return { ...report, world: lib.bytes(world, bytes).slice() };
}

registerProcessor('golden', Golden);
