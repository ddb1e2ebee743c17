// Where chunks start: at cuts, else at regular groups, and never too short.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkStarts } from '../../src/chunks/chunk-starts.js';

describe('chunks start', () => {
  it('at the first cut after their least length', () => {
    const lengths = { frames: 100, cuts: [3, 12, 14, 40, 70], min: 10, max: 50, gop: 6 };
    expect(chunkStarts(lengths)).toEqual([0, 12, 40, 70]);
  });

  it('where a group would start without a cut, counted from the last cut', () => {
    expect(chunkStarts({ frames: 60, cuts: [], min: 10, max: 25, gop: 12 })).toEqual([0, 24, 48]);
    expect(chunkStarts({ frames: 60, cuts: [5], min: 10, max: 25, gop: 12 })).toEqual([0, 17, 41]);
  });

  it('at the greatest length where groups are longer than that', () => {
    expect(chunkStarts({ frames: 60, cuts: [], min: 10, max: 25, gop: 1000 })).toEqual([0, 25, 50]);
  });

  it('once where the input is shorter than two chunks', () => {
    expect(chunkStarts({ frames: 19, cuts: [9, 10], min: 10, max: 10, gop: 5 })).toEqual([0]);
    expect(chunkStarts({ frames: 1, cuts: [], min: 10, max: 10, gop: 5 })).toEqual([0]);
  });

  it('once where the input is as long as one chunk may be', () => {
    expect(chunkStarts({ frames: 25, cuts: [], min: 10, max: 25, gop: 5 })).toEqual([0]);
    expect(chunkStarts({ frames: 26, cuts: [], min: 10, max: 25, gop: 5 })).toEqual([0, 15]);
  });

  it('so that none is too short, and none too long where that can be', () => {
    const cases = fc.record({
      frames: fc.integer({ min: 1, max: 500 }),
      cuts: fc.uniqueArray(fc.integer({ min: 1, max: 499 }), { maxLength: 30 }),
      min: fc.integer({ min: 1, max: 60 }),
      more: fc.integer({ min: 0, max: 100 }),
      gop: fc.integer({ min: 1, max: 80 }),
    });
    fc.assert(
      fc.property(cases, ({ frames, cuts, min, more, gop }) => {
        const max = min + more;
        const sorted = cuts.filter(cut => cut < frames).sort((a, b) => a - b);
        const starts = chunkStarts({ frames, cuts: sorted, min, max, gop });
        const lengths = starts.map((start, i) => (starts[i + 1] ?? frames) - start);
        expect(starts[0]).toBe(0);
        for (const length of lengths) expect(length).toBeGreaterThanOrEqual(Math.min(min, frames));
        for (const length of lengths) expect(length).toBeLessThanOrEqual(Math.max(max, 2 * min - 1));
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
