// Writes the headers of a program stream: pack, system header and packet; ISO/IEC 11172-1.
import type { BitSink } from '../../bitstream/syntax/bit-sink.js';
import {
  SOUND_STREAM_ID,
  SYSTEM_CLOCK_REFERENCE,
  timeStampBytes,
  VIDEO_STREAM_ID,
  writeTimeStamp,
  writeTimeStamps,
} from './packet-syntax.js';
import type { TimeStamps } from './system-clock.js';

const PACK_START_CODE = 0xba;
const SYSTEM_HEADER_START_CODE = 0xbb;
const ISO_11172_END_CODE = 0xb9;
/** stream_id of padding_stream; ISO/IEC 11172-1 §2.4.4.2. */
const PADDING_STREAM_ID = 0xbe;

/** The unit of mux_rate, which has 22 bits; ISO/IEC 11172-1 §2.4.4.2. */
export const MUX_RATE_BYTES_PER_SECOND = 50;
export const MAX_MUX_RATE = 0x3fffff;
/** The unit of STD_buffer_size with STD_buffer_scale 1. It has 13 bits; ISO/IEC 11172-1 §2.4.4.3. */
export const STD_BUFFER_UNIT_BYTES = 1024;
export const MAX_STD_BUFFER_BYTES = 8191 * STD_BUFFER_UNIT_BYTES;

/** The unit with STD_buffer_scale 0, which audio has. */
const SOUND_BUFFER_UNIT_BYTES = 128;
/** The system target decoder's buffer for Layer II, as players have it. */
export const SOUND_BUFFER_BYTES = 4096;

export const PACK_HEADER_BYTES = 12;
/** Length of a system header without its streams. */
const SYSTEM_HEADER_FIXED_BYTES = 12;
/** Length of a stream's entry in a system header. */
const STREAM_BOUND_BYTES = 3;

/** What the system header promises of the whole stream. */
export interface SystemBounds {
  /** Highest mux_rate of any pack, in units of 50 bytes a second. */
  readonly rateBound: number;
  /** The video buffer of the system target decoder, a multiple of 1024; undefined where the header leaves it out. */
  readonly stdBufferBytes?: number | undefined;
  /** Whether there is sound. */
  readonly hasSound: boolean;
  /** Whether it is a constrained system parameters stream; ISO/IEC 11172-1 §2.4.6. */
  readonly isConstrained?: boolean;
}

/** What precedes a packet's data. */
export interface PacketHeader {
  /** VIDEO_STREAM_ID or SOUND_STREAM_ID. */
  readonly streamId: number;
  /** Size of the system target decoder's buffer, a multiple of its unit; undefined in packets that do not give it. */
  readonly stdBufferBytes?: number | undefined;
  /** stuffing_bytes, 0..16. */
  readonly stuffingBytes?: number;
  /** Those of the access unit that starts in the packet; undefined if none does. */
  readonly timeStamps?: TimeStamps | undefined;
}

/** Writes the pack header, 12 bytes; ISO/IEC 11172-1 §2.4.3.2. `muxRate` 1..MAX_MUX_RATE. */
export function writePackHeader(sink: BitSink, systemClockReferenceTicks: number, muxRate: number): void {
  sink.putStartCode(PACK_START_CODE);
  writeTimeStamp(sink, SYSTEM_CLOCK_REFERENCE, systemClockReferenceTicks); // system_clock_reference
  sink.putBits(1, 1); // marker_bit
  sink.putBits(muxRate, 22); // mux_rate
  sink.putBits(1, 1); // marker_bit
}

/** Bytes that `writeSystemHeader` writes. */
export function systemHeaderBytes({ stdBufferBytes, hasSound }: SystemBounds): number {
  return SYSTEM_HEADER_FIXED_BYTES + STREAM_BOUND_BYTES * ((stdBufferBytes === undefined ? 0 : 1) + (hasSound ? 1 : 0));
}

