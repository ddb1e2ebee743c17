// Checks the options of an encoder and fills in their defaults.
import { FRAME_RATES, type FrameRate, pictureRateCode } from '../../bitstream/tables/frame-rate.js';
import { transposeBlock } from '../../dct/matrices.js';
import { OptionError } from '../../errors.js';
import type { KernelChoice } from '../../kernels/kernels.js';
import { kernelChoice } from '../../kernels/select-kernels.js';
import type { EstimatorFactory, Metric, SearchRange } from '../../motion/estimator.js';
import { checkParameters } from '../../motion/parameter-checks.js';
import { requireEstimatorName } from '../../motion/registry.js';
import { pageUrl } from '../../page-url.js';
import { type MacroblockGrid, macroblockGrid } from '../../picture/picture.js';
import type { GopPattern } from '../gop/gop-plan.js';
import type { MotionReference } from '../motion/motion-reference.js';
import { searchParameters } from '../motion/search-parameters.js';
import type { EncoderOptions } from '../options.js';
import type { TuneName } from '../quantizer/adaptive-quantization.js';
import { NAMED_INTRA_MATRICES, type QuantizerMatrices } from '../quantizer/quantizer-set.js';
import { keepsConstrainedParameters } from '../rate-control/constrained-parameters.js';
import { type RateSettings, resolveRate } from '../rate-control/rate-settings.js';
import { defaultThreads, isLongWork } from './default-threads.js';
import { firstPassTools } from './first-pass-tools.js';
import { optionsForLatency } from './latency.js';
import { ENCODER_OPTIONS, optionValue } from './option-table.js';
import { checkValue, wholeNumbers } from './option-values.js';
import { mostPicturesAhead } from './pictures-ahead.js';
import { type CodingTools, codingTools, TREE_DEPTH } from './presets.js';
import type { ConstantMode, RateMode } from './rate-mode.js';
import { readOptions } from './read-options.js';
import { resolveStartTimeCode, type TimeCodeStart } from './start-time-code.js';
import { optionsForTarget } from './stream-target.js';
import { switchTools } from './tool-switches.js';

/** Weights of a quantizer matrix; ISO/IEC 11172-2 §2.4.3.2 forbids 0. */
const QUANTIZER_WEIGHTS = wholeNumbers(1, 255);

/** Options after the checks, with all defaults filled in. */
export interface EncoderSettings {
  readonly grid: MacroblockGrid;
  readonly frameRate: FrameRate;
  readonly pictureRate: number;
  readonly rateMode: RateMode;
  readonly constrainedParameters: boolean;
  readonly pattern: GopPattern;
  readonly adaptiveTypes: boolean;
  /** Whether the access unit of a frame is out before the next frame is taken. */
  readonly isLive: boolean;
  /** Whether columns of macroblocks are refreshed in each group, instead of its first picture. */
  readonly refreshesColumns: boolean;
  readonly timeCodeStart: TimeCodeStart;
  readonly tools: CodingTools;
  /** Strength of adaptive quantization; 0 is off. */
  readonly aq: number;
  readonly sliceRows: readonly number[];
  readonly matrices: QuantizerMatrices;
  readonly pelAspectRatio: number;
  readonly estimator: string | EstimatorFactory;
  readonly range: SearchRange;
  readonly metric: Metric;
  readonly candidates: number;
  readonly motionReference: MotionReference;
  readonly threads: number;
  /** Whether so much is known to come that threads are started at once. */
  readonly isLong: boolean;
  readonly kernels: KernelChoice;
  readonly workerUrl: string | undefined;
  /** Whether rate control needs the errors of pictures, and no lookahead finds them. */
  readonly wantsMotionErrors: boolean;
  readonly maxPendingPictures: number;
  /** Whether the caller takes reconstructed pictures. */
  readonly wantsReconstructions: boolean;
}

