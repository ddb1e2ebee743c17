// Keeps what was chosen for a macroblock: its symbols, its reconstruction, and what it predicts of the next one.
import { MacroblockTrial } from '../generated/records';
import {
  BLOCKS_PER_MACROBLOCK,
  BLOCK_BYTES,
  DC_RESET,
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_BOTH,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
  SAFE_MAGNITUDE,
} from '../generated/tables';
import { limitToDecoderRange } from '../dct/decoder-range';
import { reconstructMacroblock } from '../dct/reconstruct-macroblock';
import { addressOf } from './known-macroblock';
import { best, coding, isP, mbX, mbY, predictors } from './open-macroblock';

/** Bytes of the levels of a macroblock. */
const LEVEL_BYTES: usize = BLOCKS_PER_MACROBLOCK * BLOCK_BYTES;

/** Where the levels of the macroblock, and the ends of its blocks, are kept while its row is coded. */
export function symbolLevels(): usize {
  return coding.symbols.levels + <usize>mbX * LEVEL_BYTES;
}
export function symbolEnds(): usize {
  return coding.symbols.levelEnd + <usize>(mbX * BLOCKS_PER_MACROBLOCK);
}

/** Writes the entries of the macroblock but for its levels. */
export function recordEntries(trial: MacroblockTrial): void {
  const symbols = coding.symbols;
  const address = addressOf();
  store<u8>(symbols.flags + address, <u8>trial.flags);
  store<u8>(symbols.direction + address, <u8>trial.direction);
  store<u8>(symbols.quantizerScale + address, <u8>trial.quantizerScale);
  store<u8>(symbols.codedBlockPattern + address, <u8>trial.codedBlockPattern);
  store<i16>(symbols.forwardDx + (address << 1), <i16>trial.forwardDxHalfPels);
  store<i16>(symbols.forwardDy + (address << 1), <i16>trial.forwardDyHalfPels);
  store<i16>(symbols.backwardDx + (address << 1), <i16>trial.backwardDxHalfPels);
  store<i16>(symbols.backwardDy + (address << 1), <i16>trial.backwardDyHalfPels);
}

/** Cuts off levels that leave the number range of decoders, then copies the levels of the coded blocks. */
function recordLevels(trial: MacroblockTrial): void {
  const pattern = trial.codedBlockPattern;
  if (pattern == 0) return;
  const intra = (trial.flags & MACROBLOCK_INTRA) != 0;
  const ends = symbolEnds();
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    if ((pattern & (32 >> block)) == 0) continue;
    let end = <i32>load<u8>(trial.levelEnd + <usize>block);
    if (load<i32>(trial.magnitude + (<usize>block << 2)) > SAFE_MAGNITUDE) {
      const at = <usize>(block * BLOCK_BYTES);
      end = limitToDecoderRange(trial.levels + at, trial.reconstruction + at, end, <i32>intra);
    }
    store<u8>(ends + <usize>block, <u8>end);
  }
  memory.copy(symbolLevels(), trial.levels, LEVEL_BYTES);
}

// @ts-ignore: decorator
@inline
function resetDc(): void {
  predictors.dcY = DC_RESET;
  predictors.dcCb = DC_RESET;
  predictors.dcCr = DC_RESET;
}

/** Updates the predictors; see SlicePredictors in src/bitstream. */
function updatePredictors(trial: MacroblockTrial): void {
  const flags = trial.flags;
  if (flags & (MACROBLOCK_INTRA | MACROBLOCK_PATTERN)) predictors.quantizerScale = trial.quantizerScale;
  if (flags & MACROBLOCK_INTRA) {
    const levels = symbolLevels();
    predictors.dcY = <i32>load<i16>(levels + 3 * BLOCK_BYTES);
    predictors.dcCb = <i32>load<i16>(levels + 4 * BLOCK_BYTES);
    predictors.dcCr = <i32>load<i16>(levels + 5 * BLOCK_BYTES);
    predictors.forwardDxHalfPels = 0;
    predictors.forwardDyHalfPels = 0;
    predictors.backwardDxHalfPels = 0;
    predictors.backwardDyHalfPels = 0;
    predictors.direction = 0;
    return;
  }
  resetDc();
  if (isP) {
    const hasVector = (flags & MACROBLOCK_MOTION_FORWARD) != 0;
    predictors.forwardDxHalfPels = hasVector ? trial.forwardDxHalfPels : 0;
    predictors.forwardDyHalfPels = hasVector ? trial.forwardDyHalfPels : 0;
    return;
  }
  if (flags == 0) return;
  predictors.direction = flags & MACROBLOCK_MOTION_BOTH;
  if (flags & MACROBLOCK_MOTION_FORWARD) {
    predictors.forwardDxHalfPels = trial.forwardDxHalfPels;
    predictors.forwardDyHalfPels = trial.forwardDyHalfPels;
  }
  if (flags & MACROBLOCK_MOTION_BACKWARD) {
    predictors.backwardDxHalfPels = trial.backwardDxHalfPels;
    predictors.backwardDyHalfPels = trial.backwardDyHalfPels;
  }
}

/** Reconstructs the macroblock from a trial whose symbols are recorded. Returns whether it is intra. */
export function completeMacroblock(trial: MacroblockTrial): bool {
  const intra = (trial.flags & MACROBLOCK_INTRA) != 0;
  reconstructMacroblock(coding.target, mbX, mbY, trial, trial.codedBlockPattern, intra);
  updatePredictors(trial);
  return intra;
}

/** Records the best trial. Returns whether it is intra. */
export function recordBest(): bool {
  recordLevels(best);
  recordEntries(best);
  coding.bits = best.bits;
  return completeMacroblock(best);
}
