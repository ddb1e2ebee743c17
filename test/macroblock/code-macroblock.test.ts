// The kernel that codes a macroblock: SIMD equals the readable one and writes nothing else.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runLevelLengths } from '../../src/bitstream/tables/block-codes.js';
import { motionDifferenceBits, motionDifferenceOrigin } from '../../src/bitstream/tables/motion-vector-codes.js';
import { DEFAULT_INTRA_MATRIX, DEFAULT_NON_INTRA_MATRIX } from '../../src/dct/matrices.js';
import { quantizerRecord } from '../../src/dct/quantizer-record.js';
import { CANDIDATE_SEARCH } from '../../src/kernels/records/candidate-search.js';
import { EMPTY_BLOCK_SAD, MACROBLOCK_CODING } from '../../src/kernels/records/macroblock-coding.js';
import { MACROBLOCK_TRIAL } from '../../src/kernels/records/macroblock-trial.js';
import { QUANTIZER } from '../../src/kernels/records/quantizer.js';
import { SYMBOL_ARRAYS } from '../../src/kernels/records/symbol-arrays.js';
import { allocatePicture, kernelPair, PEL_CONTENT_NAMES, pelsOf, seededRandom } from '../kernels/kernel-pair.js';

/** Pictures of 3 x 3 macroblocks. */
const WIDTH = 48;
const PELS = 1.5 * WIDTH * WIDTH;
const MACROBLOCKS = 9;
const F_CODE = 2;

const pair = await kernelPair(1 << 17);
const sides = [pair.reference, pair.simd];
const place = (bytes: number) => pair.allocate(bytes);
pair.allocate(2 * WIDTH); // pels around the picture are read, never used
const source = allocatePicture(pair, WIDTH, WIDTH);
const past = allocatePicture(pair, WIDTH, WIDTH);
const target = allocatePicture(pair, WIDTH, WIDTH);
const [trial, search, coding] = [MACROBLOCK_TRIAL, CANDIDATE_SEARCH, MACROBLOCK_CODING].map(({ bytes }) =>
  place(bytes),
);
const quantizers = [place(QUANTIZER.bytes), place(QUANTIZER.bytes)];
const lengths = place(runLevelLengths().length);
pair.fill(lengths, runLevelLengths());
const differenceBits = place(motionDifferenceBits(F_CODE).length);
pair.fill(differenceBits, motionDifferenceBits(F_CODE));
const field = place(4 * MACROBLOCKS);
const symbolBytes = 4 + 6 + 8 + 768;
const symbolPlace = place(symbolBytes * MACROBLOCKS + 64);
const symbols = place(SYMBOL_ARRAYS.bytes);

/** The arrays one after the other from an even place on. */
function symbolPointers() {
  let at = symbolPlace;
  const take = (bytes: number) => {
    const start = at;
    at += 2 * Math.ceil((bytes * MACROBLOCKS) / 2);
    return start;
  };
  return {
    levels: take(768),
    ...{ forwardDx: take(2), forwardDy: take(2), backwardDx: take(2), backwardDy: take(2) },
    ...{ flags: take(1), direction: take(1), quantizerScale: take(1), codedBlockPattern: take(1), levelEnd: take(6) },
  };
}
const pointers = symbolPointers();

const given = fc.record({
  seed: fc.integer(),
  source: fc.constantFrom(...PEL_CONTENT_NAMES),
  /** How far the anchor's pels are from those of the source, at most; undefined: other pels. */
  noise: fc.constantFrom(undefined, 0, 2, 6, 40),
  mbX: fc.integer({ min: 0, max: 2 }),
  mbY: fc.integer({ min: 0, max: 2 }),
  scale: fc.integer({ min: 1, max: 31 }),
  intra: fc.constantFrom<0 | 1>(0, 0, 0, 1),
  maySkip: fc.constantFrom<0 | 1>(0, 1),
  usesTrellis: fc.constantFrom<0 | 1>(0, 1),
  lambda: fc.constantFrom(0, 54.4, 871.2, 52_000.7),
});
type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

