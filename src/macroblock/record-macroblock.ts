// Keeps what was chosen for a macroblock: its symbols, its reconstruction, and what it predicts of the next one.
import {
  BLOCKS_PER_MACROBLOCK,
  COEFFICIENTS_PER_BLOCK,
  COEFFICIENTS_PER_MACROBLOCK,
  isBlockCoded,
} from '../bitstream/macroblock-layout.js';
import { MACROBLOCK_INTRA } from '../bitstream/tables/macroblock-codes.js';
import { limitToDecoderRange, SAFE_MAGNITUDE } from '../dct/decoder-range.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import type { OpenMacroblock } from './open-macroblock.js';

/** Records the best trial. Returns 1 if it is intra, else 0. */
export function recordBest(macroblock: OpenMacroblock): 0 | 1 {
  const { best, coding } = macroblock;
  recordLevels(macroblock, best);
  recordEntries(macroblock, best);
  coding.bits = best.bits;
  return completeMacroblock(macroblock, best);
}

/** Reconstructs the macroblock from a trial whose symbols are recorded. Returns 1 if it is intra, else 0. */
export function completeMacroblock(macroblock: OpenMacroblock, trial: MacroblockTrial): 0 | 1 {
  const { kernels, coding, mbX, mbY } = macroblock;
  const intra = trial.flags & MACROBLOCK_INTRA ? 1 : 0;
  kernels.reconstructMacroblock(coding.target, mbX, mbY, trial.pointer, trial.codedBlockPattern, intra);
  macroblock.updatePredictors(trial);
  return intra;
}

/** Writes the entries of the macroblock but for its levels. */
export function recordEntries({ memory, symbols, address }: OpenMacroblock, trial: MacroblockTrial): void {
  const { u8, i16 } = memory;
  u8[symbols.flags + address] = trial.flags;
  u8[symbols.direction + address] = trial.direction;
  u8[symbols.quantizerScale + address] = trial.quantizerScale;
  u8[symbols.codedBlockPattern + address] = trial.codedBlockPattern;
  i16[symbols.forwardDx / 2 + address] = trial.forwardDxHalfPels;
  i16[symbols.forwardDy / 2 + address] = trial.forwardDyHalfPels;
  i16[symbols.backwardDx / 2 + address] = trial.backwardDxHalfPels;
  i16[symbols.backwardDy / 2 + address] = trial.backwardDyHalfPels;
}

/** Cuts off levels that leave the number range of decoders, then copies all levels of a macroblock with any. */
function recordLevels({ memory, symbols, mbX }: OpenMacroblock, trial: MacroblockTrial): void {
  const { codedBlockPattern: pattern, flags, levelEnd, magnitude, levels } = trial;
  if (pattern === 0) return;
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    if (!isBlockCoded(pattern, block)) continue;
    const ofBlock = (coefficients: Int16Array) =>
      coefficients.subarray(block * COEFFICIENTS_PER_BLOCK, (block + 1) * COEFFICIENTS_PER_BLOCK);
    const first = flags & MACROBLOCK_INTRA ? 1 : 0;
    const end = levelEnd[block]!;
    memory.u8[symbols.levelEnd + mbX * BLOCKS_PER_MACROBLOCK + block] =
      magnitude[block]! > SAFE_MAGNITUDE
        ? limitToDecoderRange(ofBlock(levels), ofBlock(trial.reconstruction), end, first)
        : end;
  }
  memory.i16.set(levels, symbols.levels / 2 + mbX * COEFFICIENTS_PER_MACROBLOCK);
}
