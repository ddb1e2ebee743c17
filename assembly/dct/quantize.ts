// Quantization in WASM SIMD; each kernel equals its namesake in src/dct/transform-kernels.ts to the bit.
// Blocks of coefficients are kept column by column: vector u holds the eight vertical frequencies of column u.

import { sumLanes32 } from '../lanes';

/** Levels column by column, before they are put into scan order. */
export const unscanned = memory.data(128, 16);

/** Run/level bit table: entries per run, bits of what lies beyond, bits of end_of_block. */
export const LENGTHS_STRIDE = 128;
export const LONG_ESCAPE_BITS = 28;
export const END_OF_BLOCK_BITS = 2;

/** Levels of eight coefficient magnitudes: truncate(magnitude * reciprocal + rounding), at most maxLevel. */
// @ts-ignore: decorator
@inline
export function quantizeColumn(magnitude: v128, quantizer: usize, column: usize): v128 {
  const at = quantizer + column * 32;
  const low = v128.convert<i32>(v128.extend_low<u16>(magnitude));
  const high = v128.convert<i32>(v128.extend_high<u16>(magnitude));
  const lowSteps = v128.add<f32>(v128.mul<f32>(low, v128.load(at)), v128.load(at, 256));
  const highSteps = v128.add<f32>(v128.mul<f32>(high, v128.load(at, 16)), v128.load(at, 272));
  const levels = i16x8.narrow_i32x4_u(v128.trunc_sat<i32>(lowSteps), v128.trunc_sat<i32>(highSteps));
  return v128.min<i16>(levels, v128.load(quantizer + 640 + column * 16));
}

/** |reconstruction| of eight levels; ISO/IEC 11172-2 §2.4.4: scaled, truncated, made odd toward zero. */
// @ts-ignore: decorator
@inline
export function dequantizeColumn(levels: v128, quantizer: usize, column: usize, intra: bool): v128 {
  const scale = v128.load(quantizer + 512 + column * 16);
  const doubled = v128.shl<i16>(levels, 1);
  const factor = intra ? doubled : v128.or(doubled, i16x8.splat(1));
  const low = v128.shr<u32>(v128.extmul_low<u16>(factor, scale), 4);
  const high = v128.shr<u32>(v128.extmul_high<u16>(factor, scale), 4);
  const truncated = v128.narrow<i32>(low, high);
  const odd = v128.or(v128.sub<i16>(truncated, i16x8.splat(1)), i16x8.splat(1));
  const none = v128.or(v128.eq<i16>(truncated, i16x8.splat(0)), v128.eq<i16>(levels, i16x8.splat(0)));
  return v128.andnot(odd, none);
}

/** `values` with the sign of `signs` (0 or -1 in each lane). */
// @ts-ignore: decorator
@inline
function withSign(values: v128, signs: v128): v128 {
  return v128.sub<i16>(v128.xor(values, signs), signs);
}

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

/** Bits of the non-zero levels marked in `mask`, runs counted from scan position `first`, end_of_block included. */
// @ts-ignore: decorator
@inline
function runLevelBits(levels: usize, lengths: usize, first: i32, mask: u64): i32 {
  let bits: i32 = END_OF_BLOCK_BITS;
  let next = first;
  while (mask != 0) {
    const position = <i32>ctz(mask);
    mask &= mask - 1;
    const magnitude = abs<i32>(<i32>load<i16>(levels + (<usize>position << 1)));
    const index = (position - next) * LENGTHS_STRIDE + magnitude;
    bits += magnitude < LENGTHS_STRIDE ? <i32>load<u8>(lengths + <usize>index) : LONG_ESCAPE_BITS;
    if (position == 0 && magnitude == 1) bits -= 1; // dct_coeff_first
    next = position + 1;
  }
  return bits;
}

/**
 * Stores a non-intra block without levels, and what leaving all of it out costs, where all its coefficients lie in the dead zone;
 * returns whether they do.
 */
