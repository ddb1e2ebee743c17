// Measures the GPU estimators on this machine's GPU: `npm run bench:gpu`. Needs a build, but no ffmpeg and no clips.
// For each variant: whether its field equals the CPU twin's, kernel time by timestamp queries, pictures per second with
// upload and readback, set-up time, and the twin's speed on one thread. Prints a table; --json FILE writes everything.
//
//     node bench/gpu.mjs [--luma FILE [--size WxH]]... [--clip TEXT] [--only TEXT] [--seconds S] [--no-cpu] [--quick]
//                        [--dawn FLAG]... [--json FILE]
//
// --luma: a .y4m file, or raw luma (.gray, .gray.gz) of --size. --clip, --only: only clips and variants whose name
// contains TEXT. --dawn: a flag for Dawn, such as enable-dawn-features=disable_robustness. --quick: small pictures, for
// a software adapter.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createGpuFull, createGpuMrmp } from '../dist/gpu/gpu-estimators.js';
import { createCpuFull } from '../dist/motion/cpu/cpu-full.js';
import { createCpuMrmp } from '../dist/motion/cpu/cpu-mrmp.js';
import { describeGpuMachine, gpuMachineLine } from './gpu-machine.mjs';
import { noiseClip, panningClip, readClip } from './luma-clips.mjs';
import { median } from './median.mjs';
import { fixed, table } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    luma: { type: 'string', multiple: true, default: [] },
    size: { type: 'string' },
    clip: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '1' },
    cpu: { type: 'boolean', default: true },
    quick: { type: 'boolean', default: false },
    dawn: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
  },
  allowNegative: true,
});
const seconds = options.quick ? 0 : Number(options.seconds);
/** Minimum of pairs for a rate, and number of rates whose median counts. */
const [fewestPairs, turns] = options.quick ? [2, 1] : [4, 3];

const RANGE_16 = { x: 16, y: 16 };
const full = (name, parameters, tuning = {}, more = {}) => ({
  name: `full ${name}`,
  parameters: { metric: 'sad', range: RANGE_16, candidatesPerBlock: 1, lambda: 0, ...parameters },
  create: (all, device) => createGpuFull(all, { ...device, tuning, ...more }),
  twin: createCpuFull,
});
const mrmp = (name, parameters, more = {}) => ({
  name: `mrmp ${name}`,
  parameters: { metric: 'sad', range: { x: 64, y: 32 }, candidatesPerBlock: 4, lambda: 4, ...parameters },
  create: (all, device) => createGpuMrmp(all, { ...device, ...more }),
  twin: createCpuMrmp,
});

const VARIANTS = [
  full('16 sad', {}),
  full('16 sad 64 threads', {}, { threads: 64 }),
  full('16 sad 256 threads', {}, { threads: 256 }),
  full('16 sad K4 lambda 4', { candidatesPerBlock: 4, lambda: 4 }),
  full('16 sad depth 2', {}, {}, { depth: 2 }),
  full('16 sad depth 8', {}, {}, { depth: 8 }),
  full('16 sse', { metric: 'sse' }),
  full('16 sse K4', { metric: 'sse', candidatesPerBlock: 4 }),
  full('16 sse depth 2', { metric: 'sse' }, {}, { depth: 2 }),
  full('32 sad K4 lambda 4', { range: { x: 32, y: 32 }, candidatesPerBlock: 4, lambda: 4 }),
  full('32 sse K4', { metric: 'sse', range: { x: 32, y: 32 }, candidatesPerBlock: 4 }),
  full('8x8 blocks 16 sad', { blockSize: 8 }),
  full('8x8 blocks 16 sse', { blockSize: 8, metric: 'sse' }),
  mrmp('sad K4', {}),
  mrmp('sad K1', { candidatesPerBlock: 1, lambda: 0 }),
  mrmp('sse K4', { metric: 'sse' }),
  mrmp('sad K4 depth 2', {}, { depth: 2 }),
  mrmp('sad K4 depth 8', {}, { depth: 8 }),
];

function clips() {
  const given = options.luma.map(path => readClip(path, options.size, 24));
  if (options.quick) return [...given, panningClip(128, 96, 6)];
  return [...given, panningClip(1920, 1088, 8), panningClip(640, 480, 16), noiseClip(640, 480, 4)];
}

/** Pairs of pictures. Each picture has a new id, so that the estimator uploads it. */
function* pictures(clip) {
  const { width, height, planes } = clip;
  // Forwards and backwards, so that neighbours are also neighbours in the clip.
  const order = [...planes.keys(), ...[...planes.keys()].slice(1, -1).reverse()];
  for (let id = 0; ; id++) yield { id, width, height, pels: planes[order[id % order.length]] };
}

function* pairs(clip) {
  let reference;
  for (const current of pictures(clip)) {
    if (reference) yield { current, reference };
    reference = current;
  }
}

const take = (iterator, count) => Array.from({ length: count }, () => iterator.next().value);
const sameFields = (a, b) => ['dx', 'dy', 'cost'].every(part => Buffer.compare(bytes(a[part]), bytes(b[part])) === 0);
const bytes = array => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