/** The options, checked and completed. Throws an OptionError that names the option, its value and what is legal. */
export function resolveOptions(asGiven: EncoderOptions): EncoderSettings {
  const options = optionsForTarget(optionsForLatency(readOptions(asGiven)));
  const grid = macroblockGrid(optionValue('width', options), optionValue('height', options));
  const tools = resolveTools(options);
  const tune = optionValue('tune', options);
  const adaptiveTypes = options.adaptiveTypes ?? tools.adaptiveTypes;
  const threads = optionValue('threads', options, { fallback: defaultThreads(grid, { ...options, adaptiveTypes }) });
  const isLive = optionValue('latency', options) === 'low';
  const refreshesColumns = optionValue('intraRefresh', options) === 'columns';
  const { frameRate, pictureRate } = resolveFrameRate(options.frameRate);
  const gop = optionValue('gop', options);
  const sliceRows = resolveSlices(optionValue('slices', options), grid.mbHeight);
  const motion = resolveMotion(options, grid, tools);
  const bFrames = optionValue('bFrames', options, { tools });
  // Its rule is one of absolute differences.
  const { motionReference, metric } = motion;
  const knowsFirstSteps = tools.bPictureMotion === 'first' && motionReference === 'source' && metric === 'sad';
  requireOneQuality(options);
  const refreshed = refreshesColumns ? Math.ceil(grid.mbWidth / gop) * grid.mbHeight : 0;
  const rate = resolveRate(options, { grid, frameRate, gop, slices: sliceRows.length, isLive, refreshed });
  const hasTree = adaptiveTypes && tools.macroblockTree;
  const asked = optionValue('maxPendingPictures', options, { fallback: isLive ? 1 : 2 + Math.ceil(threads / 2) });
  const wantsMotionErrors = rate !== undefined && !isLive && !adaptiveTypes && motion.motionReference === 'source';
  const forRate = rate ? picturesForRate(rate, hasTree, wantsMotionErrors && { threads, grid, ...motion }) : 0;
  return {
    grid,
    frameRate,
    pictureRate,
    rateMode: rate ? { kind: 'bit-rate', ...rate } : constantMode(options),
    constrainedParameters: keepsConstrainedParameters({ grid, frameRate, range: motion.range, rate }),
    pattern: {
      gop,
      gopMin: resolveGopMin(optionValue('gopMin', options), gop),
      bFrames,
      closedGop: !(options.openGop ?? tools.openGop),
    },
    adaptiveTypes,
    isLive,
    refreshesColumns,
    timeCodeStart: resolveStartTimeCode(options.startTimeCode ?? ENCODER_OPTIONS.startTimeCode.default, frameRate),
    tools: {
      ...tools,
      temporalFilter: hasTree && tools.temporalFilter,
      fewerBPictures: !isLive && !adaptiveTypes && bFrames > 0 && knowsFirstSteps && tools.fewerBPictures,
    },
    aq: optionValue('aq', options, { fallback: tune === 'ssim' ? 1 : 0 }),
    sliceRows,
    matrices: {
      intra: resolveIntraMatrix(options, tune),
      nonIntra: resolveMatrix('nonIntraMatrix', options.nonIntraMatrix),
    },
    pelAspectRatio: optionValue('pelAspectRatio', options),
    ...motion,
    threads,
    isLong: isLongWork(grid, options.expectedFrames),
    kernels: kernelChoice(options),
    workerUrl: pageUrl('workerUrl', options.workerUrl),
    wantsMotionErrors,
    maxPendingPictures: Math.max(asked, forRate),
    wantsReconstructions: options.onReconstruction !== undefined,
  };
}

/** The tools of the preset, with the switches of the caller; a first pass has fewer. */
function resolveTools(options: EncoderOptions): CodingTools {
  const tools = switchTools(codingTools(optionValue('preset', options)), options.tools ?? {});
  return optionValue('isFirstPass', options) ? firstPassTools(tools) : tools;
}

type MotionSettings = Pick<EncoderSettings, 'estimator' | 'range' | 'metric' | 'candidates' | 'motionReference'>;

