// Measures semi-global matching: the GPU, the WASM SIMD kernels and the readable TypeScript, stage by stage.
// Needs a build, but no ffmpeg. Middlebury's cones are matched where they are, else a seeded pair of the same size.
//
//     node bench/stereo.mjs [--runs N] [--range N]... [--size WxH] [--no-readable] [--json FILE]
//
// --runs: of which the median counts; default 15, of the readable kernels 3. --size: takes the seeded pair, with this
// size.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createGpuMatcher } from '../dist/gpu/stereo/gpu-matcher.js';
import { decodeImage } from '../dist/media/images/image-decoder.js';
import { readGrayImage } from '../dist/media/maps/gray-image.js';
import { createCpuMatcher } from '../dist/stereo/cpu-matcher.js';
import { badPixelsOf } from '../dist/stereo/disparity-quality.js';
import { grayPicture } from '../dist/stereo/gray-picture.js';
import { STEREO_STAGES } from '../dist/stereo/matcher.js';
import { stereoSettings } from '../dist/stereo/stereo-options.js';
import { SEQUENCES } from './clips.mjs';
import { PUBLISHED_STEREO } from './comparison-published.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { median } from './median.mjs';
import { fixed, table } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '15' },
    range: { type: 'string', multiple: true, default: ['32', '64'] },
    size: { type: 'string' },
    readable: { type: 'boolean', default: true },
    json: { type: 'string' },
  },
  allowNegative: true,
});
const RUNS = Number(options.runs);
const READABLE_RUNS = Math.min(3, RUNS);
const CONES = join(SEQUENCES, 'stereo_cones');
const PARTS = [...STEREO_STAGES, 'sum', 'wall'];

/** The pair, its name, and the truth with its mask where it is known. */
async function openPair() {
  if (options.size !== undefined || !existsSync(CONES)) {
    const [width, height] = (options.size ?? '450x375').split('x').map(Number);
    return { name: `a seeded pair of ${width}x${height}`, ...seededPair(width, height) };
  }
  const picture = async name => {
    const { width, height, pels } = await decodeImage(join(CONES, name));
    return grayPicture(width, height, pels);
  };
  const [left, right] = [await picture('L.png'), await picture('R.png')];
  const truth = await readGrayImage(join(CONES, 'gt_disparity_L.png'));
  const mask = await readGrayImage(join(CONES, 'mask_L.png'));
  return { name: `cones, ${left.width}x${left.height}`, left, right, truth, mask: mask.values };
}

/** Smooth noise over steps of disparity, the same on every machine. */
function seededPair(width, height) {
  const noise = (x, y) => Math.imul(Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b), 0x2c1b3c6d) >>> 24;
  const smooth = (x, y) => (noise(x, y) + noise(x + 1, y) + noise(x, y + 1) + noise(x + 1, y + 1)) >> 2;
  const disparityOf = y => 4 + Math.floor((24 * y) / height);
  const picture = isRight => {
    const pels = Uint8Array.from({ length: width * height }, (_, pel) => {
      const y = Math.floor(pel / width);
      return smooth((pel % width) + (isRight ? disparityOf(y) : 0), y);
    });
    return { width, height, pels };
  };
  return { left: picture(false), right: picture(true) };
}

/** Medians of the times of a matcher in ms, and its last map. The first run warms up. */
async function measure(matcher, { left, right }, runs) {
  const times = [];
  let map = await matcher.match(left, right);
  for (let run = 0; run < runs; run++) {
    const startMs = performance.now();
    map = await matcher.match(left, right);
    const wall = performance.now() - startMs;
    const stages = matcher.stageMs() ?? {};
    const sum = STEREO_STAGES.reduce((total, stage) => total + stages[stage], 0);
    times.push({ ...stages, sum, wall });
  }
  const { device } = matcher;
  await matcher.close();
  return { device, map, ms: Object.fromEntries(PARTS.map(part => [part, median(times.map(time => time[part]))])) };
}

/** The figures of one range. */
async function measureRange(pair, range) {
  const settings = stereoSettings({ range });
  const { width, height } = pair.left;
  const cpu = kernels => createCpuMatcher(width, height, settings, { kernels });
  const results = { simd: await measure(await cpu('simd'), pair, RUNS) };
  try {
    results.gpu = await measure(await createGpuMatcher(width, height, settings), pair, RUNS);
  } catch (error) {
    results.reason = error.message;
  }
  if (options.readable) results.readable = await measure(await cpu('reference'), pair, READABLE_RUNS);
  const expected = Buffer.from(results.simd.map.sixteenths.buffer);
  results.equal = [results.gpu, results.readable]
    .filter(Boolean)
    .every(({ map }) => Buffer.from(map.sixteenths.buffer).equals(expected));
  return results;
}

function rangeTable({ gpu, simd, readable }) {
  const header = ['stage', 'GPU', 'SIMD', 'readable', 'SIMD : GPU', 'readable : GPU', 'readable : SIMD'];
  const ms = (result, part) => fixed(result?.ms[part], 3);
  const ratio = (slow, fast, part) => fixed(slow?.ms[part] / fast?.ms[part], 1);
  const rows = PARTS.map(part => [
    part,
    ...[gpu, simd, readable].map(result => ms(result, part)),
    ...[ratio(simd, gpu, part), ratio(readable, gpu, part), ratio(readable, simd, part)],
  ]);
  return table(header, rows);
}

function accuracy(pair, range, { sixteenths, width, height }) {
  if (!pair.truth || range < 64) return '';
  const truth = { name: 'truth', width, height, disparity: Float32Array.from(pair.truth.values) };
  const disparityAt = (x, y) => sixteenths[y * width + x] / 16;
  const percent = share => `${(100 * share).toFixed(2)} %`;
  const figures = [{ ...truth, mask: pair.mask }, truth].map(known => badPixelsOf(disparityAt, known));
  const [visible, all] = figures.map(({ above1, above2 }) => `${percent(above1)} / ${percent(above2)}`);
  return `\nBad pels, off by more than 1 / 2: ${visible} not occluded, ${all} of all.\n`;
}

const pair = await openPair();
const ranges = {};
for (const range of options.range.map(Number)) ranges[range] = await measureRange(pair, range);
const machine = describeMachine();
const [first] = Object.values(ranges);
console.log(`# Semi-global matching

${machineLine(machine, first.gpu?.device)}

Pair: ${pair.name}. Medians of ${RUNS} runs (readable: ${READABLE_RUNS}) in ms. On the GPU the stages are times of the GPU; wall has upload and
readback, too. CPU kernels run on one thread.`);
for (const [range, results] of Object.entries(ranges)) {
  console.log(`
## Range ${range}

${rangeTable(results)}

${results.reason === undefined ? '' : `No GPU: ${results.reason}\n`}All disparities are equal: ${results.equal ? 'yes' : 'NO'}.
${accuracy(pair, Number(range), results.simd.map)}`);
}
console.log(`${PUBLISHED_STEREO}\n`);
if (options.json !== undefined) {
  const plain = Object.fromEntries(
    Object.entries(ranges).map(([range, { map: _, ...results }]) => [
      range,
      Object.fromEntries(Object.entries(results).map(([name, value]) => [name, value?.ms ?? value])),
    ]),
  );
  writeFileSync(options.json, `${JSON.stringify({ machine, pair: pair.name, runs: RUNS, ranges: plain }, null, 2)}\n`);
}
if (Object.values(ranges).some(({ equal }) => !equal)) process.exitCode = 1;
