// What an encode keeps of each picture: it is all that grows with the length of the encode.
import { expect, it } from 'vitest';
import type { PictureReport } from '../../../src/encoder/report/picture-report.js';
import { EncodeTotals } from '../../../src/encoder/report/statistics.js';
import { collectGarbage } from '../../support/collect-garbage.js';

const PICTURES = 100_000;
const PASS_BYTES = 13;
/** What the heap itself moves from one collection to the next, by picture. */
const TOLERANCE_BYTES = 5;

const passed = (picture: number) => ({
  type: (['I', 'P', 'B'] as const)[picture % 3]!,
  bits: 1000 + picture,
  quantizerScale: 1 + picture / PICTURES,
});

it('the totals of an encode keep 13 bytes a picture, and tell every picture as it was', () => {
  const bytesInUse = () => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const report = { bits: 1, squaredError: { y: 1, u: 1, v: 1 } } as PictureReport;
  const totals = new EncodeTotals();
  const before = bytesInUse();
  for (let picture = 0; picture < PICTURES; picture++) totals.add(report, passed(picture));
  expect((bytesInUse() - before) / PICTURES).toBeLessThan(PASS_BYTES + TOLERANCE_BYTES);
  const wrong = totals.passed.statistics().findIndex((entry, picture) => {
    const { type, bits, quantizerScale } = passed(picture);
    return entry.type !== type || entry.bits !== bits || entry.quantizerScale !== quantizerScale;
  });
  expect([totals.passed.statistics().length, wrong]).toEqual([PICTURES, -1]);
});
