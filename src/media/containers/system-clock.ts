import type { AccessUnit } from '../../bitstream/access-unit.js';
import type { BitSink } from '../../bitstream/syntax/bit-sink.js';
import { FRAME_RATES, type FrameRate, pictureRateCode } from '../../bitstream/tables/frame-rate.js';
import { InternalError } from '../../errors.js';

/** Time stamps count periods of 90 kHz; ISO/IEC 11172-1 §2.4.2. */
export const TICKS_PER_SECOND = 90_000;
/** Periods of the 27 MHz clock in one of 90 kHz; ISO/IEC 13818-1 §2.4.3.5. */
export const FINE_TICKS_PER_TICK = 300;
/** Time stamps and clock references are 33 bits long and wrap. */
export const TIME_STAMP_MODULUS = 2 ** 33;

/** When an access unit is decoded and presented, in ticks of 90 kHz; presentation is never earlier. */
export interface TimeStamps {
  readonly decodingTicks: number;
  readonly presentationTicks: number;
}

/** Picture periods between the decoding of an I or P picture and its presentation. */
const REORDER_PICTURES = 1;

/**
 * The decoder's clock in pictures: picture n of the coded order is decoded `startPictures + n` picture periods after time
 * 0, and shown one period later than its place in display order would have it, since a decoder keeps an I or P picture
 * until it decodes the next one; ISO/IEC 11172-1 §2.4.2. This holds for streams without B pictures too: B pictures may come
 * at any time, and where PTS equals DTS in every picture ffmpeg gives the first two the same DTS.
 */
export class SystemClock {
  /** Exact: each of MPEG-1's eight rates has a whole number of 27 MHz periods in a picture. */
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

  /** Ticks of 27 MHz from time 0 to the start of picture period `periods`, `periods` >= 0. */
  fineTicks(periods: number): number {
    return periods * this.#fineTicksPerPicture;
  }

  /** The same in ticks of 90 kHz, rounded to the nearest. */
  ticks(periods: number): number {
    return Math.round(this.fineTicks(periods) / FINE_TICKS_PER_TICK);
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

/**
 * Writes a time stamp with its marker bits, 40 bits in all; `ticks` wraps at 33 bits. ISO/IEC 11172-1 §2.4.3.2, §2.4.3.3.
 * `prefix` is the 4 bits that say which stamp it is.
 */
export function writeTimeStamp(sink: BitSink, prefix: number, ticks: number): void {
  const wrapped = ticks % TIME_STAMP_MODULUS;
  sink.putBits(prefix, 4);
  sink.putBits(Math.floor(wrapped / 2 ** 30), 3); // [32..30]
  sink.putBits(1, 1); // marker_bit
  sink.putBits(Math.floor(wrapped / 2 ** 15) % 2 ** 15, 15); // [29..15]
  sink.putBits(1, 1); // marker_bit
  sink.putBits(wrapped % 2 ** 15, 15); // [14..0]
  sink.putBits(1, 1); // marker_bit
}

/** Prefixes of the stamps in a packet header: PTS alone, PTS before a DTS, DTS. */
export const PTS_ALONE = 0b0010;
export const PTS_BEFORE_DTS = 0b0011;
export const DTS = 0b0001;

/** Bytes of one time stamp. */
export const TIME_STAMP_BYTES = 5;

/** Writes PTS, and DTS where it differs. Takes `timeStampBytes` bytes. */
export function writeTimeStamps(sink: BitSink, { decodingTicks, presentationTicks }: TimeStamps): void {
  if (presentationTicks === decodingTicks) {
    writeTimeStamp(sink, PTS_ALONE, presentationTicks); // presentation_time_stamp
  } else {
    writeTimeStamp(sink, PTS_BEFORE_DTS, presentationTicks); // presentation_time_stamp
    writeTimeStamp(sink, DTS, decodingTicks); // decoding_time_stamp
  }
}

/** Bytes that `writeTimeStamps` takes. */
export function timeStampBytes({ decodingTicks, presentationTicks }: TimeStamps): number {
  return presentationTicks === decodingTicks ? TIME_STAMP_BYTES : 2 * TIME_STAMP_BYTES;
}
