import { BLOCKS_PER_MACROBLOCK, LEVELS_PER_MACROBLOCK, type PictureSymbols } from '../picture-symbols.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
  MACROBLOCK_QUANT,
  MACROBLOCK_STUFFING,
} from '../tables/macroblock-codes.js';
import { motionDifferenceBits } from '../tables/motion-vector-codes.js';
import type { BitSink } from './bit-sink.js';
import { writeCoefficients, writeDcDifferential } from './block.js';
import {
  addressIncrementBits,
  macroblockTypeBits,
  writeAddressIncrement,
  writeCodedBlockPattern,
  writeMacroblockType,
  writeMotionComponent,
} from './macroblock.js';
import { writeSliceHeader } from './slice-header.js';

/** Quantized DC that a slice, or an intra macroblock after a predicted one, starts from: 1024 / 8; §2.4.4.1. */
export const DC_PREDICTION_RESET = 128;

/** What writeCoefficients is. */
export type CoefficientWriter = typeof writeCoefficients;

/** What the writer carries from macroblock to macroblock; reset at every slice. */
interface SlicePredictors {
  quantizerScale: number;
  readonly dc: [luma: number, cb: number, cr: number];
  forwardDxHalfPels: number;
  forwardDyHalfPels: number;
  backwardDxHalfPels: number;
  backwardDyHalfPels: number;
}

/** Writes all slices of a picture; ISO/IEC 11172-2 §2.4.2.6. `write` may be a faster equal of writeCoefficients. */
export function writeSlices(
  sink: BitSink,
  picture: PictureSymbols,
  write: CoefficientWriter = writeCoefficients,
): void {
  picture.sliceRows.forEach((row, index) => {
    writeSlice(sink, picture, write, row, picture.sliceRows[index + 1] ?? picture.mbHeight);
  });
  sink.alignWithZeros(); // next_start_code()
}

function writeSlice(
  sink: BitSink,
  picture: PictureSymbols,
  write: CoefficientWriter,
  firstRow: number,
  endRow: number,
): void {
  const first = firstRow * picture.mbWidth;
  const end = endRow * picture.mbWidth;
  const predictors: SlicePredictors = {
    quantizerScale: picture.quantizerScale[first]!,
    dc: [DC_PREDICTION_RESET, DC_PREDICTION_RESET, DC_PREDICTION_RESET],
    forwardDxHalfPels: 0,
    forwardDyHalfPels: 0,
    backwardDxHalfPels: 0,
    backwardDyHalfPels: 0,
  };
  writeSliceHeader(sink, firstRow, predictors.quantizerScale);
  let increment = 1;
  for (let address = first; address < end; address++) {
    if (picture.skipped[address] === 1) {
      resetDc(predictors);
      if (picture.type === 'P') resetForward(predictors);
      increment++;
      continue;
    }
    if (address === end - 1 && isShort(sink, picture, address, predictors, increment))
      sink.putString(MACROBLOCK_STUFFING);
    writeAddressIncrement(sink, increment);
    writeMacroblock(sink, picture, write, address, predictors);
    increment = 1;
  }
}

/**
 * Whether the last macroblock of a slice would end in the byte in which it begins. JSMpeg takes the slice for ended as soon as
 * no whole byte is left, and would lose it: macroblock_stuffing goes before it. One with coefficients is never that short.
 */
function isShort(
  sink: BitSink,
  picture: PictureSymbols,
  address: number,
  predictors: SlicePredictors,
  increment: number,
): boolean {
  const flags = picture.flags[address]!;
  const left = -sink.bitLength & 7;
  if (left === 0 || flags & (MACROBLOCK_INTRA | MACROBLOCK_PATTERN)) return false;
  let bits = addressIncrementBits(increment) + macroblockTypeBits(picture.type)[flags]!;
  if (flags & MACROBLOCK_MOTION_FORWARD) {
    bits += motionComponentBits(
      picture.forwardDxHalfPels[address]! - predictors.forwardDxHalfPels,
      picture.forwardFCode,
    );
    bits += motionComponentBits(
      picture.forwardDyHalfPels[address]! - predictors.forwardDyHalfPels,
      picture.forwardFCode,
    );
  }
  if (flags & MACROBLOCK_MOTION_BACKWARD) {
    bits += motionComponentBits(
      picture.backwardDxHalfPels[address]! - predictors.backwardDxHalfPels,
      picture.backwardFCode,
    );
    bits += motionComponentBits(
      picture.backwardDyHalfPels[address]! - predictors.backwardDyHalfPels,
      picture.backwardFCode,
    );
  }
  return bits <= left;
}

