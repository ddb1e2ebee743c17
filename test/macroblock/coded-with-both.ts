// Codes macroblocks and rows with both kernel sets, which must leave the same in memory.
import fc from 'fast-check';
import { expect } from 'vitest';
import { runLevelLengths } from '../../src/bitstream/tables/block-codes.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_BOTH,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
} from '../../src/bitstream/tables/macroblock-codes.js';
import { motionDifferenceBits, motionDifferenceOrigin } from '../../src/bitstream/tables/motion-vector-codes.js';
import { DEFAULT_INTRA_MATRIX, DEFAULT_NON_INTRA_MATRIX } from '../../src/dct/matrices.js';
import type { QuantizerParameters } from '../../src/dct/quantizer-record.js';
import { setMacroblockCodes } from '../../src/encoder/picture/slice-memory.js';
import { CANDIDATE_SEARCH, JOINT_SEARCH } from '../../src/kernels/records/candidate-search.js';
import { MACROBLOCK_CHOICES } from '../../src/kernels/records/macroblock-choices.js';
import { MACROBLOCK_CODES } from '../../src/kernels/records/macroblock-codes.js';
import {
  KNOWS_NEXT,
  MACROBLOCK_CODING,
  MAY_CHANGE_SCALE,
  MAY_SKIP,
  MUST_BE_INTRA,
  MUST_BE_SPARSE,
  QUANTIZERS_OF_A_KIND,
} from '../../src/kernels/records/macroblock-coding.js';
import { MACROBLOCK_TRIAL, PREDICTION_BYTES } from '../../src/kernels/records/macroblock-trial.js';
import { QUANTIZER } from '../../src/kernels/records/quantizer.js';
import { SLICE_PREDICTORS } from '../../src/kernels/records/slice-predictors.js';
import { MAX_MACROBLOCK_BYTES, SLICE_WRITING } from '../../src/kernels/records/slice-writing.js';
import { SYMBOL_ARRAYS } from '../../src/kernels/records/symbol-arrays.js';
import { wasGivenUp } from '../../src/macroblock/row/coded-predictions.js';
import { quantizerBytes } from '../dct/quantizer-bytes.js';
import { allocatePicture, kernelPair, PEL_CONTENT_NAMES, pelsOf, seededRandom } from '../kernels/kernel-pair.js';

/** Pictures of 3 x 3 macroblocks. */
export const WIDTH = 48;
export const PELS = 1.5 * WIDTH * WIDTH;
const MACROBLOCKS = 9;
const F_CODE = 2;
const SCALES = 31;

export const pair = await kernelPair(1 << 19);
export const sides = [pair.reference, pair.simd];
const place = (bytes: number) => pair.allocate(bytes);
pair.allocate(2 * WIDTH); // pels around the picture are read, never used
export const source = allocatePicture(pair, WIDTH, WIDTH);
export const past = allocatePicture(pair, WIDTH, WIDTH);
export const future = allocatePicture(pair, WIDTH, WIDTH);
const target = allocatePicture(pair, WIDTH, WIDTH);
const trials = place(2 * (MACROBLOCK_TRIAL.bytes + 16));
const otherTrial = trials + 16 * Math.ceil(MACROBLOCK_TRIAL.bytes / 16);
export const [forward, backward] = [place(CANDIDATE_SEARCH.bytes), place(CANDIDATE_SEARCH.bytes)];
const joint = place(JOINT_SEARCH.bytes);
export const coding = place(MACROBLOCK_CODING.bytes);
export const predictors = place(SLICE_PREDICTORS.bytes);
const scratch = place(PREDICTION_BYTES);
const choices = place(3 * MACROBLOCK_CHOICES.bytes);
export const codes = place(MACROBLOCK_CODES.bytes);
for (const { memory } of sides) setMacroblockCodes(MACROBLOCK_CODES.at(memory, codes));
const lengths = place(runLevelLengths().length);
pair.fill(lengths, runLevelLengths());
const differenceBits = place(motionDifferenceBits(F_CODE).length);
pair.fill(differenceBits, motionDifferenceBits(F_CODE));
const field = place(4 * MACROBLOCKS);
/** The bytes of the symbols: DCs are those of a row. */
const symbolBytes = (4 + 8) * MACROBLOCKS + 12 * 3 + 64;
const symbolPlace = place(symbolBytes);
const symbols = place(SYMBOL_ARRAYS.bytes);
const writing = place(SLICE_WRITING.bytes);
const blocksBytes = 3 * MAX_MACROBLOCK_BYTES;
const blocks = place(blocksBytes);
/** The bits of the blocks of all macroblocks. */
export const blockBits = place(2 * MACROBLOCKS);

