// The way from the words that a shader leaves to a motion field; needs no GPU.
import { describe, expect, it } from 'vitest';
import { copyField, fieldBytes } from '../../../src/gpu/search/field-buffer.js';

const SHAPE = { blockSize: 16, blockColumns: 3, blockRows: 1, candidatesPerBlock: 1 } as const;

/** Costs, then dx, then dy: with an odd number of entries, a word has the last dx and the first dy. */
const WORDS = Uint32Array.of(1, 70_000, 0xffff_ffff, 0xfffe_0002, 0x0001_7fff, 0x8000_0004);
const FIELD = {
  ...SHAPE,
  dx: Int16Array.of(2, -2, 32767),
  dy: Int16Array.of(1, 4, -32768),
  cost: Uint32Array.of(1, 70_000, 0xffff_ffff),
};

describe('copyField', () => {
  it('reads vectors with their signs, and costs up to 32 bits', () => {
    expect(WORDS.byteLength).toBe(fieldBytes(SHAPE));
    expect(copyField(WORDS.buffer, SHAPE)).toEqual(FIELD);
  });

  it('leaves what lies around the field', () => {
    const words = Uint32Array.of(7, 8, ...WORDS, 9);
    const field = copyField(words.buffer, SHAPE, 8);
    words.fill(0);
    expect(field).toEqual(FIELD);
  });

  it('puts the arrays on one buffer, so that a thread hands over one', () => {
    const { dx, dy, cost } = copyField(WORDS.buffer, SHAPE);
    expect(new Set([dx.buffer, dy.buffer, cost.buffer]).size).toBe(1);
    expect(dx.buffer.byteLength).toBe(fieldBytes(SHAPE));
  });
});
