// The motion search of macroblocks: SIMD equals the readable kernels and writes nothing else.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { motionDifferenceBits } from '../../../src/bitstream/tables/motion-vector-codes.js';
import type { Kernels } from '../../../src/kernels/kernels.js';
import { CANDIDATE_SEARCH, JOINT_SEARCH, MAX_TRIED_VECTORS } from '../../../src/kernels/records/candidate-search.js';
import { allocatePicture, kernelPair, PEL_CONTENT_NAMES, pelsOf, seededRandom } from '../../kernels/kernel-pair.js';
import { IS_SOAK } from '../../support/soak.js';

const SEED = 0x5eed;
const MB_WIDTH = 4;
const MB_HEIGHT = 3;
const WIDTH = 16 * MB_WIDTH;
const PELS = WIDTH * 16 * MB_HEIGHT;
const CANDIDATES = 8;
const MACROBLOCKS = MB_WIDTH * MB_HEIGHT;
const F_CODE = 2;
/** Smallest component of a vector with this f_code. */
const MIN_HALF_PELS = -(16 << (F_CODE - 1));

const pair = await kernelPair(1 << 17);
const bits = motionDifferenceBits(F_CODE);
const differenceBits = pair.allocate(bits.length);
pair.fill(differenceBits, bits);

pair.allocate(2 * WIDTH); // neighbours of the first row are read, never used
const source = allocatePicture(pair, WIDTH, 16 * MB_HEIGHT);
const past = allocatePicture(pair, WIDTH, 16 * MB_HEIGHT);
const future = allocatePicture(pair, WIDTH, 16 * MB_HEIGHT);
const vectors = Array.from({ length: 4 }, () => pair.allocate(2 * MACROBLOCKS * CANDIDATES));
const forward = pair.allocate(CANDIDATE_SEARCH.bytes);
const backward = pair.allocate(CANDIDATE_SEARCH.bytes);
const joint = pair.allocate(JOINT_SEARCH.bytes);
const scratch = pair.allocate(256);

const given = fc.record({
  seed: fc.integer(),
  /** Among them flat ones, where many vectors cost the same. */
  content: fc.constantFrom(...PEL_CONTENT_NAMES),
  mbX: fc.integer({ min: 0, max: MB_WIDTH - 1 }),
  mbY: fc.integer({ min: 0, max: MB_HEIGHT - 1 }),
  predictedDx: fc.integer({ min: MIN_HALF_PELS, max: -MIN_HALF_PELS - 1 }),
  predictedDy: fc.integer({ min: MIN_HALF_PELS, max: -MIN_HALF_PELS - 1 }),
  candidates: fc.integer({ min: 0, max: CANDIDATES }),
  usesNeighbours: fc.constantFrom(0, 1),
  remembersNeighbours: fc.constantFrom(0, 1),
  refinesHalfPels: fc.constantFrom(0, 1),
  movesBoth: fc.constantFrom(0, 1),
  rounds: fc.integer({ min: 0, max: 8 }),
  lambda: fc.constantFrom(0, 0.921954, 7.375, 300.3),
  enoughSad: fc.constantFrom<number>(0, 0, 1, 2000, 20_000),
});
type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

/** A search with the vectors of the field at `field` and those chosen so far at `field + 2`. */
function fillSearch(search: number, reference: number, field: number, job: Given): void {
  pair.fill(search, new Uint8Array(CANDIDATE_SEARCH.bytes));
  const { candidates, rounds, lambda, enoughSad, usesNeighbours, remembersNeighbours, refinesHalfPels } = job;
  const settings = {
    source: source.planes,
    reference,
    differenceBits: differenceBits + (64 << (F_CODE - 1)),
    minHalfPels: MIN_HALF_PELS,
    maxHalfPels: -MIN_HALF_PELS - 1,
    maxXHalfPels: 32 * (MB_WIDTH - 1),
    maxYHalfPels: 32 * (MB_HEIGHT - 1),
    rounds,
    mbWidth: MB_WIDTH,
    candidates,
    fieldDx: vectors[field]!,
    fieldDy: vectors[1 - field]!,
    chosenDx: vectors[field + 2]!,
    chosenDy: vectors[3 - field]!,
    usesNeighbours,
    remembersNeighbours,
    refinesHalfPels,
    lambda,
    enoughSad,
  };
  for (const { memory } of [pair.reference, pair.simd]) Object.assign(CANDIDATE_SEARCH.at(memory, search), settings);
}

/** Runs kernels of both sets over the same memory; the whole memory, guards included, must be equal. */
function bothAgree(run: (kernels: Kernels, given: Given) => void): void {
  fc.assert(
    fc.property(given, job => {
      const random = seededRandom(job.seed);
      for (const { pels } of [source, past, future]) pair.fill(pels, pelsOf(job.content, random, PELS));
      for (const at of vectors) {
        const components = Int16Array.from({ length: MACROBLOCKS * CANDIDATES }, () => (random() % 25) - 12);
        pair.fill(at, new Uint8Array(components.buffer));
      }
      fillSearch(forward, past.planes, 0, job);
      fillSearch(backward, future.planes, 1, job);
      for (const { memory } of [pair.reference, pair.simd]) {
        const { rounds, movesBoth } = job;
        Object.assign(JOINT_SEARCH.at(memory, joint), { forward, backward, rounds, movesBoth, scratch });
      }
      for (const { kernels } of [pair.reference, pair.simd]) run(kernels, job);
      expect(pair.firstDifference()).toBe(-1);
    }),
    { seed: SEED, numRuns: IS_SOAK ? 500 : 200 },
  );
}

