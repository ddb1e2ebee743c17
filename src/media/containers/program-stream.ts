// Writes a program stream: an ISO/IEC 11172-1 system stream of one video.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { BitSink } from '../../bitstream/syntax/bit-sink.js';
import type { ContainerWriter, StreamFormat } from './container-writer.js';
import { MAX_UNIT_HEAD_BYTES, unitHeadBytes } from './elementary-stream.js';
import { type DeliverySchedule, SmoothDelivery, stdBufferBytesFor } from './program-stream-schedule.js';
import {
  MAX_MUX_RATE,
  MUX_RATE_BYTES_PER_SECOND,
  PACK_HEADER_BYTES,
  type PacketHeader,
  packetHeaderBytes,
  SYSTEM_HEADER_BYTES,
  writePacketHeader,
  writePackHeader,
  writeSystemHeader,
  writeSystemStreamEnd,
} from './program-stream-syntax.js';
import { SystemClock, TICKS_PER_SECOND } from './system-clock.js';

/**
 * Usual limit of a pack: the data of a CD-ROM or DVD sector. Longer packs keep a period within MAX_PACKS_PER_PERIOD.
 */
const USUAL_PACK_BYTES = 2048;
/** Limit of packs in a picture period. Each pack's SCR is rounded up to a whole tick: 64 cost little of the period. */
const MAX_PACKS_PER_PERIOD = 64;
/** Room for the longest packet header and some data. A pack that has less left is closed. */
const MIN_PACKET_BYTES = 48;
/** More than a pack header, a system header and a packet header take together; more than three packet headers. */
const MAX_HEADERS_BYTES = 64;
/** packet_length has 16 bits and counts the header, too. */
const MAX_PACKET_DATA_BYTES = 0xffff - 16;

/** A packet to write: bytes `start` to `end` (exclusive) of an access unit. */
interface Packet {
  readonly header: PacketHeader;
  readonly unit: AccessUnit;
  readonly start: number;
  readonly end: number;
}

interface Pack {
  readonly packets: Packet[];
  readonly withSystemHeader: boolean;
  bytes: number;
}

/**
 * Writes a program stream of one video. The schedule says how many bytes go into each picture period. They go out in
 * packs with one mux_rate that just fills the period. An access unit always starts a packet, so that every picture has
 * its time stamps. No padding is needed: packs may have any length.
 */
export class ProgramStreamWriter implements ContainerWriter {
  readonly #clock: SystemClock;
  readonly #schedule: DeliverySchedule;
  readonly #stdBufferBytes: number;
  readonly #rateBound: number;
  readonly #sink = new BitSink(256);
  readonly #queue: AccessUnit[] = [];
  /** Bytes of the queue's first access unit that have been written. */
  #sentOfFirst = 0;
  #period = 0;
  #started = false;
  /** Bytes that were written before the schedule had their turn. */
  #aheadBytes = 0;
  /** When the last byte written so far arrives. */
  #arrivalEndTicks = 0;

  constructor(format: StreamFormat) {
    this.#stdBufferBytes = stdBufferBytesFor(format.width, format.height);
    this.#schedule = new SmoothDelivery(this.#stdBufferBytes, MAX_UNIT_HEAD_BYTES);
    this.#clock = new SystemClock(format, this.#schedule.startPictures);
    this.#rateBound = this.#fullestPeriodMuxRate();
  }

  write(unit: AccessUnit): Uint8Array[] {
    this.#queue.push(unit);
    return this.#writePeriod(this.#schedule.advance(unit.data.length));
  }