/** Who searches for motion, and how. */
function resolveMotion(options: EncoderOptions, grid: MacroblockGrid, tools: CodingTools): MotionSettings {
  const { range = ENCODER_OPTIONS.range.default, estimator = ENCODER_OPTIONS.estimator.default } = options;
  if (typeof estimator !== 'function') requireEstimatorName(estimator);
  const metric = optionValue('metric', options);
  const candidates = optionValue('candidates', options, { tools });
  checkParameters(searchParameters({ grid, metric, range, candidates }));
  return { estimator, range, metric, candidates, motionReference: optionValue('motionReference', options) };
}

/** How many pictures wait for the coder so that rate control can look at them; `search`: who finds their errors. */
function picturesForRate(
  { window }: RateSettings,
  hasTree: boolean,
  search: Parameters<typeof mostPicturesAhead>[0] | false,
): number {
  // Rate control looks at pictures that have their types, and the macroblock tree holds some of these.
  const typedAhead = hasTree ? TREE_DEPTH : 0;
  // Their motion is known when they are looked at, so that of later ones is being searched.
  const searchedAhead = search && search.threads > 1 ? mostPicturesAhead(search) : 0;
  return window + 1 - typedAhead + searchedAhead;
}

/** Throws an OptionError if more than one option says how good the pictures are. */
function requireOneQuality(options: EncoderOptions): void {
  const [given, another] = (['q', 'quality', 'bitrate'] as const).filter(name => options[name] !== undefined);
  if (another) throw excludingOptions(given!, another);
}

function constantMode(options: EncoderOptions): ConstantMode {
  if (options.quality !== undefined) return { kind: 'constant-quality', quality: optionValue('quality', options) };
  return { kind: 'constant-scale', quantizerScale: optionValue('q', options) };
}

/** The rate of MPEG-1 that `rate` is within 0.01 % of, and its picture_rate. */
function resolveFrameRate(rate: number | FrameRate): { frameRate: FrameRate; pictureRate: number } {
  const pictureRate = pictureRateCode(rate)!;
  return { frameRate: FRAME_RATES[pictureRate - 1]!, pictureRate };
}

/** The macroblock rows where slices start. The slices are as equal as whole rows allow. */
function resolveSlices(slices: number | 'rows', mbHeight: number): readonly number[] {
  const count = slices === 'rows' ? mbHeight : Math.min(slices, mbHeight);
  return Array.from({ length: count }, (_, i) => Math.floor((i * mbHeight) / count));
}

function excludingOptions(one: string, another: string): OptionError {
  return new OptionError(another, named => `${named(one)} and ${named(another)} exclude each other: choose one`);
}

/** The fewest pictures from one I picture to the next. */
function resolveGopMin(gopMin: number, gop: number): number {
  if (gopMin <= gop) return gopMin;
  throw new OptionError(
    'gopMin',
    named => `${named('gopMin')} ${gopMin} is more than ${named('gop')}, which is ${gop}; legal: 1..${gop}`,
  );
}

function resolveIntraMatrix(options: EncoderOptions, tune: TuneName): Uint8Array | undefined {
  const { matrix, intraMatrix } = options;
  if (matrix !== undefined && intraMatrix !== undefined) {
    throw excludingOptions('intraMatrix', 'matrix');
  }
  if (intraMatrix !== undefined) return resolveMatrix('intraMatrix', intraMatrix);
  return NAMED_INTRA_MATRICES[optionValue('matrix', options, { fallback: tune === 'ssim' ? 'standard' : 'flat' })];
}

/** The weights column by column; undefined for the default matrix of the standard. */
function resolveMatrix(option: string, matrix: ArrayLike<number> | undefined): Uint8Array | undefined {
  if (matrix === undefined) return undefined;
  const weights = Array.from(matrix);
  for (const [i, weight] of weights.entries()) checkValue(`${option}[${i}]`, weight, QUANTIZER_WEIGHTS);
  if (option === 'intraMatrix' && weights[0] !== 8) {
    throw new OptionError(
      option,
      named => `${named(option)} starts with ${weights[0]}: the weight of the intra DC must be 8`,
    );
  }
  return transposeBlock(weights);
}
