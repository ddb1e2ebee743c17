// The kernels that write macroblocks: SIMD equals the readable ones, and both the writer of slices.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MacroblockCursor, type PictureSymbols } from '../../../src/bitstream/picture-symbols.js';
import { PICTURE_TYPES, type PictureType } from '../../../src/bitstream/picture-type.js';
import { SlicePredictors } from '../../../src/bitstream/slice-predictors.js';
import { BitSink } from '../../../src/bitstream/syntax/bit-sink.js';
import { writeSlices } from '../../../src/bitstream/syntax/slice.js';
import { pictureVectorBits } from '../../../src/bitstream/syntax/vector-bits.js';
import { MACROBLOCK_INTRA, MACROBLOCK_MOTION_FORWARD } from '../../../src/bitstream/tables/macroblock-codes.js';
import { PictureBlocks } from '../../../src/encoder/picture/picture-blocks.js';
import { allocateWriting } from '../../../src/encoder/picture/slice-memory.js';
import { sliceWriter } from '../../../src/encoder/picture/slice-writer.js';
import type { Workspace } from '../../../src/encoder/picture/workspace.js';
import { MACROBLOCK_CODING } from '../../../src/kernels/records/macroblock-coding.js';
import { MACROBLOCK_TRIAL } from '../../../src/kernels/records/macroblock-trial.js';
import { SLICE_PREDICTORS } from '../../../src/kernels/records/slice-predictors.js';
import { MAX_MACROBLOCK_BYTES } from '../../../src/kernels/records/slice-writing.js';
import { SYMBOL_ARRAYS } from '../../../src/kernels/records/symbol-arrays.js';
import { macroblockGrid } from '../../../src/picture/picture.js';
import { kernelPair, seededRandom } from '../../kernels/kernel-pair.js';
import { IS_SOAK } from '../../support/soak.js';

/** Wide enough for increments with two escapes. */
const MB_WIDTH = 72;
const MB_HEIGHT = 3;
const MACROBLOCKS = MB_WIDTH * MB_HEIGHT;
const FLAGS: Readonly<Record<PictureType, readonly number[]>> = {
  I: [16],
  P: [0, 10, 8, 2, 16],
  B: [0, 6, 14, 4, 12, 2, 10, 16],
};

const grid = macroblockGrid(16 * MB_WIDTH, 16 * MB_HEIGHT);
const pair = await kernelPair(1 << 20);
const arrays = {
  flags: pair.allocate(MACROBLOCKS),
  direction: pair.allocate(MACROBLOCKS),
  quantizerScale: pair.allocate(MACROBLOCKS),
  codedBlockPattern: pair.allocate(MACROBLOCKS),
  forwardDx: pair.allocate(2 * MACROBLOCKS),
  forwardDy: pair.allocate(2 * MACROBLOCKS),
  backwardDx: pair.allocate(2 * MACROBLOCKS),
  backwardDy: pair.allocate(2 * MACROBLOCKS),
  quantizedDcs: pair.allocate(12 * MB_WIDTH),
};
const sides = [pair.reference, pair.simd].map(({ memory, kernels }) => {
  const symbols = SYMBOL_ARRAYS.allocate(memory, arrays);
  const writing = allocateWriting(memory, grid, symbols);
  const { codes } = writing;
  const predictors = SLICE_PREDICTORS.allocate(memory);
  const pointers = { writing: writing.pointer, predictors: predictors.pointer, codes };
  const coding = MACROBLOCK_CODING.allocate(memory, pointers);
  const trial = MACROBLOCK_TRIAL.allocate(memory);
  const workspace = { memory, kernels, grid, symbols, writing } as unknown as Workspace;
  const blocks = new PictureBlocks(workspace);
  return { kernels, coding, predictors, trial, blocks, writing, write: sliceWriter(workspace, blocks) };
});

