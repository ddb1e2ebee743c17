// Writes a system stream as Video CD wants it: a pack in each sector of the disc, at the disc's constant rate.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { BitSink } from '../../bitstream/syntax/bit-sink.js';
import { InputError } from '../../errors.js';
import { checkFrame, type SoundFormat } from '../sound/layer-two.js';
import { BufferedFeed } from './buffered-feed.js';
import { type ContainerWriter, requireAccessUnit, type StreamFormat } from './container-writer.js';
import { pictureStart } from './elementary-stream.js';
import { SOUND_STREAM_ID, VIDEO_STREAM_ID } from './packet-syntax.js';
import {
  PACK_HEADER_BYTES,
  type PacketHeader,
  packetHeaderBytes,
  SOUND_BUFFER_BYTES,
  type SystemBounds,
  systemHeaderBytes,
  writePacketHeader,
  writePackHeader,
  writePaddingPacket,
  writeSystemHeader,
  writeSystemStreamEnd,
} from './program-stream-syntax.js';
import { lateSoundFrame, unexpectedSound } from './sound-queue.js';
import { SystemClock, TICKS_PER_SECOND } from './system-clock.js';

/** Data of a sector of the disc, form 2 of mode 2. */
const SECTOR_BYTES = 2324;
/** 75 sectors of 2352 bytes a second, in units of 50 bytes: the rate at which a sector's bytes arrive. */
const MUX_RATE = (75 * 2352) / 50;
const SECTOR_TICKS = TICKS_PER_SECOND / 75;
/** The video buffer of Video CD's decoder. */
const VIDEO_BUFFER_BYTES = 46 * 1024;
/** A sector of sound ends in so many zero bytes: decoders take 2304 bytes of it. */
const SOUND_TAIL_BYTES = 20;
const END_CODE_BYTES = 4;
/** The shortest padding packet: fewer bytes that are left in a sector become stuffing of the packet before. */
const MIN_PADDING_BYTES = 7;
/** By how much a packet header with a PTS is longer than one without: then stuffing takes its place. */
const STAMP_BYTES = 4;
/** Time from the first byte to the decoding of the first picture. The buffer is full after 0.34 s. */
const START_SECONDS = 0.4;

/** What a sector carries after its pack header. */
interface Sector {
  /** Bytes that `write` puts. */
  readonly bytes: number;
  readonly write: () => void;
  /** Zero bytes at the end of the sector; default 0. */
  readonly tail?: number;
  /** True: padding comes before what `write` puts; by default after it. */
  readonly paddingFirst?: boolean;
}

/**
 * Writes a Video CD's stream of one video and perhaps its sound; White Book 2.0. Each sector goes to the sound if its
 * buffer has room for it, else to the video if that has room, else it is padding. Throws an InputError if a picture
 * would arrive after its time: the video needs more than the disc's rate leaves.
 */
export class VideoCdStreamWriter implements ContainerWriter {
  readonly #clock: SystemClock;
  readonly #video = new BufferedFeed(VIDEO_BUFFER_BYTES);
  readonly #sound = new BufferedFeed(SOUND_BUFFER_BYTES);
  readonly #soundFormat: SoundFormat | undefined;
  readonly #sink = new BitSink(SECTOR_BYTES);
  #sectors = 0;
  #pictures = 0;
  #soundFrames = 0;
  #hasVideoPackets = false;
  #videoHasEnded = false;

  constructor(format: StreamFormat) {
    const { numerator, denominator } = format.frameRate;
    this.#clock = new SystemClock(format, Math.ceil((START_SECONDS * numerator) / denominator));
    this.#soundFormat = format.sound;
  }

  write(unit: AccessUnit): Uint8Array[] {
    requireAccessUnit(unit);
    const { data } = unit;
    this.#video.push({ data, stampAt: pictureStart(data) ?? 0, stamps: this.#clock.timeStamps(unit) });
    this.#pictures++;
    return this.#writeSectors();
  }

