// The options of the encoder, a row each: what is legal, and the default.
import { MAX_HEIGHT, MAX_QUANTIZER_SCALE, MAX_SLICES, MAX_WIDTH } from '../../bitstream/limits.js';
import { FRAME_RATE_NAMES, type FrameRate, legalFrameRate } from '../../bitstream/tables/frame-rate.js';
import { isSignal } from '../../given-options.js';
import { KERNEL_SET_NAMES } from '../../kernels/kernels.js';
import { METRIC_NAMES } from '../../motion/estimator.js';
import { MOTION_REFERENCES } from '../motion/motion-reference.js';
import type { EncoderOptions } from '../options.js';
import { MAX_STRENGTH, TUNE_NAMES } from '../quantizer/adaptive-quantization.js';
import { MATRIX_NAMES } from '../quantizer/quantizer-set.js';
import { isPassStatistics } from '../rate-control/pass-statistics.js';
import { MAX_BIT_RATE, MAX_VBV_BYTES, MIN_BIT_RATE, MIN_VBV_BYTES } from '../rate-control/rate-settings.js';
import { INTRA_REFRESHES, LATENCIES } from './latency-name.js';
import {
  numbers,
  type OptionValues,
  type OtherValues,
  otherValues,
  SWITCH,
  type ValueOf,
  type WholeNumbers,
  wholeNumbers,
  words,
} from './option-values.js';
import { type CodingTools, PRESET_NAMES, TOOLS } from './presets.js';
import { TIME_CODE_FORM } from './start-time-code.js';
import { TARGET_NAMES } from './target-name.js';

/** Eleven hours at 25 pictures a second: as good as no limit. */
const MAX_GOP = 1_000_000;
const SLICES: WholeNumbers<'rows'> = { kind: 'whole number', min: 1, max: MAX_SLICES, word: 'rows' };

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const FRAME_RATE = otherValues(
  `one of MPEG-1's rates; legal: ${FRAME_RATE_NAMES}`,
  rate => legalFrameRate(rate as number | FrameRate) !== undefined,
);
const WEIGHTS = otherValues(
  'a list of 64 numbers',
  list => isObject(list) && (list as { length?: unknown }).length === 64,
);
const TIME_CODE = otherValues(`a time code; legal: ${TIME_CODE_FORM}`, value => typeof value === 'string');
const ADDRESS = otherValues('a URL', value => typeof value === 'string' || value instanceof URL);
const KEPT_THREADS = otherValues('a KeptThreads', value => isObject((value as { keeper?: unknown } | null)?.keeper));
const FUNCTION = otherValues('a function', value => typeof value === 'function');
const SIGNAL = otherValues('an AbortSignal', isSignal);
const ESTIMATOR = otherValues('the name of an estimator, the path of a module or a factory', value =>
  ['string', 'function'].includes(typeof value),
);

/** What the table says of an option. */
export interface OptionRow {
  /** Absent where the part that uses the value checks it. */
  readonly values?: OptionValues | OtherValues;
  readonly isRequired?: true;
  /** True: the value may be an object, of which a copy is kept. */
  readonly isCopied?: true;
  readonly default?: unknown;
  /** The coding tool whose value in the preset is the default. */
  readonly presetTool?: keyof CodingTools;
}

