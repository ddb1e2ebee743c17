// Codes a macroblock in one call: its vector, its mode, its levels and its reconstruction.
import { forwardDct } from '../dct/forward-dct';
import { blockCost, quantizeBlock } from '../dct/quantize';
import { quantizeBlockByTrellis } from '../dct/trellis';
import { reconstructMacroblock } from '../dct/reconstruct-macroblock';
import { gray } from '../dct/transform-macroblock';
import { CandidateSearch, MacroblockCoding, MacroblockTrial, Quantizer, SymbolArrays } from '../generated/records';
import {
  BLOCKS_PER_MACROBLOCK,
  BLOCK_BYTES,
  EMPTY_BLOCK_SAD,
  INTRA_BIAS_SAD,
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
  PREDICTION_U,
  PREDICTION_V,
  SAFE_MAGNITUDE,
} from '../generated/tables';
import { sumLanes16 } from '../lanes';
import { searchCandidates } from '../motion/search/candidate-search';
import { deviation16x16 } from '../picture/block-differences';
import { chromaOffset, lumaOf } from '../picture/macroblock-blocks';
import { predictMacroblock } from '../picture/macroblock-prediction';

/** Whether intra is better than the best vector. */
// @ts-ignore: decorator
@inline
function prefersIntra(coding: MacroblockCoding, sad: i32, mbX: i32, mbY: i32): bool {
  if (sad <= INTRA_BIAS_SAD) return false;
  const source = coding.source;
  return deviation16x16(lumaOf(source, mbX, mbY), source.lumaStride) + INTRA_BIAS_SAD < sad;
}

/** SAD of an 8x8 block against its prediction. */
function sad8x8(a: usize, aStride: usize, b: usize, bStride: usize): i32 {
  let sum = i16x8.splat(0);
  for (let y = 0; y < 8; y++) {
    sum = v128.add<i16>(sum, v128.abs<i16>(v128.sub<i16>(v128.load_ext<u8>(a), v128.load_ext<u8>(b))));
    a += aStride;
    b += bStride;
  }
  return sumLanes16(sum);
}

/** How a macroblock is quantized, and what has become of its blocks so far. */
let quantizer: usize = 0;
let levels: usize = 0;
let ends: usize = 0;
let maxEmptySad: i32 = 0;
let wholeLambda: i32 = 0;
let isSafe: bool = true;

/** Codes block `block`, whose pels and prediction are given. Returns its bit of the pattern, 0 if it is not coded. */
function codeBlock(
  coding: MacroblockCoding,
  block: i32,
  source: usize,
  stride: usize,
  prediction: usize,
  predictionStride: usize,
  intra: bool,
): i32 {
  if (!intra && sad8x8(source, stride, prediction, predictionStride) < maxEmptySad) {
    store<u8>(ends + <usize>block, 0);
    return 0;
  }
  const trial = coding.trial;
  const at = <usize>(block * BLOCK_BYTES);
  const coefficients = trial.coefficients + at;
  forwardDct(coefficients, source, stride, prediction, predictionStride);
  const record = changetype<Quantizer>(quantizer);
  const to = levels + at;
  const reconstruction = trial.reconstruction + at;
  const lengths = coding.lengths;
  const end =
    coding.usesTrellis != 0
      ? quantizeBlockByTrellis(to, reconstruction, coefficients, record, lengths, intra, wholeLambda)
      : quantizeBlock(to, reconstruction, coefficients, record, lengths, intra);
  store<u8>(ends + <usize>block, <u8>end);
  const isWorse = <f64>blockCost.distortion + coding.lambda * <f64>blockCost.bits >= <f64>blockCost.energy;
  if (!intra && isWorse) return 0;
  if (blockCost.magnitude > SAFE_MAGNITUDE) isSafe = false;
  return 32 >> block;
}

