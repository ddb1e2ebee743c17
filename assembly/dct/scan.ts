// The zigzag scan of a block's levels, as shuffles of its eight columns.
import { scratch } from '../scratch';

/** Levels column by column, before they are put into scan order. */
export const unscanned = scratch(128);

/** Puts the block at `unscanned` into scan order at `levels`; returns a bit per non-zero level, position 0 lowest. */
// @ts-ignore: decorator
@inline
export function scan(levels: usize): u64 {
  const r0 = v128.load(unscanned);
  const r1 = v128.load(unscanned, 16);
  const r2 = v128.load(unscanned, 32);
  const r3 = v128.load(unscanned, 48);
  const r4 = v128.load(unscanned, 64);
  const r5 = v128.load(unscanned, 80);
  const r6 = v128.load(unscanned, 96);
  const r7 = v128.load(unscanned, 112);
  let s0 = v128.shuffle<i16>(r0, r1, 0, 8, 1, 2, 9, 0, 0, 0);
  s0 = v128.shuffle<i16>(s0, r2, 0, 1, 2, 3, 4, 8, 6, 9);
  s0 = v128.shuffle<i16>(s0, r3, 0, 1, 2, 3, 4, 5, 8, 7);
  let s1 = v128.shuffle<i16>(r0, r1, 10, 3, 4, 11, 0, 0, 0, 0);
  s1 = v128.shuffle<i16>(s1, r2, 0, 1, 2, 3, 10, 5, 6, 7);
  s1 = v128.shuffle<i16>(s1, r3, 0, 1, 2, 3, 4, 9, 6, 7);
  s1 = v128.shuffle<i16>(s1, r4, 0, 1, 2, 3, 4, 5, 8, 7);
  s1 = v128.shuffle<i16>(s1, r5, 0, 1, 2, 3, 4, 5, 6, 8);
  let s2 = v128.shuffle<i16>(r0, r1, 0, 0, 0, 12, 5, 6, 13, 0);
  s2 = v128.shuffle<i16>(s2, r2, 0, 1, 11, 3, 4, 5, 6, 12);
  s2 = v128.shuffle<i16>(s2, r3, 0, 10, 2, 3, 4, 5, 6, 7);
  s2 = v128.shuffle<i16>(s2, r4, 9, 1, 2, 3, 4, 5, 6, 7);
  let s3 = v128.shuffle<i16>(r3, r4, 3, 10, 0, 0, 0, 0, 0, 11);
  s3 = v128.shuffle<i16>(s3, r5, 0, 1, 9, 3, 4, 5, 10, 7);
  s3 = v128.shuffle<i16>(s3, r6, 0, 1, 2, 8, 4, 9, 6, 7);
  s3 = v128.shuffle<i16>(s3, r7, 0, 1, 2, 3, 8, 5, 6, 7);
  let s4 = v128.shuffle<i16>(r0, r1, 0, 0, 14, 7, 15, 0, 0, 0);
  s4 = v128.shuffle<i16>(s4, r2, 0, 13, 2, 3, 4, 14, 6, 7);
  s4 = v128.shuffle<i16>(s4, r3, 12, 1, 2, 3, 4, 5, 13, 7);
  s4 = v128.shuffle<i16>(s4, r4, 0, 1, 2, 3, 4, 5, 6, 12);
  let s5 = v128.shuffle<i16>(r3, r4, 0, 0, 0, 0, 0, 0, 13, 6);
  s5 = v128.shuffle<i16>(s5, r5, 11, 1, 2, 3, 4, 12, 6, 7);
  s5 = v128.shuffle<i16>(s5, r6, 0, 10, 2, 3, 11, 5, 6, 7);
  s5 = v128.shuffle<i16>(s5, r7, 0, 1, 9, 10, 4, 5, 6, 7);
  let s6 = v128.shuffle<i16>(r2, r3, 7, 15, 0, 0, 0, 0, 0, 0);
  s6 = v128.shuffle<i16>(s6, r4, 0, 1, 14, 3, 4, 5, 6, 7);
  s6 = v128.shuffle<i16>(s6, r5, 0, 1, 2, 13, 4, 5, 6, 7);
  s6 = v128.shuffle<i16>(s6, r6, 0, 1, 2, 3, 12, 5, 6, 13);
  s6 = v128.shuffle<i16>(s6, r7, 0, 1, 2, 3, 4, 11, 12, 7);
  let s7 = v128.shuffle<i16>(r4, r5, 14, 7, 15, 0, 0, 0, 0, 0);
  s7 = v128.shuffle<i16>(s7, r6, 0, 1, 2, 14, 4, 5, 15, 7);
  s7 = v128.shuffle<i16>(s7, r7, 0, 1, 2, 3, 13, 14, 6, 15);
  v128.store(levels, s0);
  v128.store(levels, s1, 16);
  v128.store(levels, s2, 32);
  v128.store(levels, s3, 48);
  v128.store(levels, s4, 64);
  v128.store(levels, s5, 80);
  v128.store(levels, s6, 96);
  v128.store(levels, s7, 112);
  const zero = i16x8.splat(0);
  const m0 = <u64>v128.bitmask<i8>(v128.narrow<i16>(v128.ne<i16>(s0, zero), v128.ne<i16>(s1, zero)));
  const m1 = <u64>v128.bitmask<i8>(v128.narrow<i16>(v128.ne<i16>(s2, zero), v128.ne<i16>(s3, zero)));
  const m2 = <u64>v128.bitmask<i8>(v128.narrow<i16>(v128.ne<i16>(s4, zero), v128.ne<i16>(s5, zero)));
  const m3 = <u64>v128.bitmask<i8>(v128.narrow<i16>(v128.ne<i16>(s6, zero), v128.ne<i16>(s7, zero)));
  return m0 | (m1 << 16) | (m2 << 32) | (m3 << 48);
}