/** Pictures per second with up to `window` searches at the same time, over about `seconds` of wall time. */
async function rate(estimator, requests, window, shortest) {
  const running = new Set();
  let done = 0;
  const startMs = performance.now();
  while (performance.now() - startMs < 1000 * seconds || done < shortest) {
    const call = estimator.estimate(requests.next().value).then(() => {
      running.delete(call);
      done++;
    });
    running.add(call);
    if (running.size >= window) await Promise.race(running);
  }
  await Promise.all(running);
  return (1000 * done) / (performance.now() - startMs);
}

/** The twin's fields of the first pairs, and its speed on one thread; measured once for all variants that share it. */
const twins = new Map();
async function twinOf(variant, clip, parameters) {
  const key = JSON.stringify([variant.twin.name, clip.name, parameters]);
  let known = twins.get(key);
  if (!known) {
    const cpu = await variant.twin(parameters);
    const fields = [];
    for (const request of take(pairs(clip), 2)) fields.push(await cpu.estimate(request));
    known = { fields, rate: options.cpu ? await rate(cpu, pairs(clip), 1, 2) : Number.NaN };
    await cpu.close();
    twins.set(key, known);
  }
  return known;
}

async function measure(variant, clip, device) {
  const parameters = { width: clip.width, height: clip.height, blockSize: 16, ...variant.parameters };
  const twin = await twinOf(variant, clip, parameters);
  const warnings = [];
  const estimator = await variant.create(parameters, { ...device, onWarning: text => warnings.push(text) });
  const equal = [];
  for (const [index, request] of take(pairs(clip), 2).entries()) {
    equal.push(sameFields(await estimator.estimate(request), twin.fields[index]));
  }
  const searchUs = [];
  const kernelUs = [];
  const roundTripMs = [];
  const alone = pairs(clip);
  take(alone, 5000); // ids that nobody has seen
  for (let index = 0; index < (options.quick ? 2 : 60); index++) {
    const before = estimator.statistics();
    const startMs = performance.now();
    await estimator.estimate(alone.next().value);
    roundTripMs.push(performance.now() - startMs);
    const after = estimator.statistics();
    searchUs.push((after.searchTimeNs - before.searchTimeNs) / 1000);
    kernelUs.push((after.kernelTimeNs - before.kernelTimeNs) / 1000);
  }
  const many = pairs(clip);
  take(many, 10000);
  if (!options.quick) await rate(estimator, many, 16, fewestPairs); // warm up
  const rates = [];
  for (let turn = 0; turn < turns; turn++) rates.push(await rate(estimator, many, 16, fewestPairs));
  const { setupMs } = estimator.statistics();
  await estimator.close();
  return {
    clip: clip.name,
    size: `${clip.width}x${clip.height}`,
    variant: variant.name,
    equal: equal.every(Boolean),
    searchUs: median(searchUs),
    kernelUs: median(kernelUs),
    roundTripMs: median(roundTripMs),
    picturesPerSecond: median(rates),
    cpuPicturesPerSecond: twin.rate,
    setupMs,
    warnings,
  };
}

const { machine, adapter } = await describeGpuMachine();
const device = { isTimed: true };
if (options.dawn.length > 0) {
  const { create } = await import('webgpu');
  device.gpu = create(['disable-dawn-features=timestamp_quantization', ...options.dawn]);
}
machine.dawn = options.dawn;
console.log([gpuMachineLine(machine), ...options.dawn].join(', '));

const rows = [];
for (const clip of clips().filter(({ name }) => name.includes(options.clip))) {
  for (const variant of VARIANTS.filter(({ name }) => name.includes(options.only))) {
    try {
      rows.push(await measure(variant, clip, device));
      console.error(
        `${clip.name}: ${variant.name}: ${rows.at(-1).equal ? 'equal' : 'DIFFERENT'}, ${fixed(rows.at(-1).searchUs, 1)} us`,
      );
    } catch (error) {
      rows.push({
        clip: clip.name,
        size: `${clip.width}x${clip.height}`,
        variant: variant.name,
        equal: false,
        error: error.message,
      });
      console.error(`${clip.name}: ${variant.name}: ${error.message}`);
    }
  }
}
console.log(
  table(
    [
      'clip',
      'size',
      'variant',
      'equal',
      'search us',
      'all kernels us',
      'round trip ms',
      'pictures/s',
      'CPU thread',
      'ratio',
      'set-up ms',
    ],
    rows.map(row => [
      row.clip,
      row.size,
      row.variant,
      row.error ?? (row.equal ? 'yes' : 'NO'),
      fixed(row.searchUs, 1),
      fixed(row.kernelUs, 1),
      fixed(row.roundTripMs, 3),
      fixed(row.picturesPerSecond, 0),
      fixed(row.cpuPicturesPerSecond, 1),
      fixed(row.picturesPerSecond / row.cpuPicturesPerSecond, 1),
      fixed(row.setupMs, 0),
    ]),
  ),
);
for (const row of rows)
  for (const warning of row.warnings ?? []) console.log(`${row.clip}, ${row.variant}: ${warning}`);
if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, adapter, rows }, null, 2)}\n`);
process.exitCode = rows.every(row => row.equal && row.warnings.length === 0) ? 0 : 1;