function fill(job: Given): void {
  const random = seededRandom(job.seed);
  const pels = pelsOf(job.source, random, PELS);
  const { noise } = job;
  const anchor =
    noise === undefined
      ? pelsOf('noise', random, PELS)
      : pels.map(pel => Math.max(0, Math.min(255, pel + (random() % (2 * noise + 1)) - noise)));
  pair.fill(source.pels, pels);
  pair.fill(past.pels, anchor);
  pair.fill(target.pels, pelsOf('noise', random, PELS));
  pair.fill(symbolPlace, pelsOf('noise', random, symbolBytes * MACROBLOCKS + 64));
  pair.fill(field, new Uint8Array(Int16Array.from({ length: 2 * MACROBLOCKS }, () => (random() % 9) - 4).buffer));
  for (const [kind, weights] of [DEFAULT_NON_INTRA_MATRIX, DEFAULT_INTRA_MATRIX].entries()) {
    const record = quantizerRecord({ quantizerScale: job.scale, weights, intra: kind === 1, rounding: 0.1 });
    pair.fill(quantizers[kind]!, record);
  }
  for (const { memory } of sides) fillRecords(memory, job);
}

function fillRecords(memory: (typeof sides)[number]['memory'], { scale, lambda, usesTrellis }: Given): void {
  memory.u8.fill(0, search!, search! + CANDIDATE_SEARCH.bytes);
  Object.assign(CANDIDATE_SEARCH.at(memory, search!), {
    ...{ source: source.planes, reference: past.planes, lambda: Math.sqrt(lambda / 64), rounds: 1, mbWidth: 3 },
    ...{ minHalfPels: -32, maxHalfPels: 31, maxXHalfPels: 64, maxYHalfPels: 64, candidates: 1 },
    ...{ fieldDx: field, fieldDy: field + 2 * MACROBLOCKS, usesNeighbours: 1 },
    ...{ chosenDx: pointers.forwardDx, chosenDy: pointers.forwardDy },
    differenceBits: differenceBits + motionDifferenceOrigin(F_CODE),
  });
  Object.assign(SYMBOL_ARRAYS.at(memory, symbols), pointers);
  Object.assign(MACROBLOCK_CODING.at(memory, coding!), {
    ...{ search, trial, source: source.planes, target: target.planes, symbols, lengths, lambda },
    ...{ quantizer: quantizers[0], intraQuantizer: quantizers[1], quantizerScale: scale, mbWidth: 3, usesTrellis },
  });
}

/** Codes the macroblock with both sets; returns what they return. The trial may differ: it is left undefined. */
function codeWithBoth({ mbX, mbY, intra, maySkip }: Given): number {
  const [expected, actual] = sides.map(({ memory, kernels }) => {
    const kind = kernels.codeMacroblock(coding!, mbX, mbY, 3, -2, intra, maySkip);
    memory.u8.fill(0, trial!, trial! + MACROBLOCK_TRIAL.bytes);
    // Where the caller codes the macroblock, its symbols are undefined.
    if (kind < 0) memory.u8.fill(0, symbolPlace, symbolPlace + symbolBytes * MACROBLOCKS + 64);
    return kind;
  });
  expect(actual).toBe(expected);
  expect(pair.firstDifference()).toBe(-1);
  return actual!;
}

const flagsOf = ({ mbX, mbY }: Given) => pair.simd.memory.u8[pointers.flags + 3 * mbY + mbX]!;

describe('codeMacroblock', () => {
  it('SIMD equals the reference, and every kind of macroblock is among those tried', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(given, job => {
        fill(job);
        const kind = codeWithBoth(job);
        kinds.add(kind < 0 ? 'left to the caller' : `flags ${flagsOf(job)}`);
      }),
      { seed: 0x5eed, numRuns: 800 },
    );
    expect([...kinds].sort()).toEqual(
      ['flags 0', 'flags 10', 'flags 16', 'flags 2', 'flags 8', 'left to the caller'].sort(),
    );
  });

  it.each([
    [0, 0],
    [1, EMPTY_BLOCK_SAD],
  ])('codes a block whose SAD is not below the limit: %i', (isCoded, sad) => {
    const place = { mbX: 1, mbY: 1, scale: 1, intra: 0, maySkip: 1, usesTrellis: 0, lambda: 0 } as const;
    const job: Given = { seed: 1, source: 'flat', noise: 0, ...place };
    fill(job);
    const at = source.pels + (16 * WIDTH + 16);
    for (const { memory } of sides) {
      memory.u8.fill(100, source.pels, source.pels + PELS);
      memory.u8.fill(100, past.pels, past.pels + PELS);
      memory.u8[at] = 100 + sad;
    }
    expect(codeWithBoth(job)).toBe(0);
    expect(pair.simd.memory.u8[pointers.codedBlockPattern + 4]).toBe(isCoded === 1 ? 32 : 0);
  });
});