/** Codes the six blocks. Returns the coded block pattern, or -1 if a coded block has more than SAFE_MAGNITUDE. */
function codeBlocks(coding: MacroblockCoding, mbX: i32, mbY: i32, intra: bool): i32 {
  const planes = coding.source;
  const stride = planes.lumaStride;
  const narrow = planes.chromaStride;
  const luma = lumaOf(planes, mbX, mbY);
  const below = luma + 8 * stride;
  const offset = chromaOffset(planes, mbX, mbY);
  const from = intra ? gray : coding.trial.prediction;
  const step: usize = intra ? 0 : 1;
  quantizer = changetype<usize>(intra ? coding.intraQuantizer : coding.quantizer);
  maxEmptySad = coding.usesTrellis != 0 ? 0 : EMPTY_BLOCK_SAD * coding.quantizerScale;
  wholeLambda = <i32>Math.floor(coding.lambda + 0.5);
  isSafe = true;
  const pattern =
    codeBlock(coding, 0, luma, stride, from, step * 16, intra) |
    codeBlock(coding, 1, luma + 8, stride, from + step * 8, step * 16, intra) |
    codeBlock(coding, 2, below, stride, from + step * 128, step * 16, intra) |
    codeBlock(coding, 3, below + 8, stride, from + step * 136, step * 16, intra) |
    codeBlock(coding, 4, planes.u + offset, narrow, from + step * PREDICTION_U, step * 8, intra) |
    codeBlock(coding, 5, planes.v + offset, narrow, from + step * PREDICTION_V, step * 8, intra);
  return isSafe ? pattern : -1;
}

/** The flags of macroblock_type; see src/macroblock/code-macroblock.ts. */
// @ts-ignore: decorator
@inline
function flagsOf(intra: bool, isZero: bool, pattern: i32, maySkip: i32): i32 {
  if (intra) return MACROBLOCK_INTRA;
  if (pattern != 0) return isZero ? MACROBLOCK_PATTERN : MACROBLOCK_MOTION_FORWARD | MACROBLOCK_PATTERN;
  return isZero && maySkip != 0 ? 0 : MACROBLOCK_MOTION_FORWARD;
}

/** Writes the entries of a macroblock but for its levels. */
// @ts-ignore: decorator
@inline
function record(symbols: SymbolArrays, address: usize, flags: i32, scale: i32, pattern: i32, dx: i32, dy: i32): void {
  store<u8>(symbols.flags + address, <u8>flags);
  store<u8>(symbols.direction + address, flags == MACROBLOCK_INTRA ? 0 : <u8>MACROBLOCK_MOTION_FORWARD);
  store<u8>(symbols.quantizerScale + address, <u8>scale);
  store<u8>(symbols.codedBlockPattern + address, <u8>pattern);
  store<i16>(symbols.forwardDx + (address << 1), <i16>dx);
  store<i16>(symbols.forwardDy + (address << 1), <i16>dy);
  store<i16>(symbols.backwardDx + (address << 1), 0);
  store<i16>(symbols.backwardDy + (address << 1), 0);
}

export function codeMacroblock(
  coding: MacroblockCoding,
  mbX: i32,
  mbY: i32,
  predictedDx: i32,
  predictedDy: i32,
  mustBeIntra: i32,
  maySkip: i32,
): i32 {
  const trial: MacroblockTrial = coding.trial;
  let intra = mustBeIntra != 0;
  let dx = 0;
  let dy = 0;
  if (!intra) {
    const search: CandidateSearch = coding.search;
    searchCandidates(search, mbX, mbY, predictedDx, predictedDy);
    intra = prefersIntra(coding, search.sad, mbX, mbY);
    if (!intra) {
      dx = search.dxHalfPels;
      dy = search.dyHalfPels;
      predictMacroblock(trial.prediction, search.reference, mbX, mbY, dx, dy);
    }
  }
  const symbols = coding.symbols;
  const address = <usize>(mbY * coding.mbWidth + mbX);
  levels = symbols.levels + address * <usize>(BLOCKS_PER_MACROBLOCK * BLOCK_BYTES);
  ends = symbols.levelEnd + address * <usize>BLOCKS_PER_MACROBLOCK;
  const pattern = codeBlocks(coding, mbX, mbY, intra);
  if (pattern < 0) return -1;
  const flags = flagsOf(intra, (dx | dy) == 0, pattern, maySkip);
  record(symbols, address, flags, coding.quantizerScale, pattern, dx, dy);
  reconstructMacroblock(coding.target, mbX, mbY, trial, pattern, intra);
  return <i32>intra;
}
