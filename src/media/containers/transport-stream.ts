// Writes a transport stream: ISO/IEC 13818-1, one MPEG-1 video and perhaps its sound.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { BitSink } from '../../bitstream/syntax/bit-sink.js';
import { type ContainerWriter, requireAccessUnit, type StreamFormat } from './container-writer.js';
import { startsWithSequenceHeader } from './elementary-stream.js';
import { SOUND_STREAM_ID, timeStampBytes, VIDEO_STREAM_ID, writeTimeStamps } from './packet-syntax.js';
import { SoundQueue, unexpectedSound } from './sound-queue.js';
import { FINE_TICKS_PER_TICK, SystemClock, TICKS_PER_SECOND, type TimeStamps } from './system-clock.js';
import { CLOCK_PACKET_PAYLOAD_BYTES, PACKET_ROOM_BYTES, TransportPackets } from './transport-stream-packets.js';
import {
  PROGRAM_ASSOCIATION_PID,
  PROGRAM_MAP_PID,
  programAssociationSection,
  programMapSection,
  SOUND_PID,
  VIDEO_PID,
} from './transport-stream-tables.js';

/** Picture periods from a picture's first byte to its decoding: one to send it, one of reserve. */
const DELAY_PICTURES = 2;
/** The tables are repeated at least every 0.1 s. */
const MAX_TABLE_INTERVAL_FINE_TICKS = (TICKS_PER_SECOND * FINE_TICKS_PER_TICK) / 10;
const MAX_PES_PACKET_LENGTH = 0xffff;
/** As many of the longest frames of Layer II as PES_packet_length can count; fewer are due at a time. */
const MAX_FRAMES_PER_PES_PACKET = 32;
/** Bytes of a PES header before the time stamps. */
const PES_HEADER_BYTES = 9;
/** The bytes at its start that PES_packet_length does not count: those up to and with itself. */
const PES_UNCOUNTED_BYTES = 6;

/** What a PES packet carries. */
interface PesPayload {
  readonly streamId: number;
  readonly stamps: TimeStamps;
  readonly data: Uint8Array;
}

/**
 * Writes a transport stream with a PES packet for each access unit. There is no look-ahead: a picture goes out as soon
 * as it is coded. Its clock reference says that it is sent within its own picture period. After it, in one PES packet,
 * come the frames of sound that are presented in the picture period after the next: sent one to three periods ahead.
 */
export class TransportStreamWriter implements ContainerWriter {
  readonly #clock: SystemClock;
  readonly #association = new TransportPackets(PROGRAM_ASSOCIATION_PID);
  readonly #map = new TransportPackets(PROGRAM_MAP_PID);
  readonly #associationPayload = asPacketPayload(programAssociationSection());
  readonly #mapPayload: Uint8Array;
  readonly #video = new TransportPackets(VIDEO_PID);
  readonly #soundPackets = new TransportPackets(SOUND_PID);
  readonly #sound: SoundQueue | undefined;
  readonly #sink = new BitSink(64);
  #periodsSinceTables = Number.POSITIVE_INFINITY;

  constructor(format: StreamFormat) {
    this.#clock = new SystemClock(format, DELAY_PICTURES);
    this.#sound = format.sound && new SoundQueue(format.sound, this.#clock);
    this.#mapPayload = asPacketPayload(programMapSection(this.#sound !== undefined));
  }

  write(unit: AccessUnit): Uint8Array[] {
    requireAccessUnit(unit);
    const randomAccess = unit.pictureType === 'I' && startsWithSequenceHeader(unit.data);
    const tables = this.#tablesAreDue(randomAccess) ? this.#tables() : [];
    const clockFineTicks = this.#clock.fineTicks(unit.codedNumber);
    const { data } = unit;
    const picture = this.#pesPacket({ streamId: VIDEO_STREAM_ID, stamps: this.#clock.timeStamps(unit), data });
    const soundEnd = this.#clock.ticks(unit.codedNumber + 1 + DELAY_PICTURES);
    return [
      ...tables,
      this.#video.packetize(picture, { clockFineTicks, randomAccess }),
      ...this.#soundBefore(soundEnd),
    ];
  }

  writeSound(frame: Uint8Array): void {
    if (!this.#sound) throw unexpectedSound();
    this.#sound.push(frame);
  }

  end(): Uint8Array[] {
    return this.#soundBefore(Number.POSITIVE_INFINITY);
  }

  #soundBefore(ticks: number): Uint8Array[] {
    const frames = this.#sound?.takeBefore(ticks) ?? [];
    const packets: Uint8Array[] = [];
    for (let at = 0; at < frames.length; at += MAX_FRAMES_PER_PES_PACKET) {
      const together = frames.slice(at, at + MAX_FRAMES_PER_PES_PACKET);
      const stamps = { presentationTicks: together[0]!.ticks, decodingTicks: together[0]!.ticks };
      const data = concatenate(together.map(frame => frame.data));
      packets.push(this.#soundPackets.packetize(this.#pesPacket({ streamId: SOUND_STREAM_ID, stamps, data })));
    }
    return packets;
  }

  /** Whether the tables come before this picture: if decoding may start here, or else 0.1 s would pass without them. */
  #tablesAreDue(randomAccess: boolean): boolean {
    this.#periodsSinceTables++;
    return randomAccess || this.#clock.fineDuration(this.#periodsSinceTables + 1) > MAX_TABLE_INTERVAL_FINE_TICKS;
  }

  #tables(): Uint8Array[] {
    this.#periodsSinceTables = 0;
    return [this.#association.packetize(this.#associationPayload), this.#map.packetize(this.#mapPayload)];
  }

  /**
   * A PES packet; ISO/IEC 13818-1 §2.4.3.6. PES_packet_length is 0, as it may be in video, if the packet is too long
   * for it. JSMpeg then finds the end by the stuffing in the last transport packet, or only when the
   * next picture comes. So one stuffing byte goes into a header whose packet would fill its transport packets exactly.
   */
  #pesPacket({ streamId, stamps, data }: PesPayload): Uint8Array {
    const minBytes = PES_HEADER_BYTES + timeStampBytes(stamps) + data.length;
    const countable = minBytes - PES_UNCOUNTED_BYTES <= MAX_PES_PACKET_LENGTH;
    const fillsPackets = (minBytes - CLOCK_PACKET_PAYLOAD_BYTES) % PACKET_ROOM_BYTES === 0;
    const stuffingBytes = !countable && fillsPackets ? 1 : 0;
    const sink = this.#sink;
    sink.putStartCode(streamId); // packet_start_code_prefix, stream_id
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
    return concatenate([sink.takeBytes(), data]);
  }
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A section as the payload of one packet: pointer_field 0, the section, stuffing_bytes; ISO/IEC 13818-1 §2.4.4.1. */
function asPacketPayload(section: Uint8Array): Uint8Array {
  const payload = new Uint8Array(PACKET_ROOM_BYTES).fill(0xff);
  payload[0] = 0; // pointer_field
  payload.set(section, 1);
  return payload;
}
