// Checks that a compiled search gives the fields of its CPU twin on this machine's GPU.
import { UnsupportedError } from '../../errors.js';
import type {
  EstimateRequest,
  EstimatorFactory,
  EstimatorParameters,
  LumaPicture,
  MotionField,
} from '../../motion/estimator.js';
import type { GpuDevice } from '../device/device.js';
import { PairSearch } from './pair-search.js';
import type { SearchProgram } from './search-passes.js';

/** Size of the test pictures in pels. */
const WIDTH = 64;
const HEIGHT = 48;
const SETTINGS = { depth: 1, pairs: 1, pictures: 2, isTimed: false, catchesErrors: true };

/** The field of a small pair with the caller's parameters, by the CPU twin. */
export async function expectedField(
  createTwin: EstimatorFactory,
  parameters: EstimatorParameters,
): Promise<MotionField> {
  const twin = await createTwin({ ...parameters, width: WIDTH, height: HEIGHT });
  try {
    return await twin.estimate(testPair());
  } finally {
    await twin.close();
  }
}

/**
 * Searches the same pair on the GPU. Rejects with `UnsupportedError` if the field is another one: a driver that
 * computes wrong is of no use.
 */
export async function checkProgram(gpu: GpuDevice, program: SearchProgram, expected: MotionField): Promise<void> {
  const pairs = new PairSearch(gpu, program.createPasses(WIDTH, HEIGHT), WIDTH * HEIGHT, SETTINGS);
  try {
    const actual = await pairs.search(testPair(), () => false);
    const difference = actual ? firstDifference(actual.field, expected) : 'no answer';
    if (difference !== null) throw new UnsupportedError(`${gpu.name} computes wrong motion (${difference})`);
  } finally {
    pairs.destroy();
  }
}

function testPair(): EstimateRequest {
  return { current: testPicture(1, 3, 2), reference: testPicture(2, 0, 0) };
}

/** The first entry in which two fields of the same shape differ, in words; null where they are equal. */
function firstDifference(actual: MotionField, expected: MotionField): string | null {
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

/** Noise displaced by (dx, dy), with a flat part in the corner: there all vectors have the same metric. */
function testPicture(id: number, dx: number, dy: number): LumaPicture {
  const pels = new Uint8Array(WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const isFlat = x >= 40 && y >= 16;
      pels[y * WIDTH + x] = isFlat ? 90 : noiseAt(x + dx, y + dy) & 0xff;
    }
  }
  return { id, width: WIDTH, height: HEIGHT, pels };
}

/** A hash of a position, the same on every machine. */
function noiseAt(x: number, y: number): number {
  let hash = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
