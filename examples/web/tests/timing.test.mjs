/** What a block costs on the audio thread: printed, not judged, because a loaded machine would judge itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import v8 from 'node:v8';
import { BLOCK_FRAMES, RATE_HZ, builtPump, crossWired, loadProcessor } from './timing.mjs';

const WARM_S = 8;
const MEASURED_S = 30;
const blocksOf = (seconds) => Math.round((seconds * RATE_HZ) / BLOCK_FRAMES);

test('the built processor, in Node: time and garbage of each block', () => {
  const { source, module } = builtPump();
  const pair = crossWired(loadProcessor(source), module, [{ role: 0 }, { role: 1 }]);
  pair.run(blocksOf(WARM_S), new Float64Array(2 * blocksOf(WARM_S)));
  const took = new Float64Array(2 * blocksOf(MEASURED_S));
  const switches = () => process.resourceUsage().involuntaryContextSwitches;
  const before = switches();
  pair.run(blocksOf(MEASURED_S), took);
  const taken = switches() - before;
  const packets = pair.ends.map((end) => end.port.posted.length);
  assert.ok(packets.every((count) => count > 100), `batches posted: ${packets}`);

  const sorted = took.toSorted();
  const at = (share) => (1000 * sorted[Math.floor(share * (sorted.length - 1))]).toFixed(1);
  const mean = (1000 * took.reduce((sum, ms) => sum + ms, 0)) / took.length;
  console.log(
    `process(), 128 frames at 48 kHz, ${took.length} blocks: mean ${mean.toFixed(1)} µs, p50 ${at(0.5)}, p99 ${at(0.99)}, ` +
      `p99.9 ${at(0.999)} µs (goal: p99 under 500); ${took.filter((ms) => ms > 0.5).length} took longer, ` +
      `and the machine took the core away ${taken} times`,
  );

  // Whatever a block leaves, it leaves each time; what the engine compiles or clears away meanwhile comes and goes.
  const blocks = blocksOf(8);
  const tries = Array.from({ length: 9 }, () => {
    const litter = pair.litter(blocks, () => v8.getHeapStatistics().used_heap_size);
    return { ...litter, other: (litter.left - litter.messages) / (2 * blocks) };
  });
  const litter = tries.toSorted((a, b) => a.other - b.other)[4];
  const { other } = litter;
  console.log(
    `garbage: ${2 * blocks} blocks posted ${litter.posts} times, ${(litter.messages / litter.posts).toFixed(0)} bytes each; ` +
      `besides that a block left ${other.toFixed(1)} bytes`,
  );
  // A number that is no small integer is 12 bytes or more.
  assert.ok(other < 4, `${other} bytes a block`);
});
