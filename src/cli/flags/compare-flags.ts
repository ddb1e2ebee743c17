// The flags of `mpegpu compare` alone.
import { ENCODER_OPTIONS } from '../../encoder/settings/option-table.js';
import { wholeNumbers } from '../../encoder/settings/option-values.js';
import { OptionError } from '../../errors.js';
import { ESTIMATOR_NAMES, requireEstimatorName } from '../../motion/registry.js';
import type { FlagRows } from './flag-row.js';
import { anyText, type FlagValues, plain } from './flag-values.js';

export const DEFAULT_SCALES: readonly number[] = [2, 4, 8, 14];
export const DEFAULT_RUNS = 3;

const ESTIMATORS: FlagValues<readonly string[]> = {
  placeholder: 'a,b,c',
  legal: `${ESTIMATOR_NAMES.join(', ')}, or paths of modules, with commas between`,
  parse: text => {
    const estimators = text.split(',').map(name => name.trim());
    for (const [i, estimator] of estimators.entries()) {
      requireEstimatorName(estimator, 'estimators');
      if (estimators.indexOf(estimator) === i) continue;
      throw new OptionError('estimators', `--estimators names '${estimator}' twice`);
    }
    return estimators;
  },
};

const { min: MIN_SCALE, max: MAX_SCALE } = ENCODER_OPTIONS.q.values;

const QUANTIZER_SCALES: FlagValues<readonly number[]> = {
  placeholder: 'list',
  legal: `quantizer_scales ${MIN_SCALE}..${MAX_SCALE} with commas between, such as 2,4,8`,
  parse: text => {
    const scales = text.split(',').map(item => (/^\s*\d+\s*$/.test(item) ? Number(item) : Number.NaN));
    return scales.every(scale => scale >= MIN_SCALE && scale <= MAX_SCALE) ? scales : undefined;
  },
};

export const COMPARE_FLAGS = {
  estimators: {
    values: ESTIMATORS,
    isRequired: true,
    meaning: `estimators or paths of modules; the others are compared with the first: ${ESTIMATOR_NAMES.join(', ')}`,
    commands: ['compare'],
  },
  qs: {
    values: QUANTIZER_SCALES,
    default: DEFAULT_SCALES.join(','),
    meaning: 'quantizer_scales to encode at',
    commands: ['compare'],
  },
  repeat: {
    values: plain(wholeNumbers(1, 1000)),
    default: String(DEFAULT_RUNS),
    meaning: 'timed runs of everything, after one that is not timed',
    commands: ['compare'],
  },
  report: {
    values: anyText('file.html'),
    meaning: 'write a page with curves and a viewer of vectors, residuals and macroblock types',
    commands: ['compare'],
  },
} as const satisfies FlagRows;
