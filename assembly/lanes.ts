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

/** Squared differences of 16 pels, added into four i32 lanes. */
// @ts-ignore: decorator
@inline
export function squaredDifferences(a: v128, b: v128): v128 {
  const difference = absoluteDifference(a, b);
  const low = v128.extend_low<u8>(difference);
  const high = v128.extend_high<u8>(difference);
  return v128.add<i32>(v128.dot<i16>(low, low), v128.dot<i16>(high, high));
}

/** `sum` plus |a - b| of 16 unsigned bytes, added in pairs to eight u16 lanes. */
// @ts-ignore: decorator
@inline
export function addAbsoluteDifferences(sum: v128, a: v128, b: v128): v128 {
  return i16x8.add(sum, i16x8.extadd_pairwise_i8x16_u(absoluteDifference(a, b)));
}

/** Two rows of eight pels, `stride` bytes apart. */
// @ts-ignore: decorator
@inline
export function twoRowsOf8(at: usize, stride: usize): v128 {
  return v128.load64_lane(at + stride, v128.load64_zero(at), 1);
}
