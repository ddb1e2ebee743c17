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
import { interleaveHigh, interleaveLow, pair, transpose } from './transpose';
import { scratch } from '../scratch';

/** The block between the two passes. */
const work = scratch(128);

/** Eight 8-point inverse transforms at once on int16 vectors; results in int16, vector n at `at + 16 n`. */
// @ts-ignore: decorator
@inline
function inversePass(at: usize, rounding: v128, shift: i32): void {
  const x0 = v128.load(at);
  const x1 = v128.load(at, 16);
  const x2 = v128.load(at, 32);
  const x3 = v128.load(at, 48);
  const x4 = v128.load(at, 64);
  const x5 = v128.load(at, 80);
  const x6 = v128.load(at, 96);
  const x7 = v128.load(at, 112);
  inverseHalf(at, interleaveLow(x0, x2), interleaveLow(x4, x6), interleaveLow(x1, x3), interleaveLow(x5, x7), rounding, shift, 0);
  inverseHalf(at, interleaveHigh(x0, x2), interleaveHigh(x4, x6), interleaveHigh(x1, x3), interleaveHigh(x5, x7), rounding, shift, 8);
}

/**
 * The inverse transform of four lanes, given as interleaved pairs of inputs; stores four int16 at `at + offset + 16
 * n`.
 */
// @ts-ignore: decorator
@inline
function inverseHalf(
  at: usize,
  x02: v128,
  x46: v128,
  x13: v128,
  x57: v128,
  rounding: v128,
  shift: i32,
  offset: usize,
): void {
  const to = at + offset;
  inverseOutputs(to, to + 112, x02, x46, x13, x57, pair(W4, W2), pair(W4, W6), pair(W1, W3), pair(W5, W7), rounding, shift);
  inverseOutputs(to + 16, to + 96, x02, x46, x13, x57, pair(W4, W6), pair(-W4, -W2), pair(W3, -W7), pair(-W1, -W5), rounding, shift);
  inverseOutputs(to + 32, to + 80, x02, x46, x13, x57, pair(W4, -W6), pair(-W4, W2), pair(W5, -W1), pair(W7, W3), rounding, shift);
  inverseOutputs(to + 48, to + 64, x02, x46, x13, x57, pair(W4, -W2), pair(W4, -W6), pair(W7, -W5), pair(W3, -W1), rounding, shift);
}

/** Output n (even part plus odd part) and output 7 - n (even part minus odd part). */
// @ts-ignore: decorator
@inline
function inverseOutputs(
  near: usize,
  far: usize,
  x02: v128,
  x46: v128,
  x13: v128,
  x57: v128,
  k02: v128,
  k46: v128,
  k13: v128,
  k57: v128,
  rounding: v128,
  shift: i32,
): void {
  const even = v128.add<i32>(v128.add<i32>(v128.dot<i16>(x02, k02), v128.dot<i16>(x46, k46)), rounding);
  const odd = v128.add<i32>(v128.dot<i16>(x13, k13), v128.dot<i16>(x57, k57));
  const sum = v128.shr<i32>(v128.add<i32>(even, odd), shift);
  const difference = v128.shr<i32>(v128.sub<i32>(even, odd), shift);
  const narrow = v128.narrow<i32>(sum, difference);
  v128.store64_lane(near, narrow, 0);
  v128.store64_lane(far, narrow, 1);
}

/** Writes the prediction plus the inverse DCT of `reconstruction`, clipped to 0..255. */
export function reconstructBlock(
  target: usize,
  targetStride: usize,
  prediction: usize,
  predictionStride: usize,
  reconstruction: usize,
): void {
  let rest = i16x8.splat(0);
  const first = v128.load(reconstruction);
  v128.store(work, first);
  for (let u: usize = 16; u < 128; u += 16) {
    const column = v128.load(reconstruction + u);
    rest = v128.or(rest, column);
    v128.store(work + u, column);
  }
  // Row pass: lane v is row v. Rows with nothing beyond their first coefficient are scaled exactly instead.
  inversePass(work, i32x4.splat(1 << 10), 11);
  const plain = v128.eq<i16>(rest, i16x8.splat(0));
  if (v128.any_true(plain)) {
    const scaled = v128.shl<i16>(first, 3);
    for (let x: usize = 0; x < 128; x += 16) {
      v128.store(work + x, v128.bitselect(scaled, v128.load(work + x), plain));
    }
  }
  transpose(work);
  inversePass(work, i32x4.splat(<i32>W4 * 32), 20);
  for (let y: usize = 0; y < 128; y += 16) {
    const pels = v128.add_sat<i16>(v128.load_ext<u8>(prediction), v128.load(work + y));
    v128.store64_lane(target, v128.narrow<u16>(pels, pels), 0);
    target += targetStride;
    prediction += predictionStride;
  }
}
