// The transforms in WASM SIMD; each equals its namesake in src/dct/transform-kernels.ts to the bit.
// Blocks of coefficients are kept column by column: vector u holds the eight vertical frequencies of column u.

/** The block between the two passes of the inverse transform. */
const work = memory.data(128, 16);

/** 2^14 * cos(k * pi / 16), rounded. */
const C1: i16 = 16069;
const C2: i16 = 15137;
const C3: i16 = 13623;
const C4: i16 = 11585;
const C5: i16 = 9102;
const C6: i16 = 6270;
const C7: i16 = 3196;

/** Constants of the inverse transform; see inverse-dct.ts. */
const W1: i16 = 22725;
const W2: i16 = 21407;
const W3: i16 = 19266;
const W4: i16 = 16383;
const W5: i16 = 12873;
const W6: i16 = 8867;
const W7: i16 = 4520;

// @ts-ignore: decorator
@inline
function interleaveLow(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @ts-ignore: decorator
@inline
function interleaveHigh(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/** Two int16 constants, alternating: the right-hand side of a dot product with interleaved vectors. */
// @ts-ignore: decorator
@inline
function pair(first: i16, second: i16): v128 {
  return i16x8(first, second, first, second, first, second, first, second);
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
  v128.store(at, dotRow(s01l, s01h, s23l, s23h, pair(C4, C4), pair(C4, C4), rounding, shift));
  v128.store(at, dotRow(s01l, s01h, s23l, s23h, pair(C2, C6), pair(-C6, -C2), rounding, shift), 32);
  v128.store(at, dotRow(s01l, s01h, s23l, s23h, pair(C4, -C4), pair(-C4, C4), rounding, shift), 64);
  v128.store(at, dotRow(s01l, s01h, s23l, s23h, pair(C6, -C2), pair(C2, -C6), rounding, shift), 96);

  const d0 = v128.sub<i16>(x0, x7);
  const d1 = v128.sub<i16>(x1, x6);
  const d2 = v128.sub<i16>(x2, x5);
  const d3 = v128.sub<i16>(x3, x4);
  const d01l = interleaveLow(d0, d1);
  const d01h = interleaveHigh(d0, d1);
  const d23l = interleaveLow(d2, d3);
  const d23h = interleaveHigh(d2, d3);
  v128.store(at, dotRow(d01l, d01h, d23l, d23h, pair(C1, C3), pair(C5, C7), rounding, shift), 16);
  v128.store(at, dotRow(d01l, d01h, d23l, d23h, pair(C3, -C7), pair(-C1, -C5), rounding, shift), 48);
  v128.store(at, dotRow(d01l, d01h, d23l, d23h, pair(C5, -C1), pair(C7, C3), rounding, shift), 80);
  v128.store(at, dotRow(d01l, d01h, d23l, d23h, pair(C7, -C5), pair(C3, -C1), rounding, shift), 112);
}

/** Transposes the 8x8 int16 block at `at`, in place. */
// @ts-ignore: decorator
@inline
function transpose(at: usize): void {
  const x0 = v128.load(at);
  const x1 = v128.load(at, 16);
  const x2 = v128.load(at, 32);
  const x3 = v128.load(at, 48);
  const x4 = v128.load(at, 64);
  const x5 = v128.load(at, 80);
  const x6 = v128.load(at, 96);
  const x7 = v128.load(at, 112);
  const a0 = interleaveLow(x0, x4);
  const a1 = interleaveHigh(x0, x4);
  const a2 = interleaveLow(x1, x5);
  const a3 = interleaveHigh(x1, x5);
  const a4 = interleaveLow(x2, x6);
  const a5 = interleaveHigh(x2, x6);
  const a6 = interleaveLow(x3, x7);
  const a7 = interleaveHigh(x3, x7);
  const b0 = interleaveLow(a0, a4);
  const b1 = interleaveHigh(a0, a4);
  const b2 = interleaveLow(a1, a5);
  const b3 = interleaveHigh(a1, a5);
  const b4 = interleaveLow(a2, a6);
  const b5 = interleaveHigh(a2, a6);
  const b6 = interleaveLow(a3, a7);
  const b7 = interleaveHigh(a3, a7);
  v128.store(at, interleaveLow(b0, b4));
  v128.store(at, interleaveHigh(b0, b4), 16);
  v128.store(at, interleaveLow(b1, b5), 32);
  v128.store(at, interleaveHigh(b1, b5), 48);
  v128.store(at, interleaveLow(b2, b6), 64);
  v128.store(at, interleaveHigh(b2, b6), 80);
  v128.store(at, interleaveLow(b3, b7), 96);
  v128.store(at, interleaveHigh(b3, b7), 112);
}

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

/** The inverse transform of four lanes, given as interleaved pairs of inputs; stores four int16 at `at + offset + 16 n`. */
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
