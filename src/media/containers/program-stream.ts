// Writes a program stream: an ISO/IEC 11172-1 system stream of one video and perhaps its sound.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { BitSink } from '../../bitstream/syntax/bit-sink.js';
import { longestFrameBytes } from '../sound/layer-two.js';
import { type ContainerWriter, requireAccessUnit, type StreamFormat } from './container-writer.js';
import { MAX_UNIT_HEAD_BYTES, unitHeadBytes, vbvBufferBytes, withSequenceEnd } from './elementary-stream.js';
import { SOUND_STREAM_ID, VIDEO_STREAM_ID } from './packet-syntax.js';
import { type DeliverySchedule, SmoothDelivery, stdBufferBytesFor } from './program-stream-schedule.js';
import {
  MAX_MUX_RATE,
  MUX_RATE_BYTES_PER_SECOND,
  PACK_HEADER_BYTES,
  type PacketHeader,
  packetHeaderBytes,
  SOUND_BUFFER_BYTES,
  type SystemBounds,
  systemHeaderBytes,
  writePacketHeader,
  writePackHeader,
  writeSystemHeader,
  writeSystemStreamEnd,
} from './program-stream-syntax.js';
import { type DueFrame, SoundQueue, unexpectedSound } from './sound-queue.js';
import { SystemClock, TICKS_PER_SECOND } from './system-clock.js';

/** Usual limit of a pack: the data of a CD-ROM or DVD sector. A slot with much video has longer packs. */
const USUAL_PACK_BYTES = 2048;
/** Limit of packs of video in a slot. Each pack's SCR is rounded up to a whole tick: 64 ticks are little of a slot. */
const MAX_PACKS_PER_SLOT = 64;
/** Room for the longest packet header and some data. A pack that has less left is closed. */
const MIN_PACKET_BYTES = 48;
/** More than a pack header, a system header and a packet header take together; more than three packet headers. */
const MAX_HEADERS_BYTES = 64;
/** Shorter packets get stuffing: VLC 3 drops those of fewer than 9 bytes, pl_mpeg a last one of fewer than 16. */
const MIN_WHOLE_PACKET_BYTES = 16;
/** packet_length has 16 bits and counts the header, too. */
const MAX_PACKET_DATA_BYTES = 0xffff - 16;
/** The longest slot of a stream with sound: at most two frames of sound are due in one, of 24 ms or more each. */
const MAX_SOUND_SLOT_SECONDS = 0.021;
const MAX_SOUND_FRAMES_PER_SLOT = 2;

/** A packet to write. */
interface Packet {
  readonly header: PacketHeader;
  readonly data: Uint8Array;
}

interface Pack {
  readonly packets: Packet[];
  readonly withSystemHeader: boolean;
  bytes: number;
}

/**
 * Writes a program stream. The schedule says how many bytes of video go into each picture period. They go out in packs
 * with one mux_rate that just fills the period. An access unit always starts a packet, so that every picture has its
 * time stamps. No padding is needed: packs may have any length.
 *
 * With sound, a period has several slots of at most 21 ms, each with its mux_rate and its share of the video. A frame
 * of sound goes into the last slot that ends before the frame is decoded, so its decoder's buffer never underflows. The
 * frames in the buffer are those that are due in two slots: two at most, 3456 of its 4096 bytes.
 */
export class ProgramStreamWriter implements ContainerWriter {
  readonly #clock: SystemClock;
  #schedule: DeliverySchedule;
  #stdBufferBytes: number;
  #rateBound: number;
  readonly #sound: SoundQueue | undefined;
  /** Slots in a picture period. */
  readonly #slots: number;
  readonly #sink = new BitSink(256);
  readonly #queue: AccessUnit[] = [];
  /** Bytes of the queue's first access unit that have been written. */
  #sentOfFirst = 0;
  #period = 0;
  #started = false;
  /** Bytes of video that were written ahead of the schedule: the next slot has so many fewer. */
  #aheadBytes = 0;
  /** When the last byte written so far arrives. */
  #arrivalEndTicks = 0;
  #isEnding = false;

  constructor(format: StreamFormat) {
    this.#stdBufferBytes = stdBufferBytesFor(format.width, format.height);
    this.#schedule = new SmoothDelivery(this.#stdBufferBytes, MAX_UNIT_HEAD_BYTES);
    this.#clock = new SystemClock(format, this.#schedule.startPictures);
    this.#sound = format.sound && new SoundQueue(format.sound, this.#clock);
    const { numerator, denominator } = format.frameRate;
    this.#slots = this.#sound ? Math.ceil(denominator / numerator / MAX_SOUND_SLOT_SECONDS) : 1;
    this.#rateBound = this.#fullestSlotMuxRate();
  }

