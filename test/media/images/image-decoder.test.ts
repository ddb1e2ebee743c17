// Tests of decoding images of every format.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeImage, hasImageExtension } from '../../../src/media/images/image-decoder.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

const folder = temporaryFolder();
const SIZE = { width: 6, height: 4 };

async function decoded(name: string, image: sharp.Sharp | Buffer) {
  const path = join(folder, name);
  writeFileSync(path, Buffer.isBuffer(image) ? image : await image.toBuffer());
  return decodeImage(path);
}

const flat = (background: sharp.Color, channels: 3 | 4 = 3) => sharp({ create: { ...SIZE, channels, background } });

/** Expects a flat image of one colour, each channel within `tolerance`. */
function expectFlat(image: { width: number; height: number; pels: Uint8Array }, rgb: number[], tolerance = 0): void {
  expect(image).toMatchObject(SIZE);
  expect(image.pels).toHaveLength(3 * SIZE.width * SIZE.height);
  image.pels.forEach((value, i) => {
    expect(Math.abs(value - rgb[i % 3])).toBeLessThanOrEqual(tolerance);
  });
}

const COLOUR = { r: 200, g: 100, b: 50 };
const HALF = { ...COLOUR, alpha: 0.5 };

/** A BMP of version 5 with a mask for alpha, all pels alike. */
function bmpWithAlpha(alpha: number): Buffer {
  const header = Buffer.alloc(138);
  header.write('BM', 'latin1');
  header.writeUInt32LE(header.length, 10);
  header.writeUInt32LE(124, 14);
  header.writeInt32LE(SIZE.width, 18);
  header.writeInt32LE(SIZE.height, 22);
  header.writeUInt16LE(32, 28);
  header.writeUInt32LE(3, 30); // bit fields
  for (const [i, mask] of [0xff0000, 0xff00, 0xff, 0xff000000].entries()) header.writeUInt32LE(mask, 54 + 4 * i);
  return Buffer.concat([header, Buffer.alloc(4 * SIZE.width * SIZE.height, Buffer.of(50, 100, 200, alpha))]);
}

