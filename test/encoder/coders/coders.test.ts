// How many coders an encode has, and that their memory can be addressed.
import { expect, it } from 'vitest';
import { createCoders } from '../../../src/encoder/coders/coders.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';

/** Pointers are signed 32-bit numbers where they are shifted. */
const ADDRESSABLE_BYTES = 2 ** 31;

it.each([
  [{ width: 352, height: 288, threads: 64 }, 64],
  [{ width: 1920, height: 1080, threads: 16 }, 16],
  [{ width: 352, height: 288, threads: 8, motionReference: 'reconstructed' as const }, 1],
  [{ width: 352, height: 288, threads: 8, bitrate: 1e6 }, 8],
  [{ width: 352, height: 288, threads: 8, bitrate: 1e6, cbr: true }, 8],
])('%o has %i', async (options, count) => {
  const coders = await createCoders(resolveOptions({ frameRate: 25, ...options }), { onWarning: () => {} });
  expect(coders.count).toBe(count);
  await coders.close();
});

it('as many as fit into memory, with pictures of the largest size', async () => {
  const coders = await createCoders(resolveOptions({ frameRate: 25, width: 4095, height: 2800, threads: 64 }), {
    onWarning: () => {},
  });
  expect(coders.count).toBe(43);
  expect(coders.memory.u8.length).toBeLessThan(ADDRESSABLE_BYTES);
  await coders.close();
});