// @ts-ignore: decorator
@inline
export function drop(levels: usize, reconstruction: usize, coefficients: usize, quantizer: usize, cost: usize): bool {
  let beyond = i16x8.splat(0);
  let energy = i32x4.splat(0);
  for (let i: usize = 0; i < 128; i += 32) {
    const one = v128.load(coefficients + i);
    const other = v128.load(coefficients + i, 16);
    beyond = v128.or(beyond, i16x8.sub_sat_u(i16x8.abs(one), v128.load(quantizer + i, 768)));
    beyond = v128.or(beyond, i16x8.sub_sat_u(i16x8.abs(other), v128.load(quantizer + i, 784)));
    energy = i32x4.add(energy, i32x4.add(i32x4.dot_i16x8_s(one, one), i32x4.dot_i16x8_s(other, other)));
  }
  if (v128.any_true(beyond)) return false;
  const zero = i16x8.splat(0);
  for (let i: usize = 0; i < 128; i += 32) {
    v128.store(levels + i, zero);
    v128.store(levels + i, zero, 16);
    v128.store(reconstruction + i, zero);
    v128.store(reconstruction + i, zero, 16);
  }
  const energySum = sumLanes32(energy);
  store<i32>(cost, energySum);
  store<i32>(cost, energySum, 4);
  store<i32>(cost, 0, 8);
  store<i32>(cost, 0, 12);
  return true;
}

export function quantizeBlock(
  levels: usize,
  reconstruction: usize,
  coefficients: usize,
  quantizer: usize,
  lengths: usize,
  intra: bool,
  cost: usize,
): i32 {
  if (!intra && drop(levels, reconstruction, coefficients, quantizer, cost)) return 0;
  let any = i16x8.splat(0);
  for (let column: usize = 0; column < 8; column++) {
    const magnitude = v128.abs<i16>(v128.load(coefficients + column * 16));
    const level = quantizeColumn(magnitude, quantizer, column);
    any = v128.or(any, level);
    v128.store(unscanned + column * 16, level);
  }
  return finishBlock(levels, reconstruction, coefficients, quantizer, lengths, intra, cost, v128.any_true(any));
}

/**
 * Stores the block of level magnitudes at `unscanned` with signs and reconstruction, and fills its cost. Levels that
 * reconstruct to nothing are dropped. `any` is false when all magnitudes are zero.
 */
// @ts-ignore: decorator
@inline
export function finishBlock(
  levels: usize,
  reconstruction: usize,
  coefficients: usize,
  quantizer: usize,
  lengths: usize,
  intra: bool,
  cost: usize,
  any: bool,
): i32 {
  let distortion = i32x4.splat(0);
  let energy = i32x4.splat(0);
  let magnitudes = i16x8.splat(0);
  for (let column: usize = 0; column < 8; column++) {
    let coefficient = v128.load(coefficients + column * 16);
    if (intra && column == 0) coefficient = v128.replace_lane<i16>(coefficient, 0, 0);
    const signs = v128.shr<i16>(coefficient, 15);
    const magnitude = v128.abs<i16>(coefficient);
    let quantized = v128.load(unscanned + column * 16);
    if (intra && column == 0) quantized = v128.replace_lane<i16>(quantized, 0, 0);
    const value = dequantizeColumn(quantized, quantizer, column, intra);
    const level = v128.andnot(quantized, v128.eq<i16>(value, i16x8.splat(0)));
    const error = v128.sub<i16>(magnitude, v128.shl<i16>(value, 3));
    distortion = v128.add<i32>(distortion, v128.dot<i16>(error, error));
    energy = v128.add<i32>(energy, v128.dot<i16>(magnitude, magnitude));
    magnitudes = v128.add<i16>(magnitudes, value);
    v128.store(unscanned + column * 16, withSign(level, signs));
    v128.store(reconstruction + column * 16, withSign(value, signs));
  }
  let distortionSum = sumLanes32(distortion);
  let energySum = sumLanes32(energy);
  let magnitudeSum = sumLanes32(i32x4.extadd_pairwise_i16x8_u(magnitudes));
  if (intra) {
    const coefficient = <i32>load<i16>(coefficients);
    const level = max(0, min(255, (coefficient + 8192 + 32) >> 6));
    const error = coefficient + 8192 - level * 64;
    distortionSum += error * error;
    energySum += error * error;
    magnitudeSum += level * 8;
    store<i16>(unscanned, <i16>level);
    store<i16>(reconstruction, <i16>(level * 8));
  } else if (!any) {
    for (let i: usize = 0; i < 128; i += 16) v128.store(levels + i, i16x8.splat(0));
    store<i32>(cost, distortionSum);
    store<i32>(cost, energySum, 4);
    store<i32>(cost, 0, 8);
    store<i32>(cost, 0, 12);
    return 0;
  }
  const mask = scan(levels);
  const bits = runLevelBits(levels, lengths, intra ? 1 : 0, intra ? mask & ~1 : mask);
  store<i32>(cost, distortionSum);
  store<i32>(cost, energySum, 4);
  store<i32>(cost, mask == 0 && !intra ? 0 : bits, 8);
  store<i32>(cost, magnitudeSum, 12);
  return 64 - <i32>clz(mask);
}

