// Frames of images by the kernel: those of `rgbToFrame`, wherever the pels lie.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createKernels } from '../../../src/kernels/select-kernels.js';
import { decodeImage, decodeStoredImage } from '../../../src/media/images/image-decoder.js';
import { type Frame, frameFromI420, i420Bytes } from '../../../src/picture/frame.js';
import { RgbConverter } from '../../../src/picture/rgb-converter.js';
import { rgbToFrame } from '../../../src/picture/rgb-to-frame.js';
import { seededRandom } from '../../kernels/kernel-pair.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { bmp } from '../bmp-file.js';

const folder = temporaryFolder();
const path = join(folder, 'image');

/** Random bytes, `missing` fewer than the rows of a BMP file have. */
function bmpData(width: number, height: number, random: () => number, missing: number, pelBytes = 3): number[] {
  const bytes = 4 * Math.ceil((pelBytes * width) / 4) * height;
  return Array.from({ length: bytes - missing }, () => random() & 255);
}

const ppm = (width: number, height: number, random: () => number) =>
  Buffer.concat([
    Buffer.from(`P6 ${width} ${height} 255\n`),
    Buffer.from(Array.from({ length: 3 * width * height }, () => random() & 255)),
  ]);

/** Red and blue are not where they usually are. */
const masks = [0xff, 0xff00, 0xff0000];
const side = fc.integer({ min: 1, max: 20 });

it('gives the frames of BMP files of either row order and of others, one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(side, side, fc.integer(), fc.integer({ min: 0, max: 3 }), async (width, height, seed, missing) => {
      const random = seededRandom(seed);
      const files = [
        bmp({ width, height, bits: 24, data: bmpData(width, height, random, 0) }),
        ppm(width, height, random),
        bmp({ width, height: -height, bits: 24, data: bmpData(width, height, random, missing) }),
        bmp({ width, height, bits: 24, data: bmpData(width, height, random, missing) }),
        bmp({ width, height, bits: 32, data: bmpData(width, height, random, missing, 4) }),
        bmp({ width, height, bits: 32, compression: 3, masks, data: bmpData(width, height, random, missing, 4) }),
        bmp({
          width,
          height,
          bits: 8,
          palette: bmpData(256, 1, random, 0, 4),
          data: bmpData(width, height, random, 0, 1),
        }),
      ];
      const converter = await RgbConverter.create(width, height, 4, createKernels);
      for (const file of files) {
        writeFileSync(path, file);
        const expected = rgbToFrame(await decodeImage(path));
        expect(converter.frame(await decodeStoredImage(path, {}))).toEqual(expected);
      }
    }),
    { seed: 0x5eed, numRuns: 40 },
  );
});

it('reads a BMP file that is too large for MPEG-1 where it will be made smaller', async () => {
  for (const bits of [24, 16]) {
    writeFileSync(path, bmp({ width: 5000, height: 1, bits, data: new Uint8Array(625 * bits) }));
    expect(await decodeStoredImage(path, { mayBeLarge: true })).toMatchObject({ width: 5000, height: 1 });
    await expect(decodeStoredImage(path, {})).rejects.toThrow('is 5000x1; MPEG-1 pictures are');
  }
});

it('fills a frame of who has memory for it', async () => {
  const [width, height] = [18, 6];
  writeFileSync(path, ppm(width, height, seededRandom(1)));
  const own = frameFromI420(width, height, new Uint8Array(new SharedArrayBuffer(i420Bytes(width, height))));
  const converter = await RgbConverter.create(width, height, 3, createKernels);
  const frame: Frame = converter.frame(await decodeStoredImage(path, {}), own);
  expect(frame).toBe(own);
  const { y, u, v } = rgbToFrame(await decodeImage(path));
  for (const [filled, expected] of [
    [own.y, y],
    [own.u, u],
    [own.v, v],
  ] as const) {
    expect(Buffer.compare(filled, expected)).toBe(0);
  }
});

it.each([
  ['says nothing', 8, () => 255, 4],
  ['says something', 8, (random: () => number) => random() & 255, 3],
  ['of 16 bits says nothing', 16, () => 255, 3],
] as const)('gives the frame of a PNG file whose alpha %s', async (_, bits, alphaOf, pelBytes) => {
  const [width, height] = [19, 7];
  const random = seededRandom(3);
  const rgba = Uint8Array.from({ length: 4 * width * height }, (_, at) =>
    at % 4 === 3 ? alphaOf(random) : random() & 255,
  );
  const png = sharp(rgba, { raw: { width, height, channels: 4 } });
  await (bits === 16 ? png.toColourspace('rgb16') : png).png().toFile(path);
  const decoding = { background: [200, 100, 50] as const };
  const stored = await decodeStoredImage(path, decoding);
  expect(stored).toMatchObject({ pelBytes, hasAlpha: pelBytes === 3 && bits === 8 });
  const image = await decodeImage(path, decoding);
  const converter = await RgbConverter.create(width, height, 4, createKernels);
  expect(converter.frame(stored)).toEqual(rgbToFrame(image));
  const behind = (value: number, at: number) => {
    const alpha = rgba[4 * Math.floor(at / 3) + 3]! / 255;
    return alpha * value + (1 - alpha) * decoding.background[at % 3]!;
  };
  const colours = rgba.filter((_, at) => at % 4 !== 3);
  expect(Math.max(...image.pels.map((value, at) => Math.abs(value - behind(colours[at]!, at))))).toBeLessThanOrEqual(1);
});
