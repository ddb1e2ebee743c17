// Tests of program streams against the system target decoder.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccessUnit } from '../../../src/bitstream/access-unit.js';
import { BitSink } from '../../../src/bitstream/syntax/bit-sink.js';
import { VARIABLE_BIT_RATE, writeSequenceHeader } from '../../../src/bitstream/syntax/sequence-header.js';
import { InputError } from '../../../src/errors.js';
import type { StreamFormat } from '../../../src/media/containers/container-writer.js';
import { ProgramStreamWriter } from '../../../src/media/containers/program-stream.js';
import { stdBufferBytesFor } from '../../../src/media/containers/program-stream-schedule.js';
import { randomStream, unitsOfSizes } from './random-units.js';
import { parseSystemStream, runSystemTargetDecoder, type SystemStream } from './system-stream-model.js';

const PAL: StreamFormat = { frameRate: { numerator: 25, denominator: 1 }, width: 1280, height: 720 };
const SEQUENCE_END = Buffer.of(0, 0, 1, 0xb7);

function write(format: StreamFormat, units: readonly AccessUnit[]): Uint8Array {
  const writer = new ProgramStreamWriter(format);
  return Buffer.concat([...units.flatMap(unit => writer.write(unit)), ...writer.end()]);
}

/** Everything that must hold of any stream; returns it parsed. */
function expectValid(format: StreamFormat, units: readonly AccessUnit[]): SystemStream {
  const stream = parseSystemStream(write(format, units));
  const coded = Buffer.concat(units.map(unit => unit.data));
  const ended = coded.subarray(-4).equals(SEQUENCE_END) ? coded : Buffer.concat([coded, SEQUENCE_END]);
  expect(Buffer.compare(stream.video.data, ended)).toBe(0);
  expect(stream.video.units).toHaveLength(units.length);
  const ticks = (90_000 * format.frameRate.denominator) / format.frameRate.numerator;
  const start = stream.video.units[0]!.dts;
  let offset = 0;
  units.forEach((unit, i) => {
    const stamped = stream.video.units[i]!;
    const pts = start + (unit.displayNumber + 1) * ticks;
    expect(stamped.offset).toBe(offset);
    expect(Math.abs(stamped.dts - start - i * ticks)).toBeLessThanOrEqual(1);
    expect(Math.abs(stamped.pts - pts)).toBeLessThanOrEqual(1);
    // Players look for a picture's type in the packet with its stamps: the longest header of a picture has 9 bytes.
    const packet = stream.video.arrivals.find(({ bytesBefore }) => bytesBefore === stamped.offset)!;
    const pictureStart = Buffer.from(unit.data).indexOf(Uint8Array.of(0, 0, 1, 0));
    expect(packet.bytes).toBeGreaterThanOrEqual(Math.min(unit.data.length, pictureStart + 9));
    offset += unit.data.length;
  });
  expect(runSystemTargetDecoder(stream).violations).toEqual([]);
  expect(Math.min(...stream.packetBytes)).toBeGreaterThanOrEqual(16); // pl_mpeg drops a shorter last one
  return stream;
}

