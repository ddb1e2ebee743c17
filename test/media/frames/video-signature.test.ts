// Tests of small videos, which ffmpeg by itself takes for other kinds.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { containerForPath } from '../../../src/media/containers/container.js';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { readVideoSignature } from '../../../src/media/frames/video-signature.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { everyFfmpeg } from '../../support/decoders.js';
import { encodeFrames } from '../../support/encode.js';
import { runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { allFrames, patternFrame } from '../test-frames.js';

const folder = temporaryFolder();
const size = { width: 16, height: 16 };

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each(everyFfmpeg())('every picture of the smallest videos is read with the $name', async ({ path: ffmpegPath }) => {
  vi.stubEnv('FFMPEG_PATH', ffmpegPath);
  for (const count of [1, 2]) {
    const frames = Array.from({ length: count }, (_, i) => patternFrame(16, 16, i));
    const { units, reconstruction } = await encodeFrames(frames, { ...size, q: 31, bFrames: 0, estimator: 'zero' });
    for (const ending of ['ts', 'mpg', 'm1v']) {
      const path = join(folder, `${count}.${ending}`);
      const { writer } = containerForPath(path, { ...size, frameRate: { numerator: 25, denominator: 1 } });
      writeFileSync(path, Buffer.concat([...units.flatMap(unit => writer.write(unit)), ...writer.end()]));
      expect(readFileSync(path).length, path).toBeLessThan(5000);
      expectSameFrames(await allFrames(await openFrameSource(path)), reconstruction, path);
    }
  }
});

it.each(everyFfmpeg())(
  'JPEGs one after the other are all kept, at 25 a second or as is asked, with the $name',
  async ({ path: ffmpegPath }) => {
    vi.stubEnv('FFMPEG_PATH', ffmpegPath);
    const path = join(folder, 'camera.mjpeg');
    runPackagedFfmpeg(
      '-y',
      '-f',
      'lavfi',
      '-i',
      'mandelbrot=size=48x32:rate=10',
      '-frames:v',
      '7',
      '-c:v',
      'mjpeg',
      path,
    );
    const read = async (options = {}) => {
      const source = await openFrameSource(path, options);
      return { frameRate: source.frameRate, pictures: (await allFrames(source)).map(({ y }) => Buffer.from(y)) };
    };
    const own = await read();
    expect(own.frameRate).toEqual({ numerator: 25, denominator: 1 });
    expect(new Set(own.pictures.map(String)).size).toBe(7);
    const frameRate = { numerator: 30_000, denominator: 1001 };
    expect(await read({ frameRate })).toEqual({ frameRate, pictures: own.pictures });
    expect((await read({ start: { frame: 3 }, frames: 2 })).pictures).toEqual(own.pictures.slice(3, 5));
  },
);

it('bytes that leave a doubt have no signature', () => {
  expect(readVideoSignature(Buffer.alloc(0), 0)).toEqual({ isY4m: false, isText: false });
  expect(readVideoSignature(Buffer.from('G'), 1)).toEqual({ isY4m: false, isText: true });
  expect(readVideoSignature(Buffer.alloc(188 * 3, 'GIF89a'), 188 * 3)).toEqual({ isY4m: false, isText: true });
  expect(readVideoSignature(Buffer.from('PK\x03\x04'), 4)).toEqual({ isY4m: false, isText: false });
  expect(readVideoSignature(Buffer.alloc(188 * 3, 'G'), undefined)).toMatchObject({ isY4m: false, demuxer: 'mpegts' });
});
