import type { FrameRate } from '../tables/frame-rate.js';
import type { BitSink } from './bit-sink.js';

const GROUP_START_CODE = 0xb8;

/** time_code of a group of pictures; ISO/IEC 11172-2 §2.4.3.3. drop_frame_flag is always 0 here. */
export interface TimeCode {
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly pictures: number;
}

/** The group of pictures header's fields; ISO/IEC 11172-2 §2.4.2.4. */
export interface GroupOfPicturesHeader {
  readonly timeCode: TimeCode;
  readonly closedGop: boolean;
  readonly brokenLink: boolean;
}

/**
 * The time code of a picture by its display number: pictures are counted at the rate rounded to whole pictures a second
 * (non-drop counting) and the hours wrap at 24.
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
