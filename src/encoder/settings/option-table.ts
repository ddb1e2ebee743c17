// The options of the encoder that have a plain value, a row each: what is legal, and the default.
import { MAX_HEIGHT, MAX_QUANTIZER_SCALE, MAX_SLICES, MAX_WIDTH } from '../../bitstream/limits.js';
import type { EncoderOptions } from '../options.js';
import { MAX_STRENGTH, TUNE_NAMES } from '../quantizer/adaptive-quantization.js';
import { MATRIX_NAMES } from '../quantizer/quantizer-set.js';
import { MAX_BIT_RATE, MAX_VBV_BYTES, MIN_BIT_RATE, MIN_VBV_BYTES } from '../rate-control/rate-settings.js';
import {
  checkValue,
  numbers,
  type OptionValues,
  type ValueOf,
  type WholeNumbers,
  wholeNumbers,
  words,
} from './option-values.js';
import { type CodingTools, PRESET_NAMES, TOOLS } from './presets.js';
import { TARGET_NAMES } from './stream-target.js';

/** Eleven hours at 25 pictures a second: as good as no limit. */
const MAX_GOP = 1_000_000;
const SLICES: WholeNumbers<'rows'> = { kind: 'whole number', min: 1, max: MAX_SLICES, word: 'rows' };

interface OptionRow {
  /** Absent where the part that uses the value checks it. */
  readonly values?: OptionValues;
  readonly default?: unknown;
  /** The coding tool whose value in the preset is the default. */
  readonly presetTool?: keyof CodingTools;
}

/** The options by their names in `EncoderOptions`. One without a default is unset, or its default depends on others. */
export const ENCODER_OPTIONS = {
  width: { values: wholeNumbers(1, MAX_WIDTH, 'pels') },
  height: { values: wholeNumbers(1, MAX_HEIGHT, 'pels') },
  // quality and rate
  q: { values: wholeNumbers(1, MAX_QUANTIZER_SCALE), default: 4 },
  quality: { values: numbers(0, 100) },
  bitrate: { values: numbers(MIN_BIT_RATE, MAX_BIT_RATE, 'bit/s') },
  cbr: { default: false },
  maxrate: { values: numbers(MIN_BIT_RATE, MAX_BIT_RATE, 'bit/s') },
  vbvBytes: { values: numbers(MIN_VBV_BYTES, MAX_VBV_BYTES, 'bytes') },
  target: { values: words(TARGET_NAMES) },
  // groups of pictures
  gop: { values: wholeNumbers(1, MAX_GOP, 'pictures'), default: 12 },
  gopMin: { values: wholeNumbers(1, MAX_GOP, 'pictures'), default: 1 },
  bFrames: { values: TOOLS.bFrames.values, presetTool: 'bFrames' },
  openGop: { presetTool: 'openGop' },
  adaptiveTypes: { presetTool: 'adaptiveTypes' },
  startTimeCode: { default: '00:00:00:00' },
  // coding
  preset: { values: words(PRESET_NAMES), default: 'balanced' },
  tune: { values: words(TUNE_NAMES), default: 'psnr' },
  aq: { values: numbers(0, MAX_STRENGTH) },
  slices: { values: SLICES, default: 1 },
  matrix: { values: words(MATRIX_NAMES) },
  intraMatrix: {},
  nonIntraMatrix: {},
  pelAspectRatio: { values: wholeNumbers(1, 14), default: 1 },
  // motion
  estimator: { default: 'auto' },
  range: { default: { x: 64, y: 32 } },
  metric: { values: words(['sad', 'sse']), default: 'sad' },
  candidates: { values: TOOLS.candidatesPerBlock.values, presetTool: 'candidatesPerBlock' },
  motionReference: { values: words(['source', 'reconstructed']), default: 'source' },
  // work
  threads: { values: wholeNumbers(1, 64) },
  maxPendingPictures: { values: wholeNumbers(1, 1024, 'pictures') },
} as const satisfies Readonly<Partial<Record<keyof EncoderOptions, OptionRow>>>;

type OptionTable = typeof ENCODER_OPTIONS;

/** The options that {@link optionValue} checks. */
export type CheckedOption = {
  [Name in keyof OptionTable]: OptionTable[Name] extends { readonly values: OptionValues } ? Name : never;
}[keyof OptionTable];

/** Where the value of an option comes from that is neither given nor has a default in the table. */
export interface Fallbacks {
  /** The tools of the preset, for the options that have a `presetTool`. */
  readonly tools?: CodingTools;
  readonly fallback?: unknown;
}

/**
 * The value of an option: the given one, else its default. Throws an OptionError that names the option, the value and
 * what is legal.
 */
export function optionValue<Name extends CheckedOption>(
  name: Name,
  options: EncoderOptions,
  { tools, fallback }: Fallbacks = {},
): ValueOf<OptionTable[Name]['values']> {
  const { values, default: constant, presetTool }: OptionRow & OptionTable[CheckedOption] = ENCODER_OPTIONS[name];
  const ofPreset = presetTool && tools?.[presetTool];
  const value = checkValue(name, options[name] ?? constant ?? ofPreset ?? fallback, values);
  return value as ValueOf<OptionTable[Name]['values']>;
}
