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
 * Factors of outputs 0..3 and 7..4: pairs for inputs 0 and 2, 1 and 3, 4 and 6, 5 and 7, four times each. They are
 * loaded: V8 takes longer to make a vector of constants.
 */
const FACTORS: usize = memory.data<i16>(
  [
    W4, W2, W4, W2, W4, W2, W4, W2, W1, W3, W1, W3, W1, W3, W1, W3,
    W4, W6, W4, W6, W4, W6, W4, W6, W5, W7, W5, W7, W5, W7, W5, W7,
    W4, W6, W4, W6, W4, W6, W4, W6, W3, -W7, W3, -W7, W3, -W7, W3, -W7,
    -W4, -W2, -W4, -W2, -W4, -W2, -W4, -W2, -W1, -W5, -W1, -W5, -W1, -W5, -W1, -W5,
    W4, -W6, W4, -W6, W4, -W6, W4, -W6, W5, -W1, W5, -W1, W5, -W1, W5, -W1,
    -W4, W2, -W4, W2, -W4, W2, -W4, W2, W7, W3, W7, W3, W7, W3, W7, W3,
    W4, -W2, W4, -W2, W4, -W2, W4, -W2, W7, -W5, W7, -W5, W7, -W5, W7, -W5,
    W4, -W6, W4, -W6, W4, -W6, W4, -W6, W3, -W1, W3, -W1, W3, -W1, W3, -W1,
  ],
  16,
);

/** Even part of the outputs of four lanes, from interleaved inputs. */
// @ts-ignore: decorator
@inline
function evenPart(few: bool, factors: usize, x02: v128, x46: v128, rounding: v128): v128 {
  const sum = v128.add<i32>(v128.dot<i16>(x02, v128.load(factors)), rounding);
  return few ? sum : v128.add<i32>(sum, v128.dot<i16>(x46, v128.load(factors, 32)));
}

/** Odd part. */
// @ts-ignore: decorator
@inline
function oddPart(few: bool, factors: usize, x13: v128, x57: v128): v128 {
  const sum = v128.dot<i16>(x13, v128.load(factors, 16));
  return few ? sum : v128.add<i32>(sum, v128.dot<i16>(x57, v128.load(factors, 48)));
}

/**
 * Stores outputs `n` and 7 - n of eight transforms: the even part plus the odd part, and less it. `l` and `h` are the
 * interleaved inputs of lanes 0..3 and 4..7; for `few` and `half` see inversePass.
 */
// @ts-ignore: decorator
@inline
function storeOutputs(
  at: usize,
  n: usize,
  few: bool,
  half: bool,
  l02: v128,
  l46: v128,
  l13: v128,
  l57: v128,
  h02: v128,
  h46: v128,
  h13: v128,
  h57: v128,
  shift: i32,
): void {
  const factors = FACTORS + 64 * n;
  const rounding = i32x4.splat(shift == ROW_SHIFT ? 1 << (ROW_SHIFT - 1) : <i32>W4 * 32);
  const even = evenPart(few, factors, l02, l46, rounding);
  const odd = oddPart(few, factors, l13, l57);
  const zero = i32x4.splat(0);
  const highEven = half ? zero : evenPart(few, factors, h02, h46, rounding);
  const highOdd = half ? zero : oddPart(few, factors, h13, h57);
  const sum = v128.shr<i32>(v128.add<i32>(even, odd), shift);
  const difference = v128.shr<i32>(v128.sub<i32>(even, odd), shift);
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
  const l02 = interleaveLow(x0, x2);
  const l46 = few ? zero : interleaveLow(x4, x6);
  const l13 = interleaveLow(x1, x3);
  const l57 = few ? zero : interleaveLow(x5, x7);
  const h02 = half ? zero : interleaveHigh(x0, x2);
  const h46 = half || few ? zero : interleaveHigh(x4, x6);
  const h13 = half ? zero : interleaveHigh(x1, x3);
  const h57 = half || few ? zero : interleaveHigh(x5, x7);
  storeOutputs(at, 0, few, half, l02, l46, l13, l57, h02, h46, h13, h57, shift);
  storeOutputs(at, 1, few, half, l02, l46, l13, l57, h02, h46, h13, h57, shift);
  storeOutputs(at, 2, few, half, l02, l46, l13, l57, h02, h46, h13, h57, shift);
  storeOutputs(at, 3, few, half, l02, l46, l13, l57, h02, h46, h13, h57, shift);
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
