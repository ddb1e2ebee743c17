// Measures what many candidates cost the GPU searches: `node bench/candidates.mjs`. Needs a build, but no ffmpeg.
// For gpu-full by both metrics and for gpu-mrmp, by K: the time of a search that keeps the best K vectors, for gpu-full
// by SAD with either method, and whether the field is that of the CPU twin. Time is the GPU's own by timestamp queries
// where the device has them, else the round trip of one pair.
//
//     node bench/candidates.mjs [--size WxH] [--range N] [--k 1,4,8] [--runs N] [--json FILE]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createGpuFull, createGpuMrmp } from '../dist/gpu/gpu-estimators.js';
import { keepMethod } from '../dist/gpu/search/full-search-sad.js';
import { createCpuFull } from '../dist/motion/cpu/cpu-full.js';
import { createCpuMrmp } from '../dist/motion/cpu/cpu-mrmp.js';
import { describeGpuMachine, gpuMachineLine } from './gpu-machine.mjs';
import { panningClip } from './luma-clips.mjs';
import { median } from './median.mjs';
import { fixed, table } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '1280x720' },
    range: { type: 'string', default: '16' },
    k: { type: 'string', default: '1,2,4,8,16,32,64' },
    runs: { type: 'string', default: '40' },
    json: { type: 'string' },
  },
});
const [width, height] = options.size.split('x').map(Number);
const runs = Number(options.runs);

const full = (metric, ...methods) => ({
  name: `gpu-full, ${metric}`,
  metric,
  methods,
  create: (all, keep, more) => createGpuFull(all, { ...more, tuning: { keep } }),
  twin: createCpuFull,
});
const SEARCHES = [
  full('sad', 'ranks', 'bitonic'),
  full('sse', undefined),
  {
    name: 'gpu-mrmp, sad',
    metric: 'sad',
    methods: [undefined],
    create: (all, _, more) => createGpuMrmp(all, more),
    twin: createCpuMrmp,
  },
];

const same = (a, b) => ['dx', 'dy', 'cost'].every(part => a[part].every((value, at) => value === b[part][at]));

const { planes } = panningClip(width, height, 6);

/** The pair of pictures with this number; ids are new, so that no picture is known. */
function pair(number) {
  const picture = index => ({ id: 2 * number + index, width, height, pels: planes[(number + index) % planes.length] });
  return { current: picture(1), reference: picture(0) };
}

/** Median microseconds of a search, over all runs but the first, and the field of pair 0. */
async function timeOf(search, parameters, keep) {
  const faults = [];
  const estimator = await search.create(parameters, keep, {
    isTimed: true,
    onWarning: message => faults.push(message),
  });
  const field = await estimator.estimate(pair(0));
  const times = [];
  for (let run = 1; run <= runs; run++) {
    const before = estimator.statistics().searchTimeNs;
    const start = performance.now();
    await estimator.estimate(pair(run));
    const after = estimator.statistics().searchTimeNs;
    times.push(after === undefined ? 1000 * (performance.now() - start) : (after - before) / 1000);
  }
  await estimator.close();
  if (faults.length > 0) throw new Error(faults[0]);
  return { us: median(times), field };
}

const { machine } = await describeGpuMachine();
const rows = [];
for (const search of SEARCHES) {
  for (const candidates of options.k.split(',').map(Number)) {
    const reach = Number(options.range);
    const range = { x: reach, y: reach };
    const { metric, methods } = search;
    const parameters = { width, height, metric, blockSize: 16, range, candidatesPerBlock: candidates, lambda: 4 };
    const twin = await search.twin(parameters);
    const expected = await twin.estimate(pair(0));
    await twin.close();
    for (const method of methods) {
      const { us, field } = await timeOf(search, parameters, method);
      const isChosen = method === undefined || method === keepMethod(candidates);
      rows.push({ search: search.name, method, candidates, equal: same(field, expected), us, isChosen });
    }
    process.stderr.write(`${search.name}, K = ${candidates}: ${rows.at(-1).equal ? 'equal' : 'DIFFERENT'}\n`);
  }
}

console.log(`${gpuMachineLine(machine)}; ${options.size}, range ±${options.range}, medians of ${runs} searches, us\n`);
console.log(
  table(
    ['search', 'method', 'K', 'equal', 'us', 'chosen'],
    rows.map(({ search, method, candidates, equal, us, isChosen }) => [
      search,
      method ?? '',
      candidates,
      equal ? 'yes' : 'NO',
      fixed(us, 1),
      isChosen ? 'yes' : '',
    ]),
  ),
);
if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, options, rows }, null, 2)}\n`);
process.exitCode = rows.every(({ equal }) => equal) ? 0 : 1;
