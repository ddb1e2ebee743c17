// Tests of the shape of an image's pels, and of what is told of images.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { FrameSourceOptions } from '../../../src/media/frames/frame-source.js';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { decodeImage } from '../../../src/media/images/image-decoder.js';
import { imagePelAspect, isAnimatedPng } from '../../../src/media/images/image-shape.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { allFrames } from '../test-frames.js';

const folder = temporaryFolder();
const at = (...parts: string[]) => join(folder, ...parts);
const SIZE = { width: 8, height: 6 };
const image = (colour: { r: number; g: number; b: number; alpha?: number }) =>
  sharp({ create: { ...SIZE, channels: colour.alpha === undefined ? 3 : 4, background: colour } });
const gray = { r: 128, g: 128, b: 128 };

/** A PNG with a chunk after its header; its checksum is not looked at here. */
function pngWith(name: string, contents: readonly number[], png: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(contents.length);
  return Buffer.concat([
    png.subarray(0, 33),
    length,
    Buffer.from(name),
    Buffer.from(contents),
    Buffer.alloc(4),
    png.subarray(33),
  ]);
}

/** A TIFF header with the two resolutions, each a numerator and a denominator. */
function tiff(isLittle: boolean, x: readonly number[], y: readonly number[]): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write(isLittle ? 'II*\0' : 'MM\0*', 'latin1');
  const u16 = (value: number, at: number) =>
    isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at);
  const u32 = (value: number, at: number) =>
    isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at);
  u32(8, 4);
  u16(2, 8);
  for (const [i, tag] of [282, 283].entries()) {
    u16(tag, 10 + 12 * i);
    u32(40 + 8 * i, 10 + 12 * i + 8);
  }
  for (const [i, value] of [...x, ...y].entries()) u32(value, 40 + 4 * i);
  return bytes;
}

describe('imagePelAspect', () => {
  it('reads densities: pels are narrow where they are dense', async () => {
    const png = await image(gray).png().toBuffer();
    expect(imagePelAspect(pngWith('pHYs', [0, 0, 0, 200, 0, 0, 0, 100, 1], png))).toEqual({ width: 100, height: 200 });
    expect(imagePelAspect(tiff(true, [204, 1], [98, 1]))).toEqual({ width: 98, height: 204 });
    expect(imagePelAspect(tiff(false, [72, 1], [144, 2]))).toBeUndefined();
    expect(imagePelAspect(tiff(true, [72, 1], [72, 0]))).toBeUndefined();
    const jpeg = Buffer.from('ffd8ffe000104a46494600010101006400c80000', 'hex');
    expect(imagePelAspect(jpeg)).toEqual({ width: 200, height: 100 });
    const bmp = Buffer.alloc(54);
    bmp.write('BM');
    bmp.writeUInt32LE(40, 14);
    bmp.writeInt32LE(3000, 38);
    bmp.writeInt32LE(2000, 42);
    expect(imagePelAspect(bmp)).toEqual({ width: 2000, height: 3000 });
  });

  it('reads a ratio without a unit as width to height, and says nothing of square pels', async () => {
    const png = await image(gray).png().toBuffer();
    expect(imagePelAspect(pngWith('pHYs', [0, 0, 0, 16, 0, 0, 0, 15, 0], png))).toEqual({ width: 16, height: 15 });
    expect(imagePelAspect(Buffer.from('ffd8ffe000104a46494600010100001000f00000', 'hex'))).toEqual({
      width: 16,
      height: 240,
    });
    expect(imagePelAspect(pngWith('pHYs', [0, 0, 0, 5, 0, 0, 0, 5, 1], png))).toBeUndefined();
    expect(imagePelAspect(png)).toBeUndefined();
  });

  it('survives files of any length', async () => {
    const png = pngWith('pHYs', [0, 0, 0, 16, 0, 0, 0, 15, 0], await image(gray).png().toBuffer());
    for (const file of [png, tiff(true, [2, 1], [1, 1]), Buffer.from('BM'), Buffer.from('ffd8ffe0', 'hex')]) {
      for (let length = 0; length <= file.length; length++) {
        expect(() => imagePelAspect(file.subarray(0, length)), `${length} bytes`).not.toThrow();
      }
    }
  });

  it('turns with the picture', async () => {
    const jpeg = await image(gray).jpeg().withMetadata({ orientation: 6, density: 72 }).toBuffer();
    writeFileSync(at('turned.jpg'), jpeg);
    const app0 = Buffer.from('ffe000104a46494600010100001000f00000', 'hex');
    writeFileSync(at('turned-wide.jpg'), Buffer.concat([jpeg.subarray(0, 2), app0, jpeg.subarray(2)]));
    expect(await openFrameSource(at('turned.jpg'))).toMatchObject({ width: 6, height: 8 });
    expect((await openFrameSource(at('turned-wide.jpg'))).pelAspect).toEqual({ width: 240, height: 16 });
    for (const orientation of [3, 8]) {
      const other = await image(gray).jpeg().withMetadata({ orientation, density: 72 }).toBuffer();
      writeFileSync(at('turned-wide.jpg'), Buffer.concat([other.subarray(0, 2), app0, other.subarray(2)]));
      const { pelAspect } = await openFrameSource(at('turned-wide.jpg'));
      expect(pelAspect).toEqual(orientation === 3 ? { width: 16, height: 240 } : { width: 240, height: 16 });
    }
  });
});

