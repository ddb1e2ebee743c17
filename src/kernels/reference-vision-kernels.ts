// The readable kernels for vision: the definition that the SIMD set equals.
import { referencePatternKernels } from '../pattern/search/find-in-row.js';
import { referenceComponentKernels } from '../pattern/search/split-components.js';
import { referenceDisparitySelection } from '../stereo/matching/disparity-selection.js';
import { referenceMatchingCosts } from '../stereo/matching/matching-costs.js';
import { referenceMedianFilter } from '../stereo/matching/median-filter.js';
import { referenceOcclusions } from '../stereo/matching/occlusions.js';
import { referencePathAggregation } from '../stereo/matching/path-aggregation.js';
import { referencePelFeatures } from '../stereo/matching/pel-features.js';
import type { KernelMemory } from './kernel-memory.js';
import type { VisionKernels } from './vision-kernels.js';

/** The readable kernels on `memory`. */
export function createReferenceVisionKernels(memory: KernelMemory): VisionKernels {
  return {
    name: 'reference',
    ...referencePatternKernels(memory),
    ...referenceComponentKernels(memory),
    ...referencePelFeatures(memory),
    ...referenceMatchingCosts(memory),
    ...referencePathAggregation(memory),
    ...referenceDisparitySelection(memory),
    ...referenceMedianFilter(memory),
    ...referenceOcclusions(memory),
  };
}
