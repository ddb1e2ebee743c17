// The kernel that takes coloured pels apart: both kernel sets give the planes, and touch nothing beside them.
import { expect, it } from 'vitest';
import { createVisionKernels } from '../../../src/kernels/select-vision-kernels.js';
import { kernelPairOf, pelsOf, seededRandom } from '../../kernels/kernel-pair.js';

it.each([1, 3, 15, 16, 17, 31, 32, 47, 96, 1000])('splitComponents gives the planes of %i pels', async count => {
  const pair = await kernelPairOf(1 << 16, createVisionKernels);
  const random = seededRandom(count);
  const pels = pelsOf('noise', random, 3 * count);
  const guard = pelsOf('noise', random, 3 * count + 64);
  const from = pair.allocate(3 * count + 64);
  const to = pair.allocate(3 * count + 64);
  pair.fill(from, guard);
  pair.fill(from + 5, pels); // at any address
  pair.fill(to, guard);
  for (const { kernels } of [pair.reference, pair.simd]) kernels.splitComponents(to + 3, from + 5, count);
  expect(pair.firstDifference()).toBe(-1);
  const { u8 } = pair.simd.memory;
  const planes = [0, 1, 2].flatMap(component => [...pels].filter((_, i) => i % 3 === component));
  expect([...u8.subarray(to + 3, to + 3 + 3 * count)]).toEqual(planes);
  expect([...u8.subarray(to, to + 3)]).toEqual([...guard.subarray(0, 3)]);
  expect([...u8.subarray(to + 3 + 3 * count, to + 3 * count + 64)]).toEqual([...guard.subarray(3 + 3 * count)]);
});
