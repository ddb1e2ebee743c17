// The inverse DCT of a block, with the arithmetic of src/dct/inverse-dct.ts.
// Coefficients lie column by column: vector u holds the eight vertical frequencies of column u.
import {
  INVERSE_COSINES_1 as W1,
  INVERSE_COSINES_2 as W2,
  INVERSE_COSINES_3 as W3,
  INVERSE_COSINES_4 as W4,
  INVERSE_COSINES_5 as W5,
  INVERSE_COSINES_6 as W6,
  INVERSE_COSINES_7 as W7,
} from '../generated/tables';
import { interleaveHigh, interleaveLow, transpose } from './transpose';
import { scratch } from '../scratch';

const ROW_SHIFT = 11;
const COLUMN_SHIFT = 20;

/** The block between the two passes. */
const work = scratch(128);

/**
 * Factors, each pair four times. Of the even inputs: two pairs for 0 and 4, two for 2 and 6. Of the odd ones, by output
 * 0..3: a pair for 1 and 3, one for 5 and 7. They are loaded: V8 takes longer to make a vector of constants.
 */
const FACTORS: usize = memory.data<i16>(
  [
    W4, W4, W4, W4, W4, W4, W4, W4, W4, -W4, W4, -W4, W4, -W4, W4, -W4,
    W2, W6, W2, W6, W2, W6, W2, W6, W6, -W2, W6, -W2, W6, -W2, W6, -W2,
    W1, W3, W1, W3, W1, W3, W1, W3, W5, W7, W5, W7, W5, W7, W5, W7,
    W3, -W7, W3, -W7, W3, -W7, W3, -W7, -W1, -W5, -W1, -W5, -W1, -W5, -W1, -W5,
    W5, -W1, W5, -W1, W5, -W1, W5, -W1, W7, W3, W7, W3, W7, W3, W7, W3,
    W7, -W5, W7, -W5, W7, -W5, W7, -W5, W3, -W1, W3, -W1, W3, -W1, W3, -W1,
  ],
  16,
);

/** What the odd inputs, interleaved, add to output `n` of four lanes, and take from output 7 - n. */
// @ts-ignore: decorator
@inline
function oddPart(few: bool, n: usize, x13: v128, x57: v128): v128 {
  const factors = FACTORS + 64 + 32 * n;
  const sum = v128.dot<i16>(x13, v128.load(factors));
  return few ? sum : v128.add<i32>(sum, v128.dot<i16>(x57, v128.load(factors, 16)));
}

/**
 * Stores outputs `n` and 7 - n of eight transforms: the even part plus the odd part, and less it. Lanes 0..3 and 4..7
 * have an even part and interleaved odd inputs each; for `few` and `half` see inversePass.
 */
// @ts-ignore: decorator
@inline
function storeOutputs(
  at: usize,
  n: usize,
  few: bool,
  half: bool,
  lowEven: v128,
  l13: v128,
  l57: v128,
  highEven: v128,
  h13: v128,
  h57: v128,
  shift: i32,
): void {
  const zero = i32x4.splat(0);
  const lowOdd = oddPart(few, n, l13, l57);
  const highOdd = half ? zero : oddPart(few, n, h13, h57);
  const sum = v128.shr<i32>(v128.add<i32>(lowEven, lowOdd), shift);
  const difference = v128.shr<i32>(v128.sub<i32>(lowEven, lowOdd), shift);
  const highSum = half ? zero : v128.shr<i32>(v128.add<i32>(highEven, highOdd), shift);
  const highDifference = half ? zero : v128.shr<i32>(v128.sub<i32>(highEven, highOdd), shift);
  v128.store(at + 16 * n, v128.narrow<i32>(sum, highSum));
  v128.store(at + 112 - 16 * n, v128.narrow<i32>(difference, highDifference));
}

/**
 * Eight 8-point inverse transforms at once in place, vector n at `at + 16 n`. `few`: inputs 4..7 are zero; `half`:
 * lanes 4..7 are.
 */