/** The quantizers of all kinds and scales, with roundings that tell the kinds apart. */
const quantizers = [DEFAULT_NON_INTRA_MATRIX, DEFAULT_INTRA_MATRIX].flatMap((weights, intra) =>
  [0.1, 0.3].map((rounding, choice) => {
    const settings = { weights, intra: intra === 1, rounding };
    const pointers = Array.from({ length: SCALES }, (_, i) => {
      const pointer = place(QUANTIZER.bytes);
      pair.fill(pointer, quantizerBytes({ quantizerScale: i + 1, ...settings }));
      return pointer;
    });
    return { first: (2 * choice + intra) * QUANTIZERS_OF_A_KIND + 1, pointers, settings };
  }),
);

/** Calls a function while the coarsest quantizers are as coarse as can be, and round up. */
export function withCoarsestLevels(call: () => void): void {
  const set = (changed: Partial<QuantizerParameters>) => {
    for (const { pointers, settings } of quantizers)
      pair.fill(pointers[SCALES - 1]!, quantizerBytes({ quantizerScale: SCALES, ...settings, ...changed }));
  };
  set({ weights: new Uint8Array(64).fill(255), rounding: 0.95 });
  try {
    call();
  } finally {
    set({});
  }
}

/** The arrays one after the other from an even place on. */
function symbolPointers() {
  let at = symbolPlace;
  const take = (bytes: number, macroblocks = MACROBLOCKS) => {
    const start = at;
    at += 2 * Math.ceil((bytes * macroblocks) / 2);
    return start;
  };
  return {
    quantizedDcs: take(12, 3),
    ...{ forwardDx: take(2), forwardDy: take(2), backwardDx: take(2), backwardDy: take(2) },
    ...{ flags: take(1), direction: take(1), quantizerScale: take(1), codedBlockPattern: take(1) },
  };
}
export const pointers = symbolPointers();

const predicted = fc.integer({ min: -20, max: 20 });
/** What is left of a macroblock: its flags and direction are of the kind with this number, see KINDS. */
const macroblockLeft = fc.record({
  kind: fc.nat({ max: 7 }),
  quantizerScale: fc.integer({ min: 1, max: SCALES }),
  vectors: fc.array(predicted, { minLength: 4, maxLength: 4 }),
  dcs: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 6, maxLength: 6 }),
});
/** flags and direction of macroblocks by the picture type. */
const KINDS = [
  [[MACROBLOCK_INTRA, 0]],
  [
    [0, MACROBLOCK_MOTION_FORWARD],
    [MACROBLOCK_INTRA, 0],
    [MACROBLOCK_PATTERN, MACROBLOCK_MOTION_FORWARD],
    [MACROBLOCK_MOTION_FORWARD, MACROBLOCK_MOTION_FORWARD],
    [MACROBLOCK_MOTION_FORWARD | MACROBLOCK_PATTERN, MACROBLOCK_MOTION_FORWARD],
  ],
  [
    [0, MACROBLOCK_MOTION_FORWARD],
    [0, MACROBLOCK_MOTION_BOTH],
    [MACROBLOCK_INTRA, 0],
    [MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_BACKWARD],
    [MACROBLOCK_MOTION_FORWARD | MACROBLOCK_PATTERN, MACROBLOCK_MOTION_FORWARD],
    [MACROBLOCK_MOTION_BACKWARD | MACROBLOCK_PATTERN, MACROBLOCK_MOTION_BACKWARD],
    [MACROBLOCK_MOTION_BOTH, MACROBLOCK_MOTION_BOTH],
    [MACROBLOCK_MOTION_BOTH | MACROBLOCK_PATTERN, MACROBLOCK_MOTION_BOTH],
  ],
] as const;
export const given = fc.record({
  seed: fc.integer(),
  source: fc.constantFrom(...PEL_CONTENT_NAMES),
  /** How far the anchors' pels are from those of the source, at most; undefined: other pels. */
  noise: fc.constantFrom(undefined, 0, 1, 2, 3, 4, 6, 40),
  mbX: fc.integer({ min: 0, max: 2 }),
  mbY: fc.integer({ min: 0, max: 2 }),
  pictureType: fc.constantFrom(0, 1, 1, 2, 2),
  scale: fc.integer({ min: 1, max: SCALES }),
  lambda: fc.constantFrom(54.4, 871.2, 52_000.7),
  rules: fc.record({
    maySkip: fc.constantFrom(0, MAY_SKIP, MAY_SKIP),
    mustBeIntra: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, MUST_BE_INTRA),
    mayChangeScale: fc.constantFrom(0, MAY_CHANGE_SCALE),
    mustBeSparse: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, MUST_BE_SPARSE),
  }),
  /** What is left of the macroblocks, and whether those from the one to code on are known from an earlier time. */
  macroblocks: fc.array(macroblockLeft, { minLength: MACROBLOCKS, maxLength: MACROBLOCKS }),
  knowsNext: fc.boolean(),
  predictors: fc.record({
    forwardDxHalfPels: predicted,
    forwardDyHalfPels: predicted,
    backwardDxHalfPels: predicted,
    backwardDyHalfPels: predicted,
    direction: fc.constantFrom(0, 2, 4, 6),
    quantizerScale: fc.integer({ min: 1, max: SCALES }),
    dcY: fc.integer({ min: 0, max: 255 }),
    dcCb: fc.constantFrom(0, 128, 255),
    dcCr: fc.constantFrom(0, 128, 255),
  }),
  tools: fc.record({
    comparesNothing: fc.constantFrom(0, 0, 0, 1),
    trellis: fc.constantFrom(0, 1, 2),
    rateDistortionModes: fc.constantFrom(0, 1, 1),
    earlySkips: fc.constantFrom(0, 1, 1),
    rdVectorCandidates: fc.constantFrom(1, 1, 4),
    fullRefinementRounds: fc.constantFrom(0, 0, 2),
    quantizerSearchRadius: fc.constantFrom(0, 1, 2),
    directionFactor: fc.constantFrom(1, 3),
    jointSymbols: fc.constantFrom(0, 1, 2),
  }),
});
/** What is given for one macroblock; numbers are any of their kind. */
export type Given = Widened<typeof given extends fc.Arbitrary<infer T> ? T : never>;
type Widened<T> = T extends number ? number : T extends object ? { readonly [Name in keyof T]: Widened<T[Name]> } : T;

