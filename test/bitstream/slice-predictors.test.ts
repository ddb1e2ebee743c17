// The predictors of a slice after each kind of macroblock, by the clauses of the standard.

import { beforeEach, describe, expect, it } from 'vitest';
import type { CodedMacroblock } from '../../src/bitstream/picture-symbols.js';
import { SlicePredictors } from '../../src/bitstream/slice-predictors.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_BOTH,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
} from '../../src/bitstream/tables/macroblock-codes.js';

const DCS = [10, 20, 30, 40, 50, 60];

/** A macroblock with these flags; all its values are there, also those that its flags leave out. */
function macroblock(flags: number, quantizerScale = 9): CodedMacroblock {
  return {
    flags,
    quantizerScale,
    forwardDxHalfPels: 1,
    forwardDyHalfPels: -2,
    backwardDxHalfPels: 3,
    backwardDyHalfPels: -4,
    dc: block => DCS[block]!,
  };
}

function vectorsOf(predictors: SlicePredictors): number[] {
  const { forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels } = predictors;
  return [forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels];
}

/** What the first luma block, Cb and Cr are predicted by. */
function dcsOf(predictors: SlicePredictors): number[] {
  return [0, 4, 5].map(block => DCS[block]! - predictors.dcDifferential(macroblock(MACROBLOCK_INTRA), block));
}

const RESET_DCS = [128, 128, 128];
const NO_VECTORS = [0, 0, 0, 0];

describe.each(['P', 'B'] as const)('in a %s picture', type => {
  let predictors: SlicePredictors;
  beforeEach(() => {
    predictors = new SlicePredictors(type);
    predictors.startSlice(5);
  });

  it('a slice starts from 128, zero vectors, no direction and the scale of its header', () => {
    predictors.update(macroblock(type === 'P' ? MACROBLOCK_MOTION_FORWARD : MACROBLOCK_MOTION_BOTH));
    predictors.update(macroblock(MACROBLOCK_INTRA));
    predictors.startSlice(7);
    expect(dcsOf(predictors)).toEqual(RESET_DCS);
    expect(vectorsOf(predictors)).toEqual(NO_VECTORS);
    expect(predictors.direction).toBe(0);
    expect(predictors.quantizerScale).toBe(7);
  });

  it('an intra macroblock predicts DCs, and resets vectors and direction (§2.4.4.1, §2.4.4.2)', () => {
    predictors.update(macroblock(MACROBLOCK_MOTION_FORWARD));
    predictors.update(macroblock(MACROBLOCK_INTRA));
    expect(dcsOf(predictors)).toEqual([40, 50, 60]);
    expect(vectorsOf(predictors)).toEqual(NO_VECTORS);
    expect(predictors.direction).toBe(0);
  });

  it.each([
    ['a predicted', MACROBLOCK_MOTION_FORWARD],
    ['a skipped', 0],
  ])('%s macroblock resets DCs (§2.4.4.1)', (_, flags) => {
    predictors.update(macroblock(MACROBLOCK_INTRA));
    predictors.update(macroblock(flags));
    expect(dcsOf(predictors)).toEqual(RESET_DCS);
  });

  it('a scale holds from a macroblock with coefficients on (§2.4.3.6)', () => {
    predictors.update(macroblock(MACROBLOCK_MOTION_FORWARD, 20));
    expect(predictors.quantizerScale).toBe(5);
    predictors.update(macroblock(MACROBLOCK_MOTION_FORWARD | MACROBLOCK_PATTERN, 21));
    expect(predictors.quantizerScale).toBe(21);
    predictors.update(macroblock(0, 22));
    expect(predictors.quantizerScale).toBe(21);
    predictors.update(macroblock(MACROBLOCK_INTRA, 23));
    expect(predictors.quantizerScale).toBe(23);
  });
});

describe('vectors', () => {
  it.each([
    ['without a vector', MACROBLOCK_PATTERN],
    ['skipped', 0],
  ])('a macroblock of a P picture %s resets them (§2.4.4.2, §2.4.4.4)', (_, flags) => {
    const predictors = new SlicePredictors('P');
    predictors.startSlice(5);
    predictors.update(macroblock(MACROBLOCK_MOTION_FORWARD));
    expect(vectorsOf(predictors)).toEqual([1, -2, 0, 0]);
    predictors.update(macroblock(flags));
    expect(vectorsOf(predictors)).toEqual(NO_VECTORS);
  });

  it('in a B picture, a direction that is not used keeps its vector (§2.4.4.3)', () => {
    const predictors = new SlicePredictors('B');
    predictors.startSlice(5);
    predictors.update(macroblock(MACROBLOCK_MOTION_FORWARD));
    expect(vectorsOf(predictors)).toEqual([1, -2, 0, 0]);
    expect(predictors.direction).toBe(MACROBLOCK_MOTION_FORWARD);
    predictors.update(macroblock(MACROBLOCK_MOTION_BACKWARD | MACROBLOCK_PATTERN));
    expect(vectorsOf(predictors)).toEqual([1, -2, 3, -4]);
    expect(predictors.direction).toBe(MACROBLOCK_MOTION_BACKWARD);
  });

  it('in a B picture, a skipped macroblock keeps vectors and direction (§2.4.4.4)', () => {
    const predictors = new SlicePredictors('B');
    predictors.startSlice(5);
    predictors.update(macroblock(MACROBLOCK_MOTION_BOTH));
    predictors.update(macroblock(0));
    expect(vectorsOf(predictors)).toEqual([1, -2, 3, -4]);
    expect(predictors.direction).toBe(MACROBLOCK_MOTION_BOTH);
  });
});

describe('DC differentials', () => {
  it('a luma block is predicted from the luma block before it (§2.4.4.1)', () => {
    const predictors = new SlicePredictors('I');
    predictors.startSlice(5);
    const intra = macroblock(MACROBLOCK_INTRA);
    const differentials = () => DCS.map((_, block) => predictors.dcDifferential(intra, block));
    expect(differentials()).toEqual([10 - 128, 10, 10, 10, 50 - 128, 60 - 128]);
    predictors.update(intra);
    expect(differentials()).toEqual([10 - 40, 10, 10, 10, 0, 0]);
  });
});
