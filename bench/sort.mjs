// Measures the sort on this machine's GPU: `node bench/sort.mjs`. Needs a build, but no ffmpeg and no network.
// For each number of items: the GPU with values and with keys alone, without copies and with upload and readback,
// against Uint32Array.prototype.sort (keys alone) and a radix sort in WebAssembly (with values). Answers are compared.
//
//     node bench/sort.mjs [--sizes 65536,262144] [--runs N] [--cpu-runs N] [--json FILE]
//
// Without copies: by timestamp queries where the device has them, else many sorts between two waits. The network does
// the same work whatever the order of the items, so the items of one sort are those that the last one left behind.
// The sorts on the CPU take seconds where there are many items: `--cpu-runs` times them less often (default: `--runs`).
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BUFFER_USAGE, createFilledBuffer, MAP_MODE } from '../dist/gpu/device/buffers.js';
import { createGpuSorter } from '../dist/gpu/sort/open-sorter.js';
import { describeGpuMachine, gpuMachineLine } from './gpu-machine.mjs';
import { median } from './median.mjs';
import { createRadixSort } from './radix-sort.mjs';
import { fixed, table } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: Array.from({ length: 9 }, (_, power) => 2 ** (16 + power)).join(',') },
    runs: { type: 'string', default: '15' },
    'cpu-runs': { type: 'string' },
    json: { type: 'string' },
  },
});
const sizes = options.sizes.split(',').map(Number);
const runs = Number(options.runs);
const cpuRuns = Number(options['cpu-runs'] ?? runs);
/** Sorts between two waits, where the device takes no times. */
const BATCH = 10;

/** Seconds for 262,144 items that others have published; docs/sort.md names the works. */
const PUBLISHED = [
  ['Kipfer, Westermann 2005', 262_144, 0.054],
  ['GPUSort, GeForce 7800 GTX', 262_144, 0.08],
  ['Kipfer, Westermann 2005, GeForce 6800 Ultra', 262_144, 0.128],
  ['GPU-ABiSort 2006', 262_144, 0.208],
  ['GPUSort 2005', 262_144, 0.302],
  ['Ruane 2006, Radeon X1300', 262_144, 0.673],
  ['Ruane 2006, Radeon 9600 Pro', 262_144, 0.741],
  ['Buck, Purcell 2004, GeForce FX 5900', 262_144, 1.28],
  ['Ruane 2006, Radeon X1300', 65_536, 0.137],
  ['Ruane 2006, Radeon 9600 Pro', 65_536, 0.15],
];

/** Pseudo-random items, the same every time; the values are the places, so that a stable sort orders ties as we do. */
function itemsOf(length) {
  const keys = new Uint32Array(length);
  let state = length;
  for (let item = 0; item < length; item++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    keys[item] = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  }
  const values = new Uint32Array(length);
  for (let item = 0; item < length; item++) values[item] = item;
  return { keys, values };
}

/** Median milliseconds of a call that ran before; `prepare` is not timed. */
async function timeOf(call, times = runs, prepare = () => undefined) {
  const taken = [];
  for (let run = 0; run < times; run++) {
    const given = prepare();
    const start = performance.now();
    await call(given);
    taken.push(performance.now() - start);
  }
  return median(taken);
}

const same = (a, b) =>
  Buffer.compare(
    Buffer.from(a.buffer, a.byteOffset, a.byteLength),
    Buffer.from(b.buffer, b.byteOffset, b.byteLength),
  ) === 0;

