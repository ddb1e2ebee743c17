// Writes the group of pictures header, and finds its time code.

import { GROUP_START_CODE } from '../start-codes.js';
import type { FrameRate } from '../tables/frame-rate.js';
import type { BitSink } from './bit-sink.js';

/** time_code of a group of pictures, its drop_frame_flag 0; ISO/IEC 11172-2 §2.4.3.3. */
export interface TimeCode {
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly pictures: number;
}

/** The fields of the group of pictures header; ISO/IEC 11172-2 §2.4.2.4. */
export interface GroupOfPicturesHeader {
  readonly timeCode: TimeCode;
  readonly closedGop: boolean;
  readonly brokenLink: boolean;
}

/**
 * The time code of a picture by its display number. Each second counts as many pictures as the rate rounded to a whole
 * number; after 24 hours it starts again.
 */
export function timeCodeOfPicture(displayNumber: number, rate: FrameRate): TimeCode {
  const perSecond = Math.round(rate.numerator / rate.denominator);
  const seconds = Math.floor(displayNumber / perSecond);
  return {
    hours: Math.floor(seconds / 3600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
    pictures: displayNumber % perSecond,
  };
}

/** Writes the group of pictures header; ISO/IEC 11172-2 §2.4.2.4. */
export function writeGroupOfPicturesHeader(sink: BitSink, header: GroupOfPicturesHeader): void {
  sink.putStartCode(GROUP_START_CODE);
  sink.putBits(0, 1); // drop_frame_flag
  sink.putBits(header.timeCode.hours, 5); // time_code_hours
  sink.putBits(header.timeCode.minutes, 6); // time_code_minutes
  sink.putBits(1, 1); // marker_bit
  sink.putBits(header.timeCode.seconds, 6); // time_code_seconds
  sink.putBits(header.timeCode.pictures, 6); // time_code_pictures
  sink.putBits(header.closedGop ? 1 : 0, 1); // closed_gop
  sink.putBits(header.brokenLink ? 1 : 0, 1); // broken_link
  sink.alignWithZeros(); // next_start_code()
}
