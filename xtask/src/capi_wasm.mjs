// The audio path of the wasm library in Node, as an AudioWorklet runs it: two phones, each hearing its own speaker and, 40 dB
// down, its peer's, in blocks of 128 frames. Prints how long a block takes. Argument: the module.
import { readFileSync } from "node:fs";

const RATE_HZ = 48000;
const BLOCK = 128;
const SECONDS = 20;
const PEER = 0.01;
const CONFIG_BYTES = 28; // capi/abi/layout-wasm32.txt, duel_link_config
const EVENT_BYTES = 72; // the same, duel_link_event
const NOTHING = 0;

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const duel = instance.exports;
const view = () => new DataView(duel.memory.buffer);
const done = (status) => {
  if (status !== 0) throw new Error(`status ${status}`);
};

function phone(role) {
  const [config, made] = [duel.duel_alloc(CONFIG_BYTES), duel.duel_alloc(8)];
  view().setUint32(config, CONFIG_BYTES, true);
  view().setUint32(config + 4, RATE_HZ, true);
  view().setInt32(config + 12, role, true);
  done(duel.duel_link_new(config, NOTHING, 0, made, made + 4));
  const [input, output] = [duel.duel_alloc(4 * BLOCK), duel.duel_alloc(4 * BLOCK)];
  const channels = duel.duel_alloc(4);
  view().setUint32(channels, input, true);
  const link = view().getUint32(made, true);
  return { link, pump: view().getUint32(made + 4, true), input, output, channels };
}

const phones = [phone(0), phone(1)];
const samples = (at) => new Float32Array(duel.memory.buffer, at, BLOCK);
const event = duel.duel_alloc(EVENT_BYTES);
const times_us = [];
let packets = 0;
for (let frame = 0; frame < SECONDS * RATE_HZ; frame += BLOCK) {
  const spoken = phones.map(({ output }) => samples(output).slice());
  phones.forEach(({ pump, input, channels, output }, at) => {
    samples(input).forEach((_, i, to) => (to[i] = spoken[at][i] + PEER * spoken[1 - at][i]));
    const start = process.hrtime.bigint();
    done(duel.duel_pump_process(pump, channels, 1, output, BLOCK, BigInt(frame)));
    times_us.push(Number(process.hrtime.bigint() - start) / 1e3);
  });
  for (const { link } of phones) {
    view().setUint32(event, EVENT_BYTES, true);
    while (duel.duel_link_poll(link, BigInt(Math.round((1e6 * frame) / RATE_HZ)), event) === 0)
      packets += view().getInt32(event + 4, true) === 1;
  }
}
// The first second is the compiler's.
const times = times_us.slice((2 * RATE_HZ) / BLOCK).sort((a, b) => a - b);
const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
const p99 = times[Math.floor(0.99 * times.length)];
if (packets === 0) throw new Error("no packet was heard: that is no work");
console.log(`mean ${mean.toFixed(1)} us, p99 ${p99.toFixed(1)} us, ${packets} packets heard`);
