// The log of coded pictures gives back what it was told, however many there are.
import { expect, it } from 'vitest';
import { PassLog } from '../../../src/encoder/rate-control/pass-log.js';

it('the log of pictures gives all of them back in coded order, large ones and thousands of them, too', () => {
  const pictures = Array.from({ length: 2500 }, (_, n) => ({
    type: n % 250 === 0 ? ('I' as const) : n % 3 === 1 ? ('P' as const) : ('B' as const),
    bits: 1_000_003 * (n + 1),
    quantizerScale: 1 + n / 100,
  }));
  const log = new PassLog();
  expect(log.statistics()).toEqual([]);
  for (const picture of pictures) log.add(picture);
  expect(log.statistics()).toEqual(pictures);
});
