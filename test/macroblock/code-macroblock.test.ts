// The kernel that codes a macroblock: SIMD equals the readable one and writes nothing else.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
} from '../../src/bitstream/tables/macroblock-codes.js';
import { MACROBLOCK_CODING, MAY_SKIP, WAS_CODED } from '../../src/kernels/records/macroblock-coding.js';
import { SLICE_PREDICTORS } from '../../src/kernels/records/slice-predictors.js';
import { EMPTY_BLOCK_SAD, ENOUGH_SAD, UNSEARCHED_SAD } from '../../src/macroblock/mode-limits.js';
import { IS_SOAK } from '../support/soak.js';
import {
  blockBits,
  chooseRowWithBoth,
  codeWithBoth,
  coding,
  countGivenUp,
  fill,
  future,
  type Given,
  given,
  PELS,
  pair,
  past,
  pointers,
  predictors,
  sides,
  source,
  WIDTH,
  withCoarsestLevels,
} from './coded-with-both.js';

/** Most bits of an intra macroblock's header in an I picture. */
const MAX_HEADER_BITS = 8;
const entryOf = (array: 'flags' | 'quantizerScale' | 'codedBlockPattern', { mbX, mbY }: Given) =>
  pair.simd.memory.u8[pointers[array] + 3 * mbY + mbX]!;

