// Codes a macroblock whose modes are not compared: its blocks are written one by one.
import { pending, pendingBits, goOn, to } from '../bitstream/syntax/bit-sink';
import { endBlocks, putCoefficients, putDc, putPairs, startBlocks } from '../bitstream/syntax/write-blocks';
import { forwardDct } from '../dct/forward-dct';
import { blockCost, quantizeColumns, storeIntraDc, unscanned } from '../dct/quantize';
import { quantizeBlockByTrellis } from '../dct/trellis';
import { gray } from '../dct/transform-macroblock';
import { Quantizer } from '../generated/records';
import {
  BLOCK_BYTES,
  CLIPPED_DISTORTION,
  EMPTY_BLOCK_SAD,
  INTRA_BIAS_SAD,
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
  PREDICTION_U,
  PREDICTION_V,
  SAFE_MAGNITUDE,
  TRELLIS_NONE,
} from '../generated/tables';
import { addAbsoluteDifferences } from '../lanes';
import { searchCandidates } from '../motion/search/candidate-search';
import { chromaOffset, lumaOf } from '../picture/macroblock-blocks';
import { predictBidirectionally } from './bidirectional-modes';
import { addressOf } from './known-macroblock';
import {
  best,
  coding,
  isB,
  isP,
  lambda,
  maySkip,
  mbX,
  mbY,
  mustBeIntra,
  predictors,
  setMotion,
  sourceDeviation,
  wantedScale,
} from './open-macroblock';
import { completeMacroblock, recordEntries } from './record-macroblock';
import { predict, quantizerOf } from './trial-coder';

/** Whether intra is better than the best vector. */
// @ts-ignore: decorator
@inline
function prefersIntra(sad: i32): bool {
  return sad > INTRA_BIAS_SAD && sourceDeviation() + INTRA_BIAS_SAD < sad;
}

/** A bit for each of two blocks whose SAD is below `maxEmptySad`, from u16 sums of the first in lanes 0..3. */
// @ts-ignore: decorator
@inline
function emptyOfTwo(sums: v128): i32 {
  const pairs = i32x4.extadd_pairwise_i16x8_u(sums);
  const sads = i32x4.add(pairs, v128.shuffle<i32>(pairs, pairs, 1, 0, 3, 2));
  const lanes = i32x4.bitmask(i32x4.lt_s(sads, i32x4.splat(maxEmptySad)));
  return (lanes & 1) | ((lanes >> 1) & 2);
}

/** The bits of two luma blocks side by side. */
// @ts-ignore: decorator
@inline
function emptyLuma(source: usize, stride: usize, prediction: usize): i32 {
  let sums = i16x8.splat(0);
  for (let y = 0; y < 8; y++) {
    sums = addAbsoluteDifferences(sums, v128.load(source), v128.load(prediction));
    source += stride;
    prediction += 16;
  }
  return emptyOfTwo(sums);
}

/** The bits of both chroma blocks. */
// @ts-ignore: decorator
@inline
function emptyChroma(u: usize, v: usize, stride: usize, prediction: usize): i32 {
  let sums = i16x8.splat(0);
  for (let y = 0; y < 8; y++) {
    const predicted = v128.load64_lane(prediction + (PREDICTION_V - PREDICTION_U), v128.load64_zero(prediction), 1);
    sums = addAbsoluteDifferences(sums, v128.load64_lane(v, v128.load64_zero(u), 1), predicted);
    u += stride;
    v += stride;
    prediction += 8;
  }
  return emptyOfTwo(sums);
}

/** How a macroblock is quantized, and what has become of its blocks so far. */
let quantizer: Quantizer = changetype<Quantizer>(0);
let maxEmptySad: i32 = 0;
let maxDistortion: i32 = 0;
/** A bit for each block that is not coded, since its prediction differs so little. */
let empty: i32 = 0;
let wholeLambda: i32 = 0;
let byTrellis: bool = false;
let isSafe: bool = true;

/** Codes and writes a block, whose pels and prediction are given. Returns its bit of the pattern, 0 if it has none. */
function codeBlock(
  block: i32,
  source: usize,
  stride: usize,
  prediction: usize,
  predictionStride: usize,
  intra: bool,
): i32 {
  if (empty & (1 << block)) return 0;
  const at = <usize>(block * BLOCK_BYTES);
  const coefficients = best.coefficients + at;
  const levels = best.levels + at;
  const reconstruction = best.reconstruction + at;
  const runLevels = coding.codes.runLevels;
  const first = <i32>intra;
  forwardDct(coefficients, source, stride, prediction, predictionStride);
  let mask: u64 = 0;
  if (byTrellis) {
    quantizeBlockByTrellis(levels, reconstruction, coefficients, quantizer, coding.lengths, intra, wholeLambda);
  } else {
    mask = quantizeColumns(reconstruction, coefficients, quantizer, intra);
    if (intra) storeIntraDc(levels, reconstruction, coefficients, mask);
    else if (mask == 0) return 0;
  }
  const start = to;
  const bits = pending;
  const count = pendingBits;
  if (intra) putDc(coding, best.levels, block);
  if (byTrellis) putCoefficients(runLevels, levels, first);
  else putPairs(runLevels, unscanned, false, first, mask);
  const length = ((<i32>to - <i32>start) << 3) + <i32>pendingBits - <i32>count;
  if (!intra && <f64>blockCost.distortion + lambda * <f64>length >= <f64>blockCost.energy) {
    goOn(start, bits, count); // it is not worth its codes
    return 0;
  }
  if (blockCost.magnitude > SAFE_MAGNITUDE || blockCost.distortion > maxDistortion) isSafe = false;
  return 32 >> block;
}

