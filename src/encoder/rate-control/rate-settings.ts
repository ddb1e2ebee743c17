// Checks the options of the bit rate and works out what rate control needs.
import { CONSTRAINED_PARAMETERS } from '../../bitstream/constrained-parameters.js';
import { VBV_DELAY_TICKS_PER_SECOND } from '../../bitstream/syntax/picture-header.js';
import {
  BIT_RATE_UNIT_BITS_PER_SECOND,
  MAX_BIT_RATE_UNITS,
  MAX_VBV_BUFFER_UNITS,
  VARIABLE_BIT_RATE,
  VBV_BUFFER_UNIT_BYTES,
} from '../../bitstream/syntax/sequence-header.js';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { OptionError, type TextWithOptions } from '../../errors.js';
import { EARLIEST_REFRESH } from '../../macroblock/row/intra-refresh.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import { liveBufferBytes } from '../live/live-buffer.js';
import type { EncoderOptions } from '../options.js';
import { pictureShape, SEQUENCE_END_BITS, sparseGroupBits, sparsePictureBits } from './buffer/sparse-picture.js';
import type { PassStatistics } from './pass-statistics.js';

/** Bounds of a bit rate, in bit/s. */
export const MIN_BIT_RATE = 1000;
export const MAX_BIT_RATE = MAX_BIT_RATE_UNITS * BIT_RATE_UNIT_BITS_PER_SECOND;
/** Bounds of the decoder's buffer, in bytes. */
export const MIN_VBV_BYTES = VBV_BUFFER_UNIT_BYTES;
export const MAX_VBV_BYTES = MAX_VBV_BUFFER_UNITS * VBV_BUFFER_UNIT_BYTES;
/** The sequence header's fields for a stream that keeps to no buffer: a variable rate and the largest buffer. */
export const VARIABLE_RATE_HEADER = { bitRateUnits: VARIABLE_BIT_RATE, vbvBufferUnits: MAX_VBV_BUFFER_UNITS };
/** The buffer unless the caller gives one: half a second of the stream, but at least that of Video CD; not measured. */
const MIN_DEFAULT_VBV_UNITS = CONSTRAINED_PARAMETERS.maxVbvBufferUnits;
const DEFAULT_VBV_SECONDS = 0.5;
/** The peak rate if the caller gives a buffer but no peak rate, as a multiple of the mean rate; not measured. */
const DEFAULT_MAX_RATE_FACTOR = 1.5;
/**
 * The longest vbv_delay in seconds: 16 bits of 90 kHz ticks, short of 0xffff, which means a variable rate; §2.4.3.4.
 */
const MAX_DELAY_SECONDS = 0xfff0 / VBV_DELAY_TICKS_PER_SECOND;
/** How full the buffer is when the first picture is taken out at a constant bit rate; not measured. */
const START_FULLNESS = 0.9;
/** The window of rate control is two groups, within these bounds; not measured. */
const MIN_WINDOW = 24;
const MAX_WINDOW = 36;
/** A clip of so many pictures, and so many macroblocks in all, is planned as a whole: 60 of 640x272. */
const MAX_WHOLE_PICTURES = 64;
const MAX_WHOLE_MACROBLOCKS = 45_000;

/** The encoder's options that concern the bit rate. */
export type RateOptions = Pick<
  EncoderOptions,
  'bitrate' | 'cbr' | 'maxrate' | 'vbvBytes' | 'firstPass' | 'isFirstPass' | 'expectedFrames'
>;

/** The decoder's input buffer as ISO/IEC 11172-2 Annex C models it. */
export interface BufferSettings {
  /** True: bits come in at a constant rate all the time. False: they come in at that rate unless the buffer is full. */
  readonly isConstantRate: boolean;
  readonly sizeBits: number;
  /** Bits that come in from one picture to the next. */
  readonly fillBits: number;
  /** Bits in the buffer when the first picture is taken out. */
  readonly startBits: number;
}

/** What rate control works with. */
export interface RateSettings {
  /** Mean bits of a picture. */
  readonly pictureBits: number;
  readonly buffer: BufferSettings | undefined;
  /** How many pictures in coded order are known when one is coded, that one included. */
  readonly window: number;
  /** The greatest distance of I pictures, in pictures. */
  readonly gop: number;
  /** Macroblocks that are intra in every P picture. */
  readonly refreshed: number;
  readonly firstPass: PassStatistics | undefined;
  readonly isFirstPass: boolean;
  /** bit_rate and vbv_buffer_size of the sequence header, in units of 400 bit/s and 16,384 bits. */
  readonly bitRateUnits: number;
  readonly vbvBufferUnits: number;
}

/** What the settings depend on besides the options. */
export interface RateContext {
  readonly grid: MacroblockGrid;
  readonly frameRate: FrameRate;
  readonly gop: number;
  readonly slices: number;
  /** Whether nothing is known of pictures to come: then a small buffer bounds what each takes. */
  readonly isLive: boolean;
  /** Macroblocks that are intra in every P picture, where columns are refreshed; else 0. */
  readonly refreshed: number;
}

