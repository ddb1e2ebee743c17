import { FRAME_RATE_NAMES, FRAME_RATES, type FrameRate, pictureRateCode } from '../bitstream/tables/frame-rate.js';
import { transposeBlock } from '../dct/matrices.js';
import { OptionError } from '../errors.js';
import { kernelSetName } from '../kernels/select-kernels.js';
import type { EstimatorFactory, Metric, SearchRange } from '../motion/estimator.js';
import type { Frame } from '../picture/frame.js';
import { type MacroblockGrid, macroblockGrid } from '../picture/picture.js';
import type { GopPattern } from './gop/gop-plan.js';
import { MAX_STRENGTH, TUNE_NAMES, type TuneName } from './quantizer/adaptive-quantization.js';
import { MATRIX_NAMES, NAMED_INTRA_MATRICES, type QuantiserMatrices } from './quantizer/quantizer-set.js';
import { keepsConstrainedParameters } from './rate-control/constrained-parameters.js';
import type { PassStatistics } from './rate-control/pass-statistics.js';
import { type RateSettings, resolveRate } from './rate-control/rate-settings.js';
import type { PictureReport } from './report/picture-report.js';
import { type CodingTools, codingTools } from './settings/presets.js';
import { optionsForTarget } from './settings/stream-target.js';
import { switchTools, type ToolSwitches } from './settings/tool-switches.js';

/** Largest display width in pels: 12 bits of horizontal_size; ISO/IEC 11172-2 §2.4.2.3. */
export const MAX_WIDTH = 4095;
/** Largest display height in pels: slice start codes reach 175 rows of macroblocks; ISO/IEC 11172-2 §2.4.2.6. */
export const MAX_HEIGHT = 2800;

