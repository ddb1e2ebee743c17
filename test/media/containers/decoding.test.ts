// Tests that other programs decode every picture of every container, at its time.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AccessUnit } from '../../../src/bitstream/access-unit.js';
import { FRAME_RATES } from '../../../src/bitstream/tables/frame-rate.js';
import { COPY_EXTENSIONS, containerForPath } from '../../../src/media/containers/container.js';
import type { StreamFormat } from '../../../src/media/containers/container-writer.js';
import { copyIntoContainer } from '../../../src/media/output/stream-copy.js';
import type { Frame } from '../../../src/picture/frame.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { decodeWithFfmpeg, decodeWithMpeg2dec, everyFfmpeg } from '../../support/decoders.js';
import { ShownStreams } from '../../support/expect-shown.js';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { decodeWithJsmpeg } from '../../support/jsmpeg-decode.js';
import { psnr } from '../../support/psnr.js';
import { describeWithMpeg2dec } from '../../support/requirements.js';
import { timedStreams } from '../../support/time-stamps.js';
import { splitAccessUnits } from './split-access-units.js';

const FRAMES = 26;
const SEQUENCE_END = Buffer.from([0, 0, 1, 0xb7]);
const folder = temporaryFolder();
const shown = new ShownStreams();

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

/** What the packaged ffmpeg shows of the elementary stream, of which every picture is there. */
async function picturesOf({ elementary }: TestVideo): Promise<Frame[]> {
  const pictures = await decodeWithFfmpeg(elementary);
  expect(pictures).toHaveLength(FRAMES);
  return pictures;
}

function writeContainer(video: TestVideo, name: string): { path: string; bytes: Buffer } {
  const path = join(folder, name);
  const { writer } = containerForPath(path, video.format);
  const bytes = Buffer.concat([...video.units.flatMap(unit => writer.write(unit)), ...writer.end()]);
  writeFileSync(path, bytes);
  return { path, bytes };
}

const STREAMS = [
  { rateCode: 3, bFrames: 0 },
  { rateCode: 3, bFrames: 2 },
  { rateCode: 1, bFrames: 2 },
  { rateCode: 7, bFrames: 1 },
  { rateCode: 4, bFrames: 0 },
];

describe.each([
  { extension: 'mpg', delay: 12 },
  { extension: 'ts', delay: 2 },
])('.$extension in other programs', ({ extension, delay }) => {
  it.each(everyFfmpeg())('every picture has its time, with the $name', ({ path: ffmpeg }) => {
    const made = STREAMS.map(({ rateCode, bFrames }) => testVideo(rateCode, bFrames));
    const paths = made.map((video, n) => writeContainer(video, `times-${n}.${extension}`).path);
    const found = timedStreams(ffmpeg, paths);
    for (const [n, { format, units }] of made.entries()) {
      const { numerator, denominator } = format.frameRate;
      const ticksAt = (periods: number) => Math.round((periods * 90_000 * denominator) / numerator);
      expect(found[n]!.timeBase).toBe('1/90000');
      expect(found[n]!.packets, `${STREAMS[n]!.bFrames} B at rate ${STREAMS[n]!.rateCode}`).toEqual(
        units.map(unit => ({
          pts: ticksAt(delay + unit.displayNumber + 1),
          dts: ticksAt(delay + unit.codedNumber),
          bytes: unit.data.length,
        })),
      );
    }
  });

  it('every picture is decoded as from the elementary stream', async () => {
    const video = testVideo(3, 2);
    const { path } = writeContainer(video, `pictures.${extension}`);
    await shown.expectFileShown(path, await picturesOf(video), path);
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
    await shown.expectFileShown(output, await picturesOf(video), output);
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

shown.describeSecondOpinion();