it('an animated PNG has a chunk acTL before its pels', async () => {
  const png = await image(gray).png().toBuffer();
  expect(isAnimatedPng(png)).toBe(false);
  expect(isAnimatedPng(pngWith('acTL', [0, 0, 0, 2, 0, 0, 0, 0], png))).toBe(true);
});

it('a chunk after the pels says nothing of them', async () => {
  const png = await image(gray).png().toBuffer();
  const end = png.length - 12; // of IEND
  const late = (name: string, contents: readonly number[]) =>
    Buffer.concat([
      png.subarray(0, end),
      pngWith(name, contents, png).subarray(33, 45 + contents.length),
      png.subarray(end),
    ]);
  expect(isAnimatedPng(late('acTL', [0, 0, 0, 2, 0, 0, 0, 0]))).toBe(false);
  expect(imagePelAspect(late('pHYs', [0, 0, 0, 200, 0, 0, 0, 100, 1]))).toBeUndefined();
});

describe('what is told of images', () => {
  async function read(path: string, options: FrameSourceOptions = {}) {
    const warnings: string[] = [];
    const source = await openFrameSource(path, { ...options, onWarning: message => warnings.push(message) });
    const frames = await allFrames(source);
    return { source, frames, warnings };
  }

  it('alpha is put on the background, and told once; opaque pels are not told', async () => {
    mkdirSync(at('alpha'));
    const clear = { r: 255, g: 255, b: 255, alpha: 0.5 };
    for (const name of ['1.png', '2.png']) await image(clear).toFile(at('alpha', name));
    const black = await read(at('alpha'));
    expect(black.warnings).toEqual([
      `${at('alpha')} has an alpha channel: it is shown on black, and background chooses another colour`,
    ]);
    expect(black.frames.map(({ y }) => y[0])).toEqual([126, 126]);
    expect((await read(at('alpha'), { background: '#FFFFFF' })).frames[0]!.y[0]).toBe(235);
    await image({ ...clear, alpha: 1 }).toFile(at('opaque.png'));
    expect((await read(at('opaque.png'))).warnings).toEqual([]);
    await expect(openFrameSource(at('alpha'), { background: '#12' })).rejects.toMatchObject({ name: 'OptionError' });
  });

  it('other media beside images are named, and other files that a pattern matches', async () => {
    mkdirSync(at('mixed'));
    await image(gray).toFile(at('mixed', 'a.png'));
    for (const name of ['b.mp4', 'c.gif', 'd.wav', 'e.y4m', 'notes.txt', '.hidden.mp4'])
      writeFileSync(at('mixed', name), '');
    expect((await read(at('mixed'))).warnings).toEqual([
      `${at('mixed')}: 4 files are left out beside the images: b.mp4, c.gif, d.wav and 1 more`,
    ]);
    expect((await read(at('mixed', '[an]*'))).warnings).toEqual([
      `${at('mixed', '[an]*')}: 1 file is left out beside the images: notes.txt`,
    ]);
  });

  it('pages after the first are counted', async () => {
    const pages = await Promise.all([gray, { r: 9, g: 9, b: 9 }].map(colour => image(colour).png().toBuffer()));
    await sharp(pages, { join: { animated: true } })
      .webp()
      .toFile(at('moving.webp'));
    const { frames, warnings } = await read(at('moving.webp'));
    expect(frames).toHaveLength(1);
    expect(warnings).toContain(`${at('moving.webp')} has 2 pages or pictures: only the first is read`);
  });

  it('a JPEG that libjpeg warns of is told, or refused where damage is an error', async () => {
    const jpeg = await sharp(Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, i) => (i * i) % 251)), {
      raw: { width: 64, height: 64, channels: 3 },
    })
      .jpeg()
      .toBuffer();
    writeFileSync(at('bad.jpg'), Buffer.concat([jpeg.subarray(0, -400), jpeg.subarray(-2)]));
    const { frames, warnings } = await read(at('bad.jpg'));
    expect(frames).toHaveLength(1);
    expect(warnings).toEqual([expect.stringMatching(/bad\.jpg is damaged: VipsJpeg: .*(Corrupt|premature)/i)]);
    await expect(openFrameSource(at('bad.jpg'), { damage: 'error' })).rejects.toThrow(/bad\.jpg is damaged/);
  });

  it('a picture larger than those of MPEG-1 can be scaled', async () => {
    await sharp({ create: { width: 4200, height: 30, channels: 3, background: gray } }).toFile(at('wide.png'));
    await expect(openFrameSource(at('wide.png'))).rejects.toThrow(
      /4200x30; MPEG-1 pictures .*: scale makes it smaller/,
    );
    const { source, frames, warnings } = await read(at('wide.png'), { scale: { width: 64, height: 48 } });
    expect(source).toMatchObject({ width: 64, height: 48, frameCount: 1 });
    expect(source.pelAspect!.width / source.pelAspect!.height).toBeCloseTo((4200 / 30) * (48 / 64), 0);
    expect(frames[0]!.y.every(sample => sample === frames[0]!.y[0])).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('a picture of more pels than those of MPEG-1 can be cropped', async () => {
    const large = { width: 4200, height: 2800 };
    await sharp({ create: { ...large, channels: 3, background: gray } })
      .toColourspace('b-w')
      .png({ compressionLevel: 1 })
      .toFile(at('large.png'));
    expect(await decodeImage(at('large.png'), { mayBeLarge: true })).toMatchObject(large);
    await expect(decodeImage(at('large.png'))).rejects.toThrow(/is 4200x2800; MPEG-1 pictures are/);
  });
});
