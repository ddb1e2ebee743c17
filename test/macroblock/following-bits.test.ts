// What a macroblock changes in the bits of those after it: counted as the writer of slices writes them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PictureSymbols } from '../../src/bitstream/picture-symbols.js';
import { SlicePredictors } from '../../src/bitstream/slice-predictors.js';
import { BitSink } from '../../src/bitstream/syntax/bit-sink.js';
import { BlocksWriter } from '../../src/bitstream/syntax/blocks-writer.js';
import { MacroblockWriter } from '../../src/bitstream/syntax/slice.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_BOTH,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
} from '../../src/bitstream/tables/macroblock-codes.js';
import { followingBits } from '../../src/macroblock/following-bits.js';
import type { MacroblockTrial } from '../../src/macroblock/macroblock-trial.js';
import type { OpenMacroblock } from '../../src/macroblock/open-macroblock.js';

const F_CODE = 2;
const MIN_HALF_PELS = -32;
/** Macroblocks of a row, and the one of which two ways are compared. */
const COUNT = 7;
const AT = 3;

interface Macroblock {
  readonly flags: number;
  readonly direction: number;
  readonly quantizerScale: number;
  /** Forward dx, dy, backward dx, dy. */
  readonly vectors: readonly number[];
  readonly dcs: readonly number[];
}

const KINDS = {
  P: [MACROBLOCK_MOTION_FORWARD, MACROBLOCK_MOTION_FORWARD | MACROBLOCK_PATTERN, MACROBLOCK_PATTERN, MACROBLOCK_INTRA],
  B: [MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_FORWARD, MACROBLOCK_MOTION_BOTH].flatMap(direction => [
    direction | MACROBLOCK_PATTERN,
    MACROBLOCK_INTRA,
  ]),
} as const;

function macroblockOf(type: 'P' | 'B', maySkip: boolean): fc.Arbitrary<Macroblock> {
  return fc
    .record({
      flags: fc.constantFrom(...KINDS[type], ...(maySkip ? [0, 0, 0] : [])),
      quantizerScale: fc.constantFrom(4, 5, 6),
      vectors: fc.array(fc.integer({ min: -12, max: 12 }), { minLength: 4, maxLength: 4 }),
      dcs: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 6, maxLength: 6 }),
    })
    .map(({ flags, vectors, ...rest }) => {
      const used = flags & MACROBLOCK_MOTION_BOTH;
      const ofDirection = vectors.map((value, i) =>
        used & (i < 2 ? MACROBLOCK_MOTION_FORWARD : MACROBLOCK_MOTION_BACKWARD) ? value : 0,
      );
      return { ...rest, flags, direction: used, vectors: ofDirection };
    });
}

/** The symbols of a row: a coded block of a predicted macroblock has one level. */
function symbolsOf(type: 'P' | 'B', row: readonly Macroblock[]): PictureSymbols {
  const bytes = (of: (macroblock: Macroblock) => number) => Uint8Array.from(row, of);
  const words = (index: number) => Int16Array.from(row, ({ vectors }) => vectors[index]!);
  const levels = new Int16Array(384 * row.length);
  row.forEach(({ flags, dcs }, at) => {
    for (let block = 0; block < 6; block++) {
      levels[384 * at + 64 * block] = flags & MACROBLOCK_INTRA ? dcs[block]! : 1;
    }
  });
  return {
    ...{ type, mbWidth: row.length, mbHeight: 1, sliceRows: [0], forwardFCode: F_CODE, backwardFCode: F_CODE, levels },
    flags: bytes(({ flags }) => flags),
    direction: bytes(({ direction }) => direction),
    quantizerScale: bytes(({ quantizerScale }) => quantizerScale),
    codedBlockPattern: bytes(patternOf),
    levelEnd: new Uint8Array(6 * row.length).fill(1),
    ...{ forwardDxHalfPels: words(0), forwardDyHalfPels: words(1) },
    ...{ backwardDxHalfPels: words(2), backwardDyHalfPels: words(3) },
  };
}

function patternOf({ flags }: Macroblock): number {
  return flags & MACROBLOCK_INTRA ? 63 : flags & MACROBLOCK_PATTERN ? 5 : 0;
}

/** Bits of `count` macroblocks of a row from `first` on; `predictors` become those after them. */
function writtenBits(picture: PictureSymbols, predictors: SlicePredictors, first: number, count: number): number {
  const sink = new BitSink();
  new MacroblockWriter(sink, picture, predictors, new BlocksWriter(sink, picture, predictors)).write(first, count, -1);
  return sink.bitLength;
}

/** A macroblock as `followingBits` reads it. */
function readable({ vectors, dcs, ...rest }: Macroblock) {
  const [forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels] = vectors;
  return {
    ...{
      ...rest,
      vectors,
      codedBlockPattern: patternOf({ vectors, dcs, ...rest }),
      dc: (block: number) => dcs[block]!,
    },
    ...{ forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels },
  };
}

/** Bits of the whole row; and of the macroblock AT alone with those that follow from it. */
function bothCounts(type: 'P' | 'B', row: readonly Macroblock[]): { readonly whole: number; readonly own: number } {
  const picture = symbolsOf(type, row);
  const whole = writtenBits(picture, new SlicePredictors(type), 0, COUNT);
  const predictors = new SlicePredictors(type);
  writtenBits(picture, predictors, 0, AT);
  const after = Object.assign(new SlicePredictors(type), predictors);
  const skipped = (from: number, step: number) => {
    let count = 0;
    while (row[from + step * count]!.flags === 0) count++;
    return count;
  };
  const trial = readable(row[AT]!) as unknown as MacroblockTrial;
  after.update(trial);
  const search = { minHalfPels: MIN_HALF_PELS };
  const macroblock = {
    ...{ type, predictors, known: row.slice(AT).map(readable), forward: search, backward: search },
    ...{ skippedBefore: skipped(AT - 1, -1), skippedAfter: skipped(AT + 1, 1), predictorsAfter: () => after },
  } as unknown as OpenMacroblock;
  return {
    whole,
    own:
      writtenBits(picture, Object.assign(new SlicePredictors(type), predictors), AT, 1) +
      followingBits(macroblock, trial),
  };
}

describe.each(['P', 'B'] as const)('bits that follow from a macroblock of a %s picture', type => {
  it('two ways to code it differ by as many bits as the row does', () => {
    const coded = macroblockOf(type, false);
    const any = macroblockOf(type, true);
    // In B pictures a skipped macroblock takes over a motion, so that what follows one way may not follow another.
    const between = type === 'P' ? any : coded;
    const row = fc.tuple(coded, between, between, any, between, between, coded);
    fc.assert(
      fc.property(row, any, (one, otherWay) => {
        const other = one.map((macroblock, at) => (at === AT ? otherWay : macroblock));
        const [first, second] = [bothCounts(type, one), bothCounts(type, other)];
        expect(second.own - first.own).toBe(second.whole - first.whole);
      }),
      { seed: 0x5eed, numRuns: 500 },
    );
  });
});
