/** What the page and its worklets say to each other. Imports no worklet code. */
import type { LinkConfig } from '../wasm/layout';

/** The processors' names. */
export const PUMP_PROCESSOR = 'duel-pump';
export const GUARD_PROCESSOR = 'duel-guard';

/** The library's code: as a module where the browser can hand one over, otherwise as bytes. */
export type Code = { module: WebAssembly.Module } | { bytes: ArrayBuffer };

export interface PumpOptions {
  code: Code;
  config: Partial<LinkConfig>;
}

export interface GuardOptions {
  code: Code;
  plan: number;
}

/** Page to pump: one of the link's messages, whole. */
export interface ToPump {
  t: 'message';
  bytes: Uint8Array;
}

/**
 * Pump to page. `messages` holds the modem's messages, each after its length in two bytes, the lower one first. `fatal`
 * says that the modem could not start or has stopped, and comes before anything else that was to be said.
 */
export type FromPump = { t: 'messages'; bytes: Uint8Array } | { t: 'fatal'; message: string };

/** Page to guard: on or off, over 50 ms. Guard to page: why it stopped. */
export type ToGuard = { t: 'on'; on: boolean };
export type FromGuard = { t: 'fatal'; message: string };

/** Bytes before each message of a batch that say how long it is. */
export const LENGTH_BYTES = 2;

/** The messages of a batch, in order, as views of it. */
export function* messagesOf(batch: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at + LENGTH_BYTES <= batch.length; ) {
    const length = batch[at]! | (batch[at + 1]! << 8);
    at += LENGTH_BYTES;
    yield batch.subarray(at, at + length);
    at += length;
  }
}
