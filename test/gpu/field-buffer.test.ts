// The way from the words that a shader leaves to a motion field; needs no GPU.
import { describe, expect, it } from 'vitest';
import { fieldBytes, copyField } from '../../src/gpu/search/field-buffer.js';

const SHAPE = { blockSize: 16, blockColumns: 2, blockRows: 1, candidatesPerBlock: 2 } as const;

describe('copyField', () => {
  it('reads vectors with their signs, and costs up to 32 bits', () => {
    const words = Uint32Array.of(0x0001_0002, 0xffff_0003, 0x0004_fffe, 0x8000_7fff, 0, 1, 70_000, 0xffff_ffff);
    expect(words.byteLength).toBe(fieldBytes(SHAPE));
    expect(copyField(words.buffer, SHAPE)).toEqual({
      ...SHAPE,
      dx: Int16Array.of(2, 3, -2, 32767),
      dy: Int16Array.of(1, -1, 4, -32768),
      cost: Uint32Array.of(0, 1, 70_000, 0xffff_ffff),
    });
  });

  it('leaves what lies behind the field, and gives arrays of their own', () => {
    const words = new Uint32Array(16).fill(7);
    const field = copyField(words.buffer, SHAPE);
    words.fill(0);
    expect([...field.cost]).toEqual([7, 7, 7, 7]);
    expect([...field.dx]).toEqual([7, 7, 7, 7]);
  });
});
