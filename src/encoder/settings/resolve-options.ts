import { MAX_HEIGHT, MAX_SLICES, MAX_WIDTH } from '../../bitstream/limits.js';
import { FRAME_RATE_NAMES, FRAME_RATES, type FrameRate, pictureRateCode } from '../../bitstream/tables/frame-rate.js';
import { transposeBlock } from '../../dct/matrices.js';
import { OptionError } from '../../errors.js';
import { kernelSetName } from '../../kernels/select-kernels.js';
import type { EstimatorFactory, Metric, SearchRange } from '../../motion/estimator.js';
import { type MacroblockGrid, macroblockGrid } from '../../picture/picture.js';
import type { GopPattern } from '../gop/gop-plan.js';
import type { EncoderOptions } from '../options.js';
import { MAX_STRENGTH, TUNE_NAMES, type TuneName } from '../quantizer/adaptive-quantization.js';
import { MATRIX_NAMES, NAMED_INTRA_MATRICES, type QuantizerMatrices } from '../quantizer/quantizer-set.js';
import { keepsConstrainedParameters } from '../rate-control/constrained-parameters.js';
import { resolveRate } from '../rate-control/rate-settings.js';
import { type CodingTools, codingTools } from './presets.js';
import type { ConstantMode, RateMode } from './rate-mode.js';
import { optionsForTarget } from './stream-target.js';
import { switchTools } from './tool-switches.js';

/** Options checked, defaults filled in. */
export interface EncoderSettings {
  readonly grid: MacroblockGrid;
  readonly frameRate: FrameRate;
  readonly pictureRate: number;
  readonly rateMode: RateMode;
  readonly constrainedParameters: boolean;
  readonly pattern: GopPattern;
  readonly adaptiveTypes: boolean;
  readonly tools: CodingTools;
  /** Strength of adaptive quantization, 0: none. */
  readonly aq: number;
  readonly sliceRows: readonly number[];
  readonly matrices: QuantizerMatrices;
  readonly pelAspectRatio: number;
  readonly estimator: string | EstimatorFactory;
  readonly range: SearchRange;
  /** Longest component of a vector of the lookahead that the coder takes, in pels. */
  readonly hintReach: number;
  readonly metric: Metric;
  readonly candidates: number;
  readonly motionReference: 'source' | 'reconstructed';
  readonly threads: number;
  readonly kernels: string;
  readonly maxPendingPictures: number;
}

/** Checks options. Throws OptionError naming the option, its value and the legal range. */
export function resolveOptions(asGiven: EncoderOptions): EncoderSettings {
  const options = optionsForTarget(asGiven);
  const width = wholeNumber('width', options.width, 1, MAX_WIDTH);
  const height = wholeNumber('height', options.height, 1, MAX_HEIGHT);
  const grid = macroblockGrid(width, height);
  const tools = switchTools(codingTools(options.preset ?? 'balanced'), options.tools ?? {});
  const tune = oneOf('tune', options.tune ?? 'psnr', TUNE_NAMES);
  const threads = wholeNumber('threads', options.threads ?? defaultThreads(), 1, 64);
  const { frameRate, pictureRate } = resolveFrameRate(options.frameRate);
  const gop = wholeNumber('gop', options.gop ?? 12, 1, 1_000_000);
  const sliceRows = resolveSlices(options.slices ?? 1, grid.mbHeight);
  const range = options.range ?? { x: 64, y: 32 };
  const [given, another] = (['q', 'quality', 'bitrate'] as const).filter(name => options[name] !== undefined);
  if (another) throw new OptionError(another, `${given} and ${another} exclude each other: choose one`);
  const rate = resolveRate(options, { grid, frameRate, gop, slices: sliceRows.length });
  const maxPendingPictures = wholeNumber('maxPendingPictures', options.maxPendingPictures ?? 2 + threads, 1, 1024);
  return {
    grid,
    frameRate,
    pictureRate,
    rateMode: rate ? { kind: 'bit-rate', ...rate } : constantMode(options),
    constrainedParameters: keepsConstrainedParameters({ grid, frameRate, range, rate }),
    pattern: {
      gop,
      gopMin: wholeNumber('gopMin', options.gopMin ?? 1, 1, gop),
      bFrames: wholeNumber('bFrames', options.bFrames ?? tools.bFrames, 0, 7),
      closedGop: !(options.openGop ?? tools.openGop),
    },
    adaptiveTypes: options.adaptiveTypes ?? tools.adaptiveTypes,
    tools,
    aq: numberIn('aq', options.aq ?? (tune === 'ssim' ? 1 : 0), 0, MAX_STRENGTH),
    sliceRows,
    matrices: {
      intra: resolveIntraMatrix(options, tune),
      nonIntra: resolveMatrix('nonIntraMatrix', options.nonIntraMatrix),
    },
    pelAspectRatio: wholeNumber('pelAspectRatio', options.pelAspectRatio ?? 1, 1, 14),
    estimator: options.estimator ?? 'auto',
    range,
    hintReach: hintReach(options.range),
    metric: oneOf('metric', options.metric ?? 'sad', ['sad', 'sse']),
    candidates: wholeNumber('candidates', options.candidates ?? tools.candidatesPerBlock, 1, 8),
    motionReference: oneOf('motionReference', options.motionReference ?? 'source', ['source', 'reconstructed']),
    threads,
    kernels: kernelSetName(options.kernels),
    maxPendingPictures: rate ? Math.max(maxPendingPictures, rate.window + 1) : maxPendingPictures,
  };
}

