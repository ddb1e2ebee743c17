import { VARIABLE_BIT_RATE } from '../../bitstream/syntax/sequence-header.js';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { OptionError } from '../../errors.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import { leastPictureBits } from './least-picture.js';
import type { PassStatistics } from './pass-statistics.js';

/** Unit of bit_rate in bit/s; ISO/IEC 11172-2 §2.4.3.2. */
export const BIT_RATE_UNIT = 400;
/** Unit of vbv_buffer_size in bytes (16,384 bits), and the field's greatest value; §2.4.3.2. */
export const VBV_UNIT_BYTES = 2048;
const MAX_VBV_UNITS = 1023;
export const MAX_VBV_BYTES = MAX_VBV_UNITS * VBV_UNIT_BYTES;
export const MIN_BIT_RATE = 1000;
export const MAX_BIT_RATE = (VARIABLE_BIT_RATE - 1) * BIT_RATE_UNIT;
/** What the sequence header of a stream says that keeps to no buffer: a variable rate, and the largest buffer. */
export const VARIABLE_RATE_HEADER = { bitRateUnits: VARIABLE_BIT_RATE, vbvBufferUnits: MAX_VBV_UNITS };
/** Buffer where the caller names none: that of Video CD, or this much of the stream if it is more, in seconds. */
const DEFAULT_VBV_UNITS = 20;
const DEFAULT_VBV_SECONDS = 0.5;
/** Highest rate into the buffer where the caller names a buffer alone, by the mean rate. */
const DEFAULT_MAX_RATE_FACTOR = 1.5;
/** Longest vbv_delay, in seconds: 16 bits of 90 kHz, of which the highest value means "variable"; §2.4.3.4. */
const MAX_DELAY_SECONDS = 0xfff0 / 90_000;
/** How full the buffer is when the first picture is taken out at constant bit rate. */
const START_FULLNESS = 0.9;
/** Pictures that are looked at ahead: two groups, within these bounds. */
const MIN_WINDOW = 24;
const MAX_WINDOW = 36;

/** The options of the encoder that are about its rate; see {@link EncoderOptions}. */
export interface RateOptions {
  readonly bitrate?: number;
  readonly cbr?: boolean;
  readonly maxrate?: number;
  readonly vbvBytes?: number;
  readonly firstPass?: PassStatistics;
}

/** The decoder's input buffer as Annex C of ISO/IEC 11172-2 models it; all in bits. */
export interface BufferSettings {
  /** True: bits come in at a constant rate all the time; false: at most at that rate, never into a full buffer. */
  readonly isConstantRate: boolean;
  readonly sizeBits: number;
  /** What comes in from one picture to the next. */
  readonly fillBits: number;
  /** What is in it when the first picture is taken out. */
  readonly startBits: number;
}

/** What the rate is to be. */
export interface RateSettings {
  /** Bits a picture in the mean. */
  readonly pictureBits: number;
  readonly buffer: BufferSettings | undefined;
  /** Pictures in coded order that are looked at, the one to be coded included. */
  readonly window: number;
  /** Pictures from one I picture to the next, at most. */
  readonly gop: number;
  readonly pels: number;
  readonly firstPass: PassStatistics | undefined;
  /** bit_rate and vbv_buffer_size of the sequence header, in units of 400 bit/s and 16,384 bits. */
  readonly bitRateUnits: number;
  readonly vbvBufferUnits: number;
}

/** What else the settings follow from. */
export interface RateContext {
  readonly grid: MacroblockGrid;
  readonly frameRate: FrameRate;
  readonly gop: number;
  readonly slices: number;
}

