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
import { writeBlocks } from '../bitstream/syntax/write-blocks';
import { limitToDecoderRange } from '../dct/decoder-range';
import { reconstructMacroblock } from '../dct/reconstruct-macroblock';
import { addressOf, dcsOf } from './known-macroblock';
import { best, coding, isP, mbX, mbY, predictors } from './open-macroblock';

/** Writes the entries of the macroblock. */
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
  if ((trial.flags & MACROBLOCK_INTRA) == 0) return;
  const dcs = dcsOf(mbX);
  for (let block: usize = 0; block < <usize>BLOCKS_PER_MACROBLOCK; block++) {
    store<i16>(dcs + (block << 1), load<i16>(trial.levels + block * BLOCK_BYTES));
  }
}

/** Cuts off levels that leave the number range of decoders. */
function limitLevels(trial: MacroblockTrial): void {
  const pattern = trial.codedBlockPattern;
  const intra = <i32>((trial.flags & MACROBLOCK_INTRA) != 0);
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    if ((pattern & (32 >> block)) == 0) continue;
    if (load<i32>(trial.magnitude + (<usize>block << 2)) <= SAFE_MAGNITUDE) continue;
    const at = <usize>(block * BLOCK_BYTES);
    const end = <i32>load<u8>(trial.levelEnd + <usize>block);
    limitToDecoderRange(trial.levels + at, trial.reconstruction + at, end, intra);
  }
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
    const levels = trial.levels;
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
  limitLevels(best);
  recordEntries(best);
  writeBlocks(coding, best, <i32>addressOf());
  coding.bits = best.bits;
  return completeMacroblock(best);
}
