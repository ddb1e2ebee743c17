// RGB pictures of images, videos, y4m and raw video: sizes, numbers, times, colours and faults.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findRgbSource, type RgbOptions, type RgbPicture } from '../../../src/media/rgb/rgb-source.js';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';

const folder = temporaryFolder();
readWithPackagedFfmpeg();
afterEach(() => void vi.unstubAllEnvs());
const at = (...parts: string[]) => join(folder, ...parts);

async function read(input: string, options: RgbOptions = {}): Promise<RgbPicture[]> {
  const pictures: RgbPicture[] = [];
  const source = await findRgbSource(input, options);
  for await (const picture of source.pictures(new AbortController().signal)) pictures.push(picture);
  if (source.pictureCount !== undefined) expect(pictures).toHaveLength(source.pictureCount);
  return pictures;
}

const flat = (width: number, height: number, background: sharp.Color) =>
  sharp({ create: { width, height, channels: 3, background } });

beforeAll(async () => {
  mkdirSync(at('photos'));
  for (const [i, size] of [4, 9, 5, 7, 6].entries()) {
    await flat(size, 3, { r: 10 * i, g: 20, b: 30 }).toFile(at('photos', `${i}.png`));
  }
  const noise = ['-f', 'lavfi', '-i', 'testsrc2=size=36x28:rate=30000/1001', '-frames:v', '4'];
  runPackagedFfmpeg(...noise, '-c:v', 'ffv1', '-pix_fmt', 'gbrp', at('rgb.mkv'));
  runPackagedFfmpeg(...noise, '-c:v', 'ffv1', '-pix_fmt', 'yuv420p', at('yuv.mkv'));
  runPackagedFfmpeg('-i', at('rgb.mkv'), '-pix_fmt', 'rgb24', '-f', 'rawvideo', at('rgb.raw'));
  runPackagedFfmpeg('-i', at('yuv.mkv'), '-pix_fmt', 'yuv420p', at('clip.y4m'));
  runPackagedFfmpeg('-i', at('yuv.mkv'), '-pix_fmt', 'yuv420p', '-f', 'rawvideo', at('clip.yuv'));
});

describe('findRgbSource', () => {
  it('reads images of different sizes, each under its own name', async () => {
    const pictures = await read(at('photos'));
    expect(pictures.map(({ path, number, width }) => [path, number, width])).toEqual(
      [4, 9, 5, 7, 6].map((width, i) => [at('photos', `${i}.png`), i, width]),
    );
    for (const [i, { pels, seconds }] of pictures.entries()) {
      expect([...pels.subarray(0, 3)]).toEqual([10 * i, 20, 30]);
      expect(seconds).toBeUndefined();
    }
    expect(await read(at('photos'), { frames: 2 })).toHaveLength(2);
  });

  it('gives the very RGB of a lossless video, with times', async () => {
    vi.stubEnv('FFMPEG_PATH', ''); // the machine's own
    const pictures = await read(at('rgb.mkv'));
    expect(pictures.map(({ width, height, number }) => [width, height, number])).toEqual(
      [0, 1, 2, 3].map(number => [36, 28, number]),
    );
    expect(Buffer.concat(pictures.map(({ pels }) => pels)).equals(readFileSync(at('rgb.raw')))).toBe(true);
    expect(pictures.map(({ seconds }) => seconds)).toEqual([0, 1, 2, 3].map(number => (number * 1001) / 30_000));
    expect(pictures[0].path).toBe(at('rgb.mkv'));
    expect(await read(at('rgb.mkv'), { frames: 3 })).toHaveLength(3);
  });

  it('gives the times of a video of variable rate, whose pictures ffmpeg repeats', async () => {
    vi.stubEnv('FFMPEG_PATH', ''); // the machine's own
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=36x28:rate=10:duration=3'];
    const gap = ['-vf', "select='not(between(n,10,20))'", '-vsync', 'vfr'];
    runPackagedFfmpeg(...source, ...gap, '-c:v', 'mpeg4', at('gap.mp4'));
    const pictures = await read(at('gap.mp4'));
    expect(pictures.map(({ seconds }) => seconds)).toEqual(Array.from({ length: 30 }, (_, i) => i / 10));
  });

  it('converts y4m and raw video without ffmpeg, nearly as ffmpeg does', async () => {
    const video = await read(at('yuv.mkv'));
    const y4m = await read(at('clip.y4m'));
    const raw = await read(at('clip.yuv'), { size: { width: 36, height: 28 } });
    expect(raw.map(({ pels }) => pels)).toEqual(y4m.map(({ pels }) => pels));
    expect(y4m.map(({ seconds }) => seconds)).toEqual(video.map(({ seconds }) => seconds));
    // ffmpeg smooths the chroma samples, which four pels share here.
    for (const [i, { pels }] of y4m.entries()) {
      const sum = pels.reduce((total, value, at) => total + Math.abs(value - video[i].pels[at]), 0);
      expect(sum / pels.length).toBeLessThan(6);
    }
  });

  it('says what is wrong with an input, and which', async () => {
    writeFileSync(at('text.png'), 'no picture');
    writeFileSync(at('text.film'), 'no film');
    const video = readFileSync(at('yuv.mkv'));
    writeFileSync(at('cut.mkv'), video.subarray(0, video.length - 900));
    await expect(findRgbSource(at('none.png'), {})).rejects.toThrow(/no such file or folder: .*none\.png/);
    await expect(read(at('text.png'))).rejects.toThrow(/text\.png is not an image/);
    await expect(read(at('text.film'))).rejects.toThrow(/text\.film: it is text, no video/);
    const warnings: string[] = [];
    const cut = await read(at('cut.mkv'), { damage: 'warn', onWarning: message => warnings.push(message) });
    expect(cut.length).toBeGreaterThan(0);
    expect(warnings.join()).toMatch(/cut\.mkv is damaged or ends early/);
    await expect(read(at('cut.mkv'), { damage: 'error' })).rejects.toThrow(/cut\.mkv/);
  });

  it('tells of alpha, and puts the pels on the background', async () => {
    await sharp({ create: { width: 2, height: 2, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } }).toFile(
      at('clear.png'),
    );
    const warnings: string[] = [];
    const [picture] = await read(at('clear.png'), { background: '#ffffff', onWarning: text => warnings.push(text) });
    expect([...picture.pels]).toEqual(Array(12).fill(255));
    expect(warnings.join()).toMatch(/clear\.png has an alpha channel: it is shown on white/);
  });

  it('ends with the reason of an abort', async () => {
    const source = await findRgbSource(at('rgb.mkv'), {});
    const controller = new AbortController();
    const pictures = source.pictures(controller.signal)[Symbol.asyncIterator]();
    await pictures.next();
    controller.abort(new Error('enough'));
    await expect(pictures.next()).rejects.toThrow('enough');
  });

  it('ends with it where it is not open yet', async () => {
    const source = await findRgbSource(at('rgb.mkv'), {});
    const controller = new AbortController();
    const next = source.pictures(controller.signal)[Symbol.asyncIterator]().next();
    controller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });
});
