// Vector idioms that several kernels share.

/** |a - b| of 16 unsigned bytes: one of the two saturated differences is zero. */
// @ts-ignore: decorator
@inline
export function absoluteDifference(a: v128, b: v128): v128 {
  return v128.or(v128.sub_sat<u8>(a, b), v128.sub_sat<u8>(b, a));
}

/** Sum of four i32 lanes. */
// @ts-ignore: decorator
@inline
export function sumLanes32(v: v128): i32 {
  const pairs = v128.add<i32>(v, v128.shuffle<i32>(v, v, 2, 3, 0, 1));
  return v128.extract_lane<i32>(pairs, 0) + v128.extract_lane<i32>(pairs, 1);
}

/** Sum of eight u16 lanes. */
// @ts-ignore: decorator
@inline
export function sumLanes16(v: v128): i32 {
  return sumLanes32(i32x4.extadd_pairwise_i16x8_u(v));
}

/** Eight u16 into their four pair sums, i32. */
// @ts-ignore: decorator
@inline
export function pairs(v: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(v);
}

/** The sums of the eight u16 lanes of four vectors, i32. */
// @ts-ignore: decorator
@inline
export function sumsOfFour(s0: v128, s1: v128, s2: v128, s3: v128): v128 {
  const p0 = pairs(s0);
  const p1 = pairs(s1);
  const p2 = pairs(s2);
  const p3 = pairs(s3);
  const first = i32x4.add(v128.shuffle<i32>(p0, p1, 0, 4, 1, 5), v128.shuffle<i32>(p0, p1, 2, 6, 3, 7));
  const last = i32x4.add(v128.shuffle<i32>(p2, p3, 0, 4, 1, 5), v128.shuffle<i32>(p2, p3, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i64>(first, last, 0, 2), v128.shuffle<i64>(first, last, 1, 3));
}

/** Squared differences of 16 pels, added into four i32 lanes. */
// @ts-ignore: decorator
@inline
export function squaredDifferences(a: v128, b: v128): v128 {
  const difference = absoluteDifference(a, b);
  const low = v128.extend_low<u8>(difference);
  const high = v128.extend_high<u8>(difference);
  return v128.add<i32>(v128.dot<i16>(low, low), v128.dot<i16>(high, high));
}

/** `sum` plus 16 unsigned bytes, added in pairs to eight u16 lanes. */
// @ts-ignore: decorator
@inline
export function addPels(sum: v128, pels: v128): v128 {
  return i16x8.add(sum, i16x8.extadd_pairwise_i8x16_u(pels));
}

/** `sum` plus |a - b| of 16 unsigned bytes, added in pairs to eight u16 lanes. */
// @ts-ignore: decorator
@inline
export function addAbsoluteDifferences(sum: v128, a: v128, b: v128): v128 {
  return addPels(sum, absoluteDifference(a, b));
}

/** Two rows of eight pels, `stride` bytes apart. */
// @ts-ignore: decorator
@inline
export function twoRowsOf8(at: usize, stride: usize): v128 {
  return v128.load64_lane(at + stride, v128.load64_zero(at), 1);
}
