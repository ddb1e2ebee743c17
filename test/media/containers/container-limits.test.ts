// Where the fields and the buffers of containers end: the longest packets, stuffing, and sound at the very time.
import { describe, expect, it } from 'vitest';
import type { AccessUnit } from '../../../src/bitstream/access-unit.js';
import { BitSink } from '../../../src/bitstream/syntax/bit-sink.js';
import { VARIABLE_BIT_RATE, writeSequenceHeader } from '../../../src/bitstream/syntax/sequence-header.js';
import type { StreamFormat } from '../../../src/media/containers/container-writer.js';
import {
  MAX_UNIT_HEAD_BYTES,
  pictureStart,
  unitHeadBytes,
  vbvBufferBytes,
} from '../../../src/media/containers/elementary-stream.js';
import { ProgramStreamWriter } from '../../../src/media/containers/program-stream.js';
import { SmoothDelivery, stdBufferBytesFor } from '../../../src/media/containers/program-stream-schedule.js';
import { SoundQueue } from '../../../src/media/containers/sound-queue.js';
import { SystemClock } from '../../../src/media/containers/system-clock.js';
import { TransportStreamWriter } from '../../../src/media/containers/transport-stream.js';
import { unitsOfSizes } from './random-units.js';
import { soundFrame } from './sound.js';
import { parseSystemStream, runSystemTargetDecoder } from './system-stream-model.js';
import { groupByPayload, parsePes, parseTransportPackets } from './transport-stream-model.js';

const PAL: StreamFormat = { frameRate: { numerator: 25, denominator: 1 }, width: 352, height: 288 };

const unitsOf = (sizes: readonly number[]) => unitsOfSizes(sizes.map(anchor => ({ anchor, between: [] })));

function programStream(format: StreamFormat, units: readonly AccessUnit[]) {
  const writer = new ProgramStreamWriter(format);
  return parseSystemStream(Buffer.concat([...units.flatMap(unit => writer.write(unit)), ...writer.end()]));
}

describe('a transport stream', () => {
  it.each([
    [65_522, 65_535],
    [65_523, 0],
  ])('says the length of a PES packet as long as 16 bits can: %i bytes of video, length %i', (bytes, length) => {
    // It counts 3 bytes of flags and 10 of stamps, too.
    const [unit] = unitsOf([bytes]);
    const packets = parseTransportPackets(Buffer.concat(new TransportStreamWriter(PAL).write(unit!)));
    const [group] = groupByPayload(packets.filter(({ pid }) => pid === 0x100));
    expect(parsePes(group!)).toMatchObject({ declaredLength: length, data: Buffer.from(unit!.data) });
  });

  it.each([
    [65_660, 10],
    [65_661, 11],
    [65_662, 10],
  ])(
    'whose PES packet of %i bytes of video is too long for PES_packet_length ends where JSMpeg sees it',
    (bytes, head) => {
      // 9 + 10 + 65,661 bytes would just fill 176 bytes beside the clock reference and 356 packets of 184.
      const [unit] = unitsOf([bytes]);
      const packets = parseTransportPackets(Buffer.concat(new TransportStreamWriter(PAL).write(unit!)));
      const [group] = groupByPayload(packets.filter(({ pid }) => pid === 0x100));
      expect(parsePes(group!)).toMatchObject({ declaredLength: 0, data: Buffer.from(unit!.data) });
      expect(group![0]!.payload[8]).toBe(head); // PES_header_data_length
      expect(group!.at(-1)!.hasAdaptationField).toBe(true);
    },
  );
});

describe('a program stream', () => {
  it('tells the size of the buffer with each I picture, where decoding may start', () => {
    const units = unitsOf(new Array(9).fill(500));
    const intra = units.filter(({ pictureType }) => pictureType === 'I');
    expect(intra).toHaveLength(3);
    const { bufferSizes } = programStream(PAL, units).video;
    expect(bufferSizes).toEqual(intra.map(() => stdBufferBytesFor(PAL.width, PAL.height)));
  });

  it('has packets of 65,535 bytes after packet_length at most, where the largest buffer is filled in one picture period', () => {
    const large: StreamFormat = { ...PAL, width: 4095, height: 2800 };
    const units = unitsOf([8_000_000, 8_000_000]);
    const stream = programStream(large, units);
    expect(Buffer.compare(stream.video.data, Buffer.concat(units.map(({ data }) => data)))).toBe(0);
    expect(Math.max(...stream.video.arrivals.map(({ bytes }) => bytes))).toBe(0xffff - 16);
    expect(runSystemTargetDecoder(stream).violations).toEqual([]);
  });
});

