// Random values of the encoder's options and coding tools, made from their tables: a new row is fuzzed at once.
import fc from 'fast-check';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import { INTRA_REFRESHES, type IntraRefreshName } from '../../../src/encoder/settings/latency-name.js';
import { ENCODER_OPTIONS } from '../../../src/encoder/settings/option-table.js';
import { type OptionValues, SWITCH } from '../../../src/encoder/settings/option-values.js';
import { PRESET_NAMES, TOOLS } from '../../../src/encoder/settings/presets.js';
import { TOOL_NAMES } from '../../../src/encoder/settings/tool-switches.js';
import { BUILT_IN_NAMES, needsGpu } from '../../../src/motion/built-in-estimators.js';

type OptionName = keyof typeof ENCODER_OPTIONS;
type Arbitraries = Partial<Record<OptionName, fc.Arbitrary<unknown>>>;

const int = (min: number, max: number) => fc.integer({ min, max });
const weights = (first: fc.Arbitrary<number>) =>
  fc
    .tuple(first, fc.array(fc.oneof(int(1, 255), fc.constantFrom(1, 255)), { minLength: 63, maxLength: 63 }))
    .map(([head, rest]) => [head, ...rest]);

/** Any legal value. */
export function legalValues(values: OptionValues): fc.Arbitrary<unknown> {
  switch (values.kind) {
    case 'whole number': {
      const whole = int(values.min, Math.min(values.max, 2 ** 31 - 1));
      return values.word === undefined ? whole : fc.oneof(whole, fc.constant(values.word));
    }
    case 'number':
      return int(0, 1000).map(part => values.min + ((values.max - values.min) * part) / 1000);
    case 'word':
      return fc.constantFrom(...values.words);
    case 'switch':
      return fc.boolean();
  }
}

/** Set by the case itself: the size, the rate, callbacks, and what must not change the stream. */
const NOT_HERE: readonly string[] = [
  ...[
    'width',
    'height',
    'frameRate',
    'tools',
    'threads',
    'keptThreads',
    'kernels',
    'workerUrl',
    'kernelsUrl',
    'maxPendingPictures',
  ],
  ...['q', 'quality', 'bitrate', 'cbr', 'maxrate', 'vbvBytes', 'target', 'gop', 'gopMin'],
  ...['firstPass', 'isFirstPass', 'latency', 'intraRefresh'],
  ...['signal', 'onWarning', 'onPicture', 'onReconstruction'],
];

/** Options whose legal values are not in the table, and those that would take all night. */
const SPECIAL: Arbitraries = {
  startTimeCode: fc
    .oneof(fc.tuple(int(0, 23), int(0, 59), int(0, 59), int(0, 23)), fc.constant([23, 59, 59, 23]))
    .map(parts => parts.map(part => String(part).padStart(2, '0')).join(':')),
  preset: fc.constantFrom(...PRESET_NAMES, 'fast'),
  openGop: legalValues(SWITCH),
  adaptiveTypes: legalValues(SWITCH),
  matrix: legalValues(ENCODER_OPTIONS.matrix.values),
  intraMatrix: weights(fc.constant(8)), // the weight of the DC must be 8
  nonIntraMatrix: weights(int(1, 255)),
  slices: fc.oneof(int(1, 6), legalValues(ENCODER_OPTIONS.slices.values)),
  estimator: fc.constantFrom<string[]>('auto', ...BUILT_IN_NAMES.filter(name => !needsGpu(name))),
  range: fc.oneof(fc.constant('picture'), fc.record({ x: int(1, 40), y: int(1, 40) }), fc.constant({ x: 1, y: 1 })),
};

const tools = fc.record(
  Object.fromEntries(TOOL_NAMES.map(name => [name, fc.oneof(legalValues(TOOLS[name].values), presetValues(name))])),
  { requiredKeys: [] },
);

