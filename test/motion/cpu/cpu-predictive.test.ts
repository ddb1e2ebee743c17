// cpu-predictive keeps the estimator contract, equals its definition, and starts where it is told to.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RowwiseRequest } from '../../../src/motion/cpu/cpu-estimator.js';
import { createCpuPredictive } from '../../../src/motion/cpu/cpu-predictive.js';
import type { EstimateRequest, EstimatorParameters, MotionField, StartField } from '../../../src/motion/estimator.js';
import { seededRandom } from '../../kernels/kernel-pair.js';
import { describeEstimator } from '../estimator-suite.js';
import { faultsOf } from '../field-oracle.js';
import { makePicture, translatedPair } from '../motion-pictures.js';
import { predictiveBlocks } from './predictive-oracle.js';

const BASE: EstimatorParameters = {
  width: 80,
  height: 48,
  metric: 'sad',
  blockSize: 16,
  range: { x: 33, y: 16 },
  candidatesPerBlock: 4,
  lambda: 0,
};

const blocksOf = ({ width, height, blockSize }: EstimatorParameters) => (width * height) / blockSize ** 2;

/** A start field with the same vector everywhere. */
function startOf(parameters: EstimatorParameters, dx: number, dy: number): StartField {
  const blocks = blocksOf(parameters);
  return { dx: new Int16Array(blocks).fill(dx), dy: new Int16Array(blocks).fill(dy) };
}

/** A start field of seeded vectors, some of them out of the range or out of the picture. */
function randomStart(parameters: EstimatorParameters, seed: number): StartField {
  const random = seededRandom(seed);
  const components = () => Int16Array.from({ length: blocksOf(parameters) }, () => (random() % 101) - 50);
  return { dx: components(), dy: components() };
}

async function search(parameters: EstimatorParameters, request: EstimateRequest, kernels?: string) {
  const estimator = await createCpuPredictive(parameters, { kernels });
  const field = await estimator.estimate(request);
  await estimator.close();
  return field;
}

describeEstimator('cpu-predictive', createCpuPredictive);
describeEstimator('cpu-predictive in plain TypeScript', parameters =>
  createCpuPredictive(parameters, { kernels: 'reference' }),
);

