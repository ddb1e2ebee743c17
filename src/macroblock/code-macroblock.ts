// Codes a macroblock: decides how, keeps its symbols and reconstructs it.
import { referenceBlockWriting } from '../bitstream/syntax/write-blocks.js';
import { SQUARED_ERROR_SCALE } from '../dct/forward-dct.js';
import { referenceMacroblockQuantization } from '../dct/quantize-macroblock.js';
import { referenceMacroblockReconstruction } from '../dct/reconstruct-macroblock.js';
import { referenceMacroblockTransform } from '../dct/transform-macroblock.js';
import type { MacroblockKernels } from '../kernels/contracts/macroblock-kernels.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import { referenceCandidateSearch } from '../motion/search/candidate-search.js';
import { referenceJointSearch } from '../motion/search/joint-search.js';
import { referenceBlockDifferences } from '../picture/block-differences.js';
import { referenceMacroblockPrediction } from '../picture/macroblock-prediction.js';
import { chooseBidirectionalMode } from './bidirectional-modes.js';
import { ENOUGH_SAD } from './mode-limits.js';
import { OpenMacroblock, type TrialKernels } from './open-macroblock.js';
import { choosePredictiveMode } from './predictive-modes.js';
import { recordBest } from './record-macroblock.js';
import { codeSingleMode } from './single-mode.js';
import { chooseSparseMode } from './sparse-modes.js';
import { codeIntra, finish } from './trial-coder.js';

/** The definition of the kernel that codes macroblocks. */
export function referenceMacroblockCoding(memory: KernelMemory): Pick<MacroblockKernels, 'codeMacroblock'> {
  const kernels: TrialKernels = {
    ...referenceCandidateSearch(memory),
    ...referenceJointSearch(memory),
    ...referenceBlockDifferences(memory),
    ...referenceMacroblockPrediction(memory),
    ...referenceMacroblockTransform(memory),
    ...referenceMacroblockQuantization(memory),
    ...referenceMacroblockReconstruction(memory),
    ...referenceBlockWriting(memory),
  };
  return {
    codeMacroblock(pointer, mbX, mbY, quantizerScale, lambda, rules) {
      const request = { mbX, mbY, quantizerScale, lambda, rules };
      const macroblock = new OpenMacroblock(memory, kernels, pointer, request);
      if (macroblock.type !== 'I') {
        // A SAD grows as the root of a squared error, so its lambda does.
        const searchLambda = Math.sqrt(lambda / SQUARED_ERROR_SCALE);
        macroblock.forward.lambda = searchLambda;
        macroblock.backward.lambda = searchLambda;
      }
      const mayBeEnough = macroblock.type === 'P' && macroblock.coding.rateDistortionModes === 0;
      macroblock.forward.enoughSad = mayBeEnough ? ENOUGH_SAD * quantizerScale : 0;
      if (macroblock.coding.comparesNothing === 1) {
        const kind = codeSingleMode(macroblock);
        if (kind >= 0) return kind as 0 | 1;
      }
      chooseMode(macroblock);
      return recordBest(macroblock);
    },
  };
}

/** Leaves the mode that is chosen in the best trial. */
function chooseMode(macroblock: OpenMacroblock): void {
  if (macroblock.mustBeSparse) chooseSparseMode(macroblock);
  else if (macroblock.type === 'B') chooseBidirectionalMode(macroblock);
  else if (macroblock.type === 'P') choosePredictiveMode(macroblock);
  else {
    codeIntra(macroblock, macroblock.spare, true);
    macroblock.offer();
    finish(macroblock, macroblock.best);
  }
}
