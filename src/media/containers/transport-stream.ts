// Writes a transport stream: ISO/IEC 13818-1, one MPEG-1 video.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { BitSink } from '../../bitstream/syntax/bit-sink.js';
import type { ContainerWriter, StreamFormat } from './container-writer.js';
import { startsWithSequenceHeader } from './elementary-stream.js';
import { timeStampBytes, VIDEO_STREAM_ID, writeTimeStamps } from './packet-syntax.js';
import { FINE_TICKS_PER_TICK, SystemClock, TICKS_PER_SECOND } from './system-clock.js';
import { CLOCK_PACKET_PAYLOAD_BYTES, PACKET_ROOM_BYTES, TransportPackets } from './transport-stream-packets.js';
import {
  PROGRAM_ASSOCIATION_PID,
  PROGRAM_MAP_PID,
  programAssociationSection,
  programMapSection,
  VIDEO_PID,
} from './transport-stream-tables.js';

/** Picture periods from a picture's first byte to its decoding: one to send it, one of reserve. */
const DELAY_PICTURES = 2;
/** The tables are repeated at least every 0.1 s. */
const MAX_TABLE_INTERVAL_FINE_TICKS = (TICKS_PER_SECOND * FINE_TICKS_PER_TICK) / 10;
const MAX_PES_PACKET_LENGTH = 0xffff;
/** Bytes of a PES header before the time stamps. */
const PES_HEADER_BYTES = 9;
/** The bytes at its start that PES_packet_length does not count: those up to and with itself. */
const PES_UNCOUNTED_BYTES = 6;

/**
 * Writes a transport stream with a PES packet for each access unit. There is no look-ahead: a picture goes out as soon
 * as it is coded. Its clock reference says that it is sent within its own picture period.
 */
export class TransportStreamWriter implements ContainerWriter {
  readonly #clock: SystemClock;
  readonly #association = new TransportPackets(PROGRAM_ASSOCIATION_PID);
  readonly #map = new TransportPackets(PROGRAM_MAP_PID);
  readonly #video = new TransportPackets(VIDEO_PID);
  readonly #sink = new BitSink(64);
  #periodsSinceTables = Number.POSITIVE_INFINITY;

  constructor(format: StreamFormat) {
    this.#clock = new SystemClock(format, DELAY_PICTURES);
  }

  write(unit: AccessUnit): Uint8Array[] {
    const randomAccess = unit.pictureType === 'I' && startsWithSequenceHeader(unit.data);
    const tables = this.#tablesAreDue(randomAccess) ? this.#tables() : [];
    const clockFineTicks = this.#clock.fineTicks(unit.codedNumber);
    return [...tables, this.#video.packetize(this.#pesPacket(unit), { clockFineTicks, randomAccess })];
  }

  end(): Uint8Array[] {
    return [];
  }

  /** Whether the tables come before this picture: if decoding may start here, or else 0.1 s would pass without them. */
  #tablesAreDue(randomAccess: boolean): boolean {
    this.#periodsSinceTables++;
    return randomAccess || this.#clock.fineDuration(this.#periodsSinceTables + 1) > MAX_TABLE_INTERVAL_FINE_TICKS;
  }

  #tables(): Uint8Array[] {
    this.#periodsSinceTables = 0;
    return [
      this.#association.packetize(asPacketPayload(programAssociationSection())),
      this.#map.packetize(asPacketPayload(programMapSection())),
    ];
  }

  /**
   * The PES packet of an access unit; ISO/IEC 13818-1 §2.4.3.6. PES_packet_length is 0, as it may be in video, if the
   * packet is too long for it. JSMpeg then finds the end by the stuffing in the last transport packet, or only when the
   * next picture comes. So one stuffing byte goes into a header whose packet would fill its transport packets exactly.
   */
  #pesPacket(unit: AccessUnit): Uint8Array {
    const stamps = this.#clock.timeStamps(unit);
    const minBytes = PES_HEADER_BYTES + timeStampBytes(stamps) + unit.data.length;
    const countable = minBytes - PES_UNCOUNTED_BYTES <= MAX_PES_PACKET_LENGTH;
    const fillsPackets = (minBytes - CLOCK_PACKET_PAYLOAD_BYTES) % PACKET_ROOM_BYTES === 0;
    const stuffingBytes = !countable && fillsPackets ? 1 : 0;
    const sink = this.#sink;
    sink.putStartCode(VIDEO_STREAM_ID); // packet_start_code_prefix, stream_id
    sink.putBits(countable ? minBytes - PES_UNCOUNTED_BYTES : 0, 16); // PES_packet_length
    sink.putBits(0b10, 2);
    sink.putBits(0, 2); // PES_scrambling_control
    sink.putBits(0, 1); // PES_priority
    sink.putBits(1, 1); // data_alignment_indicator
    sink.putBits(0, 2); // copyright, original_or_copy
    sink.putBits(stamps.presentationTicks === stamps.decodingTicks ? 0b10 : 0b11, 2); // PTS_DTS_flags
    sink.putBits(0, 6); // ESCR_flag to PES_extension_flag
    sink.putBits(timeStampBytes(stamps) + stuffingBytes, 8); // PES_header_data_length
    writeTimeStamps(sink, stamps);
    for (let i = 0; i < stuffingBytes; i++) sink.putBits(0xff, 8); // stuffing_byte
    const header = sink.takeBytes();
    const packet = new Uint8Array(header.length + unit.data.length);
    packet.set(header);
    packet.set(unit.data, header.length);
    return packet;
  }
}

/** A section as the payload of one packet: pointer_field 0, the section, stuffing_bytes; ISO/IEC 13818-1 §2.4.4.1. */
function asPacketPayload(section: Uint8Array): Uint8Array {
  const payload = new Uint8Array(PACKET_ROOM_BYTES).fill(0xff);
  payload[0] = 0; // pointer_field
  payload.set(section, 1);
  return payload;
}