describe('cpu-predictive', () => {
  it.each([
    ['defaults', {}],
    ['K = 1', { candidatesPerBlock: 1 }],
    ['K = 8 with lambda', { candidatesPerBlock: 8, lambda: 3 }],
    ['squared errors with lambda', { metric: 'sse', lambda: 40 }],
    ['squared errors of 8x8 blocks, K = 8', { metric: 'sse', blockSize: 8, candidatesPerBlock: 8 }],
    ['8x8 blocks', { blockSize: 8, lambda: 0.7 }],
    ['the whole picture', { range: 'picture', lambda: 1 }],
    ['an odd range', { range: { x: 7, y: 1 } }],
    ['no range', { range: { x: 0, y: 0 }, candidatesPerBlock: 8 }],
    ['one block', { width: 16, height: 16 }],
  ] as const)('follows its definition, with a start field and without: %s', async (_, change) => {
    const parameters: EstimatorParameters = { ...BASE, ...change };
    for (const kind of ['noise', 'few', 'texture'] as const) {
      const pair = {
        current: makePicture(kind.length, parameters.width, parameters.height, kind),
        reference: makePicture(100 + kind.length, parameters.width, parameters.height, kind),
      };
      for (const request of [pair, { ...pair, start: randomStart(parameters, kind.length) }]) {
        const field = await search(parameters, request);
        expect(vectorsOf(field)).toEqual(
          predictiveBlocks(parameters, request).map(best =>
            Array.from({ length: parameters.candidatesPerBlock }, (_, k) => best[Math.min(k, best.length - 1)]),
          ),
        );
        expect(await search(parameters, request, 'reference')).toEqual(field);
      }
    }
  });

  describe('with a start field', () => {
    const parameters: EstimatorParameters = { ...BASE, width: 352, height: 288, range: { x: 127, y: 127 } };
    const [dx, dy] = [101, -86];
    const pair = translatedPair(3, 352, 288, dx, dy);
    /** Share of the blocks with this motion, of those that can have it. */
    const shareFound = (field: MotionField): number => {
      let possible = 0;
      let found = 0;
      for (const [block, [best]] of vectorsOf(field).entries()) {
        if ((block % 22) * 16 + dx > 352 - 16 || Math.floor(block / 22) * 16 + dy < 0) continue;
        possible++;
        if (best.dx === dx && best.dy === dy && best.cost === 0) found++;
      }
      return found / possible;
    };

    it('finds a large motion that it misses without', async () => {
      expect(shareFound(await search(parameters, pair))).toBeLessThan(0.5);
      expect(
        shareFound(await search(parameters, { ...pair, start: startOf(parameters, dx - 5, dy + 4) })),
      ).toBeGreaterThan(0.95);
    });

    it.each([
      [32767, -32768],
      [-32768, 32767],
      [400, 0],
      [0, -131],
    ])('that points outside, by (%i, %i), keeps the contract, and does not count', async (outsideDx, outsideDy) => {
      const start = startOf(parameters, outsideDx, outsideDy);
      const field = await search(parameters, { ...pair, start });
      expect(faultsOf(parameters, pair, field)).toEqual([]);
      const expected = await search(parameters, { ...pair, start: startOf(parameters, 0, 0) });
      expect(field).toEqual(expected);
    });

    it('answers the same whatever was asked before, and leaves the start field as it was', async () => {
      const start = randomStart(parameters, 9);
      const copy = { dx: start.dx.slice(), dy: start.dy.slice() };
      const estimator = await createCpuPredictive(parameters);
      const without = await estimator.estimate(pair);
      const withStart = await estimator.estimate({ ...pair, start });
      expect(withStart).not.toEqual(without);
      expect(await estimator.estimate({ ...pair, start: startOf(parameters, dx, dy) })).not.toEqual(withStart);
      expect(await estimator.estimate(pair)).toEqual(without);
      expect(await estimator.estimate({ ...pair, start })).toEqual(withStart);
      expect(await search(parameters, { ...pair, start })).toEqual(withStart);
      expect(start).toEqual(copy);
    });

    it('reads a row of the start field when it is there, and tells of each row that is found', async () => {
      const start = randomStart(parameters, 5);
      const whole = await search(parameters, { ...pair, start });
      const [rows, entries] = [18, 22 * parameters.candidatesPerBlock];
      const late = startOf(parameters, 99, 99);
      const told: [row: number, found: boolean][] = [];
      const progress: RowwiseRequest['progress'] = {
        waitForStart: row => {
          for (const axis of ['dx', 'dy'] as const) {
            late[axis].set(start[axis].subarray(22 * row, 22 * row + 22), 22 * row);
          }
        },
        found: (row, { dx, dy }) => {
          const end = (row + 1) * entries;
          const isWhole = dx.length === rows * entries && dy.length === dx.length;
          const isRight = dx.slice(0, end).join() === whole.dx.slice(0, end).join();
          told.push([row, isWhole && isRight && dy.slice(0, end).join() === whole.dy.slice(0, end).join()]);
        },
      };
      const request: RowwiseRequest = { ...pair, start: late, progress };
      const estimator = await createCpuPredictive(parameters);
      expect(estimator.traits.usesStart).toBe(true);
      expect(await estimator.estimate(request)).toEqual(whole);
      expect(told).toEqual(Array.from({ length: rows }, (_, row) => [row, true]));
    });

    it('is busy while it searches, not while it waits for rows of the start field', async () => {
      let nowMs = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
      onTestFinished(() => void vi.restoreAllMocks());
      const progress: RowwiseRequest['progress'] = {
        waitForStart: () => {
          nowMs += 1000;
        },
        found: () => {
          nowMs += 1;
        },
      };
      const request: RowwiseRequest = { ...pair, start: startOf(parameters, dx, dy), progress };
      const estimator = await createCpuPredictive(parameters);
      await estimator.estimate(request);
      await estimator.estimate(request);
      const rows = parameters.height / parameters.blockSize;
      expect(estimator.statistics?.()).toEqual({ busyMs: 2 * rows, pictures: 2 });
    });
  });
});

/** The vectors of each block. */
function vectorsOf({ dx, dy, cost, candidatesPerBlock }: MotionField) {
  return Array.from({ length: dx.length / candidatesPerBlock }, (_, block) =>
    Array.from({ length: candidatesPerBlock }, (_, k) => {
      const at = block * candidatesPerBlock + k;
      return { dx: dx[at], dy: dy[at], cost: cost[at] };
    }),
  );
}
