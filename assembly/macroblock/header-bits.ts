// Counts the bits of a macroblock's header and of its DCs; see src/macroblock.
import { MacroblockTrial } from '../generated/records';
import {
  BLOCK_BYTES,
  INCREMENT_BITS,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
  MACROBLOCK_QUANT,
  QUANTIZER_SCALE_BITS,
} from '../generated/tables';
import { coding, isP, predictors } from './open-macroblock';

/** Bits of entry `index` of a table of codes. */
// @ts-ignore: decorator
@inline
export function bitsOf(table: usize, index: i32): i32 {
  return <i32>load<u8>(table + (<usize>index << 2), 3);
}

/** Bits of macroblock_type. */
// @ts-ignore: decorator
@inline
export function typeBits(flags: i32): i32 {
  return bitsOf(coding.codes.types + (<usize>coding.pictureType << 7), flags);
}

/** Bits of coded_block_pattern. */
// @ts-ignore: decorator
@inline
export function patternBits(pattern: i32): i32 {
  return bitsOf(coding.codes.patterns, pattern);
}

/** Bits that a macroblock with these flags takes to change the scale from one to another. */
// @ts-ignore: decorator
@inline
export function scaleBits(flags: i32, scale: i32, before: i32): i32 {
  if (scale == before) return 0;
  return QUANTIZER_SCALE_BITS + typeBits(flags | MACROBLOCK_QUANT) - typeBits(flags);
}

/** Bits of the vectors of a trial whose direction is given. */
function vectorBits(trial: MacroblockTrial, direction: i32): i32 {
  let bits = 0;
  if (direction & MACROBLOCK_MOTION_FORWARD) {
    const table = coding.forward.differenceBits;
    bits += <i32>load<u8>(table + <usize>(trial.forwardDxHalfPels - predictors.forwardDxHalfPels));
    bits += <i32>load<u8>(table + <usize>(trial.forwardDyHalfPels - predictors.forwardDyHalfPels));
  }
  if (direction & MACROBLOCK_MOTION_BACKWARD) {
    const table = coding.backward.differenceBits;
    bits += <i32>load<u8>(table + <usize>(trial.backwardDxHalfPels - predictors.backwardDxHalfPels));
    bits += <i32>load<u8>(table + <usize>(trial.backwardDyHalfPels - predictors.backwardDyHalfPels));
  }
  return bits;
}

/** Sets the flags of a predicted trial; returns the bits of its header without coded_block_pattern. */
export function headerBits(trial: MacroblockTrial, isCoded: bool): i32 {
  const direction = trial.direction;
  let flags = direction | (isCoded ? MACROBLOCK_PATTERN : 0);
  let bits = typeBits(flags) + vectorBits(trial, direction);
  if (isP && isCoded && (trial.forwardDxHalfPels | trial.forwardDyHalfPels) == 0) {
    const bitsWithoutVector = typeBits(MACROBLOCK_PATTERN);
    if (bitsWithoutVector < bits) {
      flags = MACROBLOCK_PATTERN;
      bits = bitsWithoutVector;
    }
  }
  trial.flags = flags;
  if (isCoded) bits += scaleBits(flags, trial.quantizerScale, predictors.quantizerScale);
  return INCREMENT_BITS + bits;
}

/** Bits of a DC differential; `table` is that of its sizes. */
// @ts-ignore: decorator
@inline
export function dcBits(table: usize, differential: i32): i32 {
  const size = 32 - <i32>clz(<u32>abs<i32>(differential));
  return bitsOf(table, size) + size;
}

/** Bits of an intra macroblock's six DC differentials. Its DCs lie `step` bytes apart; the others are predicted. */
export function intraDcBits(dcs: usize, step: usize, dcY: i32, dcCb: i32, dcCr: i32): i32 {
  const luma = coding.codes.dcLuma;
  const chroma = coding.codes.dcChroma;
  let bits = 0;
  let before = dcY;
  for (let block = 0; block < 4; block++) {
    const dc = <i32>load<i16>(dcs + <usize>block * step);
    bits += dcBits(luma, dc - before);
    before = dc;
  }
  bits += dcBits(chroma, <i32>load<i16>(dcs + 4 * step) - dcCb);
  return bits + dcBits(chroma, <i32>load<i16>(dcs + 5 * step) - dcCr);
}
