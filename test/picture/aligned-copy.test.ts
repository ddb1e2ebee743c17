// Bytes that are copied into shared memory arrive as they are, wherever they lie.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AlignedCopy } from '../../src/picture/aligned-copy.js';

/** More than two steps of a copy. */
const MAX_BYTES = 150_000;

const place = fc.integer({ min: 0, max: 20 });

describe('AlignedCopy', () => {
  it.each([
    ['shared memory', (bytes: number) => new SharedArrayBuffer(bytes)],
    ['other memory', (bytes: number) => new ArrayBuffer(bytes)],
  ])('copies bytes from any place to any place in %s, and nothing else', (_, make) => {
    const copies = new AlignedCopy();
    fc.assert(
      fc.property(place, place, place, fc.integer({ min: 0, max: MAX_BYTES }), (from, offset, first, length) => {
        const source = Uint8Array.from({ length: from + length }, (_, i) => 1 + ((i * 7919) % 255)).subarray(from);
        const whole = new Uint8Array(make(offset + first + length + 9));
        copies.copy(whole.subarray(offset), source, first);
        const at = offset + first;
        expect(Buffer.compare(whole.slice(at, at + length), source)).toBe(0);
        expect(whole.slice(0, at).every(byte => byte === 0)).toBe(true);
        expect(whole.slice(at + length).every(byte => byte === 0)).toBe(true);
      }),
      { seed: 0x5eed, numRuns: 60 },
    );
  });
});
