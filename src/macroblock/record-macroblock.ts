// Keeps what was chosen for a macroblock: its symbols, its reconstruction, and what it predicts of the next one.
import { BLOCKS_PER_MACROBLOCK, COEFFICIENTS_PER_BLOCK, isBlockCoded } from '../bitstream/macroblock-layout.js';
import { MACROBLOCK_INTRA } from '../bitstream/tables/macroblock-codes.js';
import { limitToDecoderRange, SAFE_MAGNITUDE } from '../dct/decoder-range.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import type { OpenMacroblock } from './open-macroblock.js';

/** Records the best trial. Returns 1 if it is intra, else 0. */
export function recordBest(macroblock: OpenMacroblock): 0 | 1 {
  const { best, coding } = macroblock;
  limitLevels(best);
  recordEntries(macroblock, best);
  coding.bits = best.bits;
  return completeMacroblock(macroblock, best);
}

/** Writes and reconstructs the macroblock from a trial that is recorded. Returns 1 if it is intra, else 0. */
export function completeMacroblock(macroblock: OpenMacroblock, trial: MacroblockTrial): 0 | 1 {
  const { kernels, coding, mbX, mbY, address } = macroblock;
  const intra = trial.flags & MACROBLOCK_INTRA ? 1 : 0;
  kernels.writeBlocks(coding.pointer, trial.pointer, address);
  kernels.reconstructMacroblock(coding.target, mbX, mbY, trial.pointer, trial.codedBlockPattern, intra);
  macroblock.updatePredictors(trial);
  return intra;
}

/** Writes the entries of the macroblock. */
export function recordEntries({ memory, symbols, mbX, address }: OpenMacroblock, trial: MacroblockTrial): void {
  const { u8, i16 } = memory;
  u8[symbols.flags + address] = trial.flags;
  u8[symbols.direction + address] = trial.direction;
  u8[symbols.quantizerScale + address] = trial.quantizerScale;
  u8[symbols.codedBlockPattern + address] = trial.codedBlockPattern;
  i16[symbols.forwardDx / 2 + address] = trial.forwardDxHalfPels;
  i16[symbols.forwardDy / 2 + address] = trial.forwardDyHalfPels;
  i16[symbols.backwardDx / 2 + address] = trial.backwardDxHalfPels;
  i16[symbols.backwardDy / 2 + address] = trial.backwardDyHalfPels;
  if ((trial.flags & MACROBLOCK_INTRA) === 0) return;
  const dcs = symbols.quantizedDcs / 2 + mbX * BLOCKS_PER_MACROBLOCK;
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) i16[dcs + block] = trial.dc(block);
}

/** Cuts off levels that leave the number range of decoders. */
function limitLevels({ codedBlockPattern, flags, levelEnd, magnitude, levels, reconstruction }: MacroblockTrial): void {
  const first = flags & MACROBLOCK_INTRA ? 1 : 0;
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    if (!isBlockCoded(codedBlockPattern, block) || magnitude[block]! <= SAFE_MAGNITUDE) continue;
    const ofBlock = (coefficients: Int16Array) =>
      coefficients.subarray(block * COEFFICIENTS_PER_BLOCK, (block + 1) * COEFFICIENTS_PER_BLOCK);
    levelEnd[block] = limitToDecoderRange(ofBlock(levels), ofBlock(reconstruction), levelEnd[block]!, first);
  }
}
