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
import { parseSystemStream, runSystemTargetDecoder, type SystemStream, soundFrames } from './system-stream-model.js';

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
    const due = format.sound ? framesBefore((codedNumber + 1) * denominator, numerator, SOUND.sampleRate) : 0;
    while (given < Math.min(due, lastFrame)) writer.writeSound(soundFrame(SOUND, given++));
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
