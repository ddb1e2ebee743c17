// The kernel that codes a row: SIMD equals the readable one, and each macroblock is coded as is wanted of it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MacroblockKernels } from '../../../src/kernels/contracts/macroblock-kernels.js';
import { CANDIDATE_SEARCH } from '../../../src/kernels/records/candidate-search.js';
import {
  MACROBLOCK_CODING,
  MAY_CHANGE_SCALE,
  MAY_SKIP,
  MUST_BE_INTRA,
  MUST_BE_SPARSE,
} from '../../../src/kernels/records/macroblock-coding.js';
import {
  ANCHOR_ROWS,
  ROW_CODING,
  ROW_ENDS_SLICE,
  ROW_MAY_CHANGE_SCALES,
  ROW_STARTS_SLICE,
  ROW_WAS_CODED,
  type RowCoding,
  SPARSE_ALWAYS,
  SPARSE_NEAR_LIMIT,
  SPARSE_NEVER,
} from '../../../src/kernels/records/row-coding.js';
import { SLICE_PREDICTORS } from '../../../src/kernels/records/slice-predictors.js';
import { referenceRowCoding } from '../../../src/macroblock/row/code-row.js';
import { lambdaForSquaredError } from '../../../src/macroblock/row/lagrangian.js';
import { IS_SOAK } from '../../support/soak.js';
import {
  chooseRowWithBoth,
  clearUndefined,
  coding,
  fill,
  forward,
  type Given,
  given,
  pair,
  predictors,
  sides,
} from '../coded-with-both.js';

const MACROBLOCKS = 9;
/** More rows than the pictures have, so that not all are known to be final: nobody waits for them. */
const MB_HEIGHT = 6;
const FINAL_ROWS = 5;
const row = pair.allocate(ROW_CODING.bytes);
const [pastRows, futureRows] = [pair.allocate(ANCHOR_ROWS.bytes), pair.allocate(ANCHOR_ROWS.bytes)];
const [pastFinal, futureFinal] = [pair.allocate(4), pair.allocate(4)];
const [scaleFactors, lambdaFactors] = [pair.allocate(8 * MACROBLOCKS), pair.allocate(8 * MACROBLOCKS)];
const [predictionsBefore, predictions] = [pair.allocate(MACROBLOCKS), pair.allocate(MACROBLOCKS)];

const PLAIN: Partial<RowCoding> = {
  ...{ coding, pastRows, futureRows, scaleFactors: 0, lambdaFactors: 0, predictionsBefore: 0, predictions: 0 },
  ...{ mbHeight: MB_HEIGHT, anchorNumber: 0, bandStart: 0, firstColumn: -1, endColumn: -1 },
  ...{ maxXHalfPels: 64, maxCleanXHalfPels: 64, startsScales: 0 },
  ...{ sparseCoding: SPARSE_NEVER, sparseBits: 1, maxBits: 0, pictureScale: 8, bits: 0 },
};
const columns = fc
  .tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 1, max: 2 }))
  .map(([first, count]) => ({ firstColumn: first, endColumn: first + count, maxCleanXHalfPels: 32 * (first - 1) }));
const factor = fc.double({ min: 0.4, max: 2.5, noNaN: true });
const scaleOf = fc.oneof(fc.integer({ min: 1, max: 31 }), fc.double({ min: 1, max: 31, noNaN: true }));
/** What is wanted of a row. */
const wanted = fc.record({
  scale: scaleOf,
  factorPart: fc.constantFrom(0, 0.4, 1, 1),
  rules: fc.nat({ max: ROW_STARTS_SLICE | ROW_ENDS_SLICE | ROW_MAY_CHANGE_SCALES }),
  isCodedAgain: fc.boolean(),
  factors: fc.array(factor, { minLength: 2 * MACROBLOCKS, maxLength: 2 * MACROBLOCKS }),
  counts: fc.array(fc.nat({ max: 140 }), { minLength: MACROBLOCKS, maxLength: MACROBLOCKS }),
  usesNeighbours: fc.constantFrom(0, 1),
  furthestHalfPels: fc.nat({ max: 6 }),
  record: fc
    .tuple(
      fc.record({
        scaleFactors: fc.constantFrom(0, scaleFactors),
        lambdaFactors: fc.constantFrom(0, lambdaFactors),
        anchorNumber: fc.nat({ max: 40 }),
        bandStart: fc.nat({ max: 17 }),
        startsScales: fc.constantFrom(0, 1),
        sparseCoding: fc.constantFrom(SPARSE_NEVER, SPARSE_NEVER, SPARSE_NEAR_LIMIT, SPARSE_ALWAYS),
        sparseBits: fc.constantFrom(1, 90),
        maxBits: fc.double({ min: 0, max: 4000, noNaN: true }),
        pictureScale: scaleOf,
        bits: fc.nat({ max: 3000 }),
      }),
      fc.constantFrom({}, { predictionsBefore, predictions }),
      fc.oneof(fc.constant({}), columns),
    )
    .map(parts => Object.assign({}, ...parts) as Partial<RowCoding>),
});
type Wanted = typeof wanted extends fc.Arbitrary<infer T> ? T : never;

