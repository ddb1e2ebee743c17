import { OptionError } from '../errors.js';
import { MAX_CANDIDATES } from '../kernels/records/search-job.js';
import type { EstimatorParameters } from './estimator.js';

/** Full, half and quarter resolution: Mazaré, Dugelay, Pacalet, EUSIPCO 2006. */
const DEFAULT_LEVELS = 3;
const DEFAULT_PREDICTORS = 4;
const MAX_LEVELS = 4;
const MAX_RADIUS = 8;
/** Side of the smallest block that is compared, in pels. */
const MIN_BLOCK = 2;

/** The parameters of the multiresolution multi-predictor search, with every default filled in. */
export interface MrmpSettings {
  readonly levels: number;
  readonly predictors: number;
  readonly radius: number;
  /** Largest |dx| and |dy| at a level of a picture of `width * height` pels, in pels of that level; level 0 is full. */
  rangeAt(level: number, width: number, height: number): { readonly x: number; readonly y: number };
}

/** The settings that `parameters` ask for. Throws OptionError for what is out of range. */
export function mrmpSettings(parameters: EstimatorParameters): MrmpSettings {
  const { blockSize, range, candidatesPerBlock, mrmp = {} } = parameters;
  const levels = mrmp.levels ?? DEFAULT_LEVELS;
  const predictors = mrmp.predictors ?? Math.max(DEFAULT_PREDICTORS, candidatesPerBlock);
  const radius = mrmp.radius ?? 1;
  const mostLevels = Math.min(MAX_LEVELS, Math.log2(blockSize / MIN_BLOCK) + 1);
  requireWhole('mrmp.levels', levels, 1, mostLevels, ` for blocks of ${blockSize} pels`);
  requireWhole('mrmp.predictors', predictors, 1, MAX_CANDIDATES);
  requireWhole('mrmp.radius', radius, 1, MAX_RADIUS);
  const { coarseRange } = mrmp;
  if (coarseRange) {
    requireWhole('mrmp.coarseRange.x', coarseRange.x, 0, 4095);
    requireWhole('mrmp.coarseRange.y', coarseRange.y, 0, 4095);
  }
  return {
    levels,
    predictors,
    radius,
    rangeAt(level, width, height) {
      const full = range === 'picture' ? { x: width - blockSize, y: height - blockSize } : range;
      const x = Math.ceil(full.x / 2 ** level);
      const y = Math.ceil(full.y / 2 ** level);
      if (level !== levels - 1 || !coarseRange) return { x, y };
      return { x: Math.min(x, coarseRange.x), y: Math.min(y, coarseRange.y) };
    },
  };
}

function requireWhole(option: string, value: number, least: number, greatest: number, where = ''): void {
  if (Number.isInteger(value) && value >= least && value <= greatest) return;
  throw new OptionError(option, `${option} is ${value}; legal: whole numbers ${least}..${greatest}${where}`);
}
