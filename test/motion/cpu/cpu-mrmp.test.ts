// cpu-mrmp keeps the estimator contract and equals its definition.
import { describe, expect, it } from 'vitest';
import { OptionError } from '../../../src/errors.js';
import { createCpuMrmp } from '../../../src/motion/cpu/cpu-mrmp.js';
import type { EstimatorParameters } from '../../../src/motion/estimator.js';
import { describeEstimator } from '../estimator-suite.js';
import { makePicture, translatedPair } from '../motion-pictures.js';
import { mrmpBlock } from './mrmp-oracle.js';

const BASE: EstimatorParameters = {
  width: 80,
  height: 48,
  metric: 'sad',
  blockSize: 16,
  range: { x: 33, y: 16 },
  candidatesPerBlock: 4,
  lambda: 0,
};

describeEstimator('cpu-mrmp', createCpuMrmp);
describeEstimator('cpu-mrmp in plain TypeScript', parameters => createCpuMrmp(parameters, { kernels: 'reference' }));

describe('cpu-mrmp', () => {
  it.each([
    ['defaults', {}],
    ['K = 1', { candidatesPerBlock: 1 }],
    ['K = 8 with lambda', { candidatesPerBlock: 8, lambda: 3 }],
    ['squared errors with lambda', { metric: 'sse', lambda: 40 }],
    ['8x8 blocks', { blockSize: 8 }],
    ['the whole picture', { range: 'picture', lambda: 1 }],
    ['one level', { mrmp: { levels: 1, predictors: undefined, radius: undefined }, range: { x: 5, y: 3 } }],
    ['two levels', { mrmp: { levels: 2 }, lambda: 2 }],
    ['four levels', { mrmp: { levels: 4 } }],
    ['one predictor, radius 2', { mrmp: { predictors: 1, radius: 2 } }],
    ['eight predictors', { mrmp: { predictors: 8 }, lambda: 5 }],
    ['K = 16', { candidatesPerBlock: 16, width: 48, height: 32 }],
    ['K = 64', { candidatesPerBlock: 64, lambda: 1, width: 48, height: 32 }],
    ['64 predictors', { mrmp: { predictors: 64, radius: 2 }, width: 48, height: 32 }],
    ['a short coarse range', { mrmp: { coarseRange: { x: 2, y: 1 } } }],
    ['one block', { width: 16, height: 16 }],
  ] as const)('follows its definition: %s', async (_, change) => {
    const parameters: EstimatorParameters = { ...BASE, ...change };
    const estimator = await createCpuMrmp(parameters);
    for (const kind of ['noise', 'few', 'texture'] as const) {
      const request = {
        current: makePicture(kind.length, parameters.width, parameters.height, kind),
        reference: makePicture(100 + kind.length, parameters.width, parameters.height, kind),
      };
      const field = await estimator.estimate(request);
      const { candidatesPerBlock } = parameters;
      for (let block = 0; block < field.dx.length / candidatesPerBlock; block++) {
        const best = mrmpBlock(parameters, request, block);
        const expected = Array.from({ length: candidatesPerBlock }, (_, k) => best[Math.min(k, best.length - 1)]);
        const found = expected.map((_, k) => {
          const at = block * candidatesPerBlock + k;
          return { dx: field.dx[at], dy: field.dy[at], cost: field.cost[at] };
        });
        expect(found).toEqual(expected);
      }
    }
  });

  it('finds a far translation of a texture in nearly every block that can have it', async () => {
    const parameters: EstimatorParameters = { ...BASE, width: 352, height: 288, range: { x: 64, y: 32 } };
    const request = translatedPair(3, 352, 288, 29, -14);
    const field = await (await createCpuMrmp(parameters)).estimate(request);
    let possible = 0;
    let found = 0;
    for (let block = 0; block < 22 * 18; block++) {
      if ((block % 22) * 16 + 29 > 352 - 16 || Math.floor(block / 22) * 16 < 14) continue;
      possible++;
      if (field.dx[block * 4] === 29 && field.dy[block * 4] === -14 && field.cost[block * 4] === 0) found++;
    }
    expect(found / possible).toBeGreaterThan(0.95);
  });

  it.each([
    ['mrmp.levels', { levels: 0 }],
    ['mrmp.levels', { levels: 5 }],
    ['mrmp.predictors', { predictors: 65 }],
    ['mrmp.radius', { radius: 0 }],
    ['mrmp.coarseRange.x', { coarseRange: { x: -1, y: 0 } }],
  ] as const)('names %s when it is out of range', async (option, mrmp) => {
    const error = await createCpuMrmp({ ...BASE, mrmp }).catch(reason => reason);
    expect(error).toBeInstanceOf(OptionError);
    expect(error.option).toBe(option);
  });
});