function fillRow({ factors, counts, usesNeighbours, furthestHalfPels, record }: Wanted): void {
  for (const { memory } of sides) {
    memory.f64.set(factors.slice(0, MACROBLOCKS), scaleFactors >> 3);
    memory.f64.set(factors.slice(MACROBLOCKS), lambdaFactors >> 3);
    memory.u8.set(counts, predictionsBefore);
    memory.u8.fill(255, predictions, predictions + MACROBLOCKS);
    memory.i32[pastFinal >> 2] = FINAL_ROWS;
    memory.i32[futureFinal >> 2] = FINAL_ROWS;
    const rows = { knownRows: 0, neededRows: 0, usesNeighbours, furthestHalfPels };
    Object.assign(ANCHOR_ROWS.at(memory, pastRows), { ...rows, finalRows: pastFinal });
    Object.assign(ANCHOR_ROWS.at(memory, futureRows), { ...rows, finalRows: futureFinal });
    Object.assign(ROW_CODING.at(memory, row), { ...PLAIN, ...record });
  }
}

/** Codes the row with both sets, which must leave the same behind. */
function codeRowWithBoth({ mbY }: Given, { scale, factorPart, rules }: Wanted, more = 0): void {
  for (const { memory, kernels } of sides) {
    kernels.codeRow(row, mbY, scale, factorPart, rules | more);
    clearUndefined(memory);
  }
  expect(pair.firstDifference()).toBe(-1);
}

const still: Given = {
  ...{ seed: 1, source: 'flat', noise: 0, mbX: 0, mbY: 1, pictureType: 1, scale: 1, lambda: 0 },
  ...{ macroblocks: [], knowsNext: false },
  rules: { maySkip: 0, mustBeIntra: 0, mayChangeScale: 0, mustBeSparse: 0 },
  predictors: {
    ...{ forwardDxHalfPels: 0, forwardDyHalfPels: 0, backwardDxHalfPels: 0, backwardDyHalfPels: 0 },
    ...{ direction: 0, quantizerScale: 9, dcY: 128, dcCb: 128, dcCr: 128 },
  },
  tools: {
    ...{ comparesNothing: 1, trellis: 0, rateDistortionModes: 0, earlySkips: 0, rdVectorCandidates: 1 },
    ...{ fullRefinementRounds: 0, quantizerSearchRadius: 0, directionFactor: 1, jointSymbols: 0 },
  },
};
const nothing: Wanted = {
  ...{ scale: 8, factorPart: 1, rules: 0, isCodedAgain: false, usesNeighbours: 0, furthestHalfPels: 0, record: {} },
  ...{ factors: new Array<number>(2 * MACROBLOCKS).fill(1), counts: new Array<number>(MACROBLOCKS).fill(0) },
};

/** What the readable kernel wants of each macroblock of a row, each of which takes `bits`. */
function wishes(job: Given, request: Wanted, bits = 0) {
  fill(job);
  fillRow(request);
  const { memory } = pair.reference;
  const asked: { scale: number; lambda: number; rules: number; maxXHalfPels: number }[] = [];
  const codeMacroblock: MacroblockKernels['codeMacroblock'] = (pointer, mbX, mbY, scale, lambda, rules) => {
    expect([pointer, mbX, mbY]).toEqual([coding, asked.length, job.mbY]);
    const { maxXHalfPels } = CANDIDATE_SEARCH.at(memory, forward);
    asked.push({ scale, lambda, rules, maxXHalfPels });
    MACROBLOCK_CODING.at(memory, coding).bits = bits;
    SLICE_PREDICTORS.at(memory, predictors).quantizerScale = scale;
    return rules & MUST_BE_INTRA ? 1 : 0;
  };
  const { scale, factorPart, rules } = request;
  referenceRowCoding(memory, { codeMacroblock }).codeRow(row, job.mbY, scale, factorPart, rules);
  pair.copyReference(); // other tests compare the memories
  return asked;
}
const rulesOf = (...args: Parameters<typeof wishes>) => wishes(...args).map(({ rules }) => rules);

