// A macroblock's values in words.
import { expect, it } from 'vitest';
import { emptyMacroblocks } from '../../src/bitstream/reading/coded-macroblocks.js';
import { macroblockValues } from '../../src/viewer/macroblock-values.js';

it('names place, kind, bits, scale and vectors, and leaves out what a macroblock does not have', () => {
  const macroblocks = emptyMacroblocks('B', 3, 2);
  macroblocks.types.set([16, 0, 0, 0, 6 | 8, 2]);
  macroblocks.directions.set([0, 2, 2, 2, 6, 2]);
  macroblocks.bits.set([321, 0, 0, 0, 77, 9]);
  macroblocks.scales.fill(5);
  macroblocks.forward.dx.fill(-3);
  macroblocks.backward.dy.fill(4);
  const searched = [undefined, { dx: new Int16Array(6).fill(2), dy: new Int16Array(6) }];
  const of = (address: number) => Object.fromEntries(macroblockValues({ macroblocks, searched }, address));
  expect(of(0)).toEqual({
    Macroblock: 'column 1, row 1',
    Coded: 'intra',
    Bits: '321',
    Scale: '5',
    "Estimator's, next anchor": '+1, 0',
  });
  expect(of(4)).toMatchObject({
    Macroblock: 'column 2, row 2',
    Coded: 'predicted from both anchors',
    Scale: '5',
    'Vector to the past anchor': '−1.5, 0',
    'Vector to the next anchor': '0, +2',
  });
  expect(of(5)).toMatchObject({ Coded: 'predicted with a vector', Bits: '9', Scale: 'none: no coefficients' });
  expect(of(1)).toMatchObject({ Coded: 'skipped', Bits: '0', 'Vector to the past anchor': '−1.5, 0' });
});
