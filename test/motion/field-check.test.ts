// What a third party's estimator may not answer: each fault is an InputError that names the estimator.
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.js';
import { checkedField } from '../../src/motion/field-check.js';

const SHAPE = { width: 32, height: 16, blockSize: 16, candidatesPerBlock: 1 } as const;
const GOOD = {
  blockSize: 16,
  blockColumns: 2,
  blockRows: 1,
  candidatesPerBlock: 1,
  dx: Int16Array.of(16, -16),
  dy: Int16Array.of(0, 0),
  cost: Uint32Array.of(5, 6),
};

describe('the check of a field', () => {
  it('gives a copy of a good one, without what else is in it', () => {
    const field = checkedField({ ...GOOD, extra: () => {} }, SHAPE, 'mine');
    expect(field).toEqual(GOOD);
    for (const name of ['dx', 'dy', 'cost'] as const) expect(field[name]).not.toBe(GOOD[name]);
  });

  it.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /mine answered with undefined, not with a field/],
    ['a word', 'field', /answered with field, not/],
    ['an empty object', {}, /undefinedxundefined blocks/],
    ['another grid', { ...GOOD, blockRows: 2 }, /2x2 blocks of 16 pels for a picture of 32x16 in blocks of 16/],
    ['smaller blocks', { ...GOOD, blockSize: 8, blockColumns: 4, blockRows: 2 }, /4x2 blocks of 8 pels/],
    ['a grid of NaN', { ...GOOD, blockColumns: Number.NaN }, /NaNx1 blocks/],
    ...[0, -1, 2, 9, Number.NaN, '1', undefined].map((k): [string, unknown, RegExp] => [
      `K = ${k}`,
      { ...GOOD, candidatesPerBlock: k },
      /vectors per block, not 1/,
    ]),
    ['too few entries', { ...GOOD, dx: new Int16Array(1) }, /1 entries of dx, not 2/],
    ['no costs', { ...GOOD, cost: undefined }, /a cost that is no Uint32Array/],
    ['costs that may be NaN', { ...GOOD, cost: Float64Array.of(1, Number.NaN) }, /a cost that is no Uint32Array/],
    ['a list', { ...GOOD, dy: [0, 0] }, /a dy that is no Int16Array/],
    [
      'a vector to the left of the picture',
      { ...GOOD, dx: Int16Array.of(-1, 0) },
      /\(-1, 0\) of block 0, which leaves/,
    ],
    ['a vector to the right of it', { ...GOOD, dx: Int16Array.of(0, 1) }, /\(1, 0\) of block 1, which leaves/],
    ['a vector below it', { ...GOOD, dy: Int16Array.of(0, 1) }, /\(-16, 1\) of block 1, which leaves/],
  ])('refuses %s', (_, answer, says) => {
    const check = () => checkedField(answer, SHAPE, 'mine');
    expect(check).toThrow(InputError);
    expect(check).toThrow(says);
  });

  it('looks at every vector of a block, not at the best alone', () => {
    const two = { ...GOOD, candidatesPerBlock: 2, dx: Int16Array.of(0, 16, 0, 16), dy: new Int16Array(4) };
    const check = () => checkedField({ ...two, cost: new Uint32Array(4) }, { ...SHAPE, candidatesPerBlock: 2 }, 'mine');
    expect(check).toThrow('vector (16, 0) of block 1');
  });
});
