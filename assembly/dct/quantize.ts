// Quantization and dequantization of a block, and what its levels cost.
// Coefficients lie column by column: vector u holds the eight vertical frequencies of column u.
import { Quantizer } from '../generated/records';
import { END_OF_BLOCK_BITS, LONG_ESCAPE_BITS, RUN_LEVEL_TABLE_STRIDE } from '../generated/tables';
import { sumLanes32 } from '../lanes';
import { scan, unscanned } from './scan';
import { scratch } from '../scratch';

/** What a block costs; see src/dct/quantize.ts. */
@unmanaged
class BlockCost {
  distortion: i32;
  energy: i32;
  bits: i32;
  magnitude: i32;
}

/** The cost of the block quantized last. */
export const blockCost: BlockCost = changetype<BlockCost>(scratch(16));

// @ts-ignore: decorator
@inline
function storeCost(distortion: i32, energy: i32, bits: i32, magnitude: i32): void {
  blockCost.distortion = distortion;
  blockCost.energy = energy;
  blockCost.bits = bits;
  blockCost.magnitude = magnitude;
}

/** Levels of eight coefficient magnitudes: truncate(magnitude * reciprocal + rounding), at most maxLevel. */
// @ts-ignore: decorator
@inline
export function quantizeColumn(magnitude: v128, quantizer: Quantizer, column: usize): v128 {
  const reciprocal = quantizer.reciprocal + column * 32;
  const rounding = quantizer.rounding + column * 32;
  const low = v128.convert<i32>(v128.extend_low<u16>(magnitude));
  const high = v128.convert<i32>(v128.extend_high<u16>(magnitude));
  const lowSteps = v128.add<f32>(v128.mul<f32>(low, v128.load(reciprocal)), v128.load(rounding));
  const highSteps = v128.add<f32>(v128.mul<f32>(high, v128.load(reciprocal, 16)), v128.load(rounding, 16));
  const levels = i16x8.narrow_i32x4_u(v128.trunc_sat<i32>(lowSteps), v128.trunc_sat<i32>(highSteps));
  return v128.min<i16>(levels, v128.load(quantizer.maxLevel + column * 16));
}

/** |reconstruction| of eight levels; ISO/IEC 11172-2 §2.4.4: scaled, truncated, made odd toward zero. */
// @ts-ignore: decorator
@inline
export function dequantizeColumn(levels: v128, quantizer: Quantizer, column: usize, intra: bool): v128 {
  const scale = v128.load(quantizer.scale + column * 16);
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
    const index = (position - next) * RUN_LEVEL_TABLE_STRIDE + magnitude;
    bits += magnitude < RUN_LEVEL_TABLE_STRIDE ? <i32>load<u8>(lengths + <usize>index) : LONG_ESCAPE_BITS;
    if (position == 0 && magnitude == 1) bits -= 1; // dct_coeff_first
    next = position + 1;
  }
  return bits;
}

/**
 * Whether all coefficients of a non-intra block lie in the dead zone. If so, stores the block without levels, and what
 * dropping all of it costs.
 */
// @ts-ignore: decorator
@inline
export function isDropped(levels: usize, reconstruction: usize, coefficients: usize, quantizer: Quantizer): bool {
  const deadZone = quantizer.deadZone;
  let beyond = i16x8.splat(0);
  let energy = i32x4.splat(0);
  for (let i: usize = 0; i < 128; i += 32) {
    const one = v128.load(coefficients + i);
    const other = v128.load(coefficients + i, 16);
    beyond = v128.or(beyond, i16x8.sub_sat_u(i16x8.abs(one), v128.load(deadZone + i)));
    beyond = v128.or(beyond, i16x8.sub_sat_u(i16x8.abs(other), v128.load(deadZone + i, 16)));
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
  storeCost(energySum, energySum, 0, 0);
  return true;
}

/** Quantizes a block; returns the scan position after the last non-zero level. */
export function quantizeBlock(
  levels: usize,
  reconstruction: usize,
  coefficients: usize,
  quantizer: Quantizer,
  lengths: usize,
  intra: bool,
): i32 {
  if (!intra && isDropped(levels, reconstruction, coefficients, quantizer)) return 0;
  let any = i16x8.splat(0);
  for (let column: usize = 0; column < 8; column++) {
    const magnitude = v128.abs<i16>(v128.load(coefficients + column * 16));
    const level = quantizeColumn(magnitude, quantizer, column);
    any = v128.or(any, level);
    v128.store(unscanned + column * 16, level);
  }
  return storeBlock(levels, reconstruction, coefficients, quantizer, lengths, intra, v128.any_true(any));
}

/**
 * Stores the block of level magnitudes at `unscanned` with signs and reconstruction, and what it costs. Levels that
 * reconstruct to 0 are dropped. `any` is false when all magnitudes are zero. Returns the scan position after the last
 * level.
 */
// @ts-ignore: decorator
@inline
export function storeBlock(
  levels: usize,
  reconstruction: usize,
  coefficients: usize,
  quantizer: Quantizer,
  lengths: usize,
  intra: bool,
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
    storeCost(distortionSum, energySum, 0, 0);
    return 0;
  }
  const mask = scan(levels);
  const bits = runLevelBits(levels, lengths, intra ? 1 : 0, intra ? mask & ~1 : mask);
  storeCost(distortionSum, energySum, mask == 0 && !intra ? 0 : bits, magnitudeSum);
  return 64 - <i32>clz(mask);
}