const given = fc.record({
  seed: fc.integer(),
  type: fc.constantFrom<PictureType>('I', 'P', 'B'),
  sliceRows: fc.constantFrom([0], [0, 1, 2], [0, 2]),
  forwardFCode: fc.integer({ min: 1, max: 7 }),
  backwardFCode: fc.integer({ min: 1, max: 7 }),
  /** Of 256: how many macroblocks are skipped, and how many levels are not zero. */
  skipped: fc.constantFrom(0, 60, 250),
  dense: fc.constantFrom(0, 8, 100, 256),
  maxLevel: fc.constantFrom(1, 3, 127, 255),
});
type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

/** Random symbols that the syntax allows; those of the headers in both memories. */
function fillSymbols(job: Given): PictureSymbols {
  const random = seededRandom(job.seed);
  const below = (n: number) => random() % n;
  const bytes = (of: (at: number) => number, each = 1) =>
    Uint8Array.from({ length: each * MACROBLOCKS }, (_, i) => of(i));
  const flags = bytes(at => {
    const column = at % MB_WIDTH;
    const mayBeSkipped = column > 0 && column < MB_WIDTH - 1 && below(256) < job.skipped;
    const coded = FLAGS[job.type].filter(type => type !== 0);
    return mayBeSkipped && job.type !== 'I' ? 0 : coded[below(coded.length)]!;
  });
  const levels = Int16Array.from({ length: 384 * MACROBLOCKS }, (_, i) => {
    const isIntraDc = i % 64 === 0 && flags[Math.floor(i / 384)] === 16;
    if (isIntraDc) return below(256);
    return below(256) < job.dense ? (1 + below(job.maxLevel)) * (below(2) === 0 ? 1 : -1) : 0;
  });
  const vectors = (fCode: number) =>
    Int16Array.from({ length: MACROBLOCKS }, () => (below(32) - 16) * (1 << (fCode - 1)) + below(1 << (fCode - 1)));
  const content = {
    flags,
    direction: bytes(at => flags[at]! & 6),
    quantizerScale: bytes(() => 1 + below(3)),
    codedBlockPattern: bytes(() => 1 + below(63)),
    forwardDx: vectors(job.forwardFCode),
    forwardDy: vectors(job.forwardFCode),
    backwardDx: vectors(job.backwardFCode),
    backwardDy: vectors(job.backwardFCode),
  };
  for (const [name, values] of Object.entries(content)) {
    pair.fill(arrays[name as keyof typeof arrays], new Uint8Array(values.buffer));
  }
  const { forwardDx, forwardDy, backwardDx, backwardDy, ...same } = content;
  const { type, sliceRows, forwardFCode, backwardFCode } = job;
  return {
    ...{ ...same, type, sliceRows, forwardFCode, backwardFCode, mbWidth: MB_WIDTH, mbHeight: MB_HEIGHT },
    ...{ levels, levelEnd: bytes(() => 64, 6) },
    forwardDxHalfPels: forwardDx,
    forwardDyHalfPels: forwardDy,
    backwardDxHalfPels: backwardDx,
    backwardDyHalfPels: backwardDy,
  };
}

/** What `write` writes. */
function bytesOf(write: typeof writeSlices, symbols: PictureSymbols): Uint8Array {
  const sink = new BitSink();
  write(sink, symbols);
  return sink.takeBytes();
}

/** The blocks macroblock by macroblock, then the slices. */
function bytesOfSide(side: (typeof sides)[number], symbols: PictureSymbols): Uint8Array {
  const { kernels, coding, predictors, trial, blocks, writing, write } = side;
  const macroblock = new MacroblockCursor(symbols);
  const state = new SlicePredictors(symbols.type);
  writing.pictureType = PICTURE_TYPES.indexOf(symbols.type);
  for (let row = 0; row < MB_HEIGHT; row++) {
    writing.blocksEnd = writing.blocks;
    if (symbols.sliceRows.includes(row)) state.startSlice(1);
    for (let address = MB_WIDTH * row; address < MB_WIDTH * (row + 1); address++) {
      macroblock.address = address;
      const { flags, codedBlockPattern } = macroblock;
      Object.assign(trial, { flags, codedBlockPattern: flags & MACROBLOCK_INTRA ? 63 : codedBlockPattern });
      trial.levels.set(symbols.levels.subarray(384 * address, 384 * (address + 1)));
      trial.levelEnd.set(symbols.levelEnd.subarray(6 * address, 6 * (address + 1)));
      Object.assign(predictors, { dcY: state.dcY, dcCb: state.dcCb, dcCr: state.dcCr });
      kernels.writeBlocks(coding.pointer, trial.pointer, address);
      state.update(macroblock);
    }
    blocks.addRow(row);
  }
  return bytesOf(write, symbols);
}

