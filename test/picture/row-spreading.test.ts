// Rows of planes that are no whole number of macroblocks: the kernel equals the definition, and the margins are right.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KernelMemory } from '../../src/kernels/kernel-memory.js';
import { createKernels } from '../../src/kernels/select-kernels.js';
import { chromaLength, type Frame } from '../../src/picture/frame.js';
import { frameOnBuffer, macroblockGrid, pictureBytes, pictureFromFrame } from '../../src/picture/picture.js';
import { rowSpreadingBy } from '../../src/picture/row-spreading.js';
import { kernelPair, pelsOf, seededRandom } from '../kernels/kernel-pair.js';

const MAX_SIDE = 50;
const SEED = 0x5eed;

const pair = await kernelPair(1 << 15);
pair.allocate(64); // guard
const plane = pair.allocate(MAX_SIDE * (MAX_SIDE + 20));

const side = fc.integer({ min: 1, max: MAX_SIDE });

/** The pel of a plane of `width` * `height` that a padded one has at x, y. */
const pelAt = (pels: Uint8Array, width: number, height: number, x: number, y: number) =>
  pels[Math.min(y, height - 1) * width + Math.min(x, width - 1)];

describe('spreadRows', () => {
  it('is the same by the kernel, which writes nothing else', () => {
    fc.assert(
      fc.property(side, side, fc.integer({ min: 1, max: 20 }), fc.integer(), (width, height, margin, seed) => {
        pair.fill(plane, pelsOf('noise', seededRandom(seed), width * height));
        for (const { kernels } of [pair.reference, pair.simd]) kernels.spreadRows(plane, width, height, width + margin);
        expect(pair.firstDifference()).toBe(-1);
      }),
      { seed: SEED },
    );
  });
});

describe('a picture of a frame', async () => {
  const memory = new KernelMemory(2 * pictureBytes(macroblockGrid(MAX_SIDE, MAX_SIDE)));
  const first = memory.allocate(pictureBytes(macroblockGrid(MAX_SIDE, MAX_SIDE)));
  const spread = rowSpreadingBy(await createKernels(memory, 'simd'), memory);

  it.each([
    ['in kernel memory', () => [memory.wasm.buffer, first, spread] as const],
    ['elsewhere, where kernels are known', () => [new SharedArrayBuffer(1 << 14), 0, spread] as const],
    ['elsewhere', () => [undefined, undefined, undefined] as const],
  ])('repeats its last column and row, %s, from other memory and in place', (_, place) => {
    fc.assert(
      fc.property(side, side, fc.integer(), (width, height, seed) => {
        const [buffer, at, by] = place();
        const grid = macroblockGrid(width, height);
        const random = seededRandom(seed);
        const chroma = chromaLength(width) * chromaLength(height);
        const [y, u, v] = [width * height, chroma, chroma].map(pels => pelsOf('noise', random, pels)) as [
          Uint8Array,
          Uint8Array,
          Uint8Array,
        ];
        const given: Frame[] = [{ width, height, y, u, v }];
        if (buffer) given.push(frameOnBuffer(grid, buffer, at));
        for (const frame of given) {
          for (const name of ['y', 'u', 'v'] as const) frame[name].set({ y, u, v }[name]);
          const picture = pictureFromFrame(0, frame, grid, buffer, at, by);
          const planes = [
            { pels: y, padded: picture.y, width, height, paddedWidth: grid.codedWidth },
            ...(['u', 'v'] as const).map(name => ({
              pels: { u, v }[name],
              padded: picture[name],
              width: chromaLength(width),
              height: chromaLength(height),
              paddedWidth: grid.codedWidth >> 1,
            })),
          ];
          for (const { pels, padded, paddedWidth, ...size } of planes) {
            const expected = Uint8Array.from(padded, (_, i) =>
              Number(pelAt(pels, size.width, size.height, i % paddedWidth, Math.floor(i / paddedWidth))),
            );
            expect(Buffer.compare(padded, expected)).toBe(0);
          }
        }
      }),
      { seed: SEED, numRuns: 60 },
    );
  });
});