// @ts-ignore: decorator
@inline
function inversePass(at: usize, few: bool, half: bool, shift: i32): void {
  const zero = i32x4.splat(0);
  const x0 = v128.load(at);
  const x1 = v128.load(at, 16);
  const x2 = v128.load(at, 32);
  const x3 = v128.load(at, 48);
  const x4 = few ? zero : v128.load(at, 64);
  const x5 = few ? zero : v128.load(at, 80);
  const x6 = few ? zero : v128.load(at, 96);
  const x7 = few ? zero : v128.load(at, 112);
  const rounding = i32x4.splat(shift == ROW_SHIFT ? 1 << (ROW_SHIFT - 1) : <i32>W4 * 32);
  const w44 = v128.load(FACTORS);
  const w26 = v128.load(FACTORS, 32);
  const w62 = v128.load(FACTORS, 48);
  // Even inputs: outputs 0 and 3 have the sum of 0 and 4, 1 and 2 have their difference, and each half of 2 and 6.
  const l04 = interleaveLow(x0, x4);
  const l26 = interleaveLow(x2, x6);
  const lowSum = v128.add<i32>(v128.dot<i16>(l04, w44), rounding);
  const lowDifference = few ? lowSum : v128.add<i32>(v128.dot<i16>(l04, v128.load(FACTORS, 16)), rounding);
  const low26 = v128.dot<i16>(l26, w26);
  const low62 = v128.dot<i16>(l26, w62);
  const h04 = half ? zero : interleaveHigh(x0, x4);
  const h26 = half ? zero : interleaveHigh(x2, x6);
  const highSum = half ? zero : v128.add<i32>(v128.dot<i16>(h04, w44), rounding);
  const highDifference =
    half || few ? highSum : v128.add<i32>(v128.dot<i16>(h04, v128.load(FACTORS, 16)), rounding);
  const high26 = half ? zero : v128.dot<i16>(h26, w26);
  const high62 = half ? zero : v128.dot<i16>(h26, w62);
  const l13 = interleaveLow(x1, x3);
  const l57 = few ? zero : interleaveLow(x5, x7);
  const h13 = half ? zero : interleaveHigh(x1, x3);
  const h57 = half || few ? zero : interleaveHigh(x5, x7);
  const low0 = v128.add<i32>(lowSum, low26);
  const low1 = v128.add<i32>(lowDifference, low62);
  const low2 = v128.sub<i32>(lowDifference, low62);
  const low3 = v128.sub<i32>(lowSum, low26);
  const high0 = half ? zero : v128.add<i32>(highSum, high26);
  const high1 = half ? zero : v128.add<i32>(highDifference, high62);
  const high2 = half ? zero : v128.sub<i32>(highDifference, high62);
  const high3 = half ? zero : v128.sub<i32>(highSum, high26);
  storeOutputs(at, 0, few, half, low0, l13, l57, high0, h13, h57, shift);
  storeOutputs(at, 1, few, half, low1, l13, l57, high1, h13, h57, shift);
  storeOutputs(at, 2, few, half, low2, l13, l57, high2, h13, h57, shift);
  storeOutputs(at, 3, few, half, low3, l13, l57, high3, h13, h57, shift);
}

/** Writes the prediction plus the inverse DCT of `reconstruction`, clipped to 0..255. */
export function reconstructBlock(
  target: usize,
  targetStride: usize,
  prediction: usize,
  predictionStride: usize,
  reconstruction: usize,
): void {
  const first = v128.load(reconstruction);
  const x1 = v128.load(reconstruction, 16);
  const x2 = v128.load(reconstruction, 32);
  const x3 = v128.load(reconstruction, 48);
  const x4 = v128.load(reconstruction, 64);
  const x5 = v128.load(reconstruction, 80);
  const x6 = v128.load(reconstruction, 96);
  const x7 = v128.load(reconstruction, 112);
  v128.store(work, first);
  v128.store(work, x1, 16);
  v128.store(work, x2, 32);
  v128.store(work, x3, 48);
  const low = v128.or(v128.or(x1, x2), x3);
  const high = v128.or(v128.or(x4, x5), v128.or(x6, x7));
  // Row pass: lane v is row v. Rows with nothing beyond their first coefficient are scaled exactly instead, which makes
  // a difference for coefficients of 1024 and more.
  const all = v128.or(v128.or(first, low), high);
  const few = !v128.any_true(v128.or(high, v128.shuffle<i64>(all, all, 1, 1)));
  if (few) inversePass(work, true, true, ROW_SHIFT);
  else {
    v128.store(work, x4, 64);
    v128.store(work, x5, 80);
    v128.store(work, x6, 96);
    v128.store(work, x7, 112);
    inversePass(work, false, false, ROW_SHIFT);
  }
  if (v128.any_true(v128.gt<i16>(v128.abs<i16>(first), i16x8.splat(1023)))) {
    const plain = v128.eq<i16>(v128.or(low, high), i16x8.splat(0));
    const scaled = v128.shl<i16>(first, 3);
    for (let x: usize = 0; x < 128; x += 16) {
      v128.store(work + x, v128.bitselect(scaled, v128.load(work + x), plain));
    }
  }
  transpose(work);
  if (few) inversePass(work, true, false, COLUMN_SHIFT);
  else inversePass(work, false, false, COLUMN_SHIFT);
  for (let y: usize = 0; y < 128; y += 16) {
    const pels = v128.add_sat<i16>(v128.load_ext<u8>(prediction), v128.load(work + y));
    v128.store64_lane(target, v128.narrow<u16>(pels, pels), 0);
    target += targetStride;
    prediction += predictionStride;
  }
}
