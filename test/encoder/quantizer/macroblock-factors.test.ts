// Tests of how the factors of weights reach scales and lambdas in each rate mode.
import { describe, expect, it } from 'vitest';
import type { PlannedPicture } from '../../../src/encoder/gop/gop-plan.js';
import { macroblockFactors } from '../../../src/encoder/quantizer/macroblock-factors.js';
import type { RateMode } from '../../../src/encoder/settings/rate-mode.js';
import { macroblockGrid, pictureFromFrame } from '../../../src/picture/picture.js';
import { uniformFrame } from '../../support/uniform-frames.js';

const size = { width: 32, height: 16 };
const picture = pictureFromFrame(0, uniformFrame(size, 128), macroblockGrid(size.width, size.height));

/** The factors of a picture whose weights ask for the scale factors 0.5 and 1.5. */
function factorsOf(rateMode: RateMode, type: 'P' | 'B', lambdaFactor: number) {
  const plan = { type } as PlannedPicture;
  const weightFactors = () => ({ scaleFactors: Float64Array.of(0.5, 1.5), lambdaFactor });
  return macroblockFactors({ rateMode, aq: 0 }, { picture, plan, weightFactors }, undefined);
}

describe('factors of weights', () => {
  it('at a constant quantizer_scale an anchor keeps it: both factors change lambda', async () => {
    const factors = await factorsOf({ kind: 'constant-scale', quantizerScale: 6 }, 'P', 1.25);
    expect(factors.scaleFactors).toBeUndefined();
    expect(factors.lambdaFactors).toEqual(Float64Array.of(0.625, 1.875));
  });

  it('at a constant quality scale factors change scales, the lambda factor lambda alone', async () => {
    const factors = await factorsOf({ kind: 'constant-quality', quality: 50 }, 'P', 1.25);
    expect(factors.scaleFactors).toEqual(Float64Array.of(0.5, 1.5));
    expect(factors.lambdaFactors).toEqual(Float64Array.of(1.25, 1.25));
  });

  it('without a lambda factor, and in B pictures, lambda follows the scale', async () => {
    for (const kind of ['constant-scale', 'constant-quality'] as const) {
      const mode: RateMode = kind === 'constant-scale' ? { kind, quantizerScale: 6 } : { kind, quality: 50 };
      const factors = await factorsOf(mode, 'B', 1);
      expect(factors.scaleFactors).toEqual(Float64Array.of(0.5, 1.5));
      expect(factors.lambdaFactors).toBeUndefined();
    }
  });
});