/** Bits of one vector component. */
function motionComponentBits(difference: number, fCode: number): number {
  return motionDifferenceBits(fCode)[difference + (64 << (fCode - 1))]!;
}

/** macroblock(), from macroblock_type on; ISO/IEC 11172-2 §2.4.2.7. */
function writeMacroblock(
  sink: BitSink,
  picture: PictureSymbols,
  write: CoefficientWriter,
  address: number,
  predictors: SlicePredictors,
): void {
  const flags = picture.flags[address]!;
  const scale = picture.quantizerScale[address]!;
  const coded = (flags & (MACROBLOCK_INTRA | MACROBLOCK_PATTERN)) !== 0;
  const newScale = coded && scale !== predictors.quantizerScale;
  writeMacroblockType(sink, picture.type, newScale ? flags | MACROBLOCK_QUANT : flags);
  if (newScale) {
    sink.putBits(scale, 5); // quantizer_scale
    predictors.quantizerScale = scale;
  }
  if (flags & MACROBLOCK_MOTION_FORWARD) {
    const x = picture.forwardDxHalfPels[address]!;
    const y = picture.forwardDyHalfPels[address]!;
    writeMotionComponent(sink, x - predictors.forwardDxHalfPels, picture.forwardFCode);
    writeMotionComponent(sink, y - predictors.forwardDyHalfPels, picture.forwardFCode);
    predictors.forwardDxHalfPels = x;
    predictors.forwardDyHalfPels = y;
  } else if (picture.type === 'P') {
    resetForward(predictors);
  }
  if (flags & MACROBLOCK_MOTION_BACKWARD) {
    const x = picture.backwardDxHalfPels[address]!;
    const y = picture.backwardDyHalfPels[address]!;
    writeMotionComponent(sink, x - predictors.backwardDxHalfPels, picture.backwardFCode);
    writeMotionComponent(sink, y - predictors.backwardDyHalfPels, picture.backwardFCode);
    predictors.backwardDxHalfPels = x;
    predictors.backwardDyHalfPels = y;
  }
  if (flags & MACROBLOCK_INTRA) {
    resetForward(predictors);
    predictors.backwardDxHalfPels = 0;
    predictors.backwardDyHalfPels = 0;
    writeIntraBlocks(sink, picture, write, address, predictors);
    return;
  }
  resetDc(predictors);
  if (flags & MACROBLOCK_PATTERN) {
    const pattern = picture.codedBlockPattern[address]!;
    writeCodedBlockPattern(sink, pattern);
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      if ((pattern & (32 >> block)) === 0) continue;
      const end = picture.levelEnd[address * BLOCKS_PER_MACROBLOCK + block]!;
      write(sink, picture.levels, address * LEVELS_PER_MACROBLOCK + block * 64, 0, end);
    }
  }
}

function writeIntraBlocks(
  sink: BitSink,
  picture: PictureSymbols,
  write: CoefficientWriter,
  address: number,
  predictors: SlicePredictors,
): void {
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    const at = address * LEVELS_PER_MACROBLOCK + block * 64;
    const component = block < 4 ? 0 : block - 3;
    const dc = picture.levels[at]!;
    writeDcDifferential(sink, dc - predictors.dc[component]!, block < 4);
    predictors.dc[component] = dc;
    const end = picture.levelEnd[address * BLOCKS_PER_MACROBLOCK + block]!;
    write(sink, picture.levels, at, 1, end);
  }
}

function resetDc(predictors: SlicePredictors): void {
  predictors.dc[0] = DC_PREDICTION_RESET;
  predictors.dc[1] = DC_PREDICTION_RESET;
  predictors.dc[2] = DC_PREDICTION_RESET;
}

function resetForward(predictors: SlicePredictors): void {
  predictors.forwardDxHalfPels = 0;
  predictors.forwardDyHalfPels = 0;
}
