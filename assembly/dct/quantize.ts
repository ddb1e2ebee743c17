// Quantization and dequantization of a block, and what its levels cost.
// Coefficients lie column by column: vector u holds the eight vertical frequencies of column u.
import { Quantizer } from '../generated/records';
import {
  DC_OFFSET,
  DC_STEP,
  DC_STEP_SHIFT,
  END_OF_BLOCK_BITS,
  LONG_ESCAPE_BITS,
  RUN_LEVEL_TABLE_STRIDE,
} from '../generated/tables';
import { sumLanes32 } from '../lanes';
import { placeOf, positionsOf } from './scan';
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
export function storeCost(distortion: i32, energy: i32, bits: i32, magnitude: i32): void {
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

/** Bits of the level magnitude at a scan position after a run of zeros that began at `next`. */
// @ts-ignore: decorator
@inline
export function pairBits(lengths: usize, position: i32, next: i32, magnitude: i32): i32 {
  const index = (position - next) * RUN_LEVEL_TABLE_STRIDE + magnitude;
  const bits = magnitude < RUN_LEVEL_TABLE_STRIDE ? <i32>load<u8>(lengths + <usize>index) : LONG_ESCAPE_BITS;
  return position == 0 && magnitude == 1 ? bits - 1 : bits; // dct_coeff_first
}

/**
 * Stores the non-zero levels, which lie column by column at `unscanned`, in the order of the scan. Returns the bits of
 * those, whose positions are marked in `mask`, runs counted from scan position `first`, end_of_block included.
 */
// @ts-ignore: decorator
@inline
function scanLevels(levels: usize, unscanned: usize, lengths: usize, first: i32, mask: u64): i32 {
  let bits: i32 = END_OF_BLOCK_BITS;
  let next = first;
  while (mask != 0) {
    const position = <i32>ctz(mask);
    mask &= mask - 1;
    const level = <i32>load<i16>(unscanned + (placeOf(position) << 1));
    store<i16>(levels + (<usize>position << 1), <i16>level);
    bits += pairBits(lengths, position, next, abs<i32>(level));
    next = position + 1;
  }
  return bits;
}

/** Sum of the squared coefficients of the block whose dead zone was tested last. */
export let energySum: i32 = 0;

/** A bit for each of 16 coefficients beyond the dead zone. */
// @ts-ignore: decorator
@inline
function twoColumnsBeyond(one: v128, other: v128, deadZone: usize): u64 {
  const low = i16x8.gt_s(i16x8.abs(one), v128.load(deadZone));
  const high = i16x8.gt_s(i16x8.abs(other), v128.load(deadZone, 16));
  return <u64>i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
}

/** Stores a block of zeros. */
// @ts-ignore: decorator
@inline
export function clearBlock(at: usize): void {
  const zero = i16x8.splat(0);
  for (let i = 0; i < 8; i++) v128.store(at + <usize>(i << 4), zero);
}

/**
 * A bit for each coefficient beyond the dead zone, column by column: the others are quantized to level 0. Sets
 * `energySum`, and stores a block of zeros as reconstruction.
 */
// @ts-ignore: decorator
@inline
export function testDeadZone(reconstruction: usize, coefficients: usize, quantizer: Quantizer): u64 {
  const deadZone = quantizer.deadZone;
  const zero = i16x8.splat(0);
  let energy = i32x4.splat(0);
  let beyond: u64 = 0;
  for (let i = 0; i < 4; i++) {
    const at = <usize>(i << 5);
    const one = v128.load(coefficients + at);
    const other = v128.load(coefficients + at, 16);
    energy = i32x4.add(energy, i32x4.add(i32x4.dot_i16x8_s(one, one), i32x4.dot_i16x8_s(other, other)));
    beyond |= twoColumnsBeyond(one, other, deadZone + at) << (i << 4);
    v128.store(reconstruction + at, zero);
    v128.store(reconstruction + at, zero, 16);
  }
  energySum = sumLanes32(energy);
  return beyond;
}

/** The places (`u * 8 + v`) of the column of the lowest place in `mask`. */
// @ts-ignore: decorator
@inline
export function lowestColumn(mask: u64): u64 {
  return ctz(mask) & 56;
}

/** A column of an intra block without its DC coefficient, which has a quantizer of its own. */
// @ts-ignore: decorator
@inline
export function loadColumn(coefficients: usize, column: usize, intra: bool): v128 {
  const coefficient = v128.load(coefficients + column * 16);
  return intra && column == 0 ? v128.replace_lane<i16>(coefficient, 0, 0) : coefficient;
}

/** Where `quantizeColumns` leaves the levels column by column; those of columns without any are undefined. */
export const unscanned: usize = scratch(128);

/**
 * Quantizes a block without the DC of an intra one. Returns a bit for each scan position with a level. Sets what the
 * block costs but for its bits.
 */
export function quantizeColumns(reconstruction: usize, coefficients: usize, quantizer: Quantizer, intra: bool): u64 {
  let beyond = testDeadZone(reconstruction, coefficients, quantizer);
  if (intra) beyond &= ~1;
  let change = i32x4.splat(0);
  let magnitudes = i16x8.splat(0);
  let mask: u64 = 0;
  const base = unscanned;
  // Columns without a coefficient beyond the dead zone are all zero.
  while (beyond != 0) {
    const first = lowestColumn(beyond);
    beyond &= ~(<u64>0xff << first);
    const column = <usize>(first >> 3);
    const coefficient = loadColumn(coefficients, column, intra);
    const signs = v128.shr<i16>(coefficient, 15);
    const magnitude = v128.abs<i16>(coefficient);
    const quantized = quantizeColumn(magnitude, quantizer, column);
    const value = dequantizeColumn(quantized, quantizer, column, intra);
    const level = v128.andnot(quantized, v128.eq<i16>(value, i16x8.splat(0)));
    const error = v128.sub<i16>(magnitude, v128.shl<i16>(value, 3));
    change = i32x4.add(change, i32x4.sub(i32x4.dot_i16x8_s(error, error), i32x4.dot_i16x8_s(magnitude, magnitude)));
    magnitudes = v128.add<i16>(magnitudes, value);
    v128.store(base + column * 16, withSign(level, signs));
    v128.store(reconstruction + column * 16, withSign(value, signs));
    mask |= positionsOf(column, <usize>i16x8.bitmask(i16x8.gt_s(level, i16x8.splat(0))));
  }
  const magnitudeSum = sumLanes32(i32x4.extadd_pairwise_i16x8_u(magnitudes));
  storeCost(energySum + sumLanes32(change), energySum, 0, magnitudeSum);
  return mask;
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
  clearBlock(levels);
  const mask = quantizeColumns(reconstruction, coefficients, quantizer, intra);
  if (intra || mask != 0) blockCost.bits = scanLevels(levels, unscanned, lengths, <i32>intra, mask);
  return intra ? storeIntraDc(levels, reconstruction, coefficients, mask) : 64 - <i32>clz(mask);
}

/**
 * Adds the DC coefficient to an intra block whose cost and AC levels, marked in `mask`, are stored. Returns the scan
 * position after the last non-zero level.
 */
// @ts-ignore: decorator
@inline
export function storeIntraDc(levels: usize, reconstruction: usize, coefficients: usize, mask: u64): i32 {
  const coefficient = <i32>load<i16>(coefficients);
  const level = max(0, min(255, (coefficient + DC_OFFSET + DC_STEP / 2) >> DC_STEP_SHIFT));
  const error = coefficient + DC_OFFSET - level * DC_STEP;
  const change = error * error - coefficient * coefficient;
  blockCost.distortion += change;
  blockCost.energy += change;
  blockCost.magnitude += level * 8;
  store<i16>(levels, <i16>level);
  store<i16>(reconstruction, <i16>(level * 8));
  return 64 - <i32>clz(mask | <u64>(level != 0));
}
