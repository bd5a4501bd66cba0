/**
 * The one call that is made for each block of sound, without garbage: JavaScript passes a 64-bit frame count as a BigInt,
 * which is an object, so a module of one function puts it together from two numbers.
 */
import type { Instance } from './instance';

/** `duel_pump_process` with its frame count in two halves, the lower one first. */
export type BlockCall = (
  pump: number,
  input: number,
  channels: number,
  output: number,
  frames: number,
  frameLow: number,
  frameHigh: number,
) => number;

// Source: the WebAssembly core specification, "Binary Format".
const I32 = 0x7f;
const I64 = 0x7e;
const LOCAL_GET = 0x20;
// prettier-ignore
const SHIM = [
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
  // Two types: the library's function, and this module's.
  0x01, 22, 2,
  0x60, 6, I32, I32, I32, I32, I32, I64, 1, I32,
  0x60, 7, I32, I32, I32, I32, I32, I32, I32, 1, I32,
  // It imports "d"."p" of the first, has one function of the second, and exports it as "p".
  0x02, 7, 1, 1, 0x64, 1, 0x70, 0x00, 0,
  0x03, 2, 1, 1,
  0x07, 5, 1, 1, 0x70, 0x00, 1,
  // pump input channels output frames (low | high << 32) call
  0x0a, 26, 1, 24, 0,
  LOCAL_GET, 0, LOCAL_GET, 1, LOCAL_GET, 2, LOCAL_GET, 3, LOCAL_GET, 4,
  LOCAL_GET, 5, 0xad, LOCAL_GET, 6, 0xad, 0x42, 32, 0x86, 0x84,
  0x10, 0, 0x0b,
];

export function blockShim(lib: Instance): BlockCall {
  const module = new WebAssembly.Module(new Uint8Array(SHIM));
  const process = lib.exported('duel_pump_process');
  const made = new WebAssembly.Instance(module, { d: { p: process } });
  return made.exports.p as BlockCall;
}
