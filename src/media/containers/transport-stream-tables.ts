// The tables of a transport stream: which program there is, and which streams it consists of.
import { BitSink } from '../../bitstream/syntax/bit-sink.js';

/** PIDs of the kinds of packets; ISO/IEC 13818-1 §2.4.3.3 leaves 0x0010 to 0x1FFE free. */
export const PROGRAM_ASSOCIATION_PID = 0x0000;
export const PROGRAM_MAP_PID = 0x1000;
export const VIDEO_PID = 0x0100;
export const SOUND_PID = 0x0101;

const TRANSPORT_STREAM_ID = 1;
const PROGRAM_NUMBER = 1;
/** stream_type of ISO/IEC 11172-2 video; ISO/IEC 13818-1 table 2-34. */
const STREAM_TYPE_MPEG1_VIDEO = 0x01;
/** stream_type of ISO/IEC 11172-3 audio. */
const STREAM_TYPE_MPEG1_AUDIO = 0x03;
const PROGRAM_ASSOCIATION_TABLE_ID = 0x00;
const PROGRAM_MAP_TABLE_ID = 0x02;
const CRC_BYTES = 4;

/** The program association section: one program, whose map has PROGRAM_MAP_PID; ISO/IEC 13818-1 §2.4.4.3. */
export function programAssociationSection(): Uint8Array {
  return section(PROGRAM_ASSOCIATION_TABLE_ID, TRANSPORT_STREAM_ID, sink => {
    sink.putBits(PROGRAM_NUMBER, 16); // program_number
    sink.putBits(0b111, 3); // reserved
    sink.putBits(PROGRAM_MAP_PID, 13); // program_map_PID
  });
}

/**
 * The program map section: one MPEG-1 video, which also carries the clock, and perhaps its sound; ISO/IEC 13818-1
 * §2.4.4.8.
 */
export function programMapSection(hasSound: boolean): Uint8Array {
  return section(PROGRAM_MAP_TABLE_ID, PROGRAM_NUMBER, sink => {
    sink.putBits(0b111, 3); // reserved
    sink.putBits(VIDEO_PID, 13); // PCR_PID
    sink.putBits(0b1111, 4); // reserved
    sink.putBits(0, 12); // program_info_length
    writeStream(sink, STREAM_TYPE_MPEG1_VIDEO, VIDEO_PID);
    if (hasSound) writeStream(sink, STREAM_TYPE_MPEG1_AUDIO, SOUND_PID);
  });
}

function writeStream(sink: BitSink, streamType: number, pid: number): void {
  sink.putBits(streamType, 8); // stream_type
  sink.putBits(0b111, 3); // reserved
  sink.putBits(pid, 13); // elementary_PID
  sink.putBits(0b1111, 4); // reserved
  sink.putBits(0, 12); // ES_info_length
}

/** A section: the head that both tables share, the body and CRC_32; ISO/IEC 13818-1 §2.4.4. */
function section(tableId: number, tableIdExtension: number, writeBody: (sink: BitSink) => void): Uint8Array {
  const body = new BitSink(64);
  body.putBits(tableIdExtension, 16); // transport_stream_id, program_number
  body.putBits(0b11, 2); // reserved
  body.putBits(0, 5); // version_number
  body.putBits(1, 1); // current_next_indicator
  body.putBits(0, 8); // section_number
  body.putBits(0, 8); // last_section_number
  writeBody(body);
  const bodyBytes = body.takeBytes();
  const head = new BitSink(8);
  head.putBits(tableId, 8); // table_id
  head.putBits(1, 1); // section_syntax_indicator
  head.putBits(0, 1);
  head.putBits(0b11, 2); // reserved
  head.putBits(bodyBytes.length + CRC_BYTES, 12); // section_length
  const withoutCrc = Uint8Array.of(...head.takeBytes(), ...bodyBytes);
  const crc = crc32(withoutCrc);
  return Uint8Array.of(...withoutCrc, crc >>> 24, (crc >>> 16) & 0xff, (crc >>> 8) & 0xff, crc & 0xff);
}

/** CRC_32 of ISO/IEC 13818-1 annex A: polynomial 0x04C11DB7, most significant bit first, all ones at the start. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}
