// Tests of sound in system and transport streams against independent readers.
import { describe, expect, it } from 'vitest';
import type { AccessUnit } from '../../../src/bitstream/access-unit.js';
import { FRAME_RATES } from '../../../src/bitstream/tables/frame-rate.js';
import { InputError, OptionError } from '../../../src/errors.js';
import { containerForPath } from '../../../src/media/containers/container.js';
import type { ContainerWriter, StreamFormat } from '../../../src/media/containers/container-writer.js';
import { framesBefore, type SoundFormat } from '../../../src/media/sound/layer-two.js';
import { IS_SOAK } from '../../support/soak.js';
import { unitsOfSizes } from './random-units.js';
import { frameNumber, soundFrame } from './sound.js';
import { parseSystemStream, runSystemTargetDecoder, soundFrames } from './system-stream-model.js';
import { groupByPayload, parsePes, parseSection, parseTransportPackets } from './transport-stream-model.js';

const CD: SoundFormat = { sampleRate: 44_100, channels: 2, bitRate: 224_000 };
/** The longest frames, and the most bytes a second; the shortest; and what Video CD has. */
const SOUNDS: readonly SoundFormat[] = [
  CD,
  { sampleRate: 48_000, channels: 2, bitRate: 384_000 },
  { sampleRate: 32_000, channels: 2, bitRate: 384_000 },
  { sampleRate: 48_000, channels: 1, bitRate: 32_000 },
];
const PAL = FRAME_RATES[2]!;
const SIZE = { width: 96, height: 64 };

/** Gives a writer what it needs before each picture, as `VideoWriter` does; `last` limits the frames of sound. */
function feed(writer: ContainerWriter, format: StreamFormat, units: Iterable<AccessUnit>, last = Infinity): Buffer {
  const { frameRate, sound } = format;
  const parts: Uint8Array[] = [];
  let given = 0;
  for (const unit of units) {
    const periods = (unit.codedNumber + 1) * frameRate.denominator;
    const due = framesBefore(periods, frameRate.numerator, sound!.sampleRate);
    while (given < Math.min(due, last)) writer.writeSound(soundFrame(sound!, given++));
    parts.push(...writer.write(unit));
  }
  return Buffer.concat([...parts, ...writer.end()]);
}

function write(extension: string, format: StreamFormat, units: Iterable<AccessUnit>, last?: number): Buffer {
  return feed(containerForPath(`x${extension}`, format).writer, format, units, last);
}

/** Pictures of very different sizes, with B pictures. */
function someUnits(anchors: number): AccessUnit[] {
  const sizes = [9000, 300, 20, 4000];
  return unitsOfSizes(Array.from({ length: anchors }, (_, i) => ({ anchor: sizes[i % 4]!, between: [200, 50] })));
}

/** Presentation of the first picture, of any type. */
const firstShown = (units: readonly { readonly pts: number }[]) => Math.min(...units.map(({ pts }) => pts));

describe('.mpg with sound', () => {
  it.each(SOUNDS.flatMap(sound => [1, 3, 8].map(rateCode => ({ sound, frameRate: FRAME_RATES[rateCode - 1]! }))))(
    'is valid for the system target decoder: $sound at $frameRate',
    ({ sound, frameRate }) => {
      const units = someUnits(20);
      const stream = parseSystemStream(write('.mpg', { ...SIZE, frameRate, sound }, units));
      const { violations, soundPeakBytes } = runSystemTargetDecoder(stream);
      expect(violations).toEqual([]);
      expect([stream.sound.bufferBound, soundPeakBytes <= 4096]).toEqual([4096, true]);
      expect(Buffer.compare(stream.video.data, Buffer.concat(units.map(({ data }) => data)))).toBe(0);
      const frames = soundFrames(stream.sound);
      expect(frames.map(({ offset }) => frameNumber(stream.sound.data, offset))).toEqual(frames.map((_, i) => i));
      // It starts with the first picture, goes by its samples, and covers the last picture.
      const start = firstShown(stream.video.units);
      for (const [i, { pts }] of frames.entries())
        expect(Math.abs(pts - start - (i * 1152 * 90_000) / sound.sampleRate)).toBeLessThanOrEqual(1);
      const ends = [units.length, frames.length].map((count, i) =>
        i === 0 ? (count * frameRate.denominator) / frameRate.numerator : (count * 1152) / sound.sampleRate,
      );
      expect(ends[1]! - ends[0]!).toBeGreaterThanOrEqual(0);
      expect(ends[1]! - ends[0]!).toBeLessThan(1152 / sound.sampleRate);
    },
  );

  it.each(SOUNDS)('has two frames in the buffer at most, 3456 bytes, however fast the video comes: %o', sound => {
    const units = unitsOfSizes(new Array(40).fill({ anchor: 60_000, between: [] }));
    const format = { width: 1280, height: 720, frameRate: PAL, sound };
    const { violations, soundPeakBytes } = runSystemTargetDecoder(parseSystemStream(write('.mpg', format, units)));
    expect(violations).toEqual([]);
    expect(soundPeakBytes).toBeLessThanOrEqual(3456);
  });

  it('says in its system header what there is', () => {
    const bytes = write('.mpg', { ...SIZE, frameRate: PAL, sound: CD }, someUnits(3));
    // header_length 12, rate_bound, audio_bound 1, both locked, video_bound 1; C0: 32 units of 128; E0: 33 of 1024.
    expect(bytes.subarray(12, 18).toString('hex')).toBe('000001bb000c');
    expect(bytes.subarray(21, 30).toString('hex')).toBe('04e1ffc0c020e0e021');
  });

  it('goes on to the last picture where the sound ends early, and says nothing where there is none', () => {
    const format = { ...SIZE, frameRate: PAL, sound: CD };
    for (const last of [0, 1, 20]) {
      const stream = parseSystemStream(write('.mpg', format, someUnits(10), last));
      expect(runSystemTargetDecoder(stream).violations).toEqual([]);
      expect(soundFrames(stream.sound)).toHaveLength(last);
    }
  });
});

