/** The worklet's processor as built, run in Node: how long each block takes, and how much garbage it makes. */
import { readFileSync, readdirSync } from 'node:fs';
import { WEB } from './load.mjs';

export const RATE_HZ = 48_000;
export const BLOCK_FRAMES = 128;
const FOLDER = `${WEB}${process.env.WEB_BUILT ?? 'dist'}/assets/`;

/** The built pump's source, and the library it runs. */
export function builtPump() {
  const name = readdirSync(FOLDER).find((file) => /^pump-worklet-.*\.js$/.test(file));
  const wasm = readdirSync(FOLDER).find((file) => file.endsWith('.wasm'));
  return {
    source: readFileSync(FOLDER + name, 'utf8'),
    module: new WebAssembly.Module(readFileSync(FOLDER + wasm)),
  };
}

/** The processor's class, loaded into a scope like an AudioWorklet's. */
export function loadProcessor(source) {
  class AudioWorkletProcessor {
    port = { onmessage: null, posted: [], postMessage(message) { this.posted.push(message); } };
  }
  let made;
  Object.assign(globalThis, {
    AudioWorkletProcessor,
    registerProcessor: (_name, processor) => (made = processor),
    sampleRate: RATE_HZ,
    currentFrame: 0,
  });
  (0, eval)(source);
  return made;
}

/** Two processors that hear each other 40 dB under themselves; runs `blocks` blocks and tells each one's cost in ms. */
export function crossWired(Processor, module, configs) {
  const ends = configs.map((config) => new Processor({ processorOptions: { code: { module }, config } }));
  const outputs = ends.map(() => [[new Float32Array(BLOCK_FRAMES)]]);
  const inputs = ends.map(() => [[new Float32Array(BLOCK_FRAMES), new Float32Array(BLOCK_FRAMES)]]);
  return {
    ends,
    /** Bytes of garbage that `blocks` blocks leave, and of those what the posted messages themselves are. */
    litter(blocks, heapBytes) {
      const lengths = new Int32Array(ends.length * blocks);
      let posts = 0;
      const post = (message) => (lengths[posts++] = message.bytes.length);
      for (const end of ends) end.port.postMessage = post;
      const before = heapBytes();
      for (let block = 0; block < blocks; block++) {
        for (let end = 0; end < ends.length; end++) ends[end].process(inputs[end], outputs[end]);
        this.carry();
      }
      const between = heapBytes();
      const room = new Uint8Array(8192);
      const batches = posts;
      for (let batch = 0; batch < batches; batch++) post({ t: 'messages', bytes: room.slice(0, lengths[batch]) });
      const after = heapBytes();
      return { posts: batches, left: between - before, messages: after - between };
    },
    run(blocks, took) {
      for (let block = 0; block < blocks; block++) {
        for (let end = 0; end < ends.length; end++) {
          const started = performance.now();
          const goes = ends[end].process(inputs[end], outputs[end]);
          took[block * ends.length + end] = performance.now() - started;
          if (!goes) throw new Error(JSON.stringify(ends[end].port.posted.at(-1)));
        }
        this.carry();
      }
    },
    /** What each played reaches both. */
    carry() {
      for (let end = 0; end < ends.length; end++) {
        const [own, peer, heard] = [outputs[end][0][0], outputs[1 - end][0][0], inputs[end][0][0]];
        for (let frame = 0; frame < BLOCK_FRAMES; frame++) heard[frame] = own[frame] + 0.01 * peer[frame];
      }
      globalThis.currentFrame += BLOCK_FRAMES;
    },
  };
}
