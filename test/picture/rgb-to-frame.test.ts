// Tests of converting RGB to frames.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RgbImage } from '../../src/media/images/rgb-image.js';
import { chromaLength } from '../../src/picture/frame.js';
import { rgbToFrame } from '../../src/picture/rgb-to-frame.js';
import { kernelPair, PEL_CONTENT_NAMES, pelsOf, seededRandom } from '../kernels/kernel-pair.js';

/** Rounding, plus what the 16-bit coefficients may be off by at 255. */
const MAX_ERROR = 0.5 + 0.01;

/** ITU-R BT.601 with its own constants, in doubles. */
function bt601(r: number, g: number, b: number): { y: number; cb: number; cr: number } {
  const luma = 0.299 * r + 0.587 * g + 0.114 * b;
  return {
    y: 16 + (219 / 255) * luma,
    cb: 128 + (224 / 255) * ((b - luma) / 1.772),
    cr: 128 + (224 / 255) * ((r - luma) / 1.402),
  };
}

const images: fc.Arbitrary<RgbImage> = fc
  .record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) })
  .chain(({ width, height }) =>
    fc
      .uint8Array({ minLength: 3 * width * height, maxLength: 3 * width * height })
      .map(pels => ({ width, height, pels })),
  );

describe('rgbToFrame', () => {
  it('gives the nearest luma of each pel and the nearest chroma of the mean of 2x2, edges repeated', () => {
    fc.assert(
      fc.property(images, image => {
        const { width, height, pels } = image;
        const frame = rgbToFrame(image);
        const at = (x: number, y: number) => {
          const offset = 3 * (Math.min(y, height - 1) * width + Math.min(x, width - 1));
          return [pels[offset], pels[offset + 1], pels[offset + 2]] as const;
        };
        for (let y = 0; y < height; y++) {
          for (let x = 0; x < width; x++) {
            expect(Math.abs(frame.y[y * width + x] - bt601(...at(x, y)).y)).toBeLessThan(MAX_ERROR);
          }
        }
        for (let y = 0; y < chromaLength(height); y++) {
          for (let x = 0; x < chromaLength(width); x++) {
            const four = [at(2 * x, 2 * y), at(2 * x + 1, 2 * y), at(2 * x, 2 * y + 1), at(2 * x + 1, 2 * y + 1)];
            const mean = (channel: 0 | 1 | 2) => four.reduce((sum, pel) => sum + pel[channel], 0) / 4;
            const { cb, cr } = bt601(mean(0), mean(1), mean(2));
            const index = y * chromaLength(width) + x;
            expect(Math.abs(frame.u[index] - cb)).toBeLessThan(MAX_ERROR);
            expect(Math.abs(frame.v[index] - cr)).toBeLessThan(MAX_ERROR);
          }
        }
      }),
    );
  });

  it.each([
    ['black', [0, 0, 0], [16, 128, 128]],
    ['white', [255, 255, 255], [235, 128, 128]],
    ['red', [255, 0, 0], [81, 90, 240]],
    ['green', [0, 255, 0], [145, 54, 34]],
    ['blue', [0, 0, 255], [41, 240, 110]],
  ])('maps %s to the colour bar of BT.601', (_, rgb, ycbcr) => {
    const frame = rgbToFrame({ width: 1, height: 1, pels: Uint8Array.from(rgb) });
    expect([frame.y[0], frame.u[0], frame.v[0]]).toEqual(ycbcr);
  });

  it('leaves every grey without colour', () => {
    for (let grey = 0; grey < 256; grey++) {
      const { u, v } = rgbToFrame({ width: 1, height: 1, pels: new Uint8Array(3).fill(grey) });
      expect([u[0], v[0]]).toEqual([128, 128]);
    }
  });
});

const MAX_SIDE = 40;
const MAX_PEL_BYTES = 4;
const pair = await kernelPair(1 << 16);
const pels = pair.allocate(MAX_SIDE * (MAX_SIDE * MAX_PEL_BYTES + 4) + 16);
const [y, u, v] = [1, 2, 2].map(divisor => pair.allocate((MAX_SIDE / divisor) ** 2)) as [number, number, number];

describe('convertRgb', () => {
  const side = fc.integer({ min: 1, max: MAX_SIDE });
  const layout = fc.record({
    width: side,
    height: side,
    pelBytes: fc.constantFrom(3, MAX_PEL_BYTES),
    redAt: fc.constantFrom(0, 2),
    padding: fc.integer({ min: 0, max: 4 }),
    isBottomUp: fc.boolean(),
  });

  it('gives the planes of rgbToFrame by either kernel set, and writes nothing else', () => {
    fc.assert(
      fc.property(layout, fc.constantFrom(...PEL_CONTENT_NAMES), fc.integer(), (image, content, seed) => {
        const { width, height, pelBytes, redAt, padding, isBottomUp } = image;
        const distance = pelBytes * width + padding;
        pair.fill(pels, pelsOf(content, seededRandom(seed), distance * height));
        const first = isBottomUp ? pels + distance * (height - 1) : pels;
        const rowBytes = isBottomUp ? -distance : distance;
        for (const { kernels } of [pair.reference, pair.simd]) {
          kernels.convertRgb(y, u, v, first, rowBytes, pelBytes, redAt, width, height);
        }
        expect(pair.firstDifference()).toBe(-1);

        const { u8 } = pair.simd.memory;
        const tight = Uint8Array.from({ length: 3 * width * height }, (_, index) => {
          const pel = Math.floor(index / 3);
          const at = first + Math.floor(pel / width) * rowBytes + (pel % width) * pelBytes;
          return u8[at + Math.abs((index % 3) - redAt)]!;
        });
        const frame = rgbToFrame({ width, height, pels: tight });
        for (const [plane, at] of [
          [frame.y, y],
          [frame.u, u],
          [frame.v, v],
        ] as const) {
          expect(Buffer.compare(u8.subarray(at, at + plane.length), plane)).toBe(0);
        }
      }),
      { seed: 0x5eed, numRuns: 200 },
    );
  });
});
