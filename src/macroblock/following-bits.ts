// How a macroblock changes the bits of those after it, where an earlier coding of the row tells what these are.
import { hasPredictedMotion, type SlicePredictors } from '../bitstream/slice-predictors.js';
import { intraDcBits } from '../bitstream/syntax/block.js';
import { addressIncrementBits, macroblockTypeBits, motionVectorBits } from '../bitstream/syntax/macroblock.js';
import { MACROBLOCK_INTRA, MACROBLOCK_MOTION_BOTH } from '../bitstream/tables/macroblock-codes.js';
import { scaleBits } from './header-bits.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import { INCREMENT_BITS } from './mode-limits.js';
import { fCodeOf, type OpenMacroblock } from './open-macroblock.js';

/**
 * Bits that follow from a trial outside its own macroblock, but for a number that is the same for all trials: those of
 * the macroblocks after it in the row, as they were coded before, with what the trial predicts of them; and those by
 * which increments of addresses grow over skipped macroblocks. 0 where the next macroblock is not known.
 */
export function followingBits(macroblock: OpenMacroblock, trial: MacroblockTrial): number {
  if (macroblock.known.length === 0) return 0;
  return incrementBits(macroblock, trial) + predictedBits(macroblock, macroblock.predictorsAfter(trial));
}

/** Bits of the increments around the macroblock, without INCREMENT_BITS where it is not skipped: the trial has them. */
function incrementBits({ skippedBefore, skippedAfter }: OpenMacroblock, { flags }: MacroblockTrial): number {
  if (flags === 0) return addressIncrementBits(skippedBefore + skippedAfter + 2);
  return addressIncrementBits(skippedBefore + 1) - INCREMENT_BITS + addressIncrementBits(skippedAfter + 1);
}

/**
 * Bits of what is predicted from `after` in the macroblocks that follow: the DCs and the vectors of the next one. In B
 * pictures a vector stays predicted until a macroblock has another one of its direction, and a scale until the next
 * macroblock with coefficients.
 */
function predictedBits(macroblock: OpenMacroblock, after: SlicePredictors): number {
  const { type, known, forward, backward } = macroblock;
  let bits = 0;
  let directions = MACROBLOCK_MOTION_BOTH;
  let isScalePredicted = true;
  for (let i = 1; i < known.length && (directions !== 0 || isScalePredicted); i++) {
    const other = known[i]!;
    const { flags, direction, quantizerScale, codedBlockPattern } = other;
    const isIntra = (flags & MACROBLOCK_INTRA) !== 0;
    if (isScalePredicted && codedBlockPattern !== 0) {
      bits += scaleBits(type, flags, quantizerScale, after.quantizerScale);
      isScalePredicted = false;
    }
    if (isIntra && i === 1) bits += intraDcBits(other, after);
    const used = directions & (type === 'P' ? flags : direction);
    const vectorBits = motionVectorBits({ ...other, flags: used }, after, fCodeOf(forward), fCodeOf(backward));
    if (type === 'B' && i === 1 && codedBlockPattern === 0) {
      if (!hasPredictedMotion(other, after)) bits += INCREMENT_BITS + macroblockTypeBits(type)[direction]! + vectorBits;
    } else if (flags !== 0) bits += vectorBits;
    directions = type === 'P' || isIntra ? 0 : directions & ~used;
  }
  return bits;
}
