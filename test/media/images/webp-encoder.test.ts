// Tests of encoding images as WebP within a number of bytes.
import { expect, it } from 'vitest';
import { encodeWebp } from '../../../src/media/images/webp-encoder.js';
import { seededRandom } from '../../kernels/kernel-pair.js';

const size = { width: 48, height: 48 };
const random = seededRandom(1);
const noise = { ...size, channels: 3 as const, pels: Uint8Array.from({ length: 3 * 48 * 48 }, () => random() & 255) };
const encoded = (maxBytes: number) => encodeWebp(noise, { ...size, maxBytes });

it('takes the best quality whose bytes fit, and the lowest where none does', async () => {
  const best = await encoded(1_000_000);
  expect(await encoded(best.length)).toEqual(best);
  const next = await encoded(best.length - 1);
  expect(next.length).toBeLessThan(best.length);
  expect(await encoded(next.length)).toEqual(next);
  const lowest = await encoded(1);
  expect(lowest.length).toBeLessThan(next.length);
});
