// When pictures are decoded and presented, in ticks of the system clock.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { legalFrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError, InternalError, OptionError } from '../../errors.js';
import { SAMPLES_PER_FRAME } from '../sound/layer-two.js';
import type { StreamFormat } from './container-writer.js';

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
 * Ticks grow without a limit; whoever writes them keeps 33 bits.
 */
export class SystemClock {
  /** A whole number for each of MPEG-1's eight rates. */
  readonly #fineTicksPerPicture: number;
  readonly #startTicks: number;

  /** Throws an OptionError for a `startTicks` out of range. */
  constructor(
    { frameRate, startTicks = 0 }: Pick<StreamFormat, 'frameRate' | 'startTicks'>,
    private readonly startPictures: number,
  ) {
    if (!Number.isInteger(startTicks) || startTicks < 0 || startTicks >= TIME_STAMP_MODULUS) {
      const legal = `a whole number from 0 to ${TIME_STAMP_MODULUS - 1}`;
      throw new OptionError('startTicks', `startTicks ${String(startTicks)} is not ${legal}`);
    }
    this.#startTicks = startTicks;
    const legal = legalFrameRate(frameRate);
    if (!legal) throw new InternalError(`no picture_rate: ${frameRate.numerator}/${frameRate.denominator}`);
    this.#fineTicksPerPicture = (TICKS_PER_SECOND * FINE_TICKS_PER_TICK * legal.denominator) / legal.numerator;
  }

  /** Length of so many picture periods in ticks of 27 MHz. */
  fineDuration(periods: number): number {
    return periods * this.#fineTicksPerPicture;
  }

  /** The start of picture period `period`, which is 0 or more, in ticks of 27 MHz. */
  fineTicks(period: number): number {
    return this.#startTicks * FINE_TICKS_PER_TICK + this.fineDuration(period);
  }

  /** The same in ticks of 90 kHz, rounded to the nearest. */
  ticks(period: number): number {
    return Math.round(this.fineTicks(period) / FINE_TICKS_PER_TICK);
  }

  /** `periods` picture periods after the presentation of the first picture. */
  firstPictureTicks(periods: number): number {
    return this.ticks(this.startPictures + REORDER_PICTURES + periods);
  }

  /** When frame `index` of the sound is presented: the first with the first picture, the others by their samples. */
  soundTicks(index: number, sampleRate: number): number {
    const first = this.fineTicks(this.startPictures + REORDER_PICTURES);
    const samples = index * SAMPLES_PER_FRAME;
    return Math.round((first + (samples * TICKS_PER_SECOND * FINE_TICKS_PER_TICK) / sampleRate) / FINE_TICKS_PER_TICK);
  }

  /** The time stamps of an access unit. */
  timeStamps(unit: AccessUnit): TimeStamps {
    const presentationNumber = unit.displayNumber + REORDER_PICTURES;
    if (presentationNumber < unit.codedNumber) {
      throw new InputError(
        `picture ${unit.displayNumber} is coded as number ${unit.codedNumber}: too late to be shown`,
      );
    }
    return {
      decodingTicks: this.ticks(this.startPictures + unit.codedNumber),
      presentationTicks: this.ticks(this.startPictures + presentationNumber),
    };
  }
}
