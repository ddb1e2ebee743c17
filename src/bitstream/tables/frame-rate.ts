// The eight frame rates of MPEG-1.
import { OptionError } from '../../errors.js';
import { inWords } from '../../given-options.js';

/** A rational frame rate in frames per second. */
export interface FrameRate {
  readonly numerator: number;
  readonly denominator: number;
}

/** The frame rates of picture_rate 1..8, from index 0; ISO/IEC 11172-2 §2.4.3.2. */
export const FRAME_RATES: readonly FrameRate[] = [
  { numerator: 24000, denominator: 1001 },
  { numerator: 24, denominator: 1 },
  { numerator: 25, denominator: 1 },
  { numerator: 30000, denominator: 1001 },
  { numerator: 30, denominator: 1 },
  { numerator: 50, denominator: 1 },
  { numerator: 60000, denominator: 1001 },
  { numerator: 60, denominator: 1 },
];

/** The legal rates as people write them, for error messages. */
export const FRAME_RATE_NAMES = '23.976 (24000/1001), 24, 25, 29.97 (30000/1001), 30, 50, 59.94 (60000/1001), 60';

/**
 * The picture_rate 1..8 of a frame rate, which may be a number of frames per second; undefined where MPEG-1 has none
 * within 0.01 % of it.
 */
export function pictureRateCode(rate: number | FrameRate): number | undefined {
  const { numerator, denominator }: FrameRate = Object(rate);
  const fps = typeof rate === 'number' ? rate : numerator / denominator;
  const index = FRAME_RATES.findIndex(legal => Math.abs(fps / (legal.numerator / legal.denominator) - 1) < 1e-4);
  return index < 0 ? undefined : index + 1;
}

/** The rate of MPEG-1 that a caller's value means; undefined where it is none. */
export function legalFrameRate(rate: number | FrameRate): FrameRate | undefined {
  const code = pictureRateCode(rate);
  return code === undefined ? undefined : FRAME_RATES[code - 1];
}

/** The rate of MPEG-1 that a caller's option `frameRate` means. Throws an OptionError where it is none. */
export function requireFrameRate(rate: number | FrameRate): FrameRate {
  const legal = legalFrameRate(rate);
  if (legal) return legal;
  const problem = `${inWords(rate)} is not one of MPEG-1's rates; legal: ${FRAME_RATE_NAMES}`;
  throw new OptionError('frameRate', named => `${named('frameRate')} ${problem}`);
}

/** The mean bit rate of so many frames, in bits per second. */
export function meanBitRate(bits: number, frames: number, { numerator, denominator }: FrameRate): number {
  return (bits * numerator) / (frames * denominator);
}