describe('.ts with sound', () => {
  it.each(SOUNDS)('sends every frame of %o before its time, in order', sound => {
    const units = unitsOfSizes(new Array(60).fill({ anchor: 700, between: [] }));
    const packets = parseTransportPackets(write('.ts', { ...SIZE, frameRate: PAL, sound }, units));
    const [first, second] = packets;
    // PMT: MPEG-1 video on 0x100, which has the clock, and MPEG-1 audio on 0x101.
    expect(first!.pid).toBe(0);
    expect(Buffer.from(parseSection(second!.payload)).toString('hex').slice(0, -8)).toBe(
      '02b0170001c10000e100f00001e100f00003e101f000',
    );
    const counters = packets.filter(({ pid }) => pid === 0x101).map(({ continuityCounter }) => continuityCounter);
    expect(counters).toEqual(counters.map((_, i) => i % 16));
    const start = parsePes(groupByPayload(packets.filter(({ pid }) => pid === 0x100))[0]!).pts;
    let clock = 0;
    let count = 0;
    for (const packet of packets) {
      if (packet.pcr !== undefined) clock = packet.pcr / 300;
      if (packet.pid !== 0x101 || !packet.startsPayload) continue;
      const group = groupByPayload(packets.slice(packets.indexOf(packet)).filter(({ pid }) => pid === 0x101))[0]!;
      const { streamId, declaredLength, pts, data } = parsePes(group);
      expect([streamId, declaredLength > 0, frameNumber(data, 0)]).toEqual([0xc0, true, count]);
      expect(Math.abs(pts - start - (count * 1152 * 90_000) / sound.sampleRate)).toBeLessThanOrEqual(1);
      // One to three periods ahead: arrival ends a period after the clock reference before it.
      expect(pts - clock).toBeGreaterThanOrEqual(2 * 3600 - 1);
      expect(pts - clock).toBeLessThanOrEqual(4 * 3600);
      for (let at = 0; at < data.length; count++) {
        expect(frameNumber(data, at)).toBe(count);
        at += soundFrame(sound, count).length;
      }
    }
    expect(count).toBe(framesBefore(60, 25, sound.sampleRate));
  });
});

it('.ts sends so many frames at the end in packets whose length PES_packet_length can say', () => {
  // 1728 bytes each: 38 of them are more than 65,535. A length of 0 is for video only; ISO/IEC 13818-1 §2.4.3.7.
  const sound: SoundFormat = { sampleRate: 32_000, channels: 2, bitRate: 384_000 };
  const { writer } = containerForPath('x.ts', { ...SIZE, frameRate: PAL, sound });
  const frames = Array.from({ length: 70 }, (_, i) => soundFrame(sound, i));
  for (const frame of frames) writer.writeSound(frame);
  const groups = groupByPayload(parseTransportPackets(Buffer.concat(writer.end())));
  const packets = groups.map(parsePes);
  for (const { declaredLength, data } of packets) expect(declaredLength).toBe(data.length + 8);
  expect(Buffer.compare(Buffer.concat(packets.map(({ data }) => data)), Buffer.concat(frames))).toBe(0);
});

/** A soak writes an hour. A quarter shows as much: what drifts by a tick does so within seconds. */
const SECONDS = IS_SOAK ? 3600 : 900;