  write(unit: AccessUnit): Uint8Array[] {
    requireAccessUnit(unit);
    if (this.#period === 0) this.#holdAtLeast(vbvBufferBytes(unit.data));
    this.#queue.push(unit);
    return this.#writePeriod(this.#schedule.advance(unit.data.length));
  }

  writeSound(frame: Uint8Array): void {
    if (!this.#sound) throw unexpectedSound();
    this.#sound.push(frame);
  }

  end(): Uint8Array[] {
    this.#endSequence();
    this.#isEnding = true;
    const parts: Uint8Array[] = [];
    for (let i = 1; i < this.#schedule.startPictures; i++) parts.push(...this.#writePeriod(this.#schedule.advance(0)));
    while (this.#sound && !this.#sound.isEmpty) parts.push(...this.#writePeriod(0));
    writeSystemStreamEnd(this.#sink);
    parts.push(this.#sink.takeBytes());
    return parts;
  }

  /** Adds sequence_end_code to the last access unit, of which a part at least still waits in the queue. */
  #endSequence(): void {
    const last = this.#queue.pop();
    if (!last) return;
    const data = withSequenceEnd(last.data);
    this.#queue.push({ ...last, data });
    this.#schedule.lengthenNewest(data.length - last.data.length);
  }

  /** A picture with the zeros of a constant rate may be longer than the syntax allows, up to the decoder's buffer. */
  #holdAtLeast(bytes: number): void {
    if (bytes <= this.#stdBufferBytes) return;
    this.#stdBufferBytes = bytes;
    this.#schedule = new SmoothDelivery(bytes, MAX_UNIT_HEAD_BYTES);
    this.#rateBound = this.#fullestSlotMuxRate();
  }

  /** The bytes that arrive in the next picture period; none if there is nothing to deliver. */
  #writePeriod(videoBytes: number): Uint8Array[] {
    const parts: Uint8Array[] = [];
    for (let slot = 0; slot < this.#slots; slot++) {
      const [from, to] = [slot, slot + 1].map(part => Math.floor((videoBytes * part) / this.#slots)) as [
        number,
        number,
      ];
      parts.push(...this.#writeSlot(this.#period + slot / this.#slots, to - from));
    }
    this.#period++;
    return parts;
  }

  /** The bytes of the packs that arrive in the slot that starts at `period`, in one piece. */
  #writeSlot(period: number, videoBytes: number): Uint8Array[] {
    const startTicks = Math.max(this.#clock.ticks(period), this.#arrivalEndTicks);
    const endTicks = this.#clock.ticks(period + 1 / this.#slots);
    const sound = this.#sound?.takeBefore(this.#clock.ticks(period + 2 / this.#slots)) ?? [];
    const packs = this.#layOutPacks(videoBytes, sound);
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
   * Divides the sound, and `videoBytes` from the queue, into packs. Where `videoBytes` end within the head of an access
   * unit, the whole head is written, and the next slot has fewer bytes: players that seek, pl_mpeg among them, look for
   * the type of a picture in the packet that has its time stamps. At the end, each access unit starts a pack: GStreamer
   * takes the length of a file from the last time stamp in the first packet of a pack.
   */
  #layOutPacks(videoBytes: number, sound: readonly DueFrame[]): Pack[] {
    const usualBytes = Math.ceil(videoBytes / MAX_PACKS_PER_SLOT) + 2 * MAX_HEADERS_BYTES;
    const maxPackBytes = Math.max(USUAL_PACK_BYTES, usualBytes);
    const packs: Pack[] = [];
    /** The newest pack if it has room for so many bytes, else a new one. */
    const packWithRoom = (bytes: number): Pack => {
      const newest = packs.at(-1);
      if (newest && maxPackBytes - newest.bytes >= bytes) return newest;
      const pack = this.#newPack();
      packs.push(pack);
      return pack;
    };
    for (const { data, ticks } of sound) {
      const timeStamps = { presentationTicks: ticks, decodingTicks: ticks };
      const header = { streamId: SOUND_STREAM_ID, stdBufferBytes: SOUND_BUFFER_BYTES, timeStamps };
      addPacket(packWithRoom(packetHeaderBytes(header) + data.length), { header, data });
    }
    let left = videoBytes - this.#aheadBytes;
    while (left > 0) {
      const unit = this.#queue[0]!;
      const start = this.#sentOfFirst;
      const headBytes = start === 0 ? unitHeadBytes(unit.data) : 0;
      const startsPack = this.#isEnding && start === 0;
      const pack = packWithRoom(startsPack ? Number.POSITIVE_INFINITY : MIN_PACKET_BYTES + headBytes);
      const header = start === 0 ? this.#firstPacketHeader(unit) : { streamId: VIDEO_STREAM_ID };
      const wanted = Math.max(left, headBytes);
      const room = Math.min(maxPackBytes - pack.bytes - packetHeaderBytes(header), MAX_PACKET_DATA_BYTES, wanted);
      const end = Math.min(unit.data.length, start + room);
      addPacket(pack, { header, data: unit.data.subarray(start, end) });
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

  #newPack(): Pack {
    const withSystemHeader = !this.#started;
    this.#started = true;
    return {
      packets: [],
      withSystemHeader,
      bytes: PACK_HEADER_BYTES + (withSystemHeader ? systemHeaderBytes(this.#bounds()) : 0),
    };
  }

  #bounds(): SystemBounds {
    const hasSound = this.#sound !== undefined;
    return { rateBound: this.#rateBound, stdBufferBytes: this.#stdBufferBytes, hasSound };
  }

  /** The header of the packet in which `unit` starts. The buffer size is repeated wherever decoding may start. */
  #firstPacketHeader(unit: AccessUnit): PacketHeader {
    return {
      streamId: VIDEO_STREAM_ID,
      timeStamps: this.#clock.timeStamps(unit),
      stdBufferBytes: unit.codedNumber === 0 || unit.pictureType === 'I' ? this.#stdBufferBytes : undefined,
    };
  }

  #writePack(target: Uint8Array, at: number, pack: Pack, systemClockReferenceTicks: number, muxRate: number): void {
    const sink = this.#sink;
    writePackHeader(sink, systemClockReferenceTicks, muxRate);
    if (pack.withSystemHeader) writeSystemHeader(sink, this.#bounds());
    let position = at;
    for (const { header, data } of pack.packets) {
      writePacketHeader(sink, header, data.length);
      const headers = sink.takeBytes();
      target.set(headers, position);
      target.set(data, position + headers.length);
      position += headers.length + data.length;
    }
  }

  /** The mux_rate of a slot that has its share of the whole buffer and the most sound: no slot needs more. */
  #fullestSlotMuxRate(): number {
    const sound = this.#sound?.format;
    const soundBytes = sound ? MAX_SOUND_FRAMES_PER_SLOT * (longestFrameBytes(sound) + 2 * MAX_HEADERS_BYTES) : 0;
    const startingUnits = this.#schedule.startPictures + 1;
    const packets = MAX_PACKS_PER_SLOT + startingUnits + Math.ceil(this.#stdBufferBytes / MAX_PACKET_DATA_BYTES);
    const headersBytes = (MAX_PACKS_PER_SLOT + packets) * MAX_HEADERS_BYTES;
    const shortestSlotTicks = this.#clock.ticks(1 / this.#slots) - this.#clock.ticks(0) - 1;
    const packs = MAX_PACKS_PER_SLOT + startingUnits + (sound ? MAX_SOUND_FRAMES_PER_SLOT : 0);
    const videoBytes = Math.ceil(this.#stdBufferBytes / this.#slots);
    return muxRateFor(videoBytes + headersBytes + soundBytes, packs, shortestSlotTicks);
  }
}

function addPacket(pack: Pack, { header, data }: Packet): void {
  const stuffingBytes = Math.max(0, MIN_WHOLE_PACKET_BYTES - packetHeaderBytes(header) - data.length);
  const stuffed = { ...header, stuffingBytes };
  pack.packets.push({ header: stuffed, data });
  pack.bytes += packetHeaderBytes(stuffed) + data.length;
}

/** The lowest mux_rate that delivers `bytes` in `ticks`, of which rounding takes one a pack; at most MAX_MUX_RATE. */
function muxRateFor(bytes: number, packs: number, ticks: number): number {
  const bytesPerSecond = (bytes * TICKS_PER_SECOND) / Math.max(ticks - packs, 1);
  return Math.min(Math.ceil(bytesPerSecond / MUX_RATE_BYTES_PER_SECOND), MAX_MUX_RATE);
}
