// When pictures are decoded and presented, in ticks of the system clock.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { FRAME_RATES, type FrameRate, pictureRateCode } from '../../bitstream/tables/frame-rate.js';
import { InternalError } from '../../errors.js';

/** Time stamps count periods of 90 kHz; ISO/IEC 11172-1 §2.4.2. */
export const TICKS_PER_SECOND = 90_000;
/** Periods of the 27 MHz clock in one of 90 kHz; ISO/IEC 13818-1 §2.4.3.5. */
export const FINE_TICKS_PER_TICK = 300;
/** Time stamps and clock references have 33 bits and wrap. */
export const TIME_STAMP_MODULUS = 2 ** 33;

/** When an access unit is decoded and presented, in ticks of 90 kHz; presentation is never earlier. */
export interface TimeStamps {
  readonly decodingTicks: number;
  readonly presentationTicks: number;
}

/** Picture periods between the decoding of an I or P picture and its presentation. */
const REORDER_PICTURES = 1;

/**
 * The decoder's clock, counted in picture periods; ISO/IEC 11172-1 §2.4.2. Picture n of the coded order is decoded at
 * `startPictures + n`. Picture m of the display order is presented at `startPictures + m + 1`: a decoder keeps an I or
 * P picture until it decodes the next one. The delay of 1 stays in streams without B pictures: B pictures may come at
 * any time, and if the PTS of every picture equals its DTS, ffmpeg gives the first two pictures the same DTS.
 */
export class SystemClock {
  /** A whole number for each of MPEG-1's eight rates. */
  readonly #fineTicksPerPicture: number;

  constructor(
    frameRate: FrameRate,
    private readonly startPictures: number,
  ) {
    const code = pictureRateCode(frameRate);
    if (code === undefined) throw new InternalError(`no picture_rate: ${frameRate.numerator}/${frameRate.denominator}`);
    const legal = FRAME_RATES[code - 1]!;
    this.#fineTicksPerPicture = (TICKS_PER_SECOND * FINE_TICKS_PER_TICK * legal.denominator) / legal.numerator;
  }

  /** Ticks of 27 MHz from time 0 to the start of picture period `period`, which is 0 or more. */
  fineTicks(period: number): number {
    return period * this.#fineTicksPerPicture;
  }

  /** The same in ticks of 90 kHz, rounded to the nearest. */
  ticks(period: number): number {
    return Math.round(this.fineTicks(period) / FINE_TICKS_PER_TICK);
  }

  /** The time stamps of an access unit. */
  timeStamps(unit: AccessUnit): TimeStamps {
    const presentationNumber = unit.displayNumber + REORDER_PICTURES;
    if (presentationNumber < unit.codedNumber) {
      throw new InternalError(
        `picture ${unit.displayNumber} is coded as number ${unit.codedNumber}: too late to be shown`,
      );
    }
    return {
      decodingTicks: this.ticks(this.startPictures + unit.codedNumber),
      presentationTicks: this.ticks(this.startPictures + presentationNumber),
    };
  }
}
