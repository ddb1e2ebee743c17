// Splits payloads into transport packets; ISO/IEC 13818-1.
import { BitSink } from '../../bitstream/syntax/bit-sink.js';
import { FINE_TICKS_PER_TICK, TIME_STAMP_MODULUS } from './system-clock.js';

/** Length of a transport packet; ISO/IEC 13818-1 §2.4.3.2. */
const TRANSPORT_PACKET_BYTES = 188;
const SYNC_BYTE = 0x47;
const HEADER_BYTES = 4;
/** Bytes after the packet header: payload, an adaptation field, or both. */
export const PACKET_ROOM_BYTES = TRANSPORT_PACKET_BYTES - HEADER_BYTES;
/** An adaptation field with a clock reference: length byte, flags byte and 6 bytes of the reference. */
const CLOCK_FIELD_BYTES = 8;
/** Payload bytes of a packet with a clock reference. */
export const CLOCK_PACKET_PAYLOAD_BYTES = PACKET_ROOM_BYTES - CLOCK_FIELD_BYTES;

/** What the adaptation field of a payload's first packet says; ISO/IEC 13818-1 §2.4.3.5. */
interface AdaptationField {
  /** program_clock_reference in ticks of 27 MHz. */
  readonly clockFineTicks: number;
  /** Whether decoding may start with this packet's payload. */
  readonly randomAccess: boolean;
}

/**
 * The packets of one PID and its continuity_counter. An adaptation field occurs only in the first packet of a payload
 * and, as stuffing, in the last: JSMpeg takes a field in any packet but the first for the end of the picture.
 */
export class TransportPackets {
  readonly #sink = new BitSink(TRANSPORT_PACKET_BYTES);
  #continuityCounter = 0;

  constructor(private readonly pid: number) {}

  /** The bytes of the packets that carry `payload`: `field` is in the first, stuffing in the last. */
  packetize(payload: Uint8Array, field?: AdaptationField): Uint8Array {
    const firstBytes = field ? CLOCK_PACKET_PAYLOAD_BYTES : PACKET_ROOM_BYTES;
    const packets = 1 + Math.max(0, Math.ceil((payload.length - firstBytes) / PACKET_ROOM_BYTES));
    const bytes = new Uint8Array(packets * TRANSPORT_PACKET_BYTES);
    let from = 0;
    for (let i = 0; i < packets; i++) {
      const room = i === 0 ? firstBytes : PACKET_ROOM_BYTES;
      const payloadBytes = Math.min(room, payload.length - from);
      this.#writeHeader(i === 0, PACKET_ROOM_BYTES - payloadBytes, i === 0 ? field : undefined);
      const packet = bytes.subarray(i * TRANSPORT_PACKET_BYTES, (i + 1) * TRANSPORT_PACKET_BYTES);
      packet.set(this.#sink.takeBytes());
      packet.set(payload.subarray(from, from + payloadBytes), TRANSPORT_PACKET_BYTES - payloadBytes);
      from += payloadBytes;
    }
    return bytes;
  }

  /** Writes what precedes the payload. `fieldBytes` is the length of the whole adaptation field, 0 for none. */
  #writeHeader(startsPayload: boolean, fieldBytes: number, field: AdaptationField | undefined): void {
    const sink = this.#sink;
    sink.putBits(SYNC_BYTE, 8); // sync_byte
    sink.putBits(0, 1); // transport_error_indicator
    sink.putBits(startsPayload ? 1 : 0, 1); // payload_unit_start_indicator
    sink.putBits(0, 1); // transport_priority
    sink.putBits(this.pid, 13); // PID
    sink.putBits(0, 2); // transport_scrambling_control
    sink.putBits(fieldBytes > 0 ? 0b11 : 0b01, 2); // adaptation_field_control
    sink.putBits(this.#continuityCounter, 4); // continuity_counter
    this.#continuityCounter = (this.#continuityCounter + 1) % 16;
    if (fieldBytes > 0) writeAdaptationField(sink, fieldBytes, field);
  }
}

/** Writes adaptation_field(), `fieldBytes` long with its length byte; ISO/IEC 13818-1 §2.4.3.4. */
function writeAdaptationField(sink: BitSink, fieldBytes: number, field: AdaptationField | undefined): void {
  sink.putBits(fieldBytes - 1, 8); // adaptation_field_length
  if (fieldBytes === 1) return;
  sink.putBits(0, 1); // discontinuity_indicator
  sink.putBits(field?.randomAccess ? 1 : 0, 1); // random_access_indicator
  sink.putBits(0, 1); // elementary_stream_priority_indicator
  sink.putBits(field ? 1 : 0, 1); // PCR_flag
  sink.putBits(0, 4); // OPCR_flag, splicing_point_flag, transport_private_data_flag, adaptation_field_extension_flag
  if (field) writeClockReference(sink, field.clockFineTicks);
  for (let i = field ? CLOCK_FIELD_BYTES : 2; i < fieldBytes; i++) sink.putBits(0xff, 8); // stuffing_byte
}

/** program_clock_reference: 33 bits of 90 kHz, then 9 bits of 27 MHz; ISO/IEC 13818-1 §2.4.3.5. */
function writeClockReference(sink: BitSink, fineTicks: number): void {
  const base = Math.floor(fineTicks / FINE_TICKS_PER_TICK) % TIME_STAMP_MODULUS;
  sink.putBits(Math.floor(base / 2 ** 17), 16); // program_clock_reference_base [32..17]
  sink.putBits(base % 2 ** 17, 17); // program_clock_reference_base [16..0]
  sink.putBits(0b111111, 6); // reserved
  sink.putBits(fineTicks % FINE_TICKS_PER_TICK, 9); // program_clock_reference_extension
}