describe('ProgramStreamWriter', () => {
  it('is valid for the system target decoder whatever the sizes of the pictures', () => {
    fc.assert(
      fc.property(randomStream, ({ format, units }) => void expectValid(format, units)),
      { seed: 11172, numRuns: 60 },
    );
  }, 60_000);

  it('is valid where every picture is large, every picture tiny, or one large among tiny ones', () => {
    const anchors = (sizes: number[]) => unitsOfSizes(sizes.map(anchor => ({ anchor, between: [] })));
    const fast: StreamFormat = { ...PAL, frameRate: { numerator: 60, denominator: 1 } };
    expectValid(fast, anchors(new Array(40).fill(1_000_000)));
    expectValid(fast, anchors(new Array(2000).fill(20)));
    expectValid(fast, anchors([20, 20, 20, ...new Array(20).fill(20), 1_000_000, ...new Array(20).fill(20)]));
  });

  it('keeps within the smallest buffer when its pictures just fit into it', () => {
    const bufferBytes = stdBufferBytesFor(16, 16);
    const tiny: StreamFormat = { ...PAL, width: 16, height: 16 };
    const sizes = new Array(30).fill({ anchor: bufferBytes, between: [20, bufferBytes] });
    const stream = expectValid(tiny, unitsOfSizes(sizes));
    expect(runSystemTargetDecoder(stream).peakBytes).toBe(bufferBytes);
  });

  it('has the buffer of a bit rate that is kept to where zeros make pictures longer than the syntax does', () => {
    const tiny: StreamFormat = { ...PAL, width: 16, height: 16 };
    const vbvBytes = 20 * 2048;
    const units = unitsOfSizes(new Array(30).fill({ anchor: vbvBytes, between: [20] }));
    const bufferOf = (bitRate: number) => {
      const sink = new BitSink();
      const sizes = { horizontalSize: 16, verticalSize: 16, pelAspectRatio: 1, pictureRate: 3 };
      writeSequenceHeader(sink, { ...sizes, bitRate, vbvBufferSize: 20, constrainedParameters: false });
      units[0]!.data.set(sink.takeBytes());
      return parseSystemStream(write(tiny, units)).video.bufferBound;
    };
    expect(bufferOf(VARIABLE_BIT_RATE)).toBe(stdBufferBytesFor(16, 16));
    expect(bufferOf(1000)).toBe(vbvBytes);
    expect(runSystemTargetDecoder(expectValid(tiny, units)).peakBytes).toBe(vbvBytes);
  });

  it('leaves room in that buffer for the start of a picture, which is sent in one piece', () => {
    const sink = new BitSink();
    const sizes = { horizontalSize: 16, verticalSize: 16, pelAspectRatio: 1, pictureRate: 3 };
    writeSequenceHeader(sink, { ...sizes, bitRate: 1000, vbvBufferSize: 20, constrainedParameters: false });
    const header = sink.takeBytes();
    // 20 * 2048 bytes hold two pictures, and 60 of the 152 bytes with which the next one starts.
    const head = [...header, ...new Array(148 - header.length).fill(0x30), 0, 0, 1, 0];
    const units = unitsOfSizes(new Array(30).fill({ anchor: 20_450, between: [] })).map(({ data, ...unit }) => ({
      ...unit,
      data: Uint8Array.from([...head, ...new Array(data.length - head.length).fill(0x40)]),
    }));
    const stream = expectValid({ ...PAL, width: 16, height: 16 }, units);
    expect(stream.video.bufferBound).toBe(20 * 2048);
  });

  it('delivers evenly: an I picture of ten times the size does not show in mux_rate', () => {
    const sizes = Array.from({ length: 120 }, (_, i) => ({ anchor: i % 12 === 0 ? 50_000 : 5_000, between: [] }));
    const { packs } = expectValid(PAL, unitsOfSizes(sizes));
    const steady = packs.filter(({ scr }) => scr > 90_000 && scr < 4 * 90_000).map(({ muxRate }) => muxRate);
    expect(Math.max(...steady) / Math.min(...steady)).toBeLessThan(1.02);
  });

  it('packs are 2048 bytes at most, and short pictures cost less than 37 bytes of headers each', () => {
    const units = unitsOfSizes(new Array(500).fill({ anchor: 100, between: [] }));
    const bytes = write(PAL, units);
    // A pack header (12), a packet header with both stamps (16, in I pictures 18), and one without (7).
    expect(bytes.length - 500 * 100).toBeLessThan(500 * 37);
    const { packs } = expectValid(PAL, unitsOfSizes(new Array(20).fill({ anchor: 30_000, between: [] })));
    expect(Math.max(...packs.map(pack => pack.bytes))).toBe(2048);
  });

  it('writes the first pack as the standard has it', () => {
    const unit = unitsOfSizes([{ anchor: 1200, between: [] }]);
    const bytes = write({ ...PAL, width: 16, height: 16 }, unit);
    // 100 of the 1200 bytes in the first of 12 periods: 12 + 15 + 18 + 100 bytes in 3599 ticks are 73 * 50 bytes a
    // second.
    expect(hex(bytes.subarray(0, 12))).toBe('000001ba 2100010001 800093'.replaceAll(' ', ''));
    // rate_bound 5692 (2048 bytes and 142 * 64 bytes of headers in 3522 ticks); video_lock, one video; buffer 2 KiB.
    expect(hex(bytes.subarray(12, 27))).toBe('000001bb 0009 802c79 00 61 ff e0e002'.replaceAll(' ', ''));
    // Packet: length 112, STD buffer 2 KiB, PTS 13 * 3600 = 46800 = 1 * 2^15 + 14032, DTS 43200 = 1 * 2^15 + 10432.
    expect(hex(bytes.subarray(27, 45))).toBe('000001e0 0070 6002 31 0003 6da1 11 0003 5181'.replaceAll(' ', ''));
    expect(hex(bytes.subarray(-4))).toBe('000001b9');
  });

  it('keeps the start of a picture with its time stamps, where few bytes are delivered in a picture period', () => {
    // A sequence header with both matrices and a group header, 148 bytes; then the start of the picture.
    const pictureStart = [0, 0, 1, 0];
    const heads = [new Array(148).fill(0x30), []];
    const tail = new Array(12).fill(0x40);
    fc.assert(
      fc.property(fc.array(fc.nat(6), { minLength: 20, maxLength: 60 }), kinds => {
        const units = unitsOfSizes(kinds.map(() => ({ anchor: 1, between: [] }))).map((unit, i) => ({
          ...unit,
          data: Uint8Array.from([...heads[Math.min(1, kinds[i]!)]!, ...pictureStart, ...tail]),
        }));
        expectValid({ ...PAL, width: 16, height: 16 }, units);
      }),
      { seed: 11172, numRuns: 20 },
    );
  });

  it.each([1, 2, 12, 40])('ends the sequence of %i live pictures, which lack sequence_end_code', pictures => {
    const units = unitsOfSizes(new Array(pictures + 1).fill({ anchor: 20, between: [] })).slice(0, pictures);
    const { data } = expectValid(PAL, units).video;
    expect(Buffer.from(data.subarray(-4)).equals(SEQUENCE_END)).toBe(true);
  });

  it.each([2, 40])('of %i pictures, the last one starts a pack: GStreamer finds the length there', pictures => {
    const units = unitsOfSizes(new Array(pictures).fill({ anchor: 400, between: [] }));
    const bytes = Buffer.from(write(PAL, units));
    const start = bytes.indexOf(units.at(-1)!.data.subarray(0, 20));
    // A pack header (12) and a packet header with both stamps (16).
    expect(hex(bytes.subarray(start - 28, start - 24))).toBe('000001ba');
    expect(hex(bytes.subarray(start - 16, start - 12))).toBe('000001e0');
  });

  it('keeps the start of a picture with its time stamps, wherever in a pack the picture before it ends', () => {
    const head = [...new Array(148).fill(0x30), 0, 0, 1, 0];
    const units = unitsOfSizes(new Array(100).fill({ anchor: 1, between: [] })).map((unit, i) => ({
      ...unit,
      data: Uint8Array.from([...head, ...new Array(800 + ((379 * i) % 2000)).fill(0x40)]),
    }));
    expectValid(PAL, units);
  });

  it('holds back at most 11 pictures, and hands out the same bytes whenever it is ended', () => {
    const units = unitsOfSizes(new Array(40).fill({ anchor: 3000, between: [] }));
    const writer = new ProgramStreamWriter(PAL);
    let held = 0;
    for (const unit of units) {
      held += unit.data.length;
      for (const part of writer.write(unit)) held -= part.length;
      expect(held).toBeLessThan(11 * 3000);
    }
    expectValid(PAL, units.slice(0, 5));
  });

  it('wraps its time stamps at 33 bits, after 26.5 hours', () => {
    const first = Math.floor(2 ** 33 / 3600 - 3);
    const units = unitsOfSizes(new Array(20).fill({ anchor: 500, between: [] }));
    const late = units.map((unit, i) => ({ ...unit, codedNumber: first + i, displayNumber: first + i }));
    const stream = parseSystemStream(write(PAL, late));
    expect(stream.video.units.map(({ pts }) => pts)).toEqual(late.map((_, i) => ((first + 13 + i) * 3600) % 2 ** 33));
  });

  it('refuses a picture that comes too late to be shown', () => {
    const units = unitsOfSizes(new Array(12).fill({ anchor: 50, between: [] }));
    units[5] = { ...units[5]!, displayNumber: 3 };
    const writer = new ProgramStreamWriter(PAL);
    expect(() => [...units.flatMap(unit => writer.write(unit)), ...writer.end()]).toThrow(InputError);
  });
});

describe('the system target decoder of the tests', () => {
  const bytes = write(PAL, unitsOfSizes(new Array(30).fill({ anchor: 40_000, between: [] })));
  const stream = parseSystemStream(bytes);
  const problems = (broken: Partial<SystemStream>) =>
    runSystemTargetDecoder({ ...stream, ...broken }).violations.join();

  it('finds a late picture, an overflow, a hurried pack and a rate above its bound', () => {
    expect(problems({})).toBe('');
    expect(
      problems({
        video: { ...stream.video, units: stream.video.units.map(unit => ({ ...unit, dts: unit.dts - 39_600 })) },
      }),
    ).toMatch(/complete at/);
    expect(problems({ video: { ...stream.video, bufferSizes: [30 * 1024] } })).toMatch(/would hold/);
    expect(problems({ packs: stream.packs.map(pack => ({ ...pack, muxRate: pack.muxRate - 10 })) })).toMatch(
      /the next SCR/,
    );
    expect(problems({ rateBound: 100 })).toMatch(/out of bounds/);
  });
});

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
