// What bench/soak.mjs takes for a leak, and what not.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const GROWTH = fileURLToPath(new URL('../../bench/soak-growth.mjs', import.meta.url));
const { whatGrows } = await import(GROWTH);

const PICTURES = 20_000;
const MIB = 2 ** 20;
const FLAT = { lastingBytes: 85 * MIB, heapBytes: 14 * MIB, bufferBytes: 1.5 * MIB, files: 26, threads: 12 };

/** Samples of an encode; `changes` gives what is not flat after so many pictures. */
function samplesWith(changes: (picture: number) => Partial<typeof FLAT>): object[] {
  return Array.from({ length: 200 }, (_, index) => {
    const picture = ((index + 1) * PICTURES) / 200;
    return { picture, ...FLAT, ...changes(picture) };
  });
}

describe('the soak takes for a leak', () => {
  it('512 bytes a picture outside of the heaps', () => {
    const samples = samplesWith(picture => ({ lastingBytes: FLAT.lastingBytes + 512 * picture }));
    expect(whatGrows(samples, PICTURES)).toEqual(['lastingBytes']);
  });

  it('80 bytes a picture in a heap', () => {
    const samples = samplesWith(picture => ({ heapBytes: FLAT.heapBytes + 80 * picture }));
    expect(whatGrows(samples, PICTURES)).toEqual(['heapBytes']);
  });

  it('10 bytes a picture in buffers', () => {
    const samples = samplesWith(picture => ({ bufferBytes: FLAT.bufferBytes + 10 * picture }));
    expect(whatGrows(samples, PICTURES)).toEqual(['bufferBytes']);
  });

  it('a file or a thread that stays from the middle on', () => {
    const samples = samplesWith(picture => (picture > PICTURES / 2 ? { files: 27, threads: 13 } : {}));
    expect(whatGrows(samples, PICTURES)).toEqual(['files', 'threads']);
  });
});

it('everything counts as grown where the samples of the second quarter are missing', () => {
  const names = ['lastingBytes', 'heapBytes', 'bufferBytes', 'files', 'threads'];
  expect(whatGrows([{ picture: PICTURES, ...FLAT }], PICTURES)).toEqual(names);
});

describe('the soak does not take for a leak', () => {
  it('memory that rises in the first quarter and then stays', () => {
    const samples = samplesWith(picture => ({ lastingBytes: Math.min(60 * MIB + 5120 * picture, FLAT.lastingBytes) }));
    expect(whatGrows(samples, PICTURES)).toEqual([]);
  });

  it('samples that meet buffers in use, in half of the cases at the end', () => {
    const samples = samplesWith(picture => (picture % 400 < picture / 120 ? { bufferBytes: 7 * MIB } : {}));
    expect(whatGrows(samples, PICTURES)).toEqual([]);
  });
});