describe('a long stream', () => {
  it.each(['.mpg', '.ts'])('%s is in step at its end', extension => {
    const frameRate = FRAME_RATES[0]!;
    const pictures = Math.round((SECONDS * 24_000) / 1001);
    const format = { ...SIZE, frameRate, sound: { sampleRate: 44_100, channels: 1, bitRate: 32_000 } as const };
    const data = new Uint8Array(150); // a transport packet, with little stuffing
    const { writer } = containerForPath(`x${extension}`, format);
    let given = 0;
    let tail: Uint8Array[] = [];
    for (let n = 0; n < pictures; n++) {
      const due = framesBefore((n + 1) * 1001, 24_000, 44_100);
      while (given < due) writer.writeSound(soundFrame(format.sound, given++));
      const bytes = writer.write({ data, pictureType: 'P', displayNumber: n, codedNumber: n });
      if (n > pictures - 20) tail.push(...bytes);
    }
    tail = [...tail, ...writer.end()];
    const { picture, sound } = lastStamps(extension, Buffer.concat(tail));
    const start = ((extension === '.ts' ? 3 : 13) * 90_000 * 1001) / 24_000;
    expect(Math.abs(picture - start - ((pictures - 1) * 90_000 * 1001) / 24_000)).toBeLessThanOrEqual(1);
    const frame = Math.round(((sound - start) * 44_100) / (90_000 * 1152));
    expect(Math.abs(sound - start - (frame * 1152 * 90_000) / 44_100)).toBeLessThanOrEqual(1);
    // The frame that is heard when the last picture is shown is the one whose samples belong to that moment.
    expect(Math.abs(picture - sound)).toBeLessThan(0.06 * 90_000);
  });
});

/** The last time stamps of picture and sound in a piece of a stream. */
function lastStamps(extension: string, bytes: Buffer): { picture: number; sound: number } {
  if (extension === '.mpg') {
    const { video, sound } = parseSystemStream(bytes);
    return { picture: video.units.at(-1)!.pts, sound: sound.units.at(-1)!.pts };
  }
  const packets = parseTransportPackets(bytes);
  const last = (pid: number) => {
    const ofPid = packets.filter(packet => packet.pid === pid);
    return parsePes(groupByPayload(ofPid.slice(ofPid.findIndex(packet => packet.startsPayload))).at(-1)!).pts;
  };
  return { picture: last(0x100), sound: last(0x101) };
}

describe('a writer with sound', () => {
  const format = { ...SIZE, frameRate: PAL, sound: CD };

  it.each([
    ['.mpg', undefined],
    ['.ts', undefined],
    ['.mpg', 'video-cd'],
  ] as const)('moves in %s the stamps of the sound with the start of the clock; layout %s', (extension, layout) => {
    const startTicks = 1_000_000;
    const stamps = [0, startTicks].map(start => {
      const bytes = write(extension, { ...format, layout, startTicks: start }, someUnits(4));
      return lastStamps(extension, bytes);
    });
    const [early, late] = stamps as [ReturnType<typeof lastStamps>, ReturnType<typeof lastStamps>];
    expect(late).toEqual({ picture: early.picture + startTicks, sound: early.sound + startTicks });
  });

  it.each([
    ['.mpg', undefined],
    ['.ts', undefined],
    ['.mpg', 'video-cd'],
  ] as const)('refuses in %s a frame that is cut, of another format or too late; layout %s', (extension, layout) => {
    const { writer } = containerForPath(`x${extension}`, { ...format, layout });
    const frame = soundFrame(CD, 0);
    expect(() => writer.writeSound(frame.subarray(0, 100))).toThrow(/frame 0 of the sound has 100 of 731 bytes/);
    expect(() => writer.writeSound(new Uint8Array(731))).toThrow(InputError);
    expect(() => writer.writeSound(soundFrame({ ...CD, bitRate: 192_000 }, 0))).toThrow(/bitRate 192000, not 224000/);
    for (const unit of someUnits(10)) writer.write(unit);
    expect(() => writer.writeSound(frame)).toThrow(/frame 0 of the sound comes too late/);
  });

  it('refuses sound in an elementary stream, and where none was announced', () => {
    for (const bare of ['x.m1v', 'x.mpv']) expect(() => containerForPath(bare, format)).toThrow(OptionError);
    for (const [extension, layout] of [['.mpg'], ['.ts'], ['.mpg', 'video-cd']] as const) {
      const { writer } = containerForPath(`x${extension}`, { ...SIZE, frameRate: PAL, layout });
      expect(() => writer.writeSound(soundFrame(CD, 0))).toThrow(OptionError);
    }
  });
});