  writeSound(frame: Uint8Array): void {
    if (!this.#soundFormat) throw unexpectedSound();
    checkFrame(frame, this.#soundFormat, this.#soundFrames);
    const ticks = this.#soundTicks();
    if (ticks < this.#soundKnownUntil()) throw lateSoundFrame(this.#soundFrames);
    this.#soundFrames++;
    this.#sound.push({ data: frame, stampAt: 0, stamps: { decodingTicks: ticks, presentationTicks: ticks } });
  }

  end(): Uint8Array[] {
    this.#videoHasEnded = true;
    const parts = this.#writeSectors();
    const write = () => writeSystemStreamEnd(this.#sink);
    parts.push(this.#sector({ bytes: END_CODE_BYTES, write, paddingFirst: true }));
    return parts;
  }

  /** When the next frame of sound will be presented. */
  #soundTicks(): number {
    return this.#clock.soundTicks(this.#soundFrames, this.#soundFormat!.sampleRate);
  }

  /** The presentation time up to which the sound has been given: the end of the pictures so far. */
  #soundKnownUntil(): number {
    return this.#pictures === 0 ? 0 : this.#clock.firstPictureTicks(this.#pictures);
  }

  /** Whether no more sound comes. */
  get #soundHasEnded(): boolean {
    return !this.#soundFormat || this.#videoHasEnded || this.#soundTicks() < this.#soundKnownUntil();
  }

  /** The sectors from the next one on whose contents are known. */
  #writeSectors(): Uint8Array[] {
    const parts: Uint8Array[] = [];
    for (let next = this.#nextSector(); next; next = this.#nextSector()) parts.push(next);
    return parts;
  }

  /** The next sector; undefined if that depends on what comes, or nothing is left. */
  #nextSector(): Uint8Array | undefined {
    if (this.#sectors === 0) return this.#systemHeaderSector({ ...BOUNDS, stdBufferBytes: VIDEO_BUFFER_BYTES });
    if (this.#sectors === 1 && this.#soundFormat) return this.#systemHeaderSector({ ...BOUNDS, hasSound: true });
    const now = this.#now();
    const soundBytes = SECTOR_BYTES - SOUND_TAIL_BYTES - PACK_HEADER_BYTES - packetHeaderBytes(soundHeader(STAMPS));
    if (this.#sound.roomAt(now) >= soundBytes) {
      const { waitingBytes } = this.#sound;
      if (waitingBytes < soundBytes && !this.#soundHasEnded) return undefined;
      if (waitingBytes > 0) return this.#soundSector(Math.min(soundBytes, waitingBytes));
    }
    const videoBytes = SECTOR_BYTES - PACK_HEADER_BYTES - packetHeaderBytes(VIDEO_HEADER);
    const { waitingBytes } = this.#video;
    if (waitingBytes === 0 && this.#videoHasEnded && this.#sound.waitingBytes === 0) return undefined;
    if (this.#video.roomAt(now) >= videoBytes) {
      if (waitingBytes < videoBytes && !this.#videoHasEnded) return undefined;
      if (waitingBytes > 0) return this.#videoSector();
    }
    return this.#sector({ bytes: 0, write: () => {} });
  }

  #now(): number {
    return this.#clock.ticks(0) + this.#sectors * SECTOR_TICKS;
  }

  #systemHeaderSector(bounds: SystemBounds): Uint8Array {
    const tail = bounds.hasSound ? SOUND_TAIL_BYTES : 0;
    const write = () => writeSystemHeader(this.#sink, bounds);
    return this.#sector({ bytes: systemHeaderBytes(bounds), write, tail });
  }

  #soundSector(dataBytes: number): Uint8Array {
    const next = this.#sound.nextStamps();
    const stamps = next && next.after < dataBytes ? next.stamps : undefined; // of a frame that starts in the packet
    const header = stamps ? soundHeader(stamps) : { ...soundHeader(undefined), stuffingBytes: STAMP_BYTES };
    return this.#packetSector(this.#sound, header, dataBytes, SOUND_TAIL_BYTES);
  }

  #videoSector(): Uint8Array {
    const room = SECTOR_BYTES - PACK_HEADER_BYTES;
    const start: PacketHeader = {
      ...VIDEO_HEADER,
      ...(!this.#hasVideoPackets && { stdBufferBytes: VIDEO_BUFFER_BYTES }),
    };
    this.#hasVideoPackets = true;
    const next = this.#video.nextStamps();
    const stamped = next && { ...start, timeStamps: next.stamps };
    const { waitingBytes } = this.#video;
    if (stamped && next.after < room - packetHeaderBytes(stamped)) {
      return this.#packetSector(this.#video, stamped, Math.min(room - packetHeaderBytes(stamped), waitingBytes));
    }
    // A picture may start only in a packet with its stamps: a packet without stamps ends before the next picture.
    const maxBytes = room - packetHeaderBytes(start);
    return this.#packetSector(this.#video, start, Math.min(maxBytes, next?.after ?? maxBytes, waitingBytes));
  }

  /** A sector with a packet of `dataBytes` from `feed`; padding where they do not fill it. */
  #packetSector(feed: BufferedFeed, header: PacketHeader, dataBytes: number, tail = 0): Uint8Array {
    const data = feed.take(dataBytes);
    const used = packetHeaderBytes(header) + dataBytes;
    const left = SECTOR_BYTES - PACK_HEADER_BYTES - tail - used;
    const stuffingBytes = (header.stuffingBytes ?? 0) + (left < MIN_PADDING_BYTES ? left : 0);
    const whole = { ...header, stuffingBytes };
    const write = () => {
      writePacketHeader(this.#sink, whole, dataBytes);
      this.#sink.putBytes(data);
    };
    return this.#sector({ bytes: packetHeaderBytes(whole) + dataBytes, write, tail });
  }

  /** The bytes of the next sector. */
  #sector({ bytes, write, tail = 0, paddingFirst = false }: Sector): Uint8Array {
    const sink = this.#sink;
    writePackHeader(sink, this.#now(), MUX_RATE);
    const padding = SECTOR_BYTES - PACK_HEADER_BYTES - bytes - tail;
    if (paddingFirst) writePaddingPacket(sink, padding);
    write();
    if (!paddingFirst && padding > 0) writePaddingPacket(sink, padding);
    for (let i = 0; i < tail; i++) sink.putBits(0, 8);
    this.#sectors++;
    this.#requireInTime();
    return sink.takeBytes();
  }

  #requireInTime(): void {
    if (this.#video.lateAt(this.#now()) === undefined) return;
    throw new InputError(
      'a picture arrives after its time on a Video CD: the video needs more than its 1151929 bits per second',
    );
  }
}

const BOUNDS: SystemBounds = { rateBound: MUX_RATE, hasSound: false, isConstrained: true };
const VIDEO_HEADER: PacketHeader = { streamId: VIDEO_STREAM_ID };
const STAMPS = { decodingTicks: 0, presentationTicks: 0 };

function soundHeader(timeStamps: PacketHeader['timeStamps']): PacketHeader {
  return { streamId: SOUND_STREAM_ID, stdBufferBytes: SOUND_BUFFER_BYTES, timeStamps };
}
