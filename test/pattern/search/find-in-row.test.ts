// The pattern kernel: the SIMD twin equals the readable one, and neither touches anything but the answer.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PATTERN_SEARCH } from '../../../src/kernels/records/pattern-search.js';
import { createVisionKernels } from '../../../src/kernels/select-vision-kernels.js';
import type { VisionKernels } from '../../../src/kernels/vision-kernels.js';
import { patternSamples, readPattern } from '../../../src/pattern/pattern.js';
import { type KernelPair, kernelPairOf, PEL_CONTENT_NAMES, pelsOf, seededRandom } from '../../kernels/kernel-pair.js';
import { IS_SOAK } from '../../support/soak.js';

const GUARD_BYTES = 64;

interface Case {
  readonly width: number;
  readonly height: number;
  readonly patternWidth: number;
  readonly patternHeight: number;
  readonly components: 1 | 3;
  readonly content: (typeof PEL_CONTENT_NAMES)[number];
  /** Share of the largest sum there is. */
  readonly limit: number;
  readonly hasMask: boolean;
  readonly seed: number;
}

/** Lays the case out in both memories. */
function layOut(pair: KernelPair<VisionKernels>, test: Case): { search: number; rows: number } {
  const { width, height, components, content, hasMask, seed, limit } = test;
  const patternWidth = Math.min(test.patternWidth, width);
  const patternHeight = Math.min(test.patternHeight, height);
  const random = seededRandom(seed);
  const channels = components === 1 ? 2 : 4;
  const pels = pelsOf(content, random, patternWidth * patternHeight * channels);
  for (let at = channels - 1; at < pels.length; at += channels) pels[at] = hasMask && random() & 1 ? 0 : 255;
  pels[channels - 1] = 255;
  const pattern = readPattern({ width: patternWidth, height: patternHeight, channels, pels });
  const planeBytes = width * height;
  const { offsets, values } = patternSamples(pattern, components, { stride: width, planeBytes });
  const columns = width - patternWidth + 1;
  const place = (bytes: number, content: ArrayLike<number> = []) => {
    pair.fill(pair.allocate(GUARD_BYTES), pelsOf('noise', random, GUARD_BYTES));
    const at = pair.allocate(bytes);
    pair.fill(at, content);
    return at;
  };
  const planes = place(components * planeBytes, pelsOf(content, random, components * planeBytes));
  const fields = {
    columns,
    stride: width,
    samples: values.length,
    limit: Math.floor(limit * 255 * values.length),
    planes,
    offsets: place(offsets.byteLength, new Uint8Array(offsets.buffer)),
    values: place(values.length, values),
    found: place(8 * columns, pelsOf('noise', random, 8 * columns)),
  };
  const search = place(PATTERN_SEARCH.bytes);
  place(0);
  for (const { memory } of [pair.reference, pair.simd]) Object.assign(PATTERN_SEARCH.at(memory, search), fields);
  return { search, rows: height - patternHeight + 1 };
}

it('findInRow is the same in both kernel sets, and leaves everything else alone', async () => {
  const cases: fc.Arbitrary<Case> = fc.record({
    width: fc.integer({ min: 1, max: 90 }),
    height: fc.integer({ min: 1, max: 70 }),
    patternWidth: fc.oneof(fc.integer({ min: 1, max: 64 }), fc.constantFrom(1, 16, 64)),
    patternHeight: fc.oneof(fc.integer({ min: 1, max: 64 }), fc.constantFrom(1, 16, 64)),
    components: fc.constantFrom(1, 3),
    content: fc.constantFrom(...PEL_CONTENT_NAMES),
    limit: fc.constantFrom(0, 0.004, 0.02, 0.3, 0.34, 0.5, 1),
    hasMask: fc.boolean(),
    seed: fc.nat(),
  });
  let found = 0;
  await fc.assert(
    fc.asyncProperty(cases, async test => {
      const pair = await kernelPairOf(1 << 18, createVisionKernels);
      const { search, rows } = layOut(pair, test);
      for (let y = 0; y < rows; y += 1 + (rows >> 2)) {
        const count = pair.reference.kernels.findInRow(search, y);
        expect(pair.simd.kernels.findInRow(search, y)).toBe(count);
        expect(pair.firstDifference()).toBe(-1);
        found += count;
      }
    }),
    { numRuns: IS_SOAK ? 3000 : 60, seed: 11 },
  );
  expect(found).toBeGreaterThan(200);
});

it('sums of the largest pattern, all components at their limits, fit', async () => {
  const pair = await kernelPairOf(1 << 20, createVisionKernels);
  const size = { width: 80, height: 64, patternWidth: 64, patternHeight: 64, components: 3 } as const;
  const { search } = layOut(pair, { ...size, content: 'flat', limit: 1, hasMask: false, seed: 1 });
  for (const { memory, kernels } of [pair.reference, pair.simd]) {
    const record = PATTERN_SEARCH.at(memory, search);
    memory.u8.fill(0, record.planes, record.planes + 3 * 80 * 64);
    memory.u8.fill(255, record.values, record.values + record.samples);
    expect(kernels.findInRow(search, 0)).toBe(17);
    expect(memory.u32[record.found / 4 + 1]).toBe(3 * 64 * 64 * 255);
    record.limit--;
    expect(kernels.findInRow(search, 0)).toBe(0);
  }
});
