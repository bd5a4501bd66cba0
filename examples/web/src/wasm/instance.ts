/**
 * One instance of the library: its memory, its calls, its errors. Nothing but the language's own globals, so that an
 * AudioWorklet can use it too.
 */
import * as N from './numbers';
import { read, write, type Fields, type Of, type Struct } from './struct';

export type Export = (...words: (number | bigint)[]) => number | bigint;

/** A call that failed: the status is negative. */
export class DuelError extends Error {
  constructor(
    readonly call: string,
    readonly status: number,
    why: string,
  ) {
    super(why || `${call}: status ${status}`);
    this.name = 'DuelError';
  }
}

/** Room for out-parameters and structures that live for one call. */
const SCRATCH_BYTES = 1024;
/** Where in it a structure lies that a call takes besides its out-parameters. */
const CONFIG_AT = 64;

export class Instance {
  /** The instance trapped: a bug in the library, or a handle of another instance. Nothing of it can be used any more. */
  dead: Error | null = null;
  readonly memory: WebAssembly.Memory;
  private readonly exports: Record<string, Export>;
  /** One call's out-parameters. */
  private readonly scratch: number;
  private readonly why: number;
  private view: DataView<ArrayBuffer>;

  /** `code` is what the module was compiled from, for browsers that hand no module to a worklet. */
  constructor(
    readonly module: WebAssembly.Module,
    readonly code: ArrayBuffer | null = null,
  ) {
    const instance = new WebAssembly.Instance(module, {});
    this.exports = instance.exports as unknown as Record<string, Export>;
    this.memory = instance.exports.memory as WebAssembly.Memory;
    this.view = new DataView(this.memory.buffer as ArrayBuffer);
    const abi = this.exports.duel_abi?.();
    if (abi !== N.ABI) throw new DuelError('duel_abi', N.UNSUPPORTED, `this page speaks ABI ${N.ABI}, its library ${abi}`);
    this.scratch = this.alloc(SCRATCH_BYTES);
    this.why = this.alloc(N.TEXT_BYTES);
  }

  /** The memory as it is now: growing it makes older views useless. */
  data(): DataView<ArrayBuffer> {
    if (this.view.buffer !== this.memory.buffer) this.view = new DataView(this.memory.buffer as ArrayBuffer);
    return this.view;
  }

  /** An export itself, for calls so frequent that nothing may lie between. */
  exported(name: string): Export {
    const found = this.exports[name];
    if (!found) throw new DuelError(name, N.UNSUPPORTED, `the library has no ${name}`);
    return found;
  }

  /** Calls what answers with something other than a status. */
  raw(name: string, ...words: (number | bigint)[]): number | bigint {
    if (this.dead) throw this.dead;
    const call = this.exported(name);
    try {
      return call(...words);
    } catch (why) {
      this.dead = new DuelError(name, N.PANICKED, `the library failed in ${name}: ${String(why)}`);
      throw this.dead;
    }
  }

  /** Calls what answers with a status, and returns it if it is no error. `detail` names what says more about it. */
  call(name: string, detail: Detail | null, ...words: (number | bigint)[]): number {
    const status = this.raw(name, ...words) as number;
    if (status < 0) throw new DuelError(name, status, this.reason(detail));
    return status;
  }

  private reason(detail: Detail | null): string {
    if (detail === null) return '';
    if (detail === 'why') return this.text(this.why);
    return this.text(this.raw(detail.name, detail.handle) as number);
  }

  /** Makes `outs` things: `name(...words, why, why_bytes, ...outs, ...after)`; returns their pointers. */
  make(name: string, outs: number, words: (number | bigint)[], after: number[] = []): number[] {
    const places = Array.from({ length: outs }, (_, index) => this.scratch + 4 * index);
    for (const place of places) this.data().setUint32(place, 0, true);
    this.data().setUint8(this.why, 0);
    this.call(name, 'why', ...words, this.why, N.TEXT_BYTES, ...places, ...after);
    return places.map((place) => this.data().getUint32(place, true));
  }

  alloc(bytes: number): number {
    const pointer = this.raw('duel_alloc', bytes) as number;
    if (pointer === 0) throw new DuelError('duel_alloc', N.TOO_SMALL, `no memory for ${bytes} bytes`);
    return pointer;
  }

  dealloc(pointer: number, bytes: number): void {
    // A dead instance's memory goes with it.
    if (this.dead === null) this.raw('duel_dealloc', pointer, bytes);
  }

  /** Where out-parameters of one call may lie, at byte `offset`: up to `CONFIG_AT` while a structure lies there. */
  out(offset = 0): number {
    return this.scratch + offset;
  }

  u32(pointer: number): number {
    return this.data().getUint32(pointer, true);
  }

  u64(pointer: number): number {
    return Number(this.data().getBigUint64(pointer, true));
  }

  /** Bytes of the library's memory, for as long as it does not grow. */
  bytes(pointer: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.memory.buffer as ArrayBuffer, pointer, length);
  }

  /** Writes a structure into the scratch room and says where. */
  put<F extends Fields>(shape: Struct<F>, given: Partial<Of<Struct<F>>>, offset = 0): number {
    write(shape, this.data(), this.scratch + offset, given);
    return this.scratch + offset;
  }

  /** The same, leaving room for out-parameters before it. */
  config<F extends Fields>(shape: Struct<F>, given: Partial<Of<Struct<F>>>): number {
    return this.put(shape, given, CONFIG_AT);
  }

  /** Reads a structure that lies at `pointer`. */
  get<F extends Fields>(shape: Struct<F>, pointer: number): Of<Struct<F>> {
    return read(shape, this.data(), pointer, (text) => this.text(text));
  }

  /** Asks for a sized structure: `name(...words, out)`. `null`: there is none now. */
  ask<F extends Fields>(
    shape: Struct<F>,
    name: string,
    detail: Detail | null,
    ...words: (number | bigint)[]
  ): Of<Struct<F>> | null {
    const out = this.put(shape, {} as Partial<Of<Struct<F>>>);
    return this.call(name, detail, ...words, out) === N.OK ? this.get(shape, out) : null;
  }

  /** The text at a pointer, which is UTF-8 and ends in a zero. */
  text(pointer: number): string {
    if (pointer === 0) return '';
    const bytes = new Uint8Array(this.memory.buffer as ArrayBuffer, pointer);
    return decode(bytes, bytes.indexOf(0));
  }
}

/** Who says more about a call that failed: the room for a sentence, or a handle's own detail. */
export type Detail = 'why' | { name: string; handle: number };

/** UTF-8 as text: an AudioWorklet has no TextDecoder. */
export function decode(bytes: Uint8Array, length = bytes.length): string {
  let text = '';
  for (let at = 0; at < length; ) {
    const first = bytes[at++]!;
    if (first < 0x80) {
      text += String.fromCharCode(first);
      continue;
    }
    const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    let point = first & (0x3f >> more);
    for (let next = 0; next < more; next++) point = (point << 6) | (bytes[at++]! & 0x3f);
    text += String.fromCodePoint(point);
  }
  return text;
}