/** The options by their names in `EncoderOptions`. One without a default is unset, or its default depends on others. */
export const ENCODER_OPTIONS = {
  width: { values: wholeNumbers(1, MAX_WIDTH, 'pels'), isRequired: true },
  height: { values: wholeNumbers(1, MAX_HEIGHT, 'pels'), isRequired: true },
  frameRate: { values: FRAME_RATE, isRequired: true, isCopied: true },
  // quality and rate
  q: { values: wholeNumbers(1, MAX_QUANTIZER_SCALE), default: 4 },
  quality: { values: numbers(0, 100) },
  bitrate: { values: numbers(MIN_BIT_RATE, MAX_BIT_RATE, 'bit/s') },
  cbr: { values: SWITCH, default: false },
  maxrate: { values: numbers(MIN_BIT_RATE, MAX_BIT_RATE, 'bit/s') },
  vbvBytes: { values: numbers(MIN_VBV_BYTES, MAX_VBV_BYTES, 'bytes') },
  firstPass: { values: otherValues('the passStatistics of an encode', isPassStatistics) },
  isFirstPass: { values: SWITCH, default: false },
  target: { values: words(TARGET_NAMES) },
  // groups of pictures
  gop: { values: wholeNumbers(1, MAX_GOP, 'pictures'), default: 12 },
  gopMin: { values: wholeNumbers(1, MAX_GOP, 'pictures'), default: 1 },
  bFrames: { values: TOOLS.bFrames.values, presetTool: 'bFrames' },
  openGop: { values: SWITCH, presetTool: 'openGop' },
  adaptiveTypes: { values: SWITCH, presetTool: 'adaptiveTypes' },
  latency: { values: words(LATENCIES), default: 'normal' },
  intraRefresh: { values: words(INTRA_REFRESHES), default: 'none' },
  startTimeCode: { values: TIME_CODE, default: '00:00:00:00' },
  // coding
  preset: { values: words(PRESET_NAMES), default: 'balanced' },
  tools: { values: otherValues('an object of coding tools', isObject), isCopied: true },
  tune: { values: words(TUNE_NAMES), default: 'psnr' },
  aq: { values: numbers(0, MAX_STRENGTH) },
  slices: { values: SLICES, default: 1 },
  matrix: { values: words(MATRIX_NAMES) },
  intraMatrix: { values: WEIGHTS },
  nonIntraMatrix: { values: WEIGHTS },
  pelAspectRatio: { values: wholeNumbers(1, 14), default: 1 },
  // motion
  estimator: { values: ESTIMATOR, default: 'auto' },
  range: { default: { x: 128, y: 64 }, isCopied: true },
  metric: { values: words(METRIC_NAMES), default: 'sad' },
  candidates: { values: TOOLS.candidatesPerBlock.values, presetTool: 'candidatesPerBlock' },
  motionReference: { values: words(MOTION_REFERENCES), default: 'source' },
  // work
  threads: { values: wholeNumbers(1, 64) },
  expectedFrames: { values: wholeNumbers(0, 1_000_000_000, 'frames') },
  keptThreads: { values: KEPT_THREADS },
  kernels: { values: words(KERNEL_SET_NAMES) },
  workerUrl: { values: ADDRESS },
  kernelsUrl: { values: ADDRESS },
  maxPendingPictures: { values: wholeNumbers(1, 1024, 'pictures') },
  signal: { values: SIGNAL },
  onWarning: { values: FUNCTION },
  onPicture: { values: FUNCTION },
  onReconstruction: { values: FUNCTION },
} as const satisfies Readonly<Record<keyof EncoderOptions, OptionRow>>;

type OptionTable = typeof ENCODER_OPTIONS;

/** The options that {@link optionValue} gives: those with a plain value. */
export type PlainOption = {
  [Name in keyof OptionTable]: OptionTable[Name] extends { readonly values: OptionValues } ? Name : never;
}[keyof OptionTable];

/** Where the value of an option comes from that is neither given nor has a default in the table. */
export interface Fallbacks {
  /** The tools of the preset, for the options that have a `presetTool`. */
  readonly tools?: CodingTools;
  readonly fallback?: unknown;
}

/** The value of an option: the given one, which has been checked, else its default. */
export function optionValue<Name extends PlainOption>(
  name: Name,
  options: EncoderOptions,
  { tools, fallback }: Fallbacks = {},
): ValueOf<OptionTable[Name]['values']> {
  const { default: constant, presetTool }: OptionRow = ENCODER_OPTIONS[name];
  const value = options[name] ?? constant ?? (presetTool && tools?.[presetTool]) ?? fallback;
  return value as ValueOf<OptionTable[Name]['values']>;
}
