/** Stretches of a recording in which nothing at all was recorded: some phones leave one right after the microphone opens. */

/** A microphone's noise is never still for so long. */
const HOLE_MS = 10;

export interface Hole {
  startsMs: number;
  lastsMs: number;
}

/** The runs of samples that are exactly the same, from 10 ms on. */
export function holes(samples: Float32Array, rateHz: number): Hole[] {
  const least = (HOLE_MS / 1000) * rateHz;
  const toMs = (count: number) => (count / rateHz) * 1000;
  const found: Hole[] = [];
  let start = 0;
  for (let at = 1; at <= samples.length; at++) {
    if (at < samples.length && samples[at] === samples[start]) continue;
    if (at - start >= least) found.push({ startsMs: toMs(start), lastsMs: toMs(at - start) });
    start = at;
  }
  return found;
}
