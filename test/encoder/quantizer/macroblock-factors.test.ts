// Tests of how the factors of weights reach scales and lambdas in each rate mode.
import { describe, expect, it } from 'vitest';
import type { PlannedPicture } from '../../../src/encoder/gop/gop-plan.js';
import { macroblockFactors } from '../../../src/encoder/quantizer/macroblock-factors.js';
import { wholePictureScale } from '../../../src/encoder/quantizer/picture-scale.js';
import type { RateMode } from '../../../src/encoder/settings/rate-mode.js';
import { macroblockGrid, pictureFromFrame } from '../../../src/picture/picture.js';
import { uniformFrame } from '../../support/uniform-frames.js';

const size = { width: 32, height: 16 };
const picture = pictureFromFrame(0, uniformFrame(size, 128), macroblockGrid(size.width, size.height));

/** The factors of a picture whose weights ask for these scale factors, of which the first macroblock has the first. */
function factorsOf(rateMode: RateMode, type: 'P' | 'B', scaleFactors: readonly [number, number]) {
  const plan = { type } as PlannedPicture;
  const weightFactors = () => Float64Array.from(scaleFactors);
  return macroblockFactors({ rateMode, aq: 0 }, { picture, plan, weightFactors }, undefined);
}

describe('factors of weights', () => {
  const constantScale: RateMode = { kind: 'constant-scale', quantizerScale: 6 };

  it('at a constant quantizer_scale an anchor keeps it: the factors change lambda', async () => {
    const factors = await factorsOf(constantScale, 'P', [0.5, 1.5]);
    expect(factors.scaleFactors).toBeUndefined();
    expect(factors.lambdaFactors).toEqual(Float64Array.of(0.5, 1.5));
  });

  it('at a constant quantizer_scale a B picture has the nearest whole scales, and lambda the rest', async () => {
    const ofPicture = wholePictureScale('B', 6);
    const { scaleFactors, lambdaFactors } = await factorsOf(constantScale, 'B', [4.4 / ofPicture, 40 / ofPicture]);
    expect(scaleFactors![0]! * ofPicture).toBeCloseTo(4, 10);
    expect(scaleFactors![1]! * ofPicture).toBeCloseTo(31, 10);
    for (const [at, scale] of [4.4, 40].entries()) {
      expect(scaleFactors![at]! * lambdaFactors![at]! * ofPicture).toBeCloseTo(scale, 10);
    }
  });

  it('at a constant quality factors change scales, and lambda follows', async () => {
    for (const type of ['P', 'B'] as const) {
      const factors = await factorsOf({ kind: 'constant-quality', quality: 50 }, type, [0.5, 1.5]);
      expect(factors.scaleFactors).toEqual(Float64Array.of(0.5, 1.5));
      expect(factors.lambdaFactors).toBeUndefined();
    }
  });
});