/** Median milliseconds of the passes alone. */
async function timePasses(sorter, { keys, values }) {
  const { device } = sorter;
  const { storage, copySource, copyTarget, mapRead, queryResolve } = BUFFER_USAGE;
  const buffers = { keys: createFilledBuffer(device, 'bench.keys', storage, keys) };
  if (values) buffers.values = createFilledBuffer(device, 'bench.values', storage, values);
  const passes = sorter.createPasses(buffers);
  const submit = descriptor => {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass(descriptor);
    passes.record(pass);
    pass.end();
    return encoder;
  };
  let time;
  if (device.features.has('timestamp-query')) {
    const querySet = device.createQuerySet({ type: 'timestamp', count: 2 });
    const resolved = device.createBuffer({ size: 16, usage: queryResolve | copySource });
    const readback = device.createBuffer({ size: 16, usage: copyTarget | mapRead });
    const times = [];
    for (let run = 0; run <= runs; run++) {
      const timestampWrites = { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
      const encoder = submit({ timestampWrites });
      encoder.resolveQuerySet(querySet, 0, 2, resolved, 0);
      encoder.copyBufferToBuffer(resolved, 0, readback, 0, 16);
      device.queue.submit([encoder.finish()]);
      await readback.mapAsync(MAP_MODE.read);
      const [begin, end] = new BigUint64Array(readback.getMappedRange());
      if (run > 0) times.push(Number(end - begin) / 1e6);
      readback.unmap();
    }
    time = median(times);
    querySet.destroy();
    for (const buffer of [resolved, readback]) buffer.destroy();
  } else {
    const batch = async () => {
      for (let sort = 0; sort < BATCH; sort++) device.queue.submit([submit({}).finish()]);
      await device.queue.onSubmittedWorkDone();
    };
    await batch();
    time = (await timeOf(batch)) / BATCH;
  }
  passes.destroy();
  for (const buffer of Object.values(buffers)) buffer.destroy();
  return time;
}

async function measure(sorter, radixSort, length) {
  const { keys, values } = itemsOf(length);
  const expected = radixSort(keys, values);
  const sorted = await sorter.sort(keys, values);
  const alone = await sorter.sort(keys);
  const js = keys.slice().sort();
  const equal =
    same(sorted.keys, expected.keys) &&
    same(sorted.values, expected.values) &&
    same(alone.keys, js) &&
    same(js, sorted.keys);
  return {
    items: length,
    equal,
    passesMs: await timePasses(sorter, { keys, values }),
    keyPassesMs: await timePasses(sorter, { keys }),
    copiesMs: await timeOf(() => sorter.sort(keys, values)),
    keyCopiesMs: await timeOf(() => sorter.sort(keys)),
    jsMs: await timeOf(
      copy => copy.sort(),
      cpuRuns,
      () => keys.slice(),
    ),
    radixMs: await timeOf(() => radixSort(keys, values), cpuRuns),
  };
}

const { machine } = await describeGpuMachine();
const sorter = await createGpuSorter();
const radixSort = await createRadixSort(Math.max(...sizes));
const rows = [];
for (const size of sizes) {
  rows.push(await measure(sorter, radixSort, size));
  process.stderr.write(`${size} items: ${rows.at(-1).equal ? 'equal' : 'DIFFERENT'}\n`);
}
const timer = sorter.device.features.has('timestamp-query') ? 'timestamp queries' : `${BATCH} sorts between two waits`;
await sorter.close();

console.log(`${gpuMachineLine(machine)}; medians of ${runs} runs (CPU: ${cpuRuns}), ms; passes alone by ${timer}\n`);
console.log(
  table(
    [
      'items',
      'equal',
      'GPU, passes alone',
      'the same, keys alone',
      'GPU with copies',
      'the same, keys alone',
      'Uint32Array.sort, keys alone',
      'radix sort in WASM',
      'Uint32Array.sort / GPU with copies, keys alone',
      'radix sort / GPU with copies',
    ],
    rows.map(row => [
      row.items,
      row.equal ? 'yes' : 'NO',
      ...[row.passesMs, row.keyPassesMs, row.copiesMs, row.keyCopiesMs, row.jsMs, row.radixMs].map(ms => fixed(ms, 3)),
      fixed(row.jsMs / row.keyCopiesMs, 1),
      fixed(row.radixMs / row.copiesMs, 2),
    ]),
  ),
);
const published = PUBLISHED.flatMap(([work, items, seconds]) => {
  const row = rows.find(each => each.items === items);
  return row
    ? [[work, items, seconds, fixed((1000 * seconds) / row.passesMs, 1), fixed((1000 * seconds) / row.copiesMs, 1)]]
    : [];
});
if (published.length > 0) {
  console.log(`\n${table(['published', 'items', 'seconds', '/ GPU, passes alone', '/ GPU with copies'], published)}`);
}
if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, timer, runs, cpuRuns, rows }, null, 2)}\n`);
process.exitCode = rows.every(({ equal }) => equal) ? 0 : 1;
