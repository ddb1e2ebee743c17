// The flags of `mpegpu compare` alone.
import { BD_METHODS } from '../../compare/quality/bd-rate.js';
import { ENCODER_OPTIONS } from '../../encoder/settings/option-table.js';
import { wholeNumbers, words } from '../../encoder/settings/option-values.js';
import { OptionError } from '../../errors.js';
import { ESTIMATOR_NAMES, requireEstimatorName } from '../../motion/registry.js';
import type { FlagRows } from './flag-row.js';
import { anyText, BIT_RATE, type FlagValues, plain } from './flag-values.js';

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
const { min: MIN_QUALITY, max: MAX_QUALITY } = ENCODER_OPTIONS.quality.values;
const { min: MIN_BIT_RATE, max: MAX_BIT_RATE } = ENCODER_OPTIONS.bitrate.values;

const QUANTIZER_SCALES = numberList(
  `quantizer_scales ${MIN_SCALE}..${MAX_SCALE} with commas between, such as 2,4,8`,
  text => wholeOrUndefined(text, MIN_SCALE, MAX_SCALE),
);
const QUALITIES = numberList(`qualities ${MIN_QUALITY}..${MAX_QUALITY} with commas between, such as 40,60,80`, text => {
  const quality = /^\d{1,3}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  return quality >= MIN_QUALITY && quality <= MAX_QUALITY ? quality : undefined;
});
const BIT_RATES = numberList(
  `bit rates of ${MIN_BIT_RATE}..${MAX_BIT_RATE} bit/s with commas between, such as 500k,1.15M`,
  text => {
    const rate = BIT_RATE.parse(text);
    return rate !== undefined && rate >= MIN_BIT_RATE && rate <= MAX_BIT_RATE ? rate : undefined;
  },
);

/** Numbers with commas between, each of which `parse` takes, all different. */
function numberList(legal: string, parse: (text: string) => number | undefined): FlagValues<readonly number[]> {
  return {
    placeholder: 'list',
    legal: `${legal}, each once`,
    parse: text => {
      const values = text.split(',').map(item => parse(item.trim()));
      const isLegal = values.every(value => value !== undefined) && new Set(values).size === values.length;
      return isLegal ? (values as number[]) : undefined;
    },
  };
}

function wholeOrUndefined(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

export const COMPARE_FLAGS = {
  estimators: {
    values: ESTIMATORS,
    default: 'zero, cpu-log, cpu-predictive, and mrmp and full on the GPU or else the CPU',
    meaning: `estimators or paths of modules; the others are compared with the first: ${ESTIMATOR_NAMES.join(', ')}`,
    commands: ['compare'],
  },
  qs: {
    values: QUANTIZER_SCALES,
    default: DEFAULT_SCALES.join(','),
    meaning: 'quantizer_scales to encode at',
    commands: ['compare'],
  },
  qualities: {
    values: QUALITIES,
    meaning: 'constant qualities to encode at, instead of --qs',
    commands: ['compare'],
  },
  bitrates: {
    values: BIT_RATES,
    meaning: 'mean bit rates to encode at, instead of --qs: 500k,1M,2M',
    commands: ['compare'],
  },
  bdMethod: {
    values: plain(words(BD_METHODS)),
    default: 'cubic with four values or more, else pchip',
    meaning: 'interpolation of the BD-rates that are plotted and shown first',
    commands: ['compare'],
  },
  vmaf: {
    meaning: 'measure VMAF as well, if the ffmpeg that is found has libvmaf',
    default: 'on',
    negation: 'do not measure VMAF',
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
  csv: {
    values: anyText('file.csv'),
    meaning: 'write a table with a row for each picture of each encode',
    commands: ['compare'],
  },
} as const satisfies FlagRows;
