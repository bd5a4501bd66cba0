/** Digests of the world, tick by tick, so that tests can compare two pages. Off unless asked for. */
import type { Session } from '../wasm';

/** FNV-1a over bytes: a digest to compare, not to trust. */
export function digest(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

export class Trail {
  private digests: [tick: number, digest: string][] = [];

  constructor(private readonly on: boolean) {}

  note(tick: number, session: Session): void {
    if (this.on) this.digests.push([tick, digest(session.save())]);
  }

  all(): [number, string][] {
    return this.digests;
  }

  clear(): void {
    this.digests = [];
  }
}