function constantMode({ q, quality }: EncoderOptions): ConstantMode {
  if (quality !== undefined) return { kind: 'constant-quality', quality: numberIn('quality', quality, 0, 100) };
  return { kind: 'constant-scale', quantizerScale: wholeNumber('q', q ?? 4, 1, 31) };
}

/** A range that is asked for binds the lookahead, too, by its longer side; the default is the estimator's alone. */
function hintReach(range: SearchRange | undefined): number {
  return range === undefined || range === 'picture' ? Number.POSITIVE_INFINITY : Math.max(range.x, range.y);
}

function defaultThreads(): number {
  return typeof process === 'object' && process.versions?.node !== undefined ? 2 : 1;
}

function wholeNumber(option: string, value: unknown, least: number, greatest: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > greatest) {
    throw new OptionError(option, `${option} ${String(value)} is not a whole number from ${least} to ${greatest}`);
  }
  return value;
}

function numberIn(option: string, value: unknown, least: number, greatest: number): number {
  if (typeof value !== 'number' || !(value >= least && value <= greatest)) {
    throw new OptionError(option, `${option} ${String(value)} is not a number from ${least} to ${greatest}`);
  }
  return value;
}

function oneOf<T extends string>(option: string, value: string, legal: readonly T[]): T {
  const found = legal.find(name => name === value);
  if (found === undefined)
    throw new OptionError(option, `${option} '${value}' does not exist; legal: ${legal.join(', ')}`);
  return found;
}

function resolveFrameRate(rate: number | FrameRate): { frameRate: FrameRate; pictureRate: number } {
  const given = typeof rate === 'number' ? { numerator: rate, denominator: 1 } : rate;
  const pictureRate = pictureRateCode(given);
  if (pictureRate === undefined) {
    const fps = given.numerator / given.denominator;
    throw new OptionError('frameRate', `frame rate ${fps} is not one of MPEG-1's: ${FRAME_RATE_NAMES}`);
  }
  return { frameRate: FRAME_RATES[pictureRate - 1]!, pictureRate };
}

/** Rows where slices start: `slices` of them, as equal as can be. */
function resolveSlices(slices: number | 'rows', mbHeight: number): readonly number[] {
  const count = slices === 'rows' ? mbHeight : Math.min(wholeNumber('slices', slices, 1, MAX_SLICES), mbHeight);
  return Array.from({ length: count }, (_, i) => Math.floor((i * mbHeight) / count));
}

function resolveIntraMatrix({ matrix, intraMatrix }: EncoderOptions, tune: TuneName): Uint8Array | undefined {
  if (matrix !== undefined && intraMatrix !== undefined) {
    throw new OptionError('matrix', 'matrix and intraMatrix exclude each other: choose one');
  }
  if (intraMatrix !== undefined) return resolveMatrix('intraMatrix', intraMatrix);
  return NAMED_INTRA_MATRICES[oneOf('matrix', matrix ?? (tune === 'ssim' ? 'standard' : 'flat'), MATRIX_NAMES)];
}

function resolveMatrix(option: string, matrix: ArrayLike<number> | undefined): Uint8Array | undefined {
  if (matrix === undefined) return undefined;
  const weights = Array.from(matrix);
  if (weights.length !== 64) throw new OptionError(option, `${option} has ${weights.length} weights, not 64`);
  for (const [i, weight] of weights.entries()) wholeNumber(`${option}[${i}]`, weight, 1, 255);
  if (option === 'intraMatrix' && weights[0] !== 8) {
    throw new OptionError(option, `${option} starts with ${weights[0]}: the weight of the intra DC must be 8`);
  }
  return transposeBlock(weights);
}
