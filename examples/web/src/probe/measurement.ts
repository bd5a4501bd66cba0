/** The measurement's own module: what to play, and what a recording of it says. The same as `sound-duel probe`. */
import { decode } from '../wasm/instance';
import type { Recording } from './wav';
import wasmUrl from '../../wasm/web_probe.wasm?url';

/** One of the link's bands, as it would carry the link. */
export interface LinkReading {
  plan: string;
  role: string;
  low_hz: number;
  high_hz: number;
  snr_db: number;
  noise_snr_db: number;
  fast: string;
  robust: string;
  limit: string;
}

/** What a recording says. Names as the command line tells them. */
export interface Report {
  starts_s: number;
  clock_ppm: number;
  wander_ppm: number;
  /** Above this nothing was recorded; the capture's rate, if that explains it. */
  cut_off_hz: number | null;
  capture_hz: number | null;
  /** What the recording lost, repeated or silenced. */
  events: { kind: string; at_s: number; lasts_s: number }[];
  peak: number;
  snr_db: number;
  bands: { low_hz: number; level_db: number; noise_snr_db: number; snr_db: number }[];
  links: LinkReading[];
  /** How loud echo is, by delay: ms, dB. */
  decay: [number, number][];
  floor_db: number;
  /** Echo up to this delay does no harm. */
  forgiven_ms: number;
  late_db: number;
  harmonics: { order: number; level_db: number }[];
  /** How loud what arrives is, by frequency: Hz, dB. */
  response: [number, number][];
}

interface Exports {
  memory: WebAssembly.Memory;
  probe_play(rateHz: number): number;
  probe_played(): number;
  probe_room(samples: number): number;
  probe_read(rateHz: number): number;
  probe_text(): number;
  probe_file(bytes: number): number;
  probe_open(nameBytes: number): number;
  probe_rate(): number;
  probe_length(): number;
}

export class Measurement {
  private constructor(private readonly exports: Exports) {}

  static async load(): Promise<Measurement> {
    const response = await fetch(wasmUrl);
    if (!response.ok) throw new Error(`the measurement could not be loaded: ${response.status}`);
    const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), {});
    return new Measurement(instance.exports as unknown as Exports);
  }

  /** What to play, at a device's rate: about eight seconds. */
  signal(rateHz: number): Float32Array<ArrayBuffer> {
    const samples = this.exports.probe_play(rateHz);
    return new Float32Array(this.exports.memory.buffer as ArrayBuffer, this.exports.probe_played(), samples).slice();
  }

  /** The sound of a WAV file, of several channels the one that holds the measurement; throws a sentence for a person. */
  open(name: string, file: ArrayBuffer): Recording {
    const { exports } = this;
    const called = new TextEncoder().encode(name);
    const place = exports.probe_file(called.length + file.byteLength);
    new Uint8Array(exports.memory.buffer, place, called.length).set(called);
    new Uint8Array(exports.memory.buffer, place + called.length, file.byteLength).set(new Uint8Array(file));
    const samples = exports.probe_open(called.length);
    const length = exports.probe_length();
    if (samples === 0) throw new Error(decode(new Uint8Array(exports.memory.buffer as ArrayBuffer, exports.probe_text(), length)));
    return {
      samples: new Float32Array(exports.memory.buffer as ArrayBuffer, samples, length).slice(),
      rateHz: exports.probe_rate(),
    };
  }

  /** What a recording says; throws a sentence for a person where it says nothing. */
  read(recording: Float32Array, rateHz: number): Report {
    const place = this.exports.probe_room(recording.length);
    new Float32Array(this.exports.memory.buffer as ArrayBuffer, place, recording.length).set(recording);
    const length = this.exports.probe_read(rateHz);
    const bytes = new Uint8Array(this.exports.memory.buffer as ArrayBuffer, this.exports.probe_text(), length);
    const found = JSON.parse(decode(bytes)) as Report | { error: string };
    if ('error' in found) throw new Error(found.error);
    return found;
  }
}
