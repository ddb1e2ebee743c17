// The program of `gpu-mrmp`: compiles the multiresolution multi-predictor search.
import type { EstimatorParameters } from '../../motion/estimator.js';
import { type MrmpSettings, mrmpSettings } from '../../motion/mrmp-settings.js';
import { createPipeline } from '../device/pipelines.js';
import { HALVE_PICTURE, MRMP_SEARCH } from '../layouts.js';
import { keptCandidates } from './kept-candidates.js';
import { MrmpPasses } from './mrmp-passes.js';
import type { SearchProgram } from './search-passes.js';

/** Threads of a workgroup, which searches one block. */
const THREADS = 128;
/** Candidates that set a threshold, at least, see best_candidates.wgsl. */
const MIN_SEEDS = 32;
/** Candidates of a portion: a multiple of the first, at most the second. */
const PORTION_STEP = 64;
const MAX_PORTION = 1024;
/** Workgroup memory that every device has. */
const WORKGROUP_BYTES = 16384;
/** A candidate of a portion: its cost, and room for it among the finalists. */
const PORTION_BYTES = 4 + 8;
/** Of a portion at a finer level, at most. */
const MAX_NEAR_PORTION = 256;
/** Vectors side by side that a thread tries together at the coarsest level. */
const QUAD = 4;

/** Compiles the search for one set of parameters. */
export async function compileMrmpSearch(device: GPUDevice, parameters: EstimatorParameters): Promise<SearchProgram> {
  const settings = mrmpSettings(parameters);
  const { places, seeds } = keptCandidates(Math.max(parameters.candidatesPerBlock, settings.predictors));
  const kept = { SEEDS: Math.max(MIN_SEEDS, Math.min(THREADS, seeds)), KEPT: places };
  const [halve, search] = await Promise.all([
    createPipeline(device, HALVE_PICTURE, {}),
    createPipeline(device, MRMP_SEARCH, {
      METRIC: parameters.metric === 'sse' ? 1 : 0,
      THREADS,
      ...kept,
      ...portionSizes(parameters, settings, kept),
      BLOCK: parameters.blockSize,
      CANDIDATES: parameters.candidatesPerBlock,
      LEVELS: settings.levels,
      PREDICTORS: settings.predictors,
      RADIUS: settings.radius,
    }),
  ]);
  return {
    createPasses: (width, height) =>
      new MrmpPasses(device, { halve, search }, { ...parameters, width, height }, settings),
  };
}

/**
 * Candidates that are searched at a time: all that a level can have, within limits. Large workgroup memory takes long
 * to compile (SwiftShader: 1.2 s for 768 candidates, 0.4 s for 256).
 */
function portionSizes(
  { width, height, blockSize }: EstimatorParameters,
  { levels, predictors, radius, rangeAt }: MrmpSettings,
  { SEEDS, KEPT }: { readonly SEEDS: number; readonly KEPT: number },
): { readonly PORTION: number; readonly NEAR_PORTION: number } {
  const { x, y } = rangeAt(levels - 1, width, height);
  // Quads begin at whole words, and may reach beyond the window on both sides.
  const atCoarsest = QUAD * (Math.ceil((2 * x) / QUAD) + 1) * (2 * y + 1);
  const near = levels === 1 ? 1 : predictors * (2 * radius + 1) ** 2;
  const inSteps = (candidates: number, most: number) =>
    Math.min(most, PORTION_STEP * Math.ceil(candidates / PORTION_STEP));
  const nearPortion = inSteps(near, MAX_NEAR_PORTION);
  // The best of each thread, the seeds, the best so far twice and the predictors; orders; the block; single numbers.
  const otherBytes = 8 * (THREADS + SEEDS + 3 * KEPT) + 4 * nearPortion + blockSize ** 2 + 64;
  const room = PORTION_STEP * Math.floor((WORKGROUP_BYTES - otherBytes) / PORTION_BYTES / PORTION_STEP);
  const portion = inSteps(atCoarsest, Math.min(MAX_PORTION, room));
  return { PORTION: Math.max(nearPortion, portion), NEAR_PORTION: nearPortion };
}
