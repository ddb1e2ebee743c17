// Tests that other programs decode every picture of every container, at its time.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AccessUnit } from '../../../src/bitstream/access-unit.js';
import { FRAME_RATES } from '../../../src/bitstream/tables/frame-rate.js';
import { COPY_EXTENSIONS, containerForPath } from '../../../src/media/containers/container.js';
import type { StreamFormat } from '../../../src/media/containers/container-writer.js';
import { copyIntoContainer } from '../../../src/media/output/stream-copy.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { decodeWithFfmpeg, decodeWithMpeg2dec, everyFfmpeg } from '../../support/decoders.js';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { decodeWithJsmpeg } from '../../support/jsmpeg-decode.js';
import { psnr } from '../../support/psnr.js';
import { describeWithMpeg2dec } from '../../support/requirements.js';
import { splitAccessUnits } from './split-access-units.js';

const FRAMES = 26;
const SEQUENCE_END = Buffer.from([0, 0, 1, 0xb7]);
const folder = temporaryFolder();

interface TestVideo {
  readonly format: StreamFormat;
  readonly units: AccessUnit[];
  readonly elementary: string;
}

const videos = new Map<string, TestVideo>();

/** `makeVideo`, each video made once. */
function testVideo(rateCode: number, bFrames: number, q = 3): TestVideo {
  const key = `${rateCode}-${bFrames}-${q}`;
  const video = videos.get(key) ?? makeVideo(rateCode, bFrames, q);
  videos.set(key, video);
  return video;
}

/** ffmpeg's test picture at picture_rate `rateCode`, coded by ffmpeg with `bFrames` B pictures in a row. */
function makeVideo(rateCode: number, bFrames: number, q: number): TestVideo {
  const frameRate = FRAME_RATES[rateCode - 1]!;
  const rate = `${frameRate.numerator}/${frameRate.denominator}`;
  const elementary = join(folder, `${rateCode}-${bFrames}-${q}.m1v`);
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=208x120:rate=${rate}`, '-frames:v', String(FRAMES)];
  const coding = ['-c:v', 'mpeg1video', '-q:v', String(q), '-g', '9', '-bf', String(bFrames)];
  runPackagedFfmpeg(...picture, ...coding, '-f', 'mpeg1video', elementary);
  const bytes = Buffer.concat([readFileSync(elementary), SEQUENCE_END]);
  writeFileSync(elementary, bytes);
  const format = { frameRate, width: 208, height: 120 };
  return { format, units: splitAccessUnits(bytes), elementary };
}

function writeContainer(video: TestVideo, name: string): { path: string; bytes: Buffer } {
  const path = join(folder, name);
  const { writer } = containerForPath(path, video.format);
  const bytes = Buffer.concat([...video.units.flatMap(unit => writer.write(unit)), ...writer.end()]);
  writeFileSync(path, bytes);
  return { path, bytes };
}

/**
 * The packets that ffmpeg's demultiplexer finds in a file, times in ticks of 90 kHz; throws on the slightest warning.
 */
function packetsByFfmpeg(ffmpeg: string, path: string): { pts: number; dts: number; bytes: number }[] {
  const args = [
    '-hide_banner',
    '-nostdin',
    '-v',
    'warning',
    '-copyts',
    '-i',
    path,
    '-c',
    'copy',
    '-f',
    'framecrc',
    '-',
  ];
  const { stdout, stderr } = spawnSync(ffmpeg, args, { encoding: 'utf8' });
  if (stderr !== '' || !/^#tb 0: 1\/90000$/m.test(stdout))
    throw new Error(`${path}: ${stderr} ${stdout.slice(0, 300)}`);
  const packets = stdout.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  return packets.map(line => {
    const [, dts, pts, , bytes] = line.split(',').map(Number);
    return { pts: pts!, dts: dts!, bytes: bytes! };
  });
}

describe.each([
  { extension: 'mpg', delay: 12 },
  { extension: 'ts', delay: 2 },
])('.$extension in other programs', ({ extension, delay }) => {
  describe.each(everyFfmpeg())('$name', ({ path: ffmpeg }) => {
    it.each([
      { rateCode: 3, bFrames: 0 },
      { rateCode: 3, bFrames: 2 },
      { rateCode: 1, bFrames: 2 },
      { rateCode: 7, bFrames: 1 },
      { rateCode: 4, bFrames: 0 },
    ])('finds every picture at its time: rate $rateCode, $bFrames B', async ({ rateCode, bFrames }) => {
      const video = testVideo(rateCode, bFrames);
      const { path } = writeContainer(video, `times-${rateCode}-${bFrames}.${extension}`);
      const { numerator, denominator } = video.format.frameRate;
      const ticksAt = (periods: number) => Math.round((periods * 90_000 * denominator) / numerator);
      expect(packetsByFfmpeg(ffmpeg, path)).toEqual(
        video.units.map(unit => ({
          pts: ticksAt(delay + unit.displayNumber + 1),
          dts: ticksAt(delay + unit.codedNumber),
          bytes: unit.data.length,
        })),
      );
    });

    it('decodes every picture as from the elementary stream', async () => {
      const video = testVideo(3, 2);
      const { path } = writeContainer(video, `pictures.${extension}`);
      const decoded = await decodeWithFfmpeg(path, ffmpeg);
      expect(decoded).toHaveLength(FRAMES);
      expectSameFrames(decoded, await decodeWithFfmpeg(video.elementary, ffmpeg));
    });
  });
});

describe.each(COPY_EXTENSIONS)('%s, copied by ffmpeg', extension => {
  readWithPackagedFfmpeg(); // stream-copy.test.ts copies with either

  it.each([0, 2])('holds every picture as from the elementary stream, %d B', async bFrames => {
    const video = testVideo(3, bFrames);
    const output = join(folder, `copied-${bFrames}${extension}`);
    const { copySource } = containerForPath(output, video.format);
    const { path: input } = writeContainer(video, `copied-${bFrames}-${extension.slice(1)}${copySource}`);
    await copyIntoContainer({ input, output, frameRate: video.format.frameRate });
    const expected = await decodeWithFfmpeg(video.elementary);
    for (const { path } of everyFfmpeg()) expectSameFrames(await decodeWithFfmpeg(output, path), expected);
  });
});

describeWithMpeg2dec('mpeg2dec', () => {
  it.each([0, 2])('decodes every picture of a .mpg, %d B', async bFrames => {
    const video = testVideo(3, bFrames);
    const decoded = await decodeWithMpeg2dec(writeContainer(video, `mpeg2dec-${bFrames}.mpg`).path);
    expect(decoded).toHaveLength(FRAMES);
    expectSameFrames(decoded, await decodeWithMpeg2dec(video.elementary));
  });
});

describe('JSMpeg', () => {
  it.each([1, 3, 31])('shows every picture of a .ts, the last one too, at q %d', async q => {
    const video = testVideo(3, 0, q);
    const { width, height, frames } = decodeWithJsmpeg(writeContainer(video, `jsmpeg-${q}.ts`).bytes);
    expect({ width, height }).toEqual({ width: 208, height: 120 });
    const expected = await decodeWithFfmpeg(video.elementary);
    expect(frames).toHaveLength(FRAMES);
    for (const [i, frame] of frames.entries()) {
      const { y, u, v } = psnr(expected[i]!, frame);
      expect(Math.min(y, u, v), `picture ${i}`).toBeGreaterThan(40);
    }
  });
});