describe('smooth delivery', () => {
  it('leaves the reserve of the buffer free until a picture is decoded', () => {
    const [bufferBytes, reserveBytes, pictureBytes, window] = [1000, 100, 500, 12];
    const schedule = new SmoothDelivery(bufferBytes, reserveBytes, window);
    let delivered = 0;
    let fullest = 0;
    for (let unit = 0; unit < 40; unit++) {
      delivered += schedule.advance(pictureBytes);
      const decodedBefore = pictureBytes * Math.max(0, unit - (window - 1));
      fullest = Math.max(fullest, delivered - decodedBefore);
    }
    expect(fullest).toBe(bufferBytes - reserveBytes);
  });
});

describe('the frames of sound', () => {
  it('that are presented before a time are taken, and not the one at that very time', () => {
    const format = { sampleRate: 48_000, channels: 2, bitRate: 192_000 } as const;
    const queue = new SoundQueue(format, new SystemClock(PAL, 2));
    const frames = [0, 1, 2].map(index => soundFrame(format, index));
    for (const frame of frames) queue.push(frame);
    // The first picture is presented 3 periods of 3600 ticks after the start; a frame lasts 24 ms.
    const at = (frame: number) => 10_800 + 2160 * frame;
    expect(queue.takeBefore(at(0))).toEqual([]);
    expect(queue.takeBefore(at(1))).toEqual([{ data: frames[0], ticks: at(0) }]);
    expect(queue.takeBefore(at(1) + 1)).toEqual([{ data: frames[1], ticks: at(1) }]);
    expect(queue.takeBefore(Number.POSITIVE_INFINITY)).toEqual([{ data: frames[2], ticks: at(2) }]);
    expect(queue.isEmpty).toBe(true);
  });

  it('come too late if they are presented before a time until which all were taken, and not at that very time', () => {
    const format = { sampleRate: 48_000, channels: 2, bitRate: 192_000 } as const;
    const first = soundFrame(format, 0);
    const taken = (ticks: number) => {
      const queue = new SoundQueue(format, new SystemClock(PAL, 2));
      queue.takeBefore(ticks);
      return queue;
    };
    expect(() => taken(10_801).push(first)).toThrow(/frame 0 of the sound comes too late/);
    const queue = taken(10_800);
    queue.push(first);
    expect(queue.takeBefore(10_801)).toEqual([{ data: first, ticks: 10_800 }]);
  });
});

describe('the start of an access unit', () => {
  it.each([0, 100, MAX_UNIT_HEAD_BYTES - 9])('has its picture header whole, from byte %i on', start => {
    const unit = new Uint8Array(start + 10).fill(0x30);
    unit.set([0, 0, 1, 0], start);
    expect(pictureStart(unit)).toBe(start);
    expect(unitHeadBytes(unit)).toBe(start + 9);
    expect(unitHeadBytes(unit.subarray(0, start + 8))).toBe(start + 8);
    expect(unitHeadBytes(unit.subarray(0, start + 3))).toBe(0);
    expect(pictureStart(unit.subarray(0, start + 3))).toBeUndefined();
  });

  it('is not looked for beyond the longest headers', () => {
    const unit = new Uint8Array(MAX_UNIT_HEAD_BYTES + 10).fill(0x30);
    unit.set([0, 0, 1, 0], MAX_UNIT_HEAD_BYTES - 8);
    expect(unitHeadBytes(unit)).toBe(0);
  });

  it("says the size of the decoder's buffer in 10 bits, in units of 2048 bytes, where the rate is not variable", () => {
    const header = (bitRate: number, vbvBufferSize: number) => {
      const sink = new BitSink();
      const sizes = { horizontalSize: 352, verticalSize: 288, pelAspectRatio: 1, pictureRate: 3 };
      writeSequenceHeader(sink, { ...sizes, bitRate, vbvBufferSize, constrainedParameters: false });
      return sink.takeBytes();
    };
    for (const units of [1, 512, 1023]) expect(vbvBufferBytes(header(1000, units))).toBe(units * 2048);
    expect(vbvBufferBytes(header(VARIABLE_BIT_RATE, 20))).toBe(0);
    expect(vbvBufferBytes(header(VARIABLE_BIT_RATE - 1, 20))).toBe(20 * 2048);
    expect(vbvBufferBytes(header(1000, 20).subarray(0, 11))).toBe(0);
  });
});
