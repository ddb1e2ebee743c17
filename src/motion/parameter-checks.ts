// Checks the parameters that an estimator is made with.
import { OptionError } from '../errors.js';
import { inWords } from '../given-options.js';
import { MAX_CANDIDATES } from '../kernels/records/search-job.js';
import type { EstimatorParameters } from './estimator.js';
import { mrmpSettings } from './mrmp-settings.js';
import { MAX_LAMBDA, MAX_RANGE, MAX_SIDE, requireWhole } from './parameter-limits.js';

/** Throws an OptionError that names the first parameter outside its legal range. */
export function checkParameters(parameters: EstimatorParameters): void {
  const { width, height, metric, blockSize, range, candidatesPerBlock, lambda }: EstimatorParameters =
    Object(parameters);
  for (const [option, side] of Object.entries({ width, height })) {
    if (!Number.isInteger(side) || side < 16 || side > MAX_SIDE || side % 16 !== 0) {
      throw new OptionError(option, `${option} is ${side} pels; legal: multiples of 16 from 16 to ${MAX_SIDE}`);
    }
  }
  if (metric !== 'sad' && metric !== 'sse') {
    throw new OptionError('metric', named => `${named('metric')} is '${String(metric)}'; legal: sad, sse`);
  }
  if (blockSize !== 8 && blockSize !== 16) {
    throw new OptionError('blockSize', named => `${named('blockSize')} is ${String(blockSize)}; legal: 8, 16`);
  }
  if (range !== 'picture') {
    const legal = `whole numbers 0..${MAX_RANGE} of pels along x and y, or 'picture'`;
    if (range?.x === undefined || range.y === undefined) {
      throw new OptionError('range', named => `${named('range')} is ${inWords(range)}; legal: ${legal}`);
    }
    for (const axis of ['x', 'y'] as const) requireWhole('range', range[axis], 0, MAX_RANGE, legal);
  }
  requireWhole('candidatesPerBlock', candidatesPerBlock, 1, MAX_CANDIDATES);
  if (!(Number.isFinite(lambda) && lambda >= 0 && lambda <= MAX_LAMBDA)) {
    throw new OptionError('lambda', `lambda is ${inWords(lambda)}; legal: 0..${MAX_LAMBDA} cost units per bit`);
  }
  if (parameters.mrmp) mrmpSettings(parameters);
}
