/** Where seeds come from: chance, or for tests one number that decides everything. */

/** Draws 48 bits each time, never foreseeable unless `given`. */
export function seeds(given: number | null): () => number {
  if (given === null) {
    return () => {
      const [high, low] = crypto.getRandomValues(new Uint32Array(2));
      return (high! & 0xffff) * 2 ** 32 + low!;
    };
  }
  let state = given >>> 0;
  return () => {
    // A Weyl sequence, mixed: only has to differ from call to call.
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  };
}
