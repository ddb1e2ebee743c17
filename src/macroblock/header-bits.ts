// Counts the bits of a macroblock's header.
import { QUANTIZER_SCALE_BITS } from '../bitstream/limits.js';
import type { PictureType } from '../bitstream/picture-type.js';
import { macroblockTypeBits, motionVectorBits } from '../bitstream/syntax/macroblock.js';
import { MACROBLOCK_PATTERN, MACROBLOCK_QUANT } from '../bitstream/tables/macroblock-codes.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import { INCREMENT_BITS } from './mode-limits.js';
import { fCodeOf, type OpenMacroblock } from './open-macroblock.js';

/**
 * Sets the flags of a predicted trial, and returns the bits of its header: increment, type, scale and vectors, without
 * coded_block_pattern. `isCoded`: some of its blocks are coded.
 */
export function headerBits(macroblock: OpenMacroblock, trial: MacroblockTrial, isCoded: boolean): number {
  const { type, predictors, forward, backward } = macroblock;
  const { direction, forwardDxHalfPels, forwardDyHalfPels } = trial;
  const typeBits = macroblockTypeBits(type);
  trial.flags = direction | (isCoded ? MACROBLOCK_PATTERN : 0);
  let bits = typeBits[trial.flags]! + motionVectorBits(trial, predictors, fCodeOf(forward), fCodeOf(backward));
  if (type === 'P' && forwardDxHalfPels === 0 && forwardDyHalfPels === 0 && isCoded) {
    const bitsWithoutVector = typeBits[MACROBLOCK_PATTERN]!;
    if (bitsWithoutVector < bits) {
      trial.flags = MACROBLOCK_PATTERN;
      bits = bitsWithoutVector;
    }
  }
  const ofScale = isCoded ? scaleBits(type, trial.flags, trial.quantizerScale, predictors.quantizerScale) : 0;
  return INCREMENT_BITS + bits + ofScale;
}

/** Bits that a macroblock with coefficients takes to change the scale from `before`; ISO/IEC 11172-2 §2.4.2.7. */
export function scaleBits(type: PictureType, flags: number, scale: number, before: number): number {
  if (scale === before) return 0;
  const typeBits = macroblockTypeBits(type);
  return QUANTIZER_SCALE_BITS + typeBits[flags | MACROBLOCK_QUANT]! - typeBits[flags]!;
}