/** Codes and writes the blocks. Returns the pattern, or -1 if one has more than SAFE_MAGNITUDE or is clipped. */
function codeBlocks(intra: bool): i32 {
  const planes = coding.source;
  const stride = planes.lumaStride;
  const narrow = planes.chromaStride;
  const luma = lumaOf(planes, mbX, mbY);
  const below = luma + 8 * stride;
  const offset = chromaOffset(planes, mbX, mbY);
  const from = intra ? gray : best.prediction;
  const step: usize = intra ? 0 : 1;
  byTrellis = coding.trellis != TRELLIS_NONE;
  quantizer = quantizerOf(wantedScale, intra, byTrellis);
  maxEmptySad = byTrellis ? 0 : EMPTY_BLOCK_SAD * wantedScale;
  maxDistortion = CLIPPED_DISTORTION * wantedScale * wantedScale;
  empty = 0;
  if (!intra && maxEmptySad > 0) {
    empty =
      emptyLuma(luma, stride, from) |
      (emptyLuma(below, stride, from + 128) << 2) |
      (emptyChroma(planes.u + offset, planes.v + offset, narrow, from + PREDICTION_U) << 4);
  }
  wholeLambda = <i32>Math.floor(lambda + 0.5);
  isSafe = true;
  startBlocks(coding.writing);
  const pattern =
    codeBlock(0, luma, stride, from, step * 16, intra) |
    codeBlock(1, luma + 8, stride, from + step * 8, step * 16, intra) |
    codeBlock(2, below, stride, from + step * 128, step * 16, intra) |
    codeBlock(3, below + 8, stride, from + step * 136, step * 16, intra) |
    codeBlock(4, planes.u + offset, narrow, from + step * PREDICTION_U, step * 8, intra) |
    codeBlock(5, planes.v + offset, narrow, from + step * PREDICTION_V, step * 8, intra);
  return isSafe ? pattern : -1;
}

/** Whether the macroblock is predicted as a skipped one. */
function isAsSkipped(): bool {
  if (isP) return (best.forwardDxHalfPels | best.forwardDyHalfPels) == 0;
  const direction = best.direction;
  let differences = direction ^ predictors.direction;
  if (direction & MACROBLOCK_MOTION_FORWARD) {
    differences |= best.forwardDxHalfPels ^ predictors.forwardDxHalfPels;
    differences |= best.forwardDyHalfPels ^ predictors.forwardDyHalfPels;
  }
  if (direction & MACROBLOCK_MOTION_BACKWARD) {
    differences |= best.backwardDxHalfPels ^ predictors.backwardDxHalfPels;
    differences |= best.backwardDyHalfPels ^ predictors.backwardDyHalfPels;
  }
  return differences == 0;
}

/** The flags of macroblock_type; see src/macroblock. */
// @ts-ignore: decorator
@inline
function flagsOf(pattern: i32): i32 {
  const asSkipped = isAsSkipped();
  if (pattern == 0) return maySkip && asSkipped ? 0 : best.direction;
  return isP && asSkipped ? MACROBLOCK_PATTERN : best.direction | MACROBLOCK_PATTERN;
}

/** Sets the best vector of a macroblock of a P picture. Returns the SAD of its luma. */
// @ts-ignore: decorator
@inline
function chooseVector(): i32 {
  const search = coding.forward;
  searchCandidates(search, mbX, mbY, predictors.forwardDxHalfPels, predictors.forwardDyHalfPels);
  setMotion(best, MACROBLOCK_MOTION_FORWARD, search.dxHalfPels, search.dyHalfPels, 0, 0);
  return search.sad;
}

/** Returns 1 if the macroblock is intra, else 0; -1, and nothing is done, where it is to be coded in another way. */
export function codeSingleMode(): i32 {
  const intra = mustBeIntra || !(isP || isB) || prefersIntra(isP ? chooseVector() : predictBidirectionally());
  if (intra) setMotion(best, 0, 0, 0, 0, 0);
  else if (isP) predict(best);
  const pattern = codeBlocks(intra);
  if (pattern < 0) return -1;
  endBlocks(coding.writing, addressOf());
  best.codedBlockPattern = pattern;
  best.flags = intra ? MACROBLOCK_INTRA : flagsOf(pattern);
  best.quantizerScale = wantedScale;
  coding.bits = 0;
  recordEntries(best);
  return <i32>completeMacroblock(best);
}
