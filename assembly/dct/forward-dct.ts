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
 * Factors, each pair four times. Of outputs 0 and 4: of two sums of inputs. Of 2 and 6: of the sums of inputs 0 and 7,
 * 3 and 4; of 1 and 6, 2 and 5. Of 1, 3, 5 and 7: of the differences of 0 and 7, 1 and 6; of 2 and 5, 3 and 4. They
 * are loaded: V8 takes longer to make a vector of constants.
 */
const FACTORS: usize = memory.data<i16>(
  [
    C4, C4, C4, C4, C4, C4, C4, C4,
    C2, -C2, C2, -C2, C2, -C2, C2, -C2, C6, -C6, C6, -C6, C6, -C6, C6, -C6,
    C6, -C6, C6, -C6, C6, -C6, C6, -C6, -C2, C2, -C2, C2, -C2, C2, -C2, C2,
    C1, C3, C1, C3, C1, C3, C1, C3, C5, C7, C5, C7, C5, C7, C5, C7,
    C3, -C7, C3, -C7, C3, -C7, C3, -C7, -C1, -C5, -C1, -C5, -C1, -C5, -C1, -C5,
    C5, -C1, C5, -C1, C5, -C1, C5, -C1, C7, C3, C7, C3, C7, C3, C7, C3,
    C7, -C5, C7, -C5, C7, -C5, C7, -C5, C3, -C1, C3, -C1, C3, -C1, C3, -C1,
  ],
  16,
);
const FACTORS_2: usize = FACTORS + 16;
const FACTORS_6: usize = FACTORS + 48;
const FACTORS_1: usize = FACTORS + 80;
const FACTORS_3: usize = FACTORS + 112;
const FACTORS_5: usize = FACTORS + 144;
const FACTORS_7: usize = FACTORS + 176;

/** An output of eight transforms, in two halves: shifted, in int16. */
// @ts-ignore: decorator
@inline
function shifted(low: v128, high: v128, shift: i32): v128 {
  return v128.narrow<i32>(v128.shr<i32>(low, shift), v128.shr<i32>(high, shift));
}

/** An output of eight transforms, from interleaved sums or differences of inputs; rounded, shifted, in int16. */
// @ts-ignore: decorator
@inline
function outputOf(
  factors: usize,
  oneLow: v128,
  oneHigh: v128,
  otherLow: v128,
  otherHigh: v128,
  rounding: v128,
  shift: i32,
): v128 {
  const one = v128.load(factors);
  const other = v128.load(factors, 16);
  const low = v128.add<i32>(v128.add<i32>(v128.dot<i16>(oneLow, one), v128.dot<i16>(otherLow, other)), rounding);
  const high = v128.add<i32>(v128.add<i32>(v128.dot<i16>(oneHigh, one), v128.dot<i16>(otherHigh, other)), rounding);
  return shifted(low, high, shift);
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
  const s03l = interleaveLow(s0, s3);
  const s03h = interleaveHigh(s0, s3);
  const s12l = interleaveLow(s1, s2);
  const s12h = interleaveHigh(s1, s2);
  const c4 = v128.load(FACTORS);
  const outerLow = v128.add<i32>(v128.dot<i16>(s03l, c4), rounding);
  const outerHigh = v128.add<i32>(v128.dot<i16>(s03h, c4), rounding);
  const innerLow = v128.dot<i16>(s12l, c4);
  const innerHigh = v128.dot<i16>(s12h, c4);
  v128.store(at, shifted(v128.add<i32>(outerLow, innerLow), v128.add<i32>(outerHigh, innerHigh), shift));
  v128.store(at, shifted(v128.sub<i32>(outerLow, innerLow), v128.sub<i32>(outerHigh, innerHigh), shift), 64);
  v128.store(at, outputOf(FACTORS_2, s03l, s03h, s12l, s12h, rounding, shift), 32);
  v128.store(at, outputOf(FACTORS_6, s03l, s03h, s12l, s12h, rounding, shift), 96);

  const d0 = v128.sub<i16>(x0, x7);
  const d1 = v128.sub<i16>(x1, x6);
  const d2 = v128.sub<i16>(x2, x5);
  const d3 = v128.sub<i16>(x3, x4);
  const d01l = interleaveLow(d0, d1);
  const d01h = interleaveHigh(d0, d1);
  const d23l = interleaveLow(d2, d3);
  const d23h = interleaveHigh(d2, d3);
  v128.store(at, outputOf(FACTORS_1, d01l, d01h, d23l, d23h, rounding, shift), 16);
  v128.store(at, outputOf(FACTORS_3, d01l, d01h, d23l, d23h, rounding, shift), 48);
  v128.store(at, outputOf(FACTORS_5, d01l, d01h, d23l, d23h, rounding, shift), 80);
  v128.store(at, outputOf(FACTORS_7, d01l, d01h, d23l, d23h, rounding, shift), 112);
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
