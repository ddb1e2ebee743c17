// The smooth field: figures worked out by hand, and the definition over random fields.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MotionField } from '../../../src/motion/estimator.js';
import { smoothField, smoothnessPenalties } from '../../../src/motion/smooth/smooth-field.js';

/** A field of one row of blocks; for each block its vectors along x and their costs. */
function rowOf(...blocks: readonly (readonly (readonly [dx: number, cost: number])[])[]): MotionField {
  const entries = blocks.flat();
  return {
    blockSize: 16,
    blockColumns: blocks.length,
    blockRows: 1,
    candidatesPerBlock: blocks[0].length,
    dx: Int16Array.from(entries, ([dx]) => dx),
    dy: new Int16Array(entries.length),
    cost: Uint32Array.from(entries, ([, cost]) => cost),
  };
}

const PENALTIES = { p1: 10, p2: 40 };

describe('smoothField', () => {
  // In a row of blocks six of the eight paths begin at each block: its own cost counts eight times, and a penalty
  // towards each neighbour once.
  it('takes the vector of the neighbours where it costs a little more', () => {
    const row = (cost: number) =>
      rowOf(
        [
          [3, 5],
          [9, 50],
        ],
        [
          [8, 20],
          [3, cost],
        ],
        [
          [3, 5],
          [7, 60],
        ],
      );
    const { dx, cost, candidatesPerBlock } = smoothField(row(29), PENALTIES, 1);
    expect([...dx]).toEqual([3, 3, 3]);
    expect([...cost]).toEqual([5, 29, 5]);
    expect(candidatesPerBlock).toBe(1);
    expect([...smoothField(row(31), PENALTIES, 1).dx]).toEqual([3, 8, 3]); // 8 * 31 is more than 8 * 20 + 2 * P2
  });

  it('gives the first of equals', () => {
    const field = rowOf(
      [
        [3, 5],
        [9, 50],
      ],
      [
        [8, 20],
        [3, 30],
      ],
      [
        [3, 5],
        [7, 60],
      ],
    );
    expect([...smoothField(field, PENALTIES, 1).dx]).toEqual([3, 8, 3]);
  });

  it('pays less for one step than for a jump', () => {
    const field = rowOf(
      [
        [3, 0],
        [9, 500],
      ],
      [
        [30, 100],
        [4, 107],
      ],
      [
        [5, 0],
        [9, 500],
      ],
    );
    expect([...smoothField(field, PENALTIES, 1).dx]).toEqual([3, 4, 5]);
    expect([...smoothField(field, { p1: 40, p2: 40 }, 1).dx]).toEqual([3, 30, 5]);
  });

  it('goes on with what costs more, and repeats the last one', () => {
    const field = rowOf(
      [
        [3, 5],
        [9, 50],
        [1, 60],
      ],
      [
        [8, 20],
        [3, 24],
        [2, 99],
      ],
    );
    const smooth = smoothField(field, PENALTIES, 3);
    expect([...smooth.dx]).toEqual([3, 9, 1, 3, 2, 2]);
    expect([...smooth.cost]).toEqual([5, 50, 60, 24, 99, 99]);
  });

  it('is the field itself without penalties', () => {
    const blocks = fc.array(
      fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.nat(999)), { minLength: 2, maxLength: 2 }),
      {
        minLength: 1,
        maxLength: 9,
      },
    );
    fc.assert(
      fc.property(blocks, rows => {
        const sorted = rows.map(row => row.toSorted(([, a], [, b]) => a - b));
        const field = rowOf(...sorted);
        expect(smoothField(field, { p1: 0, p2: 0 }, 2)).toEqual(field);
      }),
      { seed: 5, numRuns: 50 },
    );
  });

  it('scales its penalties with the block and the metric', () => {
    expect(smoothnessPenalties({ metric: 'sad', blockSize: 16 })).toEqual({ p1: 128, p2: 512 });
    expect(smoothnessPenalties({ metric: 'sse', blockSize: 8 })).toEqual({ p1: 256, p2: 1024 });
  });
});
