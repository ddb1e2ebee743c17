// Tests of Video CD's system stream against the system target decoder, mplex and vcdimager.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AccessUnit } from '../../../src/bitstream/access-unit.js';
import { FRAME_RATES } from '../../../src/bitstream/tables/frame-rate.js';
import { containerForPath } from '../../../src/media/containers/container.js';
import type { StreamFormat } from '../../../src/media/containers/container-writer.js';
import { framesBefore, type SoundFormat } from '../../../src/media/sound/layer-two.js';
import { runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { describeWith } from '../../support/requirements.js';
import { unitsOfSizes } from './random-units.js';
import { frameNumber, soundFrame } from './sound.js';
import { splitAccessUnits } from './split-access-units.js';
import {
  type ArrivingStream,
  parseSystemStream,
  runSystemTargetDecoder,
  type SystemStream,
  soundFrames,
} from './system-stream-model.js';

const SOUND: SoundFormat = { sampleRate: 44_100, channels: 2, bitRate: 224_000 };
const folder = temporaryFolder();

/** Units at Video CD's rate: a large I picture in each group of 12, the others share what it leaves. */
function constantRate({ numerator, denominator }: StreamFormat['frameRate'], groups: number): AccessUnit[] {
  const bytes = ((1_151_929 / 8) * denominator) / numerator;
  const other = Math.floor((12 * bytes - 22_000) / 11);
  const group = [
    { anchor: 22_000, between: [other, other] },
    ...new Array(3).fill({ anchor: other, between: [other, other] }),
  ];
  return unitsOfSizes(Array.from({ length: groups }, () => group).flat());
}

function write(format: StreamFormat, units: readonly AccessUnit[], lastFrame = Number.POSITIVE_INFINITY): Buffer {
  const { writer } = containerForPath('x.mpg', format);
  const { numerator, denominator } = format.frameRate;
  const parts: Uint8Array[] = [];
  let given = 0;
  for (const { codedNumber, ...unit } of units) {
    const due = format.sound ? framesBefore((codedNumber + 1) * denominator, numerator, format.sound.sampleRate) : 0;
    while (given < Math.min(due, lastFrame)) writer.writeSound(soundFrame(format.sound!, given++));
    parts.push(...writer.write({ ...unit, codedNumber }));
  }
  return Buffer.concat([...parts, ...writer.end()]);
}

/** The stream with a stamp for every picture: of several that start in a packet only the first has one. */
function withAllStamps(stream: SystemStream, units: readonly AccessUnit[], ticks: number): SystemStream {
  let offset = 0;
  const start = stream.video.units[0]!.dts;
  const all = units.map(({ data, displayNumber }, i) => {
    const unit = { offset, dts: start + i * ticks, pts: start + (displayNumber + 1) * ticks };
    offset += data.length;
    return unit;
  });
  for (const stamped of stream.video.units) {
    const match = all.find(unit => unit.offset >= stamped.offset)!;
    expect([Math.abs(match.dts - stamped.dts) <= 1, Math.abs(match.pts - stamped.pts) <= 1]).toEqual([true, true]);
  }
  return { ...stream, video: { ...stream.video, units: all } };
}

/** The data of a sector's packet of video: after the pack header, a packet header with both stamps and STD_buffer. */
const FIRST_PACKET_BYTES = 2324 - 12 - 18;
const DISC = { frameRate: FRAME_RATES[2]!, width: 352, height: 288, layout: 'video-cd' } as const;

/**
 * A packet's stamp is that of the first unit that starts in it, and none if none does; ISO/IEC 11172-1 §2.4.4.3.
 * `starts`: where the units start that a stamp may belong to.
 */
function expectStampsOfFirstStarts(
  { arrivals, units }: ArrivingStream,
  starts: readonly { readonly at: number; readonly pts: number }[],
): void {
  for (const { bytesBefore, bytes } of arrivals) {
    const first = starts.find(({ at }) => at >= bytesBefore && at < bytesBefore + bytes);
    const stamped = units.find(({ offset }) => offset === bytesBefore);
    expect([bytesBefore, stamped?.pts]).toEqual([bytesBefore, first?.pts]);
  }
}

describe('a Video CD', () => {
  it.each([
    { rateCode: 3, hasSound: true, height: 288 },
    { rateCode: 4, hasSound: true, height: 240 },
    { rateCode: 1, hasSound: true, height: 240 },
    { rateCode: 3, hasSound: false, height: 288 },
  ])('keeps to the decoder and to the sectors: $rateCode, sound $hasSound', ({ rateCode, hasSound, height }) => {
    const frameRate = FRAME_RATES[rateCode - 1]!;
    const format = { frameRate, width: 352, height, layout: 'video-cd', ...(hasSound && { sound: SOUND }) } as const;
    const units = constantRate(frameRate, 15);
    const bytes = write(format, units);
    expect(bytes.length % 2324).toBe(0);
    const parsed = parseSystemStream(bytes);
    expect(parsed.packs.map(({ scr, muxRate, bytes }) => [scr, muxRate, bytes])).toEqual(
      parsed.packs.map((_, i) => [i * 1200, 3528, i === parsed.packs.length - 1 ? 2320 : 2324]),
    );
    const ticks = (90_000 * frameRate.denominator) / frameRate.numerator;
    expect(runSystemTargetDecoder(withAllStamps(parsed, units, ticks)).violations).toEqual([]);
    expect(Buffer.compare(parsed.video.data, Buffer.concat(units.map(({ data }) => data)))).toBe(0);
    expect([parsed.video.bufferBound, parsed.sound.bufferBound]).toEqual([47_104, hasSound ? 4096 : -1]);
    expect(parsed.video.bufferSizes).toEqual([47_104]); // in the first packet
    const frames = hasSound ? soundFrames(parsed.sound) : [];
    expect(frames.map(({ offset }) => frameNumber(parsed.sound.data, offset))).toEqual(frames.map((_, i) => i));
    expect(frames).toHaveLength(hasSound ? framesBefore(units.length * ticks, 90_000, 44_100) : 0);
    if (hasSound) expect(frames[0]!.pts).toBe(Math.min(...parsed.video.units.map(({ pts }) => pts)));
  });

  it('goes on where the sound ends early, and refuses pictures that the disc is too slow for', () => {
    const format = { frameRate: FRAME_RATES[2]!, width: 352, height: 288, layout: 'video-cd', sound: SOUND } as const;
    const units = constantRate(format.frameRate, 4);
    const parsed = parseSystemStream(write(format, units, 20));
    expect(soundFrames(parsed.sound)).toHaveLength(20);
    expect(parsed.video.data).toHaveLength(units.reduce((sum, { data }) => sum + data.length, 0));
    const tooLarge = unitsOfSizes(new Array(30).fill({ anchor: 9000, between: [] }));
    expect(() => write(format, tooLarge)).toThrow(/a picture arrives after its time on a Video CD/);
  });

  it('says in its two system headers what mplex says there', () => {
    const bytes = write({ ...DISC, sound: SOUND }, constantRate(DISC.frameRate, 1));
    // header_length 9, rate_bound 3528; fixed_flag 0, CSPS_flag 1, both locked; one video, E0: 46 units of 1024.
    expect(bytes.subarray(12, 27).toString('hex')).toBe('000001bb0009801b9101e1ffe0e02e');
    // The same but for audio_bound 1 and video_bound 0; C0: 32 units of 128.
    expect(bytes.subarray(2324 + 12, 2324 + 27).toString('hex')).toBe('000001bb0009801b9105e0ffc0c020');
    // That of the sound ends in 20 zero bytes, as all sectors of sound do; padding is before them.
    expect(bytes.subarray(2 * 2324 - 21, 2 * 2324).toString('hex')).toBe(`ff${'00'.repeat(20)}`);
  });

  it('starts its clock where it is told, and a sector is a 75th of a second', () => {
    const startTicks = 90_000;
    const units = constantRate(DISC.frameRate, 2);
    const { packs } = parseSystemStream(write({ ...DISC, startTicks }, units));
    expect(packs.map(({ scr }) => scr)).toEqual(packs.map((_, i) => startTicks + 1200 * i));
    expect(packs.length).toBe(parseSystemStream(write(DISC, units)).packs.length);
  });

  it('takes a frame that is missing before the picture of its time for the end of the sound', () => {
    const [unit] = unitsOfSizes([{ anchor: 400, between: [] }]);
    const { writer } = containerForPath('x.mpg', { ...DISC, sound: SOUND });
    writer.write(unit!);
    expect(() => writer.writeSound(soundFrame(SOUND, 0))).toThrow(/frame 0 of the sound comes too late/);
  });

  it('has whole sectors, however few bytes the last packet leaves free', () => {
    for (let free = 0; free < 10; free++) {
      const [unit] = unitsOfSizes([{ anchor: FIRST_PACKET_BYTES - free, between: [] }]);
      const stream = parseSystemStream(write(DISC, [unit!]));
      expect(stream.packs.slice(0, -1).every(({ bytes }) => bytes === 2324)).toBe(true);
      expect(stream.video.arrivals).toHaveLength(1);
      expect(Buffer.compare(stream.video.data, unit!.data)).toBe(0);
    }
  });

  it('stamps a packet for the picture whose start code is the first in it, wherever in a sector that is', () => {
    // A sequence header with both matrices and a group header; then the start of the picture.
    const head = [...new Array(148).fill(0x30), 0, 0, 1, 0];
    const startAt = 148;
    // Where the second picture's start code is in the second packet: it ends before that, or with it, or behind.
    for (let place = 2290; place < 2310; place++) {
      const lengths = [FIRST_PACKET_BYTES + place - startAt, 6000, 400];
      const units = unitsOfSizes(lengths.map(anchor => ({ anchor, between: [] }))).map(({ data, ...unit }) => ({
        ...unit,
        data: Uint8Array.from([...head, ...new Array(data.length - head.length).fill(0x40)]),
      }));
      const { video } = parseSystemStream(write(DISC, units));
      const [first = 0, second = 0] = lengths;
      const starts = [0, first, first + second].map((at, i) => ({
        at: at + startAt,
        pts: video.units[0]!.dts + (i + 1) * 3600,
      }));
      expect(Buffer.compare(video.data, Buffer.concat(units.map(({ data }) => data)))).toBe(0);
      expectStampsOfFirstStarts(video, starts);
    }
  });
});

describeWith('mplex', 'what mplex makes of the same kind of streams', () => {
  it('passes the same checks', () => {
    const [video, sound, both] = ['m.m1v', 'm.mp2', 'm.mpg'].map(name => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=352x288:rate=25:duration=2', '-c:v', 'mpeg1video'];
    const rate = ['-b:v', '1150k', '-minrate', '1150k', '-maxrate', '1150k', '-bufsize', '320k', '-bf', '0'];
    runPackagedFfmpeg(...picture, ...rate, '-f', 'mpeg1video', video);
    runPackagedFfmpeg('-f', 'lavfi', '-i', 'sine=r=44100:d=2', '-ac', '2', '-c:a', 'mp2', '-b:a', '224k', sound);
    execFileSync('mplex', ['-v', '0', '-f', '1', '-o', both, video, sound], { stdio: 'pipe' });
    const stream = parseSystemStream(readFileSync(both));
    const { violations } = runSystemTargetDecoder(stream);
    expect(violations).toEqual([]);
    expect(soundFrames(stream.sound).length).toBeGreaterThan(70);
  });
});

describeWith('vcdimager', 'vcdimager', () => {
  it('takes the stream for a disc, and vcdxrip gets the same stream back from it', () => {
    const coding = ['-c:v', 'mpeg1video', '-b:v', '700k', '-maxrate', '900k', '-bufsize', '200k', '-bf', '0'];
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=352x288:rate=25:duration=1'];
    runPackagedFfmpeg(...picture, ...coding, '-f', 'mpeg1video', join(folder, 'v.m1v'));
    const format = { frameRate: FRAME_RATES[2]!, width: 352, height: 288, layout: 'video-cd', sound: SOUND } as const;
    const bytes = write(format, splitAccessUnits(readFileSync(join(folder, 'v.m1v'))));
    writeFileSync(join(folder, 'vcd.mpg'), bytes);
    const options = { cwd: folder, stdio: 'pipe' } as const;
    const said = execFileSync('vcdimager', ['-c', 'vcd.cue', '-b', 'vcd.bin', 'vcd.mpg'], options).toString();
    expect(said).toMatch(/finished ok, image created/);
    execFileSync('vcdxrip', ['-c', 'vcd.cue'], options);
    expect(Buffer.compare(readFileSync(join(folder, 'avseq01.mpg')), bytes)).toBe(0);
  });
});
