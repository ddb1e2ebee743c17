// Writes the group of pictures header.

import { GROUP_START_CODE } from '../start-codes.js';
import type { TimeCode } from '../time-code.js';
import type { BitSink } from './bit-sink.js';

/** The fields of the group of pictures header; ISO/IEC 11172-2 §2.4.2.4. */
export interface GroupOfPicturesHeader {
  readonly timeCode: TimeCode;
  readonly closedGop: boolean;
  readonly brokenLink: boolean;
}

/** Writes the group of pictures header; ISO/IEC 11172-2 §2.4.2.4. */
export function writeGroupOfPicturesHeader(sink: BitSink, header: GroupOfPicturesHeader): void {
  sink.putStartCode(GROUP_START_CODE);
  sink.putBits(header.timeCode.dropFrameFlag ? 1 : 0, 1); // drop_frame_flag
  sink.putBits(header.timeCode.hours, 5); // time_code_hours
  sink.putBits(header.timeCode.minutes, 6); // time_code_minutes
  sink.putBits(1, 1); // marker_bit
  sink.putBits(header.timeCode.seconds, 6); // time_code_seconds
  sink.putBits(header.timeCode.pictures, 6); // time_code_pictures
  sink.putBits(header.closedGop ? 1 : 0, 1); // closed_gop
  sink.putBits(header.brokenLink ? 1 : 0, 1); // broken_link
  sink.alignWithZeros(); // next_start_code()
}