/** Writes the system header of a stream with one video and at most one sound; ISO/IEC 11172-1 §2.4.3.2. */
export function writeSystemHeader(sink: BitSink, bounds: SystemBounds): void {
  const { rateBound, stdBufferBytes, hasSound, isConstrained } = bounds;
  sink.putStartCode(SYSTEM_HEADER_START_CODE);
  sink.putBits(systemHeaderBytes(bounds) - 6, 16); // header_length
  sink.putBits(1, 1); // marker_bit
  sink.putBits(rateBound, 22); // rate_bound
  sink.putBits(1, 1); // marker_bit
  sink.putBits(hasSound ? 1 : 0, 6); // audio_bound
  sink.putBits(0, 1); // fixed_flag
  sink.putBits(isConstrained ? 1 : 0, 1); // CSPS_flag
  sink.putBits(hasSound || isConstrained ? 1 : 0, 1); // system_audio_lock_flag
  sink.putBits(1, 1); // system_video_lock_flag
  sink.putBits(1, 1); // marker_bit
  sink.putBits(stdBufferBytes === undefined ? 0 : 1, 5); // video_bound
  sink.putBits(0xff, 8); // reserved_byte
  if (hasSound) {
    sink.putBits(SOUND_STREAM_ID, 8); // stream_id
    sink.putBits(0b11, 2);
    sink.putBits(0, 1); // STD_buffer_bound_scale
    sink.putBits(SOUND_BUFFER_BYTES / SOUND_BUFFER_UNIT_BYTES, 13); // STD_buffer_size_bound
  }
  if (stdBufferBytes !== undefined) {
    sink.putBits(VIDEO_STREAM_ID, 8); // stream_id
    sink.putBits(0b11, 2);
    sink.putBits(1, 1); // STD_buffer_bound_scale
    sink.putBits(stdBufferBytes / STD_BUFFER_UNIT_BYTES, 13); // STD_buffer_size_bound
  }
}

/** Bytes that `writePacketHeader` writes. */
export function packetHeaderBytes(header: PacketHeader): number {
  const bufferBytes = header.stdBufferBytes === undefined ? 0 : 2;
  return (
    6 +
    (header.stuffingBytes ?? 0) +
    bufferBytes +
    (header.timeStamps === undefined ? 1 : timeStampBytes(header.timeStamps))
  );
}

/** Writes the header of a packet of `dataBytes` bytes of data; ISO/IEC 11172-1 §2.4.3.3. */
export function writePacketHeader(sink: BitSink, header: PacketHeader, dataBytes: number): void {
  const isSound = header.streamId === SOUND_STREAM_ID;
  sink.putStartCode(header.streamId); // packet_start_code_prefix, stream_id
  sink.putBits(packetHeaderBytes(header) - 6 + dataBytes, 16); // packet_length
  for (let i = 0; i < (header.stuffingBytes ?? 0); i++) sink.putBits(0xff, 8); // stuffing_byte
  if (header.stdBufferBytes !== undefined) {
    sink.putBits(0b01, 2);
    sink.putBits(isSound ? 0 : 1, 1); // STD_buffer_scale
    sink.putBits(header.stdBufferBytes / (isSound ? SOUND_BUFFER_UNIT_BYTES : STD_BUFFER_UNIT_BYTES), 13); // STD_buffer_size
  }
  if (header.timeStamps === undefined) {
    sink.putBits(0b00001111, 8);
  } else {
    writeTimeStamps(sink, header.timeStamps);
  }
}

/** Writes a packet of padding_stream, `bytes` long with its header, 7 or more; ISO/IEC 11172-1 §2.4.3.3. */
export function writePaddingPacket(sink: BitSink, bytes: number): void {
  sink.putStartCode(PADDING_STREAM_ID); // packet_start_code_prefix, stream_id
  sink.putBits(bytes - 6, 16); // packet_length
  sink.putBits(0b00001111, 8);
  for (let i = 7; i < bytes; i++) sink.putBits(0xff, 8); // packet_data_byte
}

/** Writes iso_11172_end_code; ISO/IEC 11172-1 §2.4.3.1. */
export function writeSystemStreamEnd(sink: BitSink): void {
  sink.putStartCode(ISO_11172_END_CODE);
}