/** Checks the options about the rate; undefined where none is asked for. Throws OptionError. */
export function resolveRate(options: RateOptions, context: RateContext): RateSettings | undefined {
  const { bitrate, cbr = false, maxrate, vbvBytes, firstPass } = options;
  if (bitrate === undefined) {
    const orphan = Object.entries({ cbr: cbr || undefined, maxrate, vbvBytes, firstPass }).find(
      ([, value]) => value !== undefined,
    );
    if (orphan) throw new OptionError(orphan[0], `${orphan[0]} needs a bit rate: give bitrate too`);
    return undefined;
  }
  const mean = rateOption('bitrate', bitrate, MIN_BIT_RATE);
  const { grid, frameRate, gop } = context;
  const picturesPerSecond = frameRate.numerator / frameRate.denominator;
  const common = {
    window: Math.max(MIN_WINDOW, Math.min(MAX_WINDOW, 2 * gop)),
    gop,
    pels: grid.codedWidth * grid.codedHeight,
    firstPass,
  };
  if (!cbr && maxrate === undefined && vbvBytes === undefined) {
    return { ...common, ...VARIABLE_RATE_HEADER, pictureBits: mean / picturesPerSecond, buffer: undefined };
  }
  if (cbr && maxrate !== undefined)
    throw new OptionError('maxrate', 'maxrate has no meaning at a constant bit rate: leave out cbr or maxrate');
  const greatest = cbr
    ? mean
    : rateOption('maxrate', maxrate ?? Math.min(MAX_BIT_RATE, mean * DEFAULT_MAX_RATE_FACTOR), mean);
  const bitRateUnits = Math.max(1, Math.round(greatest / BIT_RATE_UNIT));
  const channelRate = bitRateUnits * BIT_RATE_UNIT;
  const vbvBufferUnits = vbvUnits(vbvBytes, channelRate);
  const vbvBits = vbvBufferUnits * VBV_UNIT_BYTES * 8;
  const sizeBits = cbr ? Math.min(vbvBits, Math.floor(channelRate * MAX_DELAY_SECONDS)) : vbvBits;
  const fillBits = channelRate / picturesPerSecond;
  const startBits = cbr ? Math.floor(sizeBits * START_FULLNESS) : sizeBits;
  const buffer: BufferSettings = { isConstantRate: cbr, sizeBits, fillBits, startBits };
  checkFeasible(buffer, context);
  const pictureBits = cbr ? fillBits : mean / picturesPerSecond;
  return { ...common, bitRateUnits, vbvBufferUnits, pictureBits, buffer };
}

function rateOption(option: string, value: number, least: number): number {
  if (Number.isFinite(value) && value >= least && value <= MAX_BIT_RATE) return value;
  throw new OptionError(option, `${option} ${String(value)} is not from ${least} to ${MAX_BIT_RATE} bit/s`);
}

/** The buffer in units of 2048 bytes, rounded down. */
function vbvUnits(vbvBytes: number | undefined, channelRate: number): number {
  if (vbvBytes === undefined) {
    const seconds = Math.ceil((channelRate * DEFAULT_VBV_SECONDS) / (8 * VBV_UNIT_BYTES));
    return Math.min(MAX_VBV_UNITS, Math.max(DEFAULT_VBV_UNITS, seconds));
  }
  const greatest = MAX_VBV_BYTES;
  if (!(vbvBytes >= VBV_UNIT_BYTES && vbvBytes <= greatest)) {
    throw new OptionError(
      'vbvBytes',
      `vbvBytes ${String(vbvBytes)} is not from ${VBV_UNIT_BYTES} to ${greatest} bytes`,
    );
  }
  return Math.floor(vbvBytes / VBV_UNIT_BYTES);
}

/** sequence_end_code, which goes with the last picture. */
export const SEQUENCE_END_BITS = 32;

/** Even groups of the smallest pictures there are must pass through the buffer. */
function checkFeasible(
  { isConstantRate, startBits, fillBits, sizeBits }: BufferSettings,
  { grid, gop, slices }: RateContext,
): void {
  const { mbWidth, mbHeight } = grid;
  const shape = { macroblocks: mbWidth * mbHeight, slices, gop };
  const intra = leastPictureBits('I', shape);
  const predicted = leastPictureBits('P', shape);
  const size = `${grid.displayWidth}x${grid.displayHeight}`;
  if (isConstantRate && fillBits > startBits) {
    const what = `a buffer of ${Math.floor(sizeBits / 8)} bytes is less than one picture takes at this bit rate`;
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
      `the bit rate is too low for ${size} with an I picture every ${gop} pictures; raise it, or gop`,
    );
  }
}