describe('writeBlocks and writeMacroblocks', () => {
  it('SIMD equals the reference, the bits are those of writeSlices, and those of vectors are counted', () => {
    fc.assert(
      fc.property(given, job => {
        const symbols = fillSymbols(job);
        const expected = bytesOf(writeSlices, symbols);
        const vectorBits = pictureVectorBits(symbols);
        for (const side of sides) {
          expect(Buffer.compare(bytesOfSide(side, symbols), expected)).toBe(0);
          expect(side.writing.vectorBits).toBe(vectorBits);
        }
        expect(pair.firstDifference()).toBe(-1);
      }),
      { seed: 0x5eed, numRuns: IS_SOAK ? 150 : 60 },
    );
  });

  // JSMpeg loses such a macroblock: macroblock_stuffing comes before it.
  it.each([1, 2, 33, 34, 40])(
    'tell a last macroblock that ends in the byte in which it begins: %i after the one before',
    increment => {
      const job = { seed: 1, type: 'P', sliceRows: [0, 1, 2], forwardFCode: 1, backwardFCode: 1 } as const;
      const symbols = fillSymbols({ ...job, sliceRows: [0, 1, 2], skipped: 0, dense: 0, maxLevel: 1 });
      const last = MB_WIDTH - 1;
      const isSkipped = (at: number) => at % MB_WIDTH < last && at % MB_WIDTH > last - increment;
      const flags = Uint8Array.from({ length: MACROBLOCKS }, (_, at) =>
        isSkipped(at) ? 0 : MACROBLOCK_MOTION_FORWARD,
      );
      const still = new Int16Array(MACROBLOCKS);
      const lengths = new Set<number>();
      // The vector of the first macroblock: the last one begins at every bit of a byte.
      for (let first = 0; first < 16; first++) {
        const moved = still.slice();
        for (let row = 0; row < MB_HEIGHT; row++) moved[row * MB_WIDTH] = first;
        const content = { flags, direction: flags, forwardDx: moved, forwardDy: still };
        for (const [name, values] of Object.entries(content)) {
          pair.fill(arrays[name as keyof typeof arrays], new Uint8Array(values.buffer));
        }
        const given = { ...symbols, flags, forwardDxHalfPels: moved, forwardDyHalfPels: still };
        const expected = bytesOf(writeSlices, given);
        lengths.add(expected.length);
        for (const side of sides) expect(Buffer.compare(bytesOfSide(side, given), expected)).toBe(0);
      }
      expect(lengths.size).toBeGreaterThan(1);
    },
  );

  it('has room for a row of the longest macroblocks', () => {
    const job = { seed: 1, type: 'P', sliceRows: [0], forwardFCode: 7, backwardFCode: 1 } as const;
    const symbols = fillSymbols({ ...job, sliceRows: [0], skipped: 0, dense: 0, maxLevel: 1 });
    const flags = new Uint8Array(MACROBLOCKS).fill(10);
    const codedBlockPattern = new Uint8Array(MACROBLOCKS).fill(63);
    pair.fill(arrays.flags, flags);
    pair.fill(arrays.codedBlockPattern, codedBlockPattern);
    const levels = new Int16Array(384 * MACROBLOCKS).fill(-255);
    const longest = bytesOfSide(sides[1]!, { ...symbols, flags, codedBlockPattern, levels }).length / MB_HEIGHT;
    expect(longest).toBeGreaterThan((MB_WIDTH * 384 * 28) / 8);
    expect(longest).toBeLessThan(MB_WIDTH * MAX_MACROBLOCK_BYTES);
  });
});