/** The settings of the bit rate; undefined where none is given. Throws OptionError for options that contradict it. */
export function resolveRate(given: RateOptions, context: RateContext): RateSettings | undefined {
  const options = context.isLive ? liveOptions(given, context) : given;
  const { bitrate: mean, cbr = false, maxrate, vbvBytes, firstPass, isFirstPass = false } = options;
  if (firstPass && isFirstPass) {
    const message: TextWithOptions = named =>
      `${named('isFirstPass')} excludes ${named('firstPass')}: give one of them`;
    throw new OptionError('isFirstPass', message);
  }
  if (mean === undefined) {
    const needing = { cbr: cbr || undefined, maxrate, vbvBytes, firstPass, isFirstPass: isFirstPass || undefined };
    const orphan = Object.entries(needing).find(([, value]) => value !== undefined);
    if (orphan) throw new OptionError(orphan[0], named => `${named(orphan[0])} needs ${named('bitrate')}: give both`);
    return undefined;
  }
  const { grid, frameRate, gop } = context;
  const picturesPerSecond = frameRate.numerator / frameRate.denominator;
  const common = {
    window: context.isLive ? 0 : windowOf(gop, options.expectedFrames, grid),
    gop,
    refreshed: context.refreshed,
    firstPass,
    isFirstPass,
  };
  if (!cbr && maxrate === undefined && vbvBytes === undefined) {
    return { ...common, ...VARIABLE_RATE_HEADER, pictureBits: mean / picturesPerSecond, buffer: undefined };
  }
  const maxRate = resolveMaxRate(options, mean);
  const bitRateUnits = Math.max(1, Math.round(maxRate / BIT_RATE_UNIT_BITS_PER_SECOND));
  const channelRate = bitRateUnits * BIT_RATE_UNIT_BITS_PER_SECOND;
  const vbvBufferUnits = vbvUnits(vbvBytes, channelRate);
  const vbvBits = vbvBufferUnits * VBV_BUFFER_UNIT_BYTES * 8;
  const sizeBits = cbr ? Math.min(vbvBits, Math.floor(channelRate * MAX_DELAY_SECONDS)) : vbvBits;
  const fillBits = channelRate / picturesPerSecond;
  const startBits = cbr ? Math.floor(sizeBits * START_FULLNESS) : sizeBits;
  const buffer: BufferSettings = { isConstantRate: cbr, sizeBits, fillBits, startBits };
  checkFeasible(buffer, { ...context, vbvBytes, channelRate });
  const pictureBits = cbr ? fillBits : mean / picturesPerSecond;
  return { ...common, bitRateUnits, vbvBufferUnits, pictureBits, buffer };
}

/** The options with the bounds of a live stream where the caller sets none: a rate that never exceeds the mean. */
function liveOptions(options: RateOptions, { grid, frameRate, gop, slices, refreshed }: RateContext): RateOptions {
  const { bitrate, cbr = false, maxrate = cbr ? undefined : bitrate } = options;
  if (bitrate === undefined) return options;
  const fillBits = ((maxrate ?? bitrate) * frameRate.denominator) / frameRate.numerator;
  const shape = pictureShape(grid, slices, gop, refreshed);
  const vbvBytes = Math.min(MAX_VBV_BYTES, options.vbvBytes ?? liveBufferBytes(fillBits, shape));
  return { ...options, vbvBytes, ...(maxrate !== undefined && { maxrate }) };
}

/** The most bit/s into the decoder's buffer. */
function resolveMaxRate({ cbr = false, maxrate }: RateOptions, mean: number): number {
  if (maxrate === undefined) return cbr ? mean : Math.min(MAX_BIT_RATE, mean * DEFAULT_MAX_RATE_FACTOR);
  if (cbr) {
    throw new OptionError(
      'maxrate',
      named => `${named('maxrate')} has no meaning beside ${named('cbr')}, a constant rate: leave out one of them`,
    );
  }
  if (maxrate >= mean) return maxrate;
  throw new OptionError('maxrate', named => {
    const wrong = `${named('maxrate')} ${maxrate} is less than ${named('bitrate')} ${mean}, the mean`;
    return `${wrong}; legal: ${mean}..${MAX_BIT_RATE}`;
  });
}

/** How many pictures are planned together. */
function windowOf(gop: number, frames: number | undefined, { mbWidth, mbHeight }: MacroblockGrid): number {
  const window = Math.max(MIN_WINDOW, Math.min(MAX_WINDOW, 2 * gop));
  if (frames === undefined || frames > MAX_WHOLE_PICTURES) return window;
  return frames * mbWidth * mbHeight <= MAX_WHOLE_MACROBLOCKS ? Math.max(window, frames) : window;
}

