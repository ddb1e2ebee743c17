// The forward DCT of a block.
// Coefficients lie column by column: vector u holds the eight vertical frequencies of column u.
import {
  COSINES_1 as C1,
  COSINES_2 as C2,
  COSINES_3 as C3,
  COSINES_4 as C4,
  COSINES_5 as C5,
  COSINES_6 as C6,
  COSINES_7 as C7,
} from '../generated/tables';
import { interleaveHigh, interleaveLow, transpose } from './transpose';

const FACTORS: usize = memory.data<i16>([C4, C4, C4, C4, C4, C4, C4, C4, C2, C6, C2, C6, C2, C6, C2, C6, -C6, -C2, -C6, -C2, -C6, -C2, -C6, -C2, C4, -C4, C4, -C4, C4, -C4, C4, -C4, -C4, C4, -C4, C4, -C4, C4, -C4, C4, C6, -C2, C6, -C2, C6, -C2, C6, -C2, C2, -C6, C2, -C6, C2, -C6, C2, -C6, C1, C3, C1, C3, C1, C3, C1, C3, C5, C7, C5, C7, C5, C7, C5, C7, C3, -C7, C3, -C7, C3, -C7, C3, -C7, -C1, -C5, -C1, -C5, -C1, -C5, -C1, -C5, C5, -C1, C5, -C1, C5, -C1, C5, -C1, C7, C3, C7, C3, C7, C3, C7, C3, C7, -C5, C7, -C5, C7, -C5, C7, -C5, C3, -C1, C3, -C1, C3, -C1, C3, -C1], 16);

// @ts-ignore: decorator
@inline
function factors(n: usize): v128 {
  return v128.load(FACTORS + 16 * n);
}

/** (a * pairs01 + b * pairs23 + rounding) >> shift for low and high halves, narrowed to int16. */
// @ts-ignore: decorator
@inline
function dotRow(
  low01: v128,
  high01: v128,
  low23: v128,
  high23: v128,
  k01: v128,
  k23: v128,
  rounding: v128,
  shift: i32,
): v128 {
  const low = v128.add<i32>(v128.add<i32>(v128.dot<i16>(low01, k01), v128.dot<i16>(low23, k23)), rounding);
  const high = v128.add<i32>(v128.add<i32>(v128.dot<i16>(high01, k01), v128.dot<i16>(high23, k23)), rounding);
  return v128.narrow<i32>(v128.shr<i32>(low, shift), v128.shr<i32>(high, shift));
}

/**
 * Eight 8-point forward transforms at once, in place at `at`: vector n in, vector k out, each lane on its own.
 */
// @ts-ignore: decorator
@inline
function forwardPass(at: usize, shift: i32): void {
  const x0 = v128.load(at);
  const x1 = v128.load(at, 16);
  const x2 = v128.load(at, 32);
  const x3 = v128.load(at, 48);
  const x4 = v128.load(at, 64);
  const x5 = v128.load(at, 80);
  const x6 = v128.load(at, 96);
  const x7 = v128.load(at, 112);
  const rounding = i32x4.splat(1 << (shift - 1));

  const s0 = v128.add<i16>(x0, x7);
  const s1 = v128.add<i16>(x1, x6);
  const s2 = v128.add<i16>(x2, x5);
  const s3 = v128.add<i16>(x3, x4);
  const s01l = interleaveLow(s0, s1);
  const s01h = interleaveHigh(s0, s1);
  const s23l = interleaveLow(s2, s3);
  const s23h = interleaveHigh(s2, s3);
  v128.store(at, dotRow(s01l, s01h, s23l, s23h, factors(0), factors(0), rounding, shift));
  v128.store(at, dotRow(s01l, s01h, s23l, s23h, factors(1), factors(2), rounding, shift), 32);
  v128.store(at, dotRow(s01l, s01h, s23l, s23h, factors(3), factors(4), rounding, shift), 64);
  v128.store(at, dotRow(s01l, s01h, s23l, s23h, factors(5), factors(6), rounding, shift), 96);

  const d0 = v128.sub<i16>(x0, x7);
  const d1 = v128.sub<i16>(x1, x6);
  const d2 = v128.sub<i16>(x2, x5);
  const d3 = v128.sub<i16>(x3, x4);
  const d01l = interleaveLow(d0, d1);
  const d01h = interleaveHigh(d0, d1);
  const d23l = interleaveLow(d2, d3);
  const d23h = interleaveHigh(d2, d3);
  v128.store(at, dotRow(d01l, d01h, d23l, d23h, factors(7), factors(8), rounding, shift), 16);
  v128.store(at, dotRow(d01l, d01h, d23l, d23h, factors(9), factors(10), rounding, shift), 48);
  v128.store(at, dotRow(d01l, d01h, d23l, d23h, factors(11), factors(12), rounding, shift), 80);
  v128.store(at, dotRow(d01l, d01h, d23l, d23h, factors(13), factors(14), rounding, shift), 112);
}

/** Transforms `source - prediction` into 64 int16 coefficients (times 8). A `predictionStride` of 0 repeats one row. */
export function forwardDct(
  coefficients: usize,
  source: usize,
  sourceStride: usize,
  prediction: usize,
  predictionStride: usize,
): void {
  for (let y: usize = 0; y < 8; y++) {
    const difference = v128.sub<i16>(v128.load_ext<u8>(source), v128.load_ext<u8>(prediction));
    v128.store(coefficients + y * 16, difference);
    source += sourceStride;
    prediction += predictionStride;
  }
  forwardPass(coefficients, 11);
  transpose(coefficients);
  forwardPass(coefficients, 16);
}