describe('codeMacroblock', () => {
  it('SIMD equals the reference, and every kind of macroblock is among those tried', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(given, job => {
        fill(job);
        const intra = codeWithBoth(job);
        const flags = entryOf('flags', job);
        kinds.add(`${'IPB'[job.pictureType]} ${flags}`);
        if (flags & (MACROBLOCK_PATTERN | MACROBLOCK_INTRA) && entryOf('quantizerScale', job) !== job.scale) {
          kinds.add('another scale');
        }
        expect(intra).toBe(flags === MACROBLOCK_INTRA ? 1 : 0);
      }),
      { seed: 0x5eed, numRuns: IS_SOAK ? 3000 : 400 },
    );
    const forward = MACROBLOCK_MOTION_FORWARD;
    const inPast = [forward, forward | MACROBLOCK_PATTERN];
    const inFuture = inPast.map(flags => (flags & MACROBLOCK_PATTERN) | MACROBLOCK_MOTION_BACKWARD);
    const inBoth = inPast.map(flags => flags | MACROBLOCK_MOTION_BACKWARD);
    const expected = [
      'another scale',
      `I ${MACROBLOCK_INTRA}`,
      ...[0, MACROBLOCK_PATTERN, MACROBLOCK_INTRA, ...inPast].map(flags => `P ${flags}`),
      ...[0, MACROBLOCK_INTRA, ...inPast, ...inFuture, ...inBoth].map(flags => `B ${flags}`),
    ];
    expect([...kinds].sort()).toEqual(expected.sort());
  });

  it('SIMD equals the reference where a row is coded again, its motion chosen together in between', () => {
    const changed = [0, 0, 0];
    let givenUp = 0;
    fc.assert(
      fc.property(given, fc.boolean(), (job, startsSlice) => {
        const tools = { ...job.tools, comparesNothing: 0, rateDistortionModes: 1, fullRefinementRounds: 2 };
        const row = { ...job, tools, lambda: 64 * job.scale * job.scale };
        fill(row);
        for (let pass = 0; pass < 3; pass++) {
          for (const { memory } of sides) Object.assign(SLICE_PREDICTORS.at(memory, predictors), job.predictors);
          if (pass > 0) changed[job.pictureType]! += chooseRowWithBoth(job.mbY, startsSlice) ? 1 : 0;
          for (let mbX = 0; mbX < 3; mbX++) {
            codeWithBoth({ ...row, mbX, knowsNext: pass > 0 }, pass > 0 ? WAS_CODED : 0);
          }
        }
        if (row.pictureType > 0) givenUp += countGivenUp();
      }),
      { seed: 0x5eed, numRuns: IS_SOAK ? 600 : 60 },
    );
    expect(givenUp).toBeGreaterThan(0);
    expect(changed[0]).toBe(0);
    expect(Math.min(changed[1]!, changed[2]!)).toBeGreaterThan(0);
  });

  const still: Given = {
    ...{ seed: 1, source: 'flat', noise: 0, mbX: 1, mbY: 1, pictureType: 1, scale: 1, lambda: 0 },
    ...{ macroblocks: [], knowsNext: false },
    rules: { maySkip: MAY_SKIP, mustBeIntra: 0, mayChangeScale: 0, mustBeSparse: 0 },
    predictors: {
      ...{ forwardDxHalfPels: 0, forwardDyHalfPels: 0, backwardDxHalfPels: 0, backwardDyHalfPels: 0 },
      ...{ direction: 0, quantizerScale: 1, dcY: 128, dcCb: 128, dcCr: 128 },
    },
    tools: {
      ...{ comparesNothing: 1, trellis: 0, rateDistortionModes: 0, earlySkips: 0, rdVectorCandidates: 1 },
      ...{ fullRefinementRounds: 0, quantizerSearchRadius: 0, directionFactor: 1, jointSymbols: 0 },
    },
  };
  /** Sets all pels of the source and the anchors, but one of the source. */
  const setPels = (pel: number, one: number) => {
    for (const { memory } of sides) {
      for (const { pels } of [source, past, future]) memory.u8.fill(pel, pels, pels + PELS);
      memory.u8[source.pels + (16 * WIDTH + 16)] = one;
    }
  };

  it.each([
    [0, 0],
    [1, EMPTY_BLOCK_SAD],
  ])('codes a block whose SAD is not below the limit: %i', (isCoded, sad) => {
    fill(still);
    setPels(100, 100 + sad);
    expect(codeWithBoth(still)).toBe(0);
    expect(entryOf('codedBlockPattern', still)).toBe(isCoded === 1 ? 32 : 0);
  });

  it.each([
    [2, UNSEARCHED_SAD - 1],
    [0, UNSEARCHED_SAD],
  ])('searches a macroblock of a B picture unless the predicted vector is good enough: %i', (dxHalfPels, sad) => {
    const vector = { forwardDxHalfPels: 2, direction: MACROBLOCK_MOTION_FORWARD };
    const job = { ...still, pictureType: 2, predictors: { ...still.predictors, ...vector } };
    fill(job);
    setPels(100, 100);
    // The zero vector fits exactly; one pel to the right, the match has a column more, and that differs.
    for (const { memory } of sides) memory.u8[past.pels + (16 * WIDTH + 32)] = 100 + sad;
    expect(codeWithBoth(job)).toBe(0);
    expect(pair.simd.memory.i16[pointers.forwardDx / 2 + 3 * job.mbY + job.mbX]).toBe(dxHalfPels);
  });

  it.each([
    [0, ENOUGH_SAD - 1],
    [2, ENOUGH_SAD],
  ])('compares no other vector in a P picture if the zero vector is good enough: %i', (dxHalfPels, sad) => {
    const job = { ...still, predictors: { ...still.predictors, forwardDxHalfPels: 2 } };
    fill(job);
    setPels(100, 100);
    // The predicted vector fits exactly; the match of the zero vector has a column more to the left, which differs.
    for (const { memory } of sides) memory.u8[past.pels + (16 * WIDTH + 16)] = 100 + sad;
    expect(codeWithBoth(job)).toBe(0);
    expect(pair.simd.memory.i16[pointers.forwardDx / 2 + 3 * job.mbY + job.mbX]).toBe(dxHalfPels);
  });

  it.each([0, 1] as const)(
    'cuts off levels that leave the number range of decoders (compares nothing: %i)',
    nothing => {
      const job = { ...still, pictureType: 0, scale: 31, source: 'extremes' as const };
      let cut = 0;
      for (let seed = 0; seed < 40; seed++) {
        const tried = { ...job, seed, tools: { ...still.tools, comparesNothing: nothing } };
        fill(tried);
        // A checkerboard of the extremes gives coefficients at the far end of the scan.
        for (const { memory } of sides) {
          for (let i = 0; i < PELS; i++) {
            const phase = ((i % WIDTH) + Math.floor(i / WIDTH)) & 1;
            memory.u8[source.pels + i] = (i * 7919 + seed * 104_729) % 11 < seed % 5 ? 128 : 255 * phase;
          }
        }
        withCoarsestLevels(() => expect(codeWithBoth(tried)).toBe(1));
        // Bits are counted before levels are cut off.
        const { memory } = pair.simd;
        const written = memory.u16[blockBits / 2 + 3 * job.mbY + job.mbX]!;
        if (MACROBLOCK_CODING.at(memory, coding).bits - written > MAX_HEADER_BITS) cut++;
      }
      expect(cut).toBeGreaterThan(0);
    },
  );
});
