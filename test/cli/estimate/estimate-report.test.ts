// The figures of `estimate` for people, as JSON and in tables, and its lines of vectors, of results that are known.
import { expect, it } from 'vitest';
import { pairCsvLine } from '../../../src/cli/estimate/estimate-csv.js';
import { estimateReport, estimateSummary } from '../../../src/cli/estimate/estimate-report.js';
import { fieldLine } from '../../../src/cli/estimate/field-line.js';
import { handMadeField } from '../../compare/hand-made-field.js';

const difference = (y: number) => ({ sad: { y, all: 2 * y }, psnr: { y: Number.POSITIVE_INFINITY, all: 30 } });
const TOTAL = { blocks: 4, searchMs: 1.5, equalBlocks: 3, before: difference(9), after: difference(5) };
const PAIR = {
  ...{ frame: 0, referenceFrame: 1, blocks: 2, searchMs: 2.5, equalBlocks: undefined },
  ...{ before: difference(7), after: difference(3) },
  endpointError: { mean: 1.25, median: 1, above1: 0.5, above3: 0.25, flAll: 0.125, pels: 8 },
  badPixels: { above1: 0.75, above2: 0.375, meanError: 1.0625, pels: 4 },
};

/** A result of `cpu-full`, taken because there is no GPU. */
const resultOf = (pairs: readonly object[], job: object) =>
  ({
    job: { input: 'in', against: 'zero', ...job },
    ...{ width: 32, height: 32, total: TOTAL, pairs, interrupted: false },
    estimator: {
      estimator: { traits: { name: 'cpu-full' }, device: 'CPU' },
      passedOver: [{ name: 'gpu-full', reason: 'gpu-full: there is no GPU' }],
    },
  }) as never;

it('a summary has singular and plural, planes, the range, what was passed over, and what a truth says', () => {
  const ways = `  estimator cpu-full (CPU)
            not gpu-full: there is no GPU
  search    1.50 ms a pair`;
  expect(
    estimateSummary(resultOf([PAIR], { gray: true, search: { blockSize: 8, range: 'picture' } })),
  ).toBe(`in: 1 pair of 32x32, blocks of 8, range the whole picture
${ways}
  SAD       9 -> 5 a pair (luma)
  PSNR      100.00 -> 100.00 dB (luma)
  agreement 75.00 % of the vectors are those of zero
  endpoint  mean 1.250, median 1.000 pels; above 1 pel 50.00 %, above 3 25.00 %; Fl-all 12.50 %
  disparity bad pixels: 75.00 % off by more than 1, 37.50 % by more than 2; mean error 1.063 pels
`);
  expect(
    estimateSummary(resultOf([{}, {}], { gray: false, search: { blockSize: 16, range: { x: 8, y: 4 } } })),
  ).toBe(`in: 2 pairs of 32x32, blocks of 16, range 8x4 pels
${ways}
  SAD       18 -> 10 a pair (all planes)
  PSNR      30.00 -> 30.00 dB (all planes)
  agreement 75.00 % of the vectors are those of zero
`);
});

it('the report has every figure, of luma alone where that is wanted', () => {
  const search = { blockSize: 8, range: { x: 8, y: 4 }, metric: 'sad', candidatesPerBlock: 3 };
  const report = estimateReport(resultOf([PAIR], { gray: true, search, reference: 'next' }));
  const psnr = { psnrBefore: 100, psnrAfter: 100 };
  expect(report).toEqual({
    ...{ pairs: 1, blocks: 4, msPerPair: 1.5, agreement: 0.75, sadBefore: 9, sadAfter: 5, ...psnr },
    ...{ estimator: 'cpu-full', device: 'CPU', against: 'zero', width: 32, height: 32 },
    passedOver: [{ name: 'gpu-full', reason: 'gpu-full: there is no GPU' }],
    ...{ block: 8, range: search.range, metric: 'sad', candidates: 3, reference: 'next', gray: true },
    ...{ endpointError: PAIR.endpointError, badPixels: PAIR.badPixels, interrupted: false },
    perPair: [
      {
        ...{ frame: 0, referenceFrame: 1, blocks: 2, msPerPair: 2.5, agreement: null },
        ...{ sadBefore: 7, sadAfter: 3, ...psnr },
      },
    ],
  });
});

it('a line of the table has what a truth says, and the figures of luma alone where that is wanted', () => {
  const truth = '1.25,1,0.5,0.25,0.125,0.75,0.375,1.0625';
  expect(pairCsvLine(PAIR as never, true)).toBe(`0,1,2,2.5,,7,3,100,100,${truth}\r\n`);
  expect(pairCsvLine(PAIR as never, false)).toBe(`0,1,2,2.5,,14,6,30,30,${truth}\r\n`);
});

it('a line of vectors has the best of each block with its cost, and all candidates where there are several', () => {
  const lineOf = (candidates: number) => {
    const field = handMadeField({ width: 32, height: 16 }, 16, column => [column, -column], candidates);
    field.cost.forEach((_, i) => {
      field.cost[i] = 10 * i;
    });
    return fieldLine({ currentNumber: 5, referenceNumber: 4, field } as never);
  };
  const whole = { frame: 5, reference: 4, blockSize: 16, blockColumns: 2, blockRows: 1 };
  const [first, second, other] = [
    [0, -0],
    [1, -1],
    [99, -99],
  ].map(([dx, dy]) => [dx! + 0, dy! + 0]);
  expect(lineOf(1)).toEqual({ ...whole, vectors: [first, second], costs: [0, 10] });
  expect(lineOf(2)).toEqual({
    ...{ ...whole, vectors: [first, second], costs: [0, 20] },
    candidates: [
      [first, other],
      [second, other],
    ],
  });
});
