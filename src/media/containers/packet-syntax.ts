// What packets of program streams and of transport streams have in common: the stream_id and the time stamps.
import type { BitSink } from '../../bitstream/syntax/bit-sink.js';
import { TIME_STAMP_MODULUS, type TimeStamps } from './system-clock.js';

/** stream_id of the video: number 0; ISO/IEC 11172-1 §2.4.4.2. JSMpeg accepts no other. */
export const VIDEO_STREAM_ID = 0xe0;
/** stream_id of the sound: audio number 0. */
export const SOUND_STREAM_ID = 0xc0;

/** The 4 bits before a time stamp say which one it is; ISO/IEC 11172-1 §2.4.3.2, §2.4.3.3. */
export const SYSTEM_CLOCK_REFERENCE = 0b0010;
const PTS_ALONE = 0b0010;
const PTS_BEFORE_DTS = 0b0011;
const DTS = 0b0001;

/** Bytes of one time stamp. */
const TIME_STAMP_BYTES = 5;

/** Writes a time stamp with its 4-bit prefix and marker bits, 40 bits in all; ISO/IEC 11172-1 §2.4.3.2, §2.4.3.3. */
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

/** Writes the PTS, and the DTS if it differs: `timeStampBytes` bytes. */
export function writeTimeStamps(sink: BitSink, { decodingTicks, presentationTicks }: TimeStamps): void {
  if (presentationTicks === decodingTicks) {
    writeTimeStamp(sink, PTS_ALONE, presentationTicks); // presentation_time_stamp
  } else {
    writeTimeStamp(sink, PTS_BEFORE_DTS, presentationTicks); // presentation_time_stamp
    writeTimeStamp(sink, DTS, decodingTicks); // decoding_time_stamp
  }
}

/** Bytes that `writeTimeStamps` writes. */
export function timeStampBytes({ decodingTicks, presentationTicks }: TimeStamps): number {
  return presentationTicks === decodingTicks ? TIME_STAMP_BYTES : 2 * TIME_STAMP_BYTES;
}
