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

/**
 * Factors of outputs 0..7: two pairs each, four times, for the sums or differences of inputs 0 and 7, 1 and 6, 2 and 5,
 * 3 and 4. They are loaded: V8 takes longer to make a vector of constants.
 */
const FACTORS: usize = memory.data<i16>(
  [
    C4, C4, C4, C4, C4, C4, C4, C4, C4, C4, C4, C4, C4, C4, C4, C4,
    C1, C3, C1, C3, C1, C3, C1, C3, C5, C7, C5, C7, C5, C7, C5, C7,
    C2, C6, C2, C6, C2, C6, C2, C6, -C6, -C2, -C6, -C2, -C6, -C2, -C6, -C2,
    C3, -C7, C3, -C7, C3, -C7, C3, -C7, -C1, -C5, -C1, -C5, -C1, -C5, -C1, -C5,
    C4, -C4, C4, -C4, C4, -C4, C4, -C4, -C4, C4, -C4, C4, -C4, C4, -C4, C4,
    C5, -C1, C5, -C1, C5, -C1, C5, -C1, C7, C3, C7, C3, C7, C3, C7, C3,
    C6, -C2, C6, -C2, C6, -C2, C6, -C2, C2, -C6, C2, -C6, C2, -C6, C2, -C6,
    C7, -C5, C7, -C5, C7, -C5, C7, -C5, C3, -C1, C3, -C1, C3, -C1, C3, -C1,
  ],
  16,
);

/** Output `k` of eight transforms, from interleaved sums or differences of inputs; rounded, shifted, in int16. */
// @ts-ignore: decorator
@inline
function outputOf(k: usize, low01: v128, high01: v128, low23: v128, high23: v128, shift: i32): v128 {
  const first = v128.load(FACTORS + 32 * k);
  const second = v128.load(FACTORS + 32 * k, 16);
  const rounding = i32x4.splat(1 << (shift - 1));
  const low = v128.add<i32>(v128.add<i32>(v128.dot<i16>(low01, first), v128.dot<i16>(low23, second)), rounding);
  const high = v128.add<i32>(v128.add<i32>(v128.dot<i16>(high01, first), v128.dot<i16>(high23, second)), rounding);
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

  const s0 = v128.add<i16>(x0, x7);
  const s1 = v128.add<i16>(x1, x6);
  const s2 = v128.add<i16>(x2, x5);
  const s3 = v128.add<i16>(x3, x4);
  const s01l = interleaveLow(s0, s1);
  const s01h = interleaveHigh(s0, s1);
  const s23l = interleaveLow(s2, s3);
  const s23h = interleaveHigh(s2, s3);
  v128.store(at, outputOf(0, s01l, s01h, s23l, s23h, shift));
  v128.store(at, outputOf(2, s01l, s01h, s23l, s23h, shift), 32);
  v128.store(at, outputOf(4, s01l, s01h, s23l, s23h, shift), 64);
  v128.store(at, outputOf(6, s01l, s01h, s23l, s23h, shift), 96);

  const d0 = v128.sub<i16>(x0, x7);
  const d1 = v128.sub<i16>(x1, x6);
  const d2 = v128.sub<i16>(x2, x5);
  const d3 = v128.sub<i16>(x3, x4);
  const d01l = interleaveLow(d0, d1);
  const d01h = interleaveHigh(d0, d1);
  const d23l = interleaveLow(d2, d3);
  const d23h = interleaveHigh(d2, d3);
  v128.store(at, outputOf(1, d01l, d01h, d23l, d23h, shift), 16);
  v128.store(at, outputOf(3, d01l, d01h, d23l, d23h, shift), 48);
  v128.store(at, outputOf(5, d01l, d01h, d23l, d23h, shift), 80);
  v128.store(at, outputOf(7, d01l, d01h, d23l, d23h, shift), 112);
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