  end(): Uint8Array[] {
    const parts: Uint8Array[] = [];
    for (let i = 1; i < this.#schedule.startPictures; i++) parts.push(...this.#writePeriod(this.#schedule.advance(0)));
    writeSystemStreamEnd(this.#sink);
    parts.push(this.#sink.takeBytes());
    return parts;
  }

  /**
   * The bytes of the packs that arrive in the next picture period, in one piece; none if there is nothing to deliver.
   */
  #writePeriod(dataBytes: number): Uint8Array[] {
    const startTicks = Math.max(this.#clock.ticks(this.#period), this.#arrivalEndTicks);
    const endTicks = this.#clock.ticks(++this.#period);
    const packs = this.#layOutPacks(dataBytes);
    const totalBytes = packs.reduce((sum, pack) => sum + pack.bytes, 0);
    if (totalBytes === 0) return [];
    const muxRate = muxRateFor(totalBytes, packs.length, endTicks - startTicks);
    const ticksPerByte = TICKS_PER_SECOND / (muxRate * MUX_RATE_BYTES_PER_SECOND);
    const bytes = new Uint8Array(totalBytes);
    let at = 0;
    let packTicks = startTicks;
    for (const pack of packs) {
      this.#writePack(bytes, at, pack, packTicks, muxRate);
      at += pack.bytes;
      packTicks = Math.ceil(packTicks + pack.bytes * ticksPerByte);
    }
    this.#arrivalEndTicks = packTicks;
    return [bytes];
  }

  /**
   * Takes `dataBytes` from the queue and divides them into packs; some more where they end in the head of an access
   * unit, and then less the next time.
   */
  #layOutPacks(dataBytes: number): Pack[] {
    const maxPackBytes = Math.max(
      USUAL_PACK_BYTES,
      Math.ceil(dataBytes / MAX_PACKS_PER_PERIOD) + 2 * MAX_HEADERS_BYTES,
    );
    const packs: Pack[] = [];
    let pack: Pack | undefined;
    let left = dataBytes - this.#aheadBytes;
    while (left > 0) {
      const unit = this.#queue[0]!;
      const start = this.#sentOfFirst;
      const headBytes = start === 0 ? unitHeadBytes(unit.data) : 0;
      if (pack === undefined || maxPackBytes - pack.bytes < MIN_PACKET_BYTES + headBytes) {
        const withSystemHeader: boolean = !this.#started;
        this.#started = true;
        pack = {
          packets: [],
          withSystemHeader,
          bytes: PACK_HEADER_BYTES + (withSystemHeader ? SYSTEM_HEADER_BYTES : 0),
        };
        packs.push(pack);
      }
      const header = start === 0 ? this.#firstPacketHeader(unit) : {};
      const headerBytes = packetHeaderBytes(header);
      const wanted = Math.max(left, headBytes);
      const room = Math.min(maxPackBytes - pack.bytes - headerBytes, MAX_PACKET_DATA_BYTES, wanted);
      const end = Math.min(unit.data.length, start + room);
      pack.packets.push({ header, unit, start, end });
      pack.bytes += headerBytes + end - start;
      left -= end - start;
      this.#sentOfFirst = end;
      if (end === unit.data.length) {
        this.#queue.shift();
        this.#sentOfFirst = 0;
      }
    }
    this.#aheadBytes = -left;
    return packs;
  }

  /** The header of the packet in which `unit` starts. The buffer size is repeated wherever decoding may start. */
  #firstPacketHeader(unit: AccessUnit): PacketHeader {
    return {
      timeStamps: this.#clock.timeStamps(unit),
      stdBufferBytes: unit.codedNumber === 0 || unit.pictureType === 'I' ? this.#stdBufferBytes : undefined,
    };
  }

  #writePack(target: Uint8Array, at: number, pack: Pack, systemClockReferenceTicks: number, muxRate: number): void {
    const sink = this.#sink;
    writePackHeader(sink, systemClockReferenceTicks, muxRate);
    if (pack.withSystemHeader) {
      writeSystemHeader(sink, { rateBound: this.#rateBound, stdBufferBytes: this.#stdBufferBytes });
    }
    let position = at;
    for (const packet of pack.packets) {
      writePacketHeader(sink, packet.header, packet.end - packet.start);
      const headers = sink.takeBytes();
      target.set(headers, position);
      target.set(packet.unit.data.subarray(packet.start, packet.end), position + headers.length);
      position += headers.length + packet.end - packet.start;
    }
  }

  /** The mux_rate of a period that fills the whole buffer: no period needs more. */
  #fullestPeriodMuxRate(): number {
    const startingUnits = this.#schedule.startPictures + 1;
    const packets = MAX_PACKS_PER_PERIOD + startingUnits + Math.ceil(this.#stdBufferBytes / MAX_PACKET_DATA_BYTES);
    const headersBytes = (MAX_PACKS_PER_PERIOD + packets) * MAX_HEADERS_BYTES;
    const shortestPeriodTicks = this.#clock.ticks(1) - this.#clock.ticks(0) - 1;
    return muxRateFor(this.#stdBufferBytes + headersBytes, MAX_PACKS_PER_PERIOD, shortestPeriodTicks);
  }
}

/** The lowest mux_rate that delivers `bytes` in `ticks`, less a tick a pack for rounding; MAX_MUX_RATE if none does. */
function muxRateFor(bytes: number, packs: number, ticks: number): number {
  const bytesPerSecond = (bytes * TICKS_PER_SECOND) / Math.max(ticks - packs, 1);
  return Math.min(Math.ceil(bytesPerSecond / MUX_RATE_BYTES_PER_SECOND), MAX_MUX_RATE);
}