describe('codeRow', () => {
  it('SIMD equals the reference, rows that are coded again among those tried', () => {
    fc.assert(
      fc.property(given, wanted, (job, request) => {
        const { isCodedAgain, record, rules } = request;
        const isAgain = isCodedAgain && job.tools.comparesNothing === 0 && job.tools.rateDistortionModes === 1;
        fill(job);
        fillRow(request);
        codeRowWithBoth(job, request);
        if (!isAgain) return;
        for (const { memory } of sides) {
          Object.assign(SLICE_PREDICTORS.at(memory, predictors), job.predictors);
          ROW_CODING.at(memory, row).bits = record.bits ?? 0;
        }
        chooseRowWithBoth(job.mbY, (rules & ROW_STARTS_SLICE) !== 0);
        codeRowWithBoth(job, request, ROW_WAS_CODED);
      }),
      { seed: 0x5eed, numRuns: IS_SOAK ? 2000 : 250 },
    );
  });

  it('lets no macroblock be skipped that starts or ends a slice, and none of an I picture', () => {
    expect(rulesOf(still, nothing)).toEqual([MAY_SKIP, MAY_SKIP, MAY_SKIP]);
    const rules = ROW_STARTS_SLICE | ROW_ENDS_SLICE | ROW_MAY_CHANGE_SCALES;
    const change = MAY_CHANGE_SCALE;
    expect(rulesOf(still, { ...nothing, rules })).toEqual([change, change | MAY_SKIP, change]);
    expect(rulesOf({ ...still, pictureType: 0 }, nothing)).toEqual([0, 0, 0]);
  });

  it('gives the scale wanted, and keeps the one before where a factor wants nearly the same', () => {
    const scales = (request: Partial<Wanted>) => wishes(still, { ...nothing, ...request }).map(({ scale }) => scale);
    const factors = [...[1, 1, 1], ...[1.25, 1.2, 2], ...[1, 1, 1], ...nothing.factors.slice(MACROBLOCKS)];
    expect(scales({})).toEqual([8, 8, 8]);
    expect(scales({ factors, record: { scaleFactors } })).toEqual([9, 9, 16]); // 10, 9.6 and 16 are wanted
    expect(scales({ factors, record: { scaleFactors, startsScales: 1 } })).toEqual([10, 10, 16]);
    expect(scales({ factors, rules: ROW_STARTS_SLICE, record: { scaleFactors } })).toEqual([10, 10, 16]);
    expect(scales({ factors, factorPart: 0, record: { scaleFactors } })).toEqual([8, 8, 8]);
  });

  it('gives lambda by the picture scale and both factors', () => {
    const factors = Array.from({ length: 2 * MACROBLOCKS }, (_, i) => 0.5 + i / 10);
    const record = { scaleFactors, lambdaFactors, pictureScale: 10 };
    const asked = wishes(still, { ...nothing, scale: 3, factors, record }).map(({ lambda }) => lambda);
    const expected = [3, 4, 5].map(i => 64 * lambdaForSquaredError(10 * (factors[i]! * factors[MACROBLOCKS + i]!)));
    expect(asked).toEqual(expected);
  });

  it('makes macroblocks intra that were predicted often, by turns, and counts', () => {
    const counts = [0, 0, 0, 131, 100, 99, 0, 0, 0];
    // Macroblock 4 has its turn where 4 * 13 and the number of anchors before are together a multiple of 31.
    const isIntra = (anchorNumber: number) => {
      const rules = rulesOf(still, { ...nothing, counts, record: { predictionsBefore, predictions, anchorNumber } });
      return rules.map(rule => (rule & MUST_BE_INTRA) !== 0);
    };
    expect(isIntra(41)).toEqual([true, true, false]);
    expect([...pair.reference.memory.u8.subarray(predictions + 3, predictions + 6)]).toEqual([0, 0, 100]);
    for (const anchors of [40, 42]) expect(isIntra(anchors)).toEqual([true, false, false]);
  });

  it('refreshes columns, and predicts those before them from clean ones alone', () => {
    const record = { firstColumn: 1, endColumn: 2, maxCleanXHalfPels: 0 };
    const asked = wishes(still, { ...nothing, record });
    expect(asked.map(({ rules }) => rules & MUST_BE_INTRA)).toEqual([0, MUST_BE_INTRA, 0]);
    expect(asked.map(({ maxXHalfPels }) => maxXHalfPels)).toEqual([0, 64, 64]);
  });

  it('codes sparsely where told to, or once few bits are left', () => {
    const isSparse = (record: Partial<RowCoding>) =>
      rulesOf(still, { ...nothing, record }, 50).map(rules => (rules & MUST_BE_SPARSE) !== 0);
    expect(isSparse({ sparseCoding: SPARSE_ALWAYS })).toEqual([true, true, true]);
    // 15, 14 and 13 macroblocks of a bit are left, after 200, 250 and 300 bits.
    const near = { sparseCoding: SPARSE_NEAR_LIMIT, bits: 200 };
    expect(isSparse({ ...near, maxBits: 263 })).toEqual([false, true, true]);
    expect(isSparse({ ...near, maxBits: 264 })).toEqual([false, false, true]);
    expect(ROW_CODING.at(pair.reference.memory, row).bits).toBe(350);
  });

  it('codes sparsely from the same macroblock on with SIMD', () => {
    fc.assert(
      fc.property(given, fc.constantFrom(0, 1, 2), (job, over) => {
        // The bits of the macroblocks that are left, this one included, are just within the limit, or just above it.
        const left = MB_HEIGHT * 3 - 3 * job.mbY;
        const near = { sparseCoding: SPARSE_NEAR_LIMIT, sparseBits: 90, bits: 200, maxBits: 201 + 90 * left - over };
        const request = { ...nothing, record: near };
        fill(job);
        fillRow(request);
        codeRowWithBoth(job, request);
      }),
      { seed: 0x5eed, numRuns: IS_SOAK ? 300 : 30 },
    );
  });
});
