/** The page's library: loaded once, and what it says of itself and of the reference game's names. */
import { DuelError, Instance } from './instance';
import * as L from './layout';
import * as N from './numbers';
import { write, type MapChoice } from './struct';
import wasmUrl from '../../wasm/sound_duel.wasm?url';

export class Library extends Instance {
  private static loading: Promise<Library> | null = null;

  /** Fetches, compiles and instantiates it; every caller gets the same one. After a failure the next call tries again. */
  static load(): Promise<Library> {
    Library.loading ??= compile(wasmUrl)
      .then(({ module, code }) => new Library(module, code))
      .catch((why: unknown) => {
        Library.loading = null;
        throw why;
      });
    return Library.loading;
  }

  /** Another instance of the same code. */
  static of(module: WebAssembly.Module): Library {
    return new Library(module);
  }

  version(): string {
    return this.text(this.raw('duel_version') as number);
  }

  abi(): number {
    return this.raw('duel_abi') as number;
  }

  features(): number {
    return this.raw('duel_features') as number;
  }

  /** The name at an index of a table, or null past its end. */
  name(table: number, index: number): string | null {
    const room = this.out();
    if (this.call('duel_skirmish_name', null, table, index, room, N.TEXT_BYTES) !== N.OK) return null;
    return this.text(room);
  }

  names(table: number): string[] {
    const names: string[] = [];
    for (;;) {
      const name = this.name(table, names.length);
      if (name === null) return names;
      names.push(name);
    }
  }

  spec(table: number, index: number): L.SkirmishSpec | null {
    try {
      return this.ask(L.SkirmishSpec, 'duel_skirmish_get_spec', null, table, index);
    } catch (why) {
      if (why instanceof DuelError && why.status === N.BAD_ARGUMENT) return null;
      throw why;
    }
  }

  /** A map's size in tiles; null if there is no such map. */
  mapSize(map: MapChoice): { width: number; height: number } | null {
    write(L.Map, this.data(), this.out(16), map);
    const status = this.raw('duel_skirmish_map_size', this.out(16), this.out(0), this.out(4)) as number;
    return status === N.OK ? { width: this.u32(this.out(0)), height: this.u32(this.out(4)) } : null;
  }
}

async function compile(url: string): Promise<{ module: WebAssembly.Module; code: ArrayBuffer }> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the game's library could not be loaded: ${response.status}`);
  // A server may call the file something that streaming compilation refuses.
  const code = await response.arrayBuffer();
  return { module: await WebAssembly.compile(code), code };
}

/** The page's clock: whole microseconds that never go back. */
export function nowUs(): number {
  return Math.floor(performance.now() * 1000);
}
