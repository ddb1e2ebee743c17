import { OptionError } from '../errors.js';
import { MAX_CANDIDATES } from '../kernels/records/search-job.js';
import { MAX_LAMBDA } from './cost.js';
import type { EstimatorParameters } from './estimator.js';
import { mrmpSettings } from './mrmp-settings.js';

/** Largest side of a picture in pels: 12 bits of size, rounded up to whole macroblocks. */
const MAX_SIDE = 4096;
const MAX_RANGE = 4095;

/** Throws an OptionError that names the first parameter outside its legal range. Every estimator's parameters pass here. */
export function checkParameters(parameters: EstimatorParameters): void {
  const { width, height, metric, blockSize, range, candidatesPerBlock, lambda } = parameters;
  for (const [option, side] of Object.entries({ width, height })) {
    if (!Number.isInteger(side) || side < 16 || side > MAX_SIDE || side % 16 !== 0) {
      throw new OptionError(option, `${option} is ${side} pels; legal: multiples of 16 from 16 to ${MAX_SIDE}`);
    }
  }
  if (metric !== 'sad' && metric !== 'sse') {
    throw new OptionError('metric', `metric is '${String(metric)}'; legal: sad, sse`);
  }
  if (blockSize !== 8 && blockSize !== 16) {
    throw new OptionError('block', `block size is ${String(blockSize)}; legal: 8, 16`);
  }
  if (range !== 'picture') {
    for (const axis of ['x', 'y'] as const) {
      if (!Number.isInteger(range?.[axis]) || range[axis] < 0 || range[axis] > MAX_RANGE) {
        const value = String(range?.[axis]);
        throw new OptionError('range', `range along ${axis} is ${value} pels; legal: 0..${MAX_RANGE}, or 'picture'`);
      }
    }
  }
  if (!Number.isInteger(candidatesPerBlock) || candidatesPerBlock < 1 || candidatesPerBlock > MAX_CANDIDATES) {
    throw new OptionError('candidates', `candidates per block are ${candidatesPerBlock}; legal: 1..${MAX_CANDIDATES}`);
  }
  if (!(lambda >= 0 && lambda <= MAX_LAMBDA)) {
    throw new OptionError('lambda', `lambda is ${lambda}; legal: 0..${MAX_LAMBDA} cost units per bit`);
  }
  if (parameters.mrmp) mrmpSettings(parameters);
}
