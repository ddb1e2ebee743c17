// Frames of images by the kernel: those of `rgbToFrame`, wherever the pels lie.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
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
function bmpData(width: number, height: number, random: () => number, missing: number): number[] {
  const bytes = 4 * Math.ceil((3 * width) / 4) * height;
  return Array.from({ length: bytes - missing }, () => random() & 255);
}

const ppm = (width: number, height: number, random: () => number) =>
  Buffer.concat([
    Buffer.from(`P6 ${width} ${height} 255\n`),
    Buffer.from(Array.from({ length: 3 * width * height }, () => random() & 255)),
  ]);

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
      ];
      const converter = await RgbConverter.create(width, height, 3, createKernels);
      for (const file of files) {
        writeFileSync(path, file);
        const expected = rgbToFrame(await decodeImage(path));
        expect(converter.frame(await decodeStoredImage(path, {}))).toEqual(expected);
      }
    }),
    { seed: 0x5eed, numRuns: 40 },
  );
});

it('fills a frame of who has memory for it', async () => {
  const [width, height] = [18, 6];
  writeFileSync(path, ppm(width, height, seededRandom(1)));
  const own = frameFromI420(width, height, new Uint8Array(new SharedArrayBuffer(i420Bytes(width, height))));
  const converter = await RgbConverter.create(width, height, 3, createKernels);
  const frame: Frame = converter.frame(await decodeStoredImage(path, {}), { newFrame: () => own });
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