/** An anchor's pels: near those of the source, or others. */
function anchorOf(pels: Uint8Array, { noise }: Given, random: () => number): Uint8Array {
  if (noise === undefined) return pelsOf('noise', random, PELS);
  return pels.map(pel => Math.max(0, Math.min(255, pel + (random() % (2 * noise + 1)) - noise)));
}

export function fill(job: Given): void {
  const random = seededRandom(job.seed);
  const pels = pelsOf(job.source, random, PELS);
  pair.fill(source.pels, pels);
  pair.fill(past.pels, anchorOf(pels, job, random));
  pair.fill(future.pels, anchorOf(pels, job, random));
  pair.fill(target.pels, pelsOf('noise', random, PELS));
  pair.fill(symbolPlace, pelsOf('noise', random, symbolBytes));
  const vectors = Int16Array.from({ length: 2 * MACROBLOCKS }, () => (random() % 9) - 4);
  pair.fill(field, new Uint8Array(vectors.buffer));
  for (const { memory } of sides) {
    // Vectors chosen before are such as a search has found.
    for (let i = pointers.forwardDx / 2; i < pointers.flags / 2; i++) memory.i16[i] = (memory.i16[i]! % 12) | 0;
    fillRecords(memory, job);
    fillMacroblocks(memory, job);
  }
}

/** Writes what is left of all macroblocks, of those in the row the DCs, too. */
function fillMacroblocks(
  { u8, i16 }: (typeof sides)[number]['memory'],
  { macroblocks, pictureType, mbY }: Given,
): void {
  macroblocks.forEach(({ kind, quantizerScale, vectors, dcs }, address) => {
    const kinds = KINDS[pictureType]!;
    const [flags, direction] = kinds[kind % kinds.length]!;
    u8[pointers.flags + address] = flags;
    u8[pointers.direction + address] = direction;
    u8[pointers.quantizerScale + address] = quantizerScale;
    u8[pointers.codedBlockPattern + address] = flags & MACROBLOCK_INTRA ? 63 : flags & MACROBLOCK_PATTERN ? 9 : 0;
    for (const [i, array] of [
      [0, 'forwardDx'],
      [1, 'forwardDy'],
      [2, 'backwardDx'],
      [3, 'backwardDy'],
    ] as const) {
      const isUsed = direction & (i < 2 ? MACROBLOCK_MOTION_FORWARD : MACROBLOCK_MOTION_BACKWARD);
      i16[pointers[array] / 2 + address] = isUsed ? vectors[i]! : 0;
    }
    if (Math.floor(address / 3) !== mbY) return;
    dcs.forEach((dc, block) => {
      i16[pointers.quantizedDcs / 2 + 6 * (address % 3) + block] = dc;
    });
  });
}

