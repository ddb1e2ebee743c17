// Measures the thread that feeds a GPU by itself. Linux alone; needs a build.
// Asks as the lookahead of a default encode does: a picture, the one before and the one before that, in three or four
// pairs, several pictures at a time. Prints a table: pictures a second, and the thread's processor time for one.
// thread-times.mjs says what polls are.
//
//     node bench/search-thread.mjs [--size 640x480,1920x1080] [--estimator gpu-mrmp] [--in-flight 8] [--pictures 2000]
//                                  [--rounds 3]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { searchParameters } from '../dist/encoder/motion/search-parameters.js';
import { resolveOptions } from '../dist/encoder/settings/resolve-options.js';
import { createThreadedEstimator } from '../dist/motion/threads/worker-host.js';
import { describeGpuMachine, gpuMachineLine } from './gpu-machine.mjs';
import { panningClip } from './luma-clips.mjs';
import { median } from './median.mjs';
import { fixed, table } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '640x480,1920x1080' },
    estimator: { type: 'string', default: 'gpu-mrmp' },
    'in-flight': { type: 'string', default: '8' },
    pictures: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
  },
});
if (process.env.MPEGPU_BENCH_TIMED !== '1') {
  const args = ['--import', new URL('thread-times.mjs', import.meta.url).href, fileURLToPath(import.meta.url)];
  const env = { ...process.env, MPEGPU_BENCH_TIMED: '1' };
  process.exit(spawnSync(process.execPath, [...args, ...process.argv.slice(2)], { stdio: 'inherit', env }).status);
}
const { threadTimes } = await import('./thread-times.mjs');

const DIFFERENT_PICTURES = 24;
const WARM_UP_PICTURES = 500;
/** Every so many pictures, a fourth pair is asked for: 3.25 a picture, as the lookahead does. */
const FOURTH_PAIR = 4;
const searchTimes = () => threadTimes().findLast(({ name }) => name.startsWith('estimator'));

async function measure(width, height, planes) {
  const parameters = searchParameters(resolveOptions({ width, height, frameRate: 25 }));
  const warnings = [];
  const onWarning = text => warnings.push(text);
  const estimator = await createThreadedEstimator(options.estimator, parameters, { onWarning });
  const picture = id => ({ id, width, height, pels: planes[id % planes.length] });
  const ask = ([current, reference]) =>
    estimator.estimate({ current: picture(current), reference: picture(reference) });
  const count = Number(options.pictures);
  const open = [];
  let before;
  let startMs = 0;
  for (let number = 0; number < WARM_UP_PICTURES + count; number++) {
    if (number === WARM_UP_PICTURES) {
      before = searchTimes();
      startMs = performance.now();
    }
    const id = number + 2;
    const pairs = [
      [id, id - 1],
      [id - 1, id],
      [id, id - 2],
    ];
    if (number % FOURTH_PAIR === 0) pairs.push([id - 2, id]);
    open.push(Promise.all(pairs.map(ask)));
    if (open.length >= Number(options['in-flight'])) await open.shift();
  }
  await Promise.all(open);
  const ms = performance.now() - startMs;
  const after = searchTimes();
  await estimator.close();
  if (warnings.length > 0) throw new Error(warnings[0]);
  return {
    picturesPerSecond: (1000 * count) / ms,
    cpuUs: (1000 * (after.cpuMs - before.cpuMs)) / count,
    pollingUs: (1000 * (after.pollingMs - before.pollingMs)) / count,
  };
}

const { machine } = await describeGpuMachine();
console.log(gpuMachineLine(machine));
const rows = [];
for (const size of options.size.split(',')) {
  const [width, height] = size.split('x').map(length => 16 * Math.ceil(Number(length) / 16));
  const planes = panningClip(width, height, DIFFERENT_PICTURES).planes.map(plane => {
    const shared = new Uint8Array(new SharedArrayBuffer(plane.length));
    shared.set(plane);
    return shared;
  });
  const runs = [];
  for (let round = 0; round < Number(options.rounds); round++) runs.push(await measure(width, height, planes));
  const middle = key => median(runs.map(run => run[key]));
  const [cpuUs, pollingUs] = [middle('cpuUs'), middle('pollingUs')];
  const rate = fixed(middle('picturesPerSecond'), 0);
  rows.push([size, rate, fixed(cpuUs, 0), fixed(pollingUs, 0), fixed(cpuUs - pollingUs, 0)]);
}
console.log(table(['size', 'pictures/s', 'CPU us/picture', 'polls', 'without'], rows));