describe('decodeImage', () => {
  it.each([
    ['png', () => flat(COLOUR).png()],
    ['16-bit png', () => flat(COLOUR).toColourspace('rgb16').png()],
    ['palette png', () => flat(COLOUR).png({ palette: true })],
    ['tiff', () => flat(COLOUR).tiff()],
    ['webp', () => flat(COLOUR).webp({ lossless: true })],
  ])('gives the colours of a lossless image: %s', async (name, make) => {
    expectFlat(await decoded(`${name}.img`, make()), [200, 100, 50]);
  });

  it('reads TIFF of either byte order, and of long offsets', async () => {
    expectFlat(await decoded('big.tif', flat(COLOUR).tiff({ bigtiff: true })), [200, 100, 50]);
    const { width, height } = SIZE;
    // ImageWidth, ImageLength, BitsPerSample, Compression, PhotometricInterpretation, StripOffsets, RowsPerStrip,
    // StripByteCounts, each a SHORT
    const tags = [256, 257, 258, 259, 262, 273, 278, 279];
    const values = [width, height, 8, 1, 1, 110, height, width * height];
    const entries = tags.flatMap((tag, i) => [tag, 3, 0, 1, values[i]!, 0]);
    const head = Buffer.alloc(110);
    head.write('MM');
    for (const [i, value] of [42, 0, 8, tags.length, ...entries].entries()) head.writeUInt16BE(value, 2 + 2 * i);
    const pels = Buffer.alloc(width * height, 77);
    expectFlat(await decoded('mm.tif', Buffer.concat([head, pels])), [77, 77, 77]);
  });

  // JPEG rounds in YCbCr; CMYK goes through its colour profile and back, whose gamut does not hold every blue.
  it('decodes JPEG', async () =>
    expectFlat(await decoded('a.jpg', flat(COLOUR).jpeg({ quality: 100 })), [200, 100, 50], 2));
  it('decodes CMYK to sRGB', async () =>
    expectFlat(
      await decoded('cmyk.jpg', flat(COLOUR).toColourspace('cmyk').jpeg({ quality: 100 })),
      [200, 100, 50],
      20,
    ));

  it.each([
    ['png', () => flat(HALF, 4).png()],
    ['16-bit png', () => flat(HALF, 4).toColourspace('rgb16').png()],
    ['palette png', () => flat(HALF, 4).png({ palette: true })],
    ['webp', () => flat(HALF, 4).webp({ lossless: true })],
  ])('flattens alpha on black: %s', async (name, make) => {
    expectFlat(await decoded(`alpha ${name}.img`, make()), [100, 50, 25], 1);
  });

  it.each(['b-w', 'grey16'] as const)('gives grey as R = G = B: %s', async space => {
    expectFlat(await decoded(`${space}.png`, flat({ r: 77, g: 77, b: 77 }).toColourspace(space).png()), [77, 77, 77]);
  });

  it('keeps the alpha beside the colours where it is asked to', async () => {
    const kept = async (name: string, image: sharp.Sharp | Buffer) => {
      const path = join(folder, name);
      writeFileSync(path, Buffer.isBuffer(image) ? image : await image.toBuffer());
      return decodeImage(path, { keepsAlpha: true });
    };
    for (const image of [await kept('kept.png', flat(HALF, 4).png()), await kept('kept.bmp', bmpWithAlpha(128))]) {
      expectFlat(image, [200, 100, 50]);
      expect(image).toMatchObject({ hasAlpha: true, alpha: new Uint8Array(24).fill(128) });
    }
    const gray = flat({ r: 90, g: 90, b: 90, alpha: 0.5 }, 4).toColourspace('b-w').png();
    expect((await kept('kept gray.png', gray)).alpha).toEqual(new Uint8Array(24).fill(128));
    const opaque = [flat(COLOUR).png(), flat({ ...COLOUR, alpha: 1 }, 4).png(), bmpWithAlpha(255)];
    for (const [i, image] of opaque.entries()) {
      const decoded = await kept(`opaque${i}.img`, image);
      expectFlat(decoded, [200, 100, 50]);
      expect(decoded).toMatchObject({ hasAlpha: false });
      expect(decoded).not.toHaveProperty('alpha');
    }
  });

  it('flattens grey with alpha', async () => {
    const pels = Buffer.alloc(2 * SIZE.width * SIZE.height, Uint8Array.of(200, 128));
    expectFlat(await decoded('ga.png', sharp(pels, { raw: { ...SIZE, channels: 2 } }).png()), [100, 100, 100], 1);
  });

  it('keeps every pel in its place', async () => {
    const pels = Buffer.from(Array.from({ length: 3 * 5 * 3 }, (_, i) => (i * 37) & 255));
    const image = await decoded('places.png', sharp(pels, { raw: { width: 5, height: 3, channels: 3 } }).png());
    expect(Buffer.from(image.pels)).toEqual(pels);
  });

  it('turns a photo upright', async () => {
    const image = await decoded('turned.jpg', flat(COLOUR).jpeg().withMetadata({ orientation: 6 }));
    expect(image).toMatchObject({ width: SIZE.height, height: SIZE.width });
  });

  it('goes by the content, not the name', async () => {
    expectFlat(await decoded('really-a-png.bmp', flat(COLOUR).png()), [200, 100, 50]);
    expect(await decoded('really-a-pgm.png', Buffer.from('P5 1 1 255\n\x07'))).toMatchObject({ width: 1, height: 1 });
    expect(await decoded('commented.png', Buffer.from('P5#\n1 1 255\n\x07'))).toMatchObject({ width: 1, height: 1 });
  });

  it.each([
    ['a text called .png', Buffer.from('hello, this is no picture\n'), /text.png is not an image \(PNG, BMP,/],
    ['an empty file', Buffer.alloc(0), /text.png is empty$/],
    [
      'an SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      /text.png is not an image/,
    ],
    ['a PNG signature alone', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), /text.png cannot be decoded: /],
  ])('refuses %s', async (_, bytes, message) => {
    const error = await decoded('text.png', bytes).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name: 'InputError', message: expect.stringMatching(message) });
    expect((error as Error).message).not.toContain('\n');
  });

  it.each(['png', 'jpeg', 'webp', 'tiff'] as const)('refuses a truncated %s', async format => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const whole = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#000', noise } })
      [format]()
      .toBuffer();
    const cut = whole.subarray(0, Math.floor(whole.length * 0.6));
    await expect(decoded(`cut.${format}`, cut)).rejects.toMatchObject({
      name: 'InputError',
      message: expect.stringContaining(`cut.${format} cannot be decoded: `),
    });
  });

  it.each([
    { width: 4096, height: 2 },
    { width: 2, height: 2801 },
    { width: 4095, height: 2801 },
  ])('refuses more than MPEG-1 holds: $width x $height', async size => {
    const image = sharp({ create: { ...size, channels: 3, background: '#000' } }).png({ compressionLevel: 1 });
    await expect(decoded('large.png', image)).rejects.toThrow(
      `large.png is ${size.width}x${size.height}; MPEG-1 pictures are 1x1 to 4095x2800 pels`,
    );
  });

  it('names a file that is not there', async () => {
    await expect(decodeImage(join(folder, 'nowhere.png'))).rejects.toThrow(/nowhere.png cannot be read/);
  });
});

it('knows image names by their ending', () => {
  expect(['a.png', 'b.BMP', 'c.d.JPeG', 'e.ppm', 'f.pgm', 'g.tif', 'h.webp'].every(hasImageExtension)).toBe(true);
  expect(['png', 'a.txt', 'a.png.bak', 'a.', 'a.mp4', 'x.png/y'].some(hasImageExtension)).toBe(false);
});
