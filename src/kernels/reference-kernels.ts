// The readable kernel set: plain TypeScript, the definition that the SIMD set equals.
import { referenceBlockWriting } from '../bitstream/syntax/write-blocks.js';
import { referenceMacroblockWriting } from '../bitstream/syntax/write-macroblocks.js';
import { referenceMacroblockQuantization } from '../dct/quantize-macroblock.js';
import { referenceMacroblockReconstruction } from '../dct/reconstruct-macroblock.js';
import { referenceMacroblockTransform } from '../dct/transform-macroblock.js';
import { referenceMacroblockCoding } from '../macroblock/code-macroblock.js';
import { referenceRowChoice } from '../macroblock/row/choose-row.js';
import { referenceRowCoding } from '../macroblock/row/code-row.js';
import { referenceBlockMatching } from '../motion/search/block-matching.js';
import { referenceCandidateSearch } from '../motion/search/candidate-search.js';
import { referenceFieldVectors } from '../motion/search/field-vectors.js';
import { referenceJointSearch } from '../motion/search/joint-search.js';
import { referencePyramid } from '../motion/search/pyramid.js';
import { referenceBlockDifferences } from '../picture/block-differences.js';
import { referenceMacroblockCosts } from '../picture/macroblock-costs.js';
import { referenceMacroblockPrediction } from '../picture/macroblock-prediction.js';
import { referenceRgbConversion } from '../picture/rgb-to-frame.js';
import { referenceRowSpreading } from '../picture/row-spreading.js';
import { referenceTemporalFilter } from '../picture/temporal-filter.js';
import { referenceWeightPropagation } from '../picture/weight-propagation.js';
import type { KernelMemory } from './kernel-memory.js';
import type { Kernels } from './kernels.js';

/** The readable kernels on `memory`. */
export function createReferenceKernels(memory: KernelMemory): Kernels {
  return {
    name: 'reference',
    ...referenceMacroblockPrediction(memory),
    ...referenceBlockDifferences(memory),
    ...referenceMacroblockCosts(memory),
    ...referenceRgbConversion(memory),
    ...referenceRowSpreading(memory),
    ...referenceTemporalFilter(memory),
    ...referenceWeightPropagation(memory),
    ...referenceMacroblockTransform(memory),
    ...referenceMacroblockQuantization(memory),
    ...referenceMacroblockReconstruction(memory),
    ...referenceBlockWriting(memory),
    ...referenceMacroblockWriting(memory),
    ...referencePyramid(memory),
    ...referenceBlockMatching(memory),
    ...referenceCandidateSearch(memory),
    ...referenceJointSearch(memory),
    ...referenceFieldVectors(memory),
    ...referenceMacroblockCoding(memory),
    ...referenceRowChoice(memory),
    ...referenceRowCoding(memory),
  };
}
