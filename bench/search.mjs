// Measures CPU motion search on one thread.
// Rows: vectors a second of the full search, the time that exact elimination saves on real clips, and pictures a second
// of the estimators at 640x480. Needs a build. --json prints { machine, rows }.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createCpuFull } from '../dist/motion/cpu/cpu-full.js';
import { createCpuLog } from '../dist/motion/cpu/cpu-log.js';
import { createCpuMrmp } from '../dist/motion/cpu/cpu-mrmp.js';
import { createCpuPredictive } from '../dist/motion/cpu/cpu-predictive.js';
import { createZero } from '../dist/motion/cpu/zero.js';
import { clipAsY4m, listClips, SEQUENCES, sampleAsY4m } from './clips.mjs';
import { readClip } from './luma-clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { median } from './median.mjs';
import { fixed, table } from './table.mjs';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: '5' } },
});
const ROUNDS = Number(values.rounds);
const PICTURES = 8;
/** Larger clips would take long and show nothing new. */
const MAX_PELS = 1280 * 720;

/** Sequences of luma pictures: the real clips, or a generated one if there are none. */
async function sequences() {
  const paths = existsSync(SEQUENCES)
    ? await Promise.all(
        listClips(SEQUENCES).map(async clip => ({ name: clip.name, path: await clipAsY4m(clip, PICTURES) })),
      )
    : [{ name: 'pan', path: await sampleAsY4m({ kind: 'pan', width: 352, height: 288, frames: PICTURES, seed: 1 }) }];
  return paths
    .map(({ name, path }) => ({ ...readClip(path, undefined, PICTURES), name }))
    .filter(({ width, height }) => width * height <= MAX_PELS);
}

/** A sequence cut to a size from its top left. */
function cut({ name, width, planes }, newWidth, newHeight) {
  const cutPlane = plane => {
    const target = new Uint8Array(newWidth * newHeight);
    for (let y = 0; y < newHeight; y++) target.set(plane.subarray(y * width, y * width + newWidth), y * newWidth);
    return target;
  };
  return { name, width: newWidth, height: newHeight, planes: planes.map(cutPlane) };
}

/** Legal vectors of all blocks, all of which an exhaustive search compares. */
function vectorCount({ width, height, blockSize, range }) {
  const along = (length, reach) => {
    let count = 0;
    for (let at = 0; at < length; at += blockSize) {
      count += Math.min(reach, length - blockSize - at) - Math.max(-reach, -at) + 1;
    }
    return count;
  };
  return along(width, range.x) * along(height, range.y);
}

/**
 * Median milliseconds for a picture, over all pairs and rounds but the first, in which code is compiled. Each picture
 * is the reference of the next one, so it is prepared once, as in an encode. No picture is kept from round to round.
 */
async function measure(factory, parameters, { planes }) {
  const estimator = await factory(parameters);
  const { width, height } = parameters;
  const times = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const pictures = planes.map((pels, index) => ({ id: round * planes.length + index, width, height, pels }));
    for (let i = 1; i < pictures.length; i++) {
      const start = performance.now();
      await estimator.estimate({ current: pictures[i], reference: pictures[i - 1] });
      if (round > 0 && i > 1) times.push(performance.now() - start);
    }
  }
  await estimator.close();
  return median(times);
}

const BASE = { metric: 'sad', blockSize: 16, lambda: 0, candidatesPerBlock: 1 };

async function measureElimination(sequence) {
  const rows = [];
  for (const [reach, candidatesPerBlock, metric] of [
    [15, 1, 'sad'],
    [32, 1, 'sad'],
    [32, 4, 'sad'],
    [15, 1, 'sse'],
  ]) {
    const { name, width, height } = sequence;
    const parameters = { ...BASE, width, height, range: { x: reach, y: reach }, candidatesPerBlock, metric };
    const plainMs = await measure(p => createCpuFull(p, { elimination: false }), parameters, sequence);
    const fullMs = await measure(createCpuFull, parameters, sequence);
    const millions = vectorCount(parameters) / 1e6;
    rows.push({
      estimator: 'cpu-full',
      clip: name,
      size: `${width}x${height}`,
      range: `±${reach}`,
      candidates: candidatesPerBlock,
      metric,
      plainMVectorsPerSecond: millions / (plainMs / 1000),
      effectiveMVectorsPerSecond: millions / (fullMs / 1000),
      speedup: plainMs / fullMs,
      picturesPerSecond: 1000 / fullMs,
    });
  }
  return rows;
}

async function measurePictures(sequence) {
  const rows = [];
  const wide = { range: { x: 64, y: 32 }, candidatesPerBlock: 4 };
  const near = { range: { x: 15, y: 15 } };
  for (const [estimator, factory, change] of [
    ['cpu-mrmp', createCpuMrmp, wide],
    ['cpu-mrmp', createCpuMrmp, { ...wide, candidatesPerBlock: 1 }],
    ['cpu-mrmp', createCpuMrmp, { ...wide, metric: 'sse' }],
    ['cpu-predictive', createCpuPredictive, wide],
    ['cpu-predictive', createCpuPredictive, { ...wide, candidatesPerBlock: 1 }],
    ['cpu-full', createCpuFull, near],
    ['cpu-log', createCpuLog, near],
    ['zero', createZero, near],
  ]) {
    const { name, width, height } = sequence;
    const parameters = { ...BASE, width, height, ...change };
    rows.push({
      estimator,
      clip: name,
      size: `${width}x${height}`,
      range: `±${parameters.range.x}x${parameters.range.y}`,
      candidates: parameters.candidatesPerBlock,
      metric: parameters.metric,
      picturesPerSecond: 1000 / (await measure(factory, parameters, sequence)),
    });
  }
  return rows;
}

const machine = describeMachine();
const clips = await sequences();
const elimination = [];
for (const clip of clips) elimination.push(...(await measureElimination(clip)));
const vga = clips.find(({ width, height }) => width >= 640 && height >= 480);
const pictures = vga ? await measurePictures(cut(vga, 640, 480)) : [];

if (values.json) {
  process.stdout.write(`${JSON.stringify({ machine, rows: [...elimination, ...pictures] })}\n`);
} else {
  const text = { plainMVectorsPerSecond: 0, effectiveMVectorsPerSecond: 0, speedup: 2, picturesPerSecond: 0 };
  const show = rows => {
    const keys = Object.keys(rows[0]);
    return table(
      keys,
      rows.map(row => keys.map(key => (key in text ? fixed(row[key], text[key]) : row[key]))),
    );
  };
  const plain = metric =>
    median(elimination.filter(row => row.metric === metric).map(row => row.plainMVectorsPerSecond));
  process.stdout.write(`${machineLine(machine)}; one thread, medians\n\n`);
  process.stdout.write(`full search without early exit, 16x16: ${fixed(plain('sad'), 0)} million SADs/s, `);
  process.stdout.write(`${fixed(plain('sse'), 0)} million SSEs/s\n\n${show(elimination)}\n`);
  if (pictures.length > 0) process.stdout.write(`\n${show(pictures)}\n`);
}