/** What an {@link Encoder} is made with. Only the size and the frame rate have no default. */
export interface EncoderOptions {
  /** Display width in pels, 1..4095. */
  readonly width: number;
  /** Display height in pels, 1..2800. */
  readonly height: number;
  /** Frames per second: one of MPEG-1's eight rates, as a number (29.97) or exactly (30000/1001). */
  readonly frameRate: number | FrameRate;
  /** Constant quantizer_scale, 1 (finest) .. 31; default 4. Not together with `bitrate`. */
  readonly q?: number;
  /** Constant quality, 0 .. 100 (finest), fractions included, instead of `q`: 3.5 % in the quantizer_scale a step. */
  readonly quality?: number;
  /** Bits per second in the mean, 1000 .. 104,856,800, instead of a constant quantizer_scale. */
  readonly bitrate?: number;
  /** True: `bitrate`, to the nearest 400 bit/s, holds at every moment for the decoder's buffer; stuffing fills gaps. */
  readonly cbr?: boolean;
  /** Bits per second that the decoder's buffer takes in at most, at least `bitrate`; default 1.5 times that where `vbvBytes` is given. */
  readonly maxrate?: number;
  /** The decoder's buffer in bytes, rounded down to 2048; default half a second, at least 40,960. For `cbr` and `maxrate`. */
  readonly vbvBytes?: number;
  /** The `passStatistics` of an encode of the same frames with the same options: bits then go where they are needed. */
  readonly firstPass?: PassStatistics;
  /** 'vcd' (Video CD) or 'jsmpeg': sets what such streams need. */
  readonly target?: string;
  /** Pictures from one I picture to the next, at least 1; default 12. */
  readonly gop?: number;
  /** Fewest pictures from one I picture to the next, 1..gop: a scene that begins nearer to the last gets a P picture; default 1. */
  readonly gopMin?: number;
  /** B pictures between two anchors, 0..7; default by preset. Fewer where a group ends. */
  readonly bFrames?: number;
  /** True: B pictures before an I picture may be predicted from the group before it, too; default by preset. */
  readonly openGop?: boolean;
  /** True: the picture types follow the scenes: I pictures where one begins, as many B pictures as pay; default by preset. */
  readonly adaptiveTypes?: boolean;
  /** Speed against compression: 'fast', 'balanced' (default) or 'best'. */
  readonly preset?: string;
  /** Single coding tools otherwise than the preset has them. */
  readonly tools?: ToolSwitches;
  /**
   * What the picture is to be good by: 'psnr' (default), or 'ssim', which quantises busy macroblocks coarser and calm ones finer, at
   * the expense of PSNR.
   */
  readonly tune?: string;
  /** Strength of adaptive quantisation by activity, 0 (off) .. 4; default 1 with tune 'ssim', else 0. */
  readonly aq?: number;
  /** Slices per picture, or 'rows' for one per macroblock row; default 1. More slices lose less to a transmission error. */
  readonly slices?: number | 'rows';
  /** Intra matrix by name: 'flat' (default), for PSNR, or 'standard' (default with tune 'ssim'), made for the eye. Not together with `intraMatrix`. */
  readonly matrix?: string;
  /** 64 weights 1..255 by row, as printed in the standard; default: its default matrices. The first intra weight must be 8. */
  readonly intraMatrix?: ArrayLike<number>;
  readonly nonIntraMatrix?: ArrayLike<number>;
  /** Pel aspect ratio code 1..14 of ISO/IEC 11172-2 §2.4.3.2; default 1, square pels. */
  readonly pelAspectRatio?: number;
  /** Motion estimator: a registered name, a module path or a factory; default 'auto'. */
  readonly estimator?: string | EstimatorFactory;
  /** Search range in full pels; default 64 x 32. */
  readonly range?: SearchRange;
  /** What the search compares by; default 'sad'. */
  readonly metric?: Metric;
  /** Candidates per macroblock asked of the estimator, 1..8; default by preset. */
  readonly candidates?: number;
  /**
   * Where motion is searched: on 'source' pictures (default; fields can be ready before they are needed) or on the
   * 'reconstructed' reference (each search waits for the picture before).
   */
  readonly motionReference?: 'source' | 'reconstructed';
  /** Threads, 1..64; from 2 on the estimator works in `threads - 1` worker threads, ahead of the coder. Default 2, in browsers 1. */
  readonly threads?: number;
  /** Kernel set: 'simd' or 'reference'; default by MPEGPU_KERNELS, else 'simd'. */
  readonly kernels?: string;
  /** Pictures that may wait between `add` and the coder, at least 1; default 2 + threads. */
  readonly lookahead?: number;
  /** Stops the encode: `add`, `finish` and the iteration reject with its reason. */
  readonly signal?: AbortSignal;
  /** Told of faults that the encode survives, such as a GPU that failed and was replaced by its CPU twin. */
  readonly onWarning?: (message: string) => void;
  /** Called after each coded picture; the encode waits for a promise it returns. */
  readonly onPicture?: (report: PictureReport) => void | Promise<void>;
  /** Called with each picture as a decoder shows it, in display order; the frame is the callee's to keep. */
  readonly onReconstruction?: (frame: Frame, displayNumber: number) => void | Promise<void>;
}

/** Options checked, defaults filled in. */
export interface ResolvedOptions {
  readonly grid: MacroblockGrid;
  readonly frameRate: FrameRate;
  readonly pictureRate: number;
  readonly q: number;
  /** Undefined at a constant quantizer_scale, and at a rate. */
  readonly quality: number | undefined;
  /** Undefined at a constant quantizer_scale. */
  readonly rate: RateSettings | undefined;
  readonly constrainedParameters: boolean;
  readonly pattern: GopPattern;
  readonly adaptiveTypes: boolean;
  readonly tools: CodingTools;
  /** Strength of adaptive quantisation, 0: none. */
  readonly aq: number;
  readonly sliceRows: readonly number[];
  readonly matrices: QuantiserMatrices;
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
  readonly lookahead: number;
}

/** Checks options. Throws OptionError naming the option, its value and the legal range. */
export function resolveOptions(asGiven: EncoderOptions): ResolvedOptions {
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
  const lookahead = wholeNumber('lookahead', options.lookahead ?? 2 + threads, 1, 1024);
  return {
    grid,
    frameRate,
    pictureRate,
    rate,
    constrainedParameters: keepsConstrainedParameters({ grid, frameRate, range, rate }),
    quality: options.quality === undefined ? undefined : numberIn('quality', options.quality, 0, 100),
    q: wholeNumber('q', options.q ?? 4, 1, 31),
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
    lookahead: rate ? Math.max(lookahead, rate.window + 1) : lookahead,
  };
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
  const count = slices === 'rows' ? mbHeight : Math.min(wholeNumber('slices', slices, 1, 175), mbHeight);
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
