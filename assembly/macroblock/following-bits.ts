// How a macroblock changes the bits of those after it; see src/macroblock.
import { MacroblockTrial } from '../generated/records';
import {
  BLOCK_BYTES,
  DC_RESET,
  INCREMENT_BITS,
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_BOTH,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
} from '../generated/tables';
import { bitsOf, intraDcBits, scaleBits, typeBits } from './header-bits';
import { addressOf, nextDcs, skippedAfter, skippedBefore } from './known-macroblock';
import { coding, isP, knowsNext, mbX, predictors } from './open-macroblock';

/** What a trial predicts of the next macroblock. */
let forwardDx: i32 = 0;
let forwardDy: i32 = 0;
let backwardDx: i32 = 0;
let backwardDy: i32 = 0;
let direction: i32 = 0;
let scale: i32 = 0;

/** Bits of macroblock_address_increment, escapes included. */
export function addressIncrementBits(increment: i32): i32 {
  const escapes = (increment - 1) / 33;
  const codes = coding.codes.increments;
  return escapes * bitsOf(codes, 0) + bitsOf(codes, increment - 33 * escapes);
}

/** Finds what a trial predicts of the next macroblock but for its DCs; see SlicePredictors in src/bitstream. */
function predictNext(trial: MacroblockTrial): void {
  const flags = trial.flags;
  const isIntra = (flags & MACROBLOCK_INTRA) != 0;
  const resets = isIntra || (isP && (flags & MACROBLOCK_MOTION_FORWARD) == 0);
  forwardDx = resets ? 0 : predictors.forwardDxHalfPels;
  forwardDy = resets ? 0 : predictors.forwardDyHalfPels;
  backwardDx = resets ? 0 : predictors.backwardDxHalfPels;
  backwardDy = resets ? 0 : predictors.backwardDyHalfPels;
  scale = flags & (MACROBLOCK_INTRA | MACROBLOCK_PATTERN) ? trial.quantizerScale : predictors.quantizerScale;
  direction = isIntra ? 0 : flags == 0 ? predictors.direction : flags & MACROBLOCK_MOTION_BOTH;
  if (flags & MACROBLOCK_MOTION_FORWARD) {
    forwardDx = trial.forwardDxHalfPels;
    forwardDy = trial.forwardDyHalfPels;
  }
  if (flags & MACROBLOCK_MOTION_BACKWARD) {
    backwardDx = trial.backwardDxHalfPels;
    backwardDy = trial.backwardDyHalfPels;
  }
}

/** Bits of the DCs of the next macroblock, which is intra. */
function nextDcBits(trial: MacroblockTrial): i32 {
  if ((trial.flags & MACROBLOCK_INTRA) == 0) return intraDcBits(nextDcs(), 2, DC_RESET, DC_RESET, DC_RESET);
  const dcY = <i32>load<i16>(trial.levels + 3 * BLOCK_BYTES);
  const dcCb = <i32>load<i16>(trial.levels + 4 * BLOCK_BYTES);
  const dcCr = <i32>load<i16>(trial.levels + 5 * BLOCK_BYTES);
  return intraDcBits(nextDcs(), 2, dcY, dcCb, dcCr);
}

/** Bits of what is predicted from a trial in the macroblocks that follow. */
function predictedBits(trial: MacroblockTrial): i32 {
  predictNext(trial);
  const symbols = coding.symbols;
  const first = addressOf() + 1;
  const end = addressOf() + <usize>(coding.mbWidth - mbX);
  let bits = 0;
  let directions = MACROBLOCK_MOTION_BOTH;
  let isScalePredicted = true;
  for (let address = first; address < end && (directions != 0 || isScalePredicted); address++) {
    const flags = <i32>load<u8>(symbols.flags + address);
    const isIntra = (flags & MACROBLOCK_INTRA) != 0;
    const isCoded = load<u8>(symbols.codedBlockPattern + address) != 0;
    const ownDirection = <i32>load<u8>(symbols.direction + address);
    if (isScalePredicted && isCoded) {
      bits += scaleBits(flags, <i32>load<u8>(symbols.quantizerScale + address), scale);
      isScalePredicted = false;
    }
    if (isIntra && address == first) bits += nextDcBits(trial);
    const used = directions & (isP ? flags : ownDirection);
    const at = address << 1;
    let ofVectors = 0;
    let isSame = ownDirection == direction;
    if (used & MACROBLOCK_MOTION_FORWARD) {
      const table = coding.forward.differenceBits;
      const dx = <i32>load<i16>(symbols.forwardDx + at) - forwardDx;
      const dy = <i32>load<i16>(symbols.forwardDy + at) - forwardDy;
      ofVectors += <i32>load<u8>(table + <usize>dx) + <i32>load<u8>(table + <usize>dy);
      isSame = isSame && (dx | dy) == 0;
    }
    if (used & MACROBLOCK_MOTION_BACKWARD) {
      const table = coding.backward.differenceBits;
      const dx = <i32>load<i16>(symbols.backwardDx + at) - backwardDx;
      const dy = <i32>load<i16>(symbols.backwardDy + at) - backwardDy;
      ofVectors += <i32>load<u8>(table + <usize>dx) + <i32>load<u8>(table + <usize>dy);
      isSame = isSame && (dx | dy) == 0;
    }
    if (!isP && address == first && !isCoded) {
      if (!isSame) bits += INCREMENT_BITS + typeBits(ownDirection) + ofVectors;
    } else if (flags != 0) bits += ofVectors;
    directions = isP || isIntra ? 0 : directions & ~used;
  }
  return bits;
}

/** Bits that follow from a trial outside its own macroblock; 0 where the next one is not known. */
export function followingBits(trial: MacroblockTrial): i32 {
  if (!knowsNext) return 0;
  const ofIncrements =
    trial.flags == 0
      ? addressIncrementBits(skippedBefore + skippedAfter + 2)
      : addressIncrementBits(skippedBefore + 1) - INCREMENT_BITS + addressIncrementBits(skippedAfter + 1);
  return ofIncrements + predictedBits(trial);
}