/** The values of the presets, so that extreme ones are not the rule. */
function presetValues(name: keyof typeof TOOLS): fc.Arbitrary<unknown> {
  return fc.constantFrom(...Object.values(TOOLS[name].presets));
}

function arbitraryOf(name: OptionName): fc.Arbitrary<unknown> {
  const row: object = ENCODER_OPTIONS[name];
  const arbitrary = SPECIAL[name] ?? ('values' in row ? legalValues(row.values as OptionValues) : undefined);
  if (!arbitrary) throw new Error(`option ${name} has no values in its table: say here what the fuzzer gives it`);
  return arbitrary;
}

/** The options of the table that a case is not built around; each is left out in half of the cases. */
const others = fc.record(
  Object.fromEntries(
    (Object.keys(ENCODER_OPTIONS) as OptionName[])
      .filter(name => !NOT_HERE.includes(name))
      .map(name => [name, arbitraryOf(name)]),
  ),
  { requiredKeys: ['estimator'] },
);

const thousands = (min: number, max: number) => int(min, max).map(value => 1000 * value);
const gop = fc
  .record({ gop: fc.oneof(int(1, 12), int(1, 40), fc.constant(1_000_000)), least: fc.double({ min: 0, max: 1 }) })
  .map(({ gop, least }) => ({ gop, ...(least > 0.5 && { gopMin: Math.max(1, Math.floor(gop * (least - 0.5))) }) }));

/** Every way to set the quantizer_scale. A rate may be too small for the pictures, which is then an OptionError. */
const rates = fc.oneof(
  fc.record({ q: legalValues(ENCODER_OPTIONS.q.values) }),
  fc.record({ quality: legalValues(ENCODER_OPTIONS.quality.values) }),
  fc.record({ bitrate: thousands(5, 4000) }),
  fc.record({ bitrate: thousands(100, 4000), cbr: fc.constant(true) }),
  fc.record({ bitrate: thousands(100, 4000), cbr: fc.constant(true), vbvBytes: int(4096, 200_000) }),
  fc.record({ bitrate: thousands(100, 2000), vbvBytes: int(4096, 200_000) }),
  fc
    .tuple(thousands(100, 2000), int(10, 30))
    .map(([bitrate, tenths]) => ({ bitrate, maxrate: (bitrate / 10) * tenths })),
);

/** Options of one encode, beside its size. All of them are legal, but a rate may not be feasible. */
export type RandomOptions = Omit<EncoderOptions, 'width' | 'height'>;

/** Random options. */
export const randomOptions: fc.Arbitrary<RandomOptions> = fc
  .record({
    frameRate: fc.constantFrom<EncoderOptions['frameRate'][]>(25, 24, 29.97, 60, 30, {
      numerator: 24000,
      denominator: 1001,
    }),
    rate: rates,
    gop,
    others,
    tools: fc.option(tools, { nil: undefined }),
    isJsmpeg: int(0, 15).map(n => n === 0),
    hasMatrices: int(0, 3).map(n => n === 0),
    live: fc.option(fc.constantFrom(...INTRA_REFRESHES), { nil: undefined, freq: 5 }),
  })
  .map(({ frameRate, rate, gop, others, tools, isJsmpeg, hasMatrices, live }) => {
    const { intraMatrix, nonIntraMatrix, matrix, bFrames, openGop, ...rest } = others;
    const given = hasMatrices ? { intraMatrix, nonIntraMatrix } : { matrix };
    const groups = isJsmpeg ? { target: 'jsmpeg' } : { bFrames, openGop };
    const all = { frameRate, ...rate, ...gop, ...rest, ...given, ...groups, tools, ...(live && liveOptions(live)) };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never;
  });

/** Low latency, and nothing that contradicts it. */
function liveOptions(intraRefresh: IntraRefreshName) {
  const none = { bFrames: undefined, openGop: undefined, adaptiveTypes: undefined, gopMin: undefined };
  return { latency: 'low', intraRefresh, ...none, cbr: undefined };
}