function fillRecords(memory: (typeof sides)[number]['memory'], job: Given): void {
  const { pictureType, tools } = job;
  const search = {
    ...{ source: source.planes, rounds: 1, mbWidth: 3, candidates: 1, usesNeighbours: 1, refinesHalfPels: 1 },
    ...{ minHalfPels: -32, maxHalfPels: 31, maxXHalfPels: 64, maxYHalfPels: 64 },
    ...{ fieldDx: field, fieldDy: field + 2 * MACROBLOCKS },
    differenceBits: differenceBits + motionDifferenceOrigin(F_CODE),
  };
  for (const pointer of [forward, backward]) memory.u8.fill(0, pointer, pointer + CANDIDATE_SEARCH.bytes);
  memory.u8.fill(0, trials, trials + 2 * (MACROBLOCK_TRIAL.bytes + 16));
  memory.u8.fill(0, choices, choices + 3 * MACROBLOCK_CHOICES.bytes);
  const { forwardDx, forwardDy, backwardDx, backwardDy } = pointers;
  const inPast = { ...search, reference: past.planes, chosenDx: forwardDx, chosenDy: forwardDy };
  const inFuture = { ...search, reference: future.planes, chosenDx: backwardDx, chosenDy: backwardDy };
  Object.assign(CANDIDATE_SEARCH.at(memory, forward), inPast);
  Object.assign(CANDIDATE_SEARCH.at(memory, backward), inFuture);
  Object.assign(JOINT_SEARCH.at(memory, joint), { forward, backward, rounds: 1, movesBoth: 1, scratch });
  Object.assign(SYMBOL_ARRAYS.at(memory, symbols), pointers);
  const places = { symbols, codes, blocks, blocksEnd: blocks, blockBits };
  Object.assign(SLICE_WRITING.at(memory, writing), { ...places, pictureType });
  Object.assign(SLICE_PREDICTORS.at(memory, predictors), job.predictors);
  const record = MACROBLOCK_CODING.at(memory, coding);
  Object.assign(record, {
    ...{ forward, backward, joint, trial: trials, otherTrial, scratch, source: source.planes, target: target.planes },
    ...{ symbols, predictors, codes, writing, lengths, pictureType, mbWidth: 3, bits: 0 },
    ...{ choices, choicesStep: MACROBLOCK_CHOICES.bytes },
    ...tools,
  });
  for (const { first, pointers } of quantizers) record.quantizers.set(pointers, first);
}

/** Clears what kernels may leave as they like. */
export function clearUndefined(memory: (typeof sides)[number]['memory']): void {
  const { u8 } = memory;
  u8.fill(0, SLICE_WRITING.at(memory, writing).blocksEnd, blocks + blocksBytes);
  u8.fill(0, trials, trials + 2 * (MACROBLOCK_TRIAL.bytes + 16));
  u8.fill(0, scratch, scratch + PREDICTION_BYTES);
}

/** Codes the macroblock with both sets, which must leave the same behind. The trials may differ: they are undefined. */
export function codeWithBoth({ mbX, mbY, scale, lambda, rules, knowsNext }: Given, more = 0): number {
  const sum = Object.values(rules).reduce((a, b) => a + b, more + (knowsNext && mbX < 2 ? KNOWS_NEXT : 0));
  const [expected, actual] = sides.map(({ memory, kernels }) => {
    SLICE_WRITING.at(memory, writing).blocksEnd = blocks;
    const intra = kernels.codeMacroblock(coding, mbX, mbY, scale, lambda, sum);
    clearUndefined(memory);
    return intra;
  });
  expect(Number(actual)).toBe(expected);
  expect(pair.firstDifference()).toBe(-1);
  return expected!;
}

/** How many predictions of the macroblocks of the row coded last have been given up. */
export function countGivenUp(): number {
  const columns = [0, 1, 2].map(mbX => choices + mbX * MACROBLOCK_CHOICES.bytes);
  const isGivenUp = (at: number, number: number) => wasGivenUp(MACROBLOCK_CHOICES.at(pair.simd.memory, at), number);
  return columns.reduce((sum, at) => {
    const { count } = MACROBLOCK_CHOICES.at(pair.simd.memory, at);
    return sum + Array.from({ length: count }, (_, number) => number).filter(number => isGivenUp(at, number)).length;
  }, 0);
}

/** Chooses the motion of a row with both sets, which must leave the same behind. Returns whether symbols changed. */
export function chooseRowWithBoth(mbY: number, startsSlice: boolean): boolean {
  const symbolsOf = () => pair.simd.memory.u8.slice(symbolPlace, symbolPlace + symbolBytes);
  const before = symbolsOf();
  for (const { memory, kernels } of sides) {
    kernels.chooseRow(coding, mbY, startsSlice ? 1 : 0);
    memory.u8.fill(0, trials, trials + 2 * (MACROBLOCK_TRIAL.bytes + 16));
  }
  expect(pair.firstDifference()).toBe(-1);
  return symbolsOf().some((byte, i) => byte !== before[i]);
}
