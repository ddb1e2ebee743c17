// Codes a macroblock in one call: its vector, its mode, its levels and its reconstruction.
import { blockCost, quantizeBlock } from '../dct/quantize';
import { reconstructMacroblock } from '../dct/reconstruct-macroblock';
import { transformMacroblock } from '../dct/transform-macroblock';
import { CandidateSearch, MacroblockCoding, MacroblockTrial, Quantizer, SymbolArrays } from '../generated/records';
import {
  BLOCKS_PER_MACROBLOCK,
  BLOCK_BYTES,
  INTRA_BIAS_SAD,
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
  SAFE_MAGNITUDE,
} from '../generated/tables';
import { searchCandidates } from '../motion/search/candidate-search';
import { deviation16x16 } from '../picture/block-differences';
import { lumaOf } from '../picture/macroblock-blocks';
import { predictMacroblock } from '../picture/macroblock-prediction';

/** Whether intra is better than the best vector. */
// @ts-ignore: decorator
@inline
function prefersIntra(coding: MacroblockCoding, sad: i32, mbX: i32, mbY: i32): bool {
  if (sad <= INTRA_BIAS_SAD) return false;
  const source = coding.source;
  return deviation16x16(lumaOf(source, mbX, mbY), source.lumaStride) + INTRA_BIAS_SAD < sad;
}

/**
 * Quantizes the six blocks, with their levels at `levels` and the ends of their scans at `ends`. Returns the coded
 * block pattern, or -1 if a coded block has more than SAFE_MAGNITUDE.
 */
function quantizeInto(coding: MacroblockCoding, levels: usize, ends: usize, intra: bool): i32 {
  const trial = coding.trial;
  const quantizer: Quantizer = intra ? coding.intraQuantizer : coding.quantizer;
  const lengths = coding.lengths;
  const lambda = coding.lambda;
  let pattern = 0;
  let isSafe = true;
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    const at = <usize>(block * BLOCK_BYTES);
    const end = quantizeBlock(levels + at, trial.reconstruction + at, trial.coefficients + at, quantizer, lengths, intra);
    store<u8>(ends + <usize>block, <u8>end);
    if (!intra && <f64>blockCost.distortion + lambda * <f64>blockCost.bits >= <f64>blockCost.energy) continue;
    pattern |= 32 >> block;
    if (blockCost.magnitude > SAFE_MAGNITUDE) isSafe = false;
  }
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
  const source = coding.source;
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
  transformMacroblock(trial, source, mbX, mbY, intra);
  const symbols = coding.symbols;
  const address = <usize>(mbY * coding.mbWidth + mbX);
  const levels = symbols.levels + address * <usize>(BLOCKS_PER_MACROBLOCK * BLOCK_BYTES);
  const pattern = quantizeInto(coding, levels, symbols.levelEnd + address * <usize>BLOCKS_PER_MACROBLOCK, intra);
  if (pattern < 0) return -1;
  const flags = flagsOf(intra, (dx | dy) == 0, pattern, maySkip);
  record(symbols, address, flags, coding.quantizerScale, pattern, dx, dy);
  reconstructMacroblock(coding.target, mbX, mbY, trial, pattern, intra);
  return <i32>intra;
}
