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
import { OptionError } from '../../errors.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import { checkValue, numbers } from '../settings/option-values.js';
import { SEQUENCE_END_BITS, sparsePictureBits } from './buffer/sparse-picture.js';
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
export interface RateOptions {
  readonly bitrate?: number;
  readonly cbr?: boolean;
  readonly maxrate?: number;
  readonly vbvBytes?: number;
  readonly firstPass?: PassStatistics;
  /** How many pictures the encode has, where that is known. */
  readonly expectedFrames?: number;
}

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
  /** Luma pels of a picture. */
  readonly pels: number;
  readonly firstPass: PassStatistics | undefined;
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
}

/** The settings of the bit rate; undefined where none is given. Throws OptionError for options that contradict it. */
export function resolveRate(options: RateOptions, context: RateContext): RateSettings | undefined {
  const { bitrate: mean, cbr = false, maxrate, vbvBytes, firstPass } = options;
  if (mean === undefined) {
    const orphan = Object.entries({ cbr: cbr || undefined, maxrate, vbvBytes, firstPass }).find(
      ([, value]) => value !== undefined,
    );
    if (orphan) throw new OptionError(orphan[0], `${orphan[0]} needs a bit rate: give bitrate too`);
    return undefined;
  }
  const { grid, frameRate, gop } = context;
  const picturesPerSecond = frameRate.numerator / frameRate.denominator;
  const common = {
    window: windowOf(gop, options.expectedFrames, grid),
    gop,
    pels: grid.codedWidth * grid.codedHeight,
    firstPass,
  };
  if (!cbr && maxrate === undefined && vbvBytes === undefined) {
    return { ...common, ...VARIABLE_RATE_HEADER, pictureBits: mean / picturesPerSecond, buffer: undefined };
  }
  if (cbr && maxrate !== undefined)
    throw new OptionError('maxrate', 'maxrate has no meaning at a constant bit rate: leave out cbr or maxrate');
  const maxRate = cbr
    ? mean
    : checkValue(
        'maxrate',
        maxrate ?? Math.min(MAX_BIT_RATE, mean * DEFAULT_MAX_RATE_FACTOR),
        numbers(mean, MAX_BIT_RATE, 'bit/s'),
      );
  const bitRateUnits = Math.max(1, Math.round(maxRate / BIT_RATE_UNIT_BITS_PER_SECOND));
  const channelRate = bitRateUnits * BIT_RATE_UNIT_BITS_PER_SECOND;
  const vbvBufferUnits = vbvUnits(vbvBytes, channelRate);
  const vbvBits = vbvBufferUnits * VBV_BUFFER_UNIT_BYTES * 8;
  const sizeBits = cbr ? Math.min(vbvBits, Math.floor(channelRate * MAX_DELAY_SECONDS)) : vbvBits;
  const fillBits = channelRate / picturesPerSecond;
  const startBits = cbr ? Math.floor(sizeBits * START_FULLNESS) : sizeBits;
  const buffer: BufferSettings = { isConstantRate: cbr, sizeBits, fillBits, startBits };
  checkFeasible(buffer, context);
  const pictureBits = cbr ? fillBits : mean / picturesPerSecond;
  return { ...common, bitRateUnits, vbvBufferUnits, pictureBits, buffer };
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
function checkFeasible(
  { isConstantRate, startBits, fillBits, sizeBits }: BufferSettings,
  { grid, gop, slices }: RateContext,
): void {
  const { mbWidth, mbHeight } = grid;
  const shape = { macroblocks: mbWidth * mbHeight, slices, gop };
  const intra = sparsePictureBits('I', shape);
  const predicted = sparsePictureBits('P', shape);
  const size = `${grid.displayWidth}x${grid.displayHeight}`;
  if (isConstantRate && fillBits > startBits) {
    const what = `a buffer of ${Math.floor(sizeBits / 8)} bytes holds less than a picture at this bit rate`;
    throw new OptionError('vbvBytes', `${what}; at least ${Math.ceil(fillBits / 7)} bytes are needed`);
  }
  if (intra + SEQUENCE_END_BITS > startBits) {
    const what = `a buffer of ${Math.floor(sizeBits / 8)} bytes cannot hold every I picture of ${size}`;
    throw new OptionError(
      'vbvBytes',
      `${what}; at least ${Math.ceil(intra / 7)} bytes are needed, or a higher bit rate`,
    );
  }
  if (intra + (gop - 1) * predicted > gop * fillBits) {
    throw new OptionError(
      'bitrate',
      `the bit rate is too low for ${size} with an I picture every ${gop} pictures; raise the bit rate or gop`,
    );
  }
}
