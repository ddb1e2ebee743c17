// The parameters of the multiresolution multi-predictor search, with their defaults and bounds.
import { MAX_CANDIDATES } from '../kernels/records/search-job.js';
import type { EstimatorParameters } from './estimator.js';
import { MAX_RANGE, requireWhole } from './parameter-limits.js';

/** Full, half and quarter resolution, and four predictors: Mazaré, Dugelay, Pacalet, EUSIPCO 2006. */
const DEFAULT_LEVELS = 3;
const DEFAULT_PREDICTORS = 4;
/** A neighbourhood of 3x3 vectors, as in the same paper. */
const DEFAULT_RADIUS = 1;
/** Most resolutions: with four, a block of 16 pels has MIN_BLOCK pels at the coarsest. */
export const MAX_LEVELS = 4;
/** Largest radius: its neighbourhood has 17x17 vectors, of which 64 predictors make 18,496 per block. */
const MAX_RADIUS = 8;
/** Side of the smallest block that the kernels and shaders compare, in pels. */
const MIN_BLOCK = 2;

/** The parameters of the multiresolution multi-predictor search, with every default filled in. */
export interface MrmpSettings {
  /** Number of resolutions; level 0 is the full one. */
  readonly levels: number;
  /** Vectors kept per block from one level to the next finer one. */
  readonly predictors: number;
  /** Reach of the search around each doubled vector, in pels of the level. */
  readonly radius: number;
  /** Largest |dx| and |dy| at a level, in pels of that level; `width` and `height` are those of the full picture. */
  rangeAt(level: number, width: number, height: number): { readonly x: number; readonly y: number };
}

/** The settings that `parameters` ask for. Throws OptionError for a value out of range. */
export function mrmpSettings(parameters: EstimatorParameters): MrmpSettings {
  const { blockSize, range, candidatesPerBlock } = parameters;
  const mrmp = parameters.mrmp ?? {};
  const levels = mrmp.levels ?? DEFAULT_LEVELS;
  const predictors = mrmp.predictors ?? Math.max(DEFAULT_PREDICTORS, candidatesPerBlock);
  const radius = mrmp.radius ?? DEFAULT_RADIUS;
  const maxLevels = Math.min(MAX_LEVELS, 32 - Math.clz32(blockSize / MIN_BLOCK));
  const legalLevels = `whole numbers 1..${maxLevels} for blocks of ${blockSize} pels`;
  requireWhole('mrmp.levels', levels, 1, maxLevels, legalLevels);
  requireWhole('mrmp.predictors', predictors, 1, MAX_CANDIDATES);
  requireWhole('mrmp.radius', radius, 1, MAX_RADIUS);
  const { coarseRange } = mrmp;
  if (coarseRange) {
    requireWhole('mrmp.coarseRange.x', coarseRange.x, 0, MAX_RANGE);
    requireWhole('mrmp.coarseRange.y', coarseRange.y, 0, MAX_RANGE);
  }
  return {
    levels,
    predictors,
    radius,
    rangeAt(level, width, height) {
      const full = range === 'picture' ? { x: width - blockSize, y: height - blockSize } : range;
      const x = Math.ceil(full.x / (1 << level));
      const y = Math.ceil(full.y / (1 << level));
      if (level !== levels - 1 || !coarseRange) return { x, y };
      return { x: Math.min(x, coarseRange.x), y: Math.min(y, coarseRange.y) };
    },
  };
}
