// Measures the time that exact elimination saves in cpu-full at ±15 with one candidate.
// Searches with and without elimination alternate, and the shortest time of each picture counts, so that it also works
// on a machine that is not quiet. Needs a build and the clips.
import { createCpuFull } from '../dist/motion/cpu/cpu-full.js';
import { clipAsY4m, listClips, SEQUENCES } from './clips.mjs';
import { readClip } from './luma-clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { fixed, table } from './table.mjs';

const PICTURES = 8;
/** Larger clips would take long and show nothing new. */
const MAX_PELS = 1280 * 720;
/** Pels searched per clip, in all: small pictures are searched more often. */
const PELS = 14e6;

/** Sum over the pictures of the shortest time in milliseconds, for each estimator. */
async function shortestTimes(estimators, { width, height, planes }) {
  const shortest = estimators.map(() => planes.map(() => Number.POSITIVE_INFINITY));
  const rounds = Math.ceil(PELS / (width * height));
  for (let round = 0; round < rounds; round++) {
    const pictures = planes.map((pels, index) => ({ id: round * planes.length + index, width, height, pels }));
    for (let i = 1; i < pictures.length; i++) {
      for (const [k, estimator] of estimators.entries()) {
        const start = performance.now();
        await estimator.estimate({ current: pictures[i], reference: pictures[i - 1] });
        shortest[k][i] = Math.min(shortest[k][i], performance.now() - start);
      }
    }
  }
  // The first search of a round prepares two pictures, the others one.
  return shortest.map(times => times.slice(2).reduce((sum, time) => sum + time));
}

const rows = [];
for (const clip of listClips(SEQUENCES)) {
  const sequence = readClip(await clipAsY4m(clip, PICTURES), undefined, PICTURES);
  const { width, height } = sequence;
  if (width * height > MAX_PELS) continue;
  const range = { x: 15, y: 15 };
  const parameters = { width, height, metric: 'sad', blockSize: 16, range, candidatesPerBlock: 1, lambda: 0 };
  const estimators = [await createCpuFull(parameters, { elimination: false }), await createCpuFull(parameters)];
  const [plain, eliminating] = await shortestTimes(estimators, sequence);
  for (const estimator of estimators) await estimator.close();
  rows.push([
    clip.name,
    fixed(plain / (PICTURES - 2), 2),
    fixed(eliminating / (PICTURES - 2), 2),
    fixed(plain / eliminating, 2),
  ]);
}
process.stdout.write(
  `${machineLine(describeMachine())}\n\n${table(['clip', 'plain ms', 'eliminating ms', 'ratio'], rows)}\n`,
);
