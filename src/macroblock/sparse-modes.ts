// Decides macroblocks for the fewest bits: the last resort of a picture that would not fit into the decoder's buffer.
import { BLOCKS_PER_MACROBLOCK, COEFFICIENTS_PER_BLOCK } from '../bitstream/macroblock-layout.js';
import { intraDcBits } from '../bitstream/syntax/block.js';
import { MACROBLOCK_INTRA, MACROBLOCK_MOTION_FORWARD } from '../bitstream/tables/macroblock-codes.js';
import { setMotion } from './macroblock-trial.js';
import { SPARSE_INTRA_BITS, SPARSE_ZERO_VECTOR_BITS } from './mode-limits.js';
import type { OpenMacroblock } from './open-macroblock.js';
import { predict, quantize } from './trial-coder.js';

/** Intra macroblocks keep only their DC coefficients; all others copy the past anchor. Fills the best trial. */
export function chooseSparseMode(macroblock: OpenMacroblock): void {
  if (macroblock.type === 'I' || macroblock.mustBeIntra) chooseIntraDc(macroblock);
  else chooseCopy(macroblock);
}

function chooseIntraDc(macroblock: OpenMacroblock): void {
  const { kernels, coding, best: trial, mbX, mbY, wantedScale, predictors } = macroblock;
  setMotion(trial, 0, [0, 0, 0, 0]);
  trial.flags = MACROBLOCK_INTRA;
  kernels.transformMacroblock(trial.pointer, coding.source, mbX, mbY, 1);
  quantize(macroblock, trial, { scale: wantedScale, intra: 1, choice: 'plain', lambda: 0 });
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    const first = block * COEFFICIENTS_PER_BLOCK;
    trial.levels.fill(0, first + 1, first + COEFFICIENTS_PER_BLOCK);
    trial.reconstruction.fill(0, first + 1, first + COEFFICIENTS_PER_BLOCK);
    trial.levelEnd[block] = Math.min(1, trial.levelEnd[block]!);
    trial.magnitude[block] = trial.reconstruction[first]!;
  }
  trial.bits = SPARSE_INTRA_BITS + intraDcBits(trial, predictors);
}

function chooseCopy(macroblock: OpenMacroblock): void {
  const { type, predictors, maySkip, wantedScale, best: trial } = macroblock;
  const { direction, forwardDxHalfPels, forwardDyHalfPels } = predictors;
  setMotion(trial, MACROBLOCK_MOTION_FORWARD, [0, 0, 0, 0]);
  trial.quantizerScale = wantedScale;
  predict(macroblock, trial);
  const continues = direction === MACROBLOCK_MOTION_FORWARD && forwardDxHalfPels === 0 && forwardDyHalfPels === 0;
  const isSkipped = maySkip && (type === 'P' || continues);
  trial.flags = isSkipped ? 0 : MACROBLOCK_MOTION_FORWARD;
  trial.codedBlockPattern = 0;
  trial.bits = isSkipped ? 0 : SPARSE_ZERO_VECTOR_BITS;
}
