/** What every handle of the library has in common: where it is, what it says of errors, and that it is freed once. */
import type { Detail, Instance } from './instance';

export abstract class Handle {
  protected constructor(
    protected readonly lib: Instance,
    /** The handle's pointer; 0 once freed. */
    public pointer: number,
    private readonly noun: string,
  ) {}

  /** Gives it back; a second call does nothing. */
  free(): void {
    if (this.pointer === 0) return;
    const pointer = this.pointer;
    this.pointer = 0;
    if (this.lib.dead === null) this.lib.raw(`duel_${this.noun}_free`, pointer);
  }

  /** Why the newest call that failed did so. */
  detail(): string {
    return this.lib.text(this.lib.raw(`duel_${this.noun}_detail`, this.pointer) as number);
  }

  protected get why(): Detail {
    return { name: `duel_${this.noun}_detail`, handle: this.pointer };
  }

  /** `duel_<noun>_<verb>(handle, ...)`; the status, if it is no error. */
  protected call(verb: string, ...words: (number | bigint)[]): number {
    return this.lib.call(`duel_${this.noun}_${verb}`, this.why, this.pointer, ...words);
  }

  /** Room of the library's for as long as `use` runs. */
  protected lend<T>(bytes: number, use: (pointer: number) => T): T {
    const pointer = this.lib.alloc(bytes);
    try {
      return use(pointer);
    } finally {
      this.lib.dealloc(pointer, bytes);
    }
  }
}