/** vbv_buffer_size: the buffer in units of 2048 bytes, rounded down. */
function vbvUnits(vbvBytes: number | undefined, channelRate: number): number {
  if (vbvBytes === undefined) {
    const units = Math.ceil((channelRate * DEFAULT_VBV_SECONDS) / (8 * VBV_BUFFER_UNIT_BYTES));
    return Math.min(MAX_VBV_BUFFER_UNITS, Math.max(MIN_DEFAULT_VBV_UNITS, units));
  }
  return Math.floor(vbvBytes / VBV_BUFFER_UNIT_BYTES);
}

/** Refuses a buffer or a bit rate that is too small even for groups of the sparsest pictures. */
function checkFeasible(buffer: BufferSettings, context: BufferContext): void {
  const { isConstantRate, startBits, fillBits } = buffer;
  const { grid, gop, slices, frameRate, refreshed } = context;
  const shape = pictureShape(grid, slices, gop, refreshed);
  const intra = sparsePictureBits('I', shape) + SEQUENCE_END_BITS;
  const groupBits = sparseGroupBits(shape);
  const rateOf = (bits: number, pictures: number) =>
    wholeRate((bits * frameRate.numerator) / (pictures * frameRate.denominator));
  const leastRate = rateOf(groupBits, gop);
  const size = `${grid.displayWidth}x${grid.displayHeight}`;
  if (isConstantRate && fillBits > startBits) {
    throw tooSmallBuffer(buffer, context, 'it holds less than what comes in from one picture to the next', fillBits, 0);
  }
  if (intra > startBits) {
    throw tooSmallBuffer(buffer, context, `an I picture of ${size} may not fit into it`, intra, leastRate);
  }
  if (groupBits <= gop * fillBits) return;
  // In longer groups P pictures have intra macroblocks, too, which may take more than another I picture does.
  const best = { ...shape, gop: EARLIEST_REFRESH };
  const isBetter = gop > best.gop && refreshed === 0 && rateOf(sparseGroupBits(best), best.gop) < leastRate;
  throw new OptionError('bitrate', named => {
    const intraPart = refreshed > 0 ? 'all columns intra' : 'an I picture';
    const why = `${size} with ${intraPart} every ${gop > 1 ? `${gop} pictures` : 'picture'} (${named('gop')})`;
    const another = isBetter
      ? `, or ${named('gop')} ${best.gop}`
      : gop < best.gop
        ? `, or a greater ${named('gop')}`
        : '';
    return `${named('bitrate')} is too low for ${why}: give at least ${leastRate}${another}`;
  });
}

/** What a buffer is for, and what its size follows from. */
interface BufferContext extends RateContext {
  /** The option as it was given; undefined for the default. */
  readonly vbvBytes: number | undefined;
  /** Bits per second into the buffer. */
  readonly channelRate: number;
}

/** The error for a buffer that has to hold so many bits when the first picture is taken out. */
function tooSmallBuffer(
  { isConstantRate, sizeBits }: BufferSettings,
  { vbvBytes, channelRate }: BufferContext,
  why: string,
  neededBits: number,
  leastRate: number,
): OptionError {
  const bytes = Math.floor(sizeBits / 8);
  const neededSizeBits = neededBits / (isConstantRate ? START_FULLNESS : 1);
  const isCutByDelay = sizeBits < vbvUnits(vbvBytes, channelRate) * VBV_BUFFER_UNIT_BYTES * 8;
  if (isCutByDelay) {
    const rate = Math.max(leastRate, wholeRate(neededSizeBits / MAX_DELAY_SECONDS));
    return new OptionError('bitrate', named => {
      const delay = `${MAX_DELAY_SECONDS.toFixed(2)} s, the longest delay that MPEG-1 can state`;
      const origin = `what ${named('cbr')} brings in ${delay}, at ${channelRate} bit/s`;
      return `${named('bitrate')} is too low: the decoder's buffer has ${bytes} bytes (${origin}), and ${why}: give at least ${rate}`;
    });
  }
  const needed = Math.ceil(neededSizeBits / 8 / VBV_BUFFER_UNIT_BYTES) * VBV_BUFFER_UNIT_BYTES;
  const least = MIN_DEFAULT_VBV_UNITS * VBV_BUFFER_UNIT_BYTES;
  return new OptionError('vbvBytes', named => {
    const origin =
      vbvBytes === undefined
        ? `the default: half a second of ${channelRate} bit/s, at least ${least}`
        : `${named('vbvBytes')} ${vbvBytes}, rounded down to a multiple of ${VBV_BUFFER_UNIT_BYTES}`;
    const what = `the decoder's buffer has ${bytes} bytes (${origin}), and ${why}`;
    return `${what}: give ${named('vbvBytes')} at least ${needed}`;
  });
}

/** The rate in bit/s, rounded up to one that bit_rate can state. */
function wholeRate(bitsPerSecond: number): number {
  return Math.ceil(bitsPerSecond / BIT_RATE_UNIT_BITS_PER_SECOND) * BIT_RATE_UNIT_BITS_PER_SECOND;
}
