import { UnsupportedError } from '../../errors.js';
import type { EstimatorFactory, EstimatorParameters, LumaPicture, MotionField } from '../../motion/estimator.js';
import { PairSearch } from '../search/pair-search.js';
import type { SearchProgram } from '../search/search-passes.js';
import type { GpuDevice } from './device.js';

const WIDTH = 64;
const HEIGHT = 48;

/**
 * Searches a small pair on the GPU and on the CPU twin with the caller's parameters. Rejects with `UnsupportedError` where
 * the answers differ: a driver that computes wrong is as good as none.
 */
export async function checkProgram(
  gpu: GpuDevice,
  program: SearchProgram,
  twin: EstimatorFactory,
  parameters: EstimatorParameters,
): Promise<void> {
  const request = { current: checkPicture(1, 3, 2), reference: checkPicture(2, 0, 0) };
  const pairs = new PairSearch(gpu, program.createPasses(WIDTH, HEIGHT), WIDTH * HEIGHT, 1, 2);
  const cpu = await twin({ ...parameters, width: WIDTH, height: HEIGHT });
  try {
    const expected = await cpu.estimate(request);
    const actual = await pairs.search(request, () => false);
    const difference = actual ? firstDifference(actual.field, expected) : 'no answer';
    if (difference !== null) throw new UnsupportedError(`${gpu.name} computes wrong motion (${difference})`);
  } finally {
    pairs.destroy();
    await cpu.close();
  }
}

/** The first entry in which two fields of one shape differ, in words; null where they are equal. */
export function firstDifference(actual: MotionField, expected: MotionField): string | null {
  for (let entry = 0; entry < expected.cost.length; entry++) {
    const block = Math.floor(entry / expected.candidatesPerBlock);
    const candidate = entry % expected.candidatesPerBlock;
    for (const part of ['dx', 'dy', 'cost'] as const) {
      if (actual[part][entry] === expected[part][entry]) continue;
      return `block ${block}, candidate ${candidate}: ${part} ${actual[part][entry]} instead of ${expected[part][entry]}`;
    }
  }
  return null;
}

/** Noise that moves with (x, y), beside a flat part in which every vector is as good as another. */
function checkPicture(id: number, x: number, y: number): LumaPicture {
  const pels = new Uint8Array(WIDTH * HEIGHT);
  for (let row = 0; row < HEIGHT; row++) {
    for (let column = 0; column < WIDTH; column++) {
      const flat = column >= 40 && row >= 16;
      pels[row * WIDTH + column] = flat ? 90 : noiseAt(column + x, row + y) & 0xff;
    }
  }
  return { id, width: WIDTH, height: HEIGHT, pels };
}

/** A hash of a place, the same everywhere. */
function noiseAt(x: number, y: number): number {
  let hash = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