describe('candidate kernels: SIMD equals the reference, and writes nothing else', () => {
  it('searchCandidates', () =>
    bothAgree((k, { mbX, mbY, predictedDx, predictedDy }) =>
      k.searchCandidates(forward, mbX, mbY, predictedDx, predictedDy),
    ));
  it('refineJointly', () =>
    bothAgree((k, { mbX, mbY, predictedDx, predictedDy }) => {
      k.searchCandidates(forward, mbX, mbY, predictedDx, predictedDy);
      k.searchCandidates(backward, mbX, mbY, predictedDy, predictedDx);
      k.refineJointly(joint);
    }));
});

describe('candidate kernels: known answers', () => {
  it.each([
    [1, 256],
    [0, 257],
  ])('find a block that moved by half a pel unless the zero vector is good enough: %i', (moved, enoughSad) => {
    const ramp = Uint8Array.from({ length: PELS }, (_, i) => 2 * (i % WIDTH) + 40 * (Math.floor(i / WIDTH) % 5));
    pair.fill(past.pels, ramp);
    pair.fill(
      source.pels,
      ramp.map(value => value + 1),
    );
    for (const at of vectors) pair.fill(at, new Uint8Array(2 * MACROBLOCKS * CANDIDATES));
    const job = { seed: 0, content: 'flat' as const, mbX: 1, mbY: 1, predictedDx: 0, predictedDy: 0 };
    fillSearch(forward, past.planes, 0, {
      ...job,
      candidates: 1,
      usesNeighbours: 0 as const,
      ...{ remembersNeighbours: 0, refinesHalfPels: 1, movesBoth: 1 },
      rounds: 1,
      lambda: 0.921954 as const,
      enoughSad,
    });
    pair.simd.kernels.searchCandidates(forward, 1, 1, 0, 0);
    const { dxHalfPels, dyHalfPels, sad, zeroSad, cost } = CANDIDATE_SEARCH.at(pair.simd.memory, forward);
    expect([dxHalfPels, dyHalfPels, sad, zeroSad]).toEqual([moved, 0, moved === 1 ? 0 : 256, 256]);
    expect(cost).toBe(sad + 0.921954 * (bits[bits.length >> 1]! + bits[moved + (bits.length >> 1)]!));
  });

  /** Searches of the second macroblock, from the zero vector alone. */
  const fillBoth = (rounds: number): void => {
    const job = { seed: 0, content: 'flat' as const, mbX: 1, mbY: 0, predictedDx: 0, predictedDy: 0 };
    const settings = {
      usesNeighbours: 0,
      refinesHalfPels: 1,
      movesBoth: 0,
      candidates: 0,
      lambda: 0,
      enoughSad: 0,
    } as const;
    fillSearch(forward, past.planes, 0, { ...job, ...settings, remembersNeighbours: 1, rounds });
    fillSearch(backward, future.planes, 1, { ...job, ...settings, remembersNeighbours: 1, rounds });
  };

  it('remember no more vectors than there is room for', () => {
    // Down a slope to the lower right, half a pel a round.
    const slope = Uint8Array.from({ length: PELS }, (_, i) => 2 * (i % WIDTH) + 2 * Math.floor(i / WIDTH));
    pair.fill(past.pels, slope);
    pair.fill(
      source.pels,
      slope.map(value => value + 32),
    );
    fillBoth(16);
    for (const { memory, kernels } of [pair.reference, pair.simd]) {
      kernels.searchCandidates(forward, 1, 0, 0, 0);
      expect(CANDIDATE_SEARCH.at(memory, forward).triedCount).toBe(MAX_TRIED_VECTORS);
    }
    expect(pair.firstDifference()).toBe(-1);
  });

  it('move the forward vector of two that cost the same alone', () => {
    const ramp = Uint8Array.from({ length: PELS }, (_, i) => 2 * (i % WIDTH));
    for (const { pels } of [past, future]) pair.fill(pels, ramp);
    pair.fill(
      source.pels,
      ramp.map(value => value + 1),
    );
    fillBoth(0);
    for (const { memory, kernels } of [pair.reference, pair.simd]) {
      const two = Object.assign(JOINT_SEARCH.at(memory, joint), {
        forward,
        backward,
        scratch,
        rounds: 1,
        movesBoth: 0,
      });
      for (const search of [forward, backward]) kernels.searchCandidates(search, 1, 0, 0, 0);
      kernels.refineJointly(joint);
      const { forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels, sad } = two;
      expect([forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels, sad]).toEqual([
        1, 0, 0, 0, 0,
      ]);
    }
  });
});
