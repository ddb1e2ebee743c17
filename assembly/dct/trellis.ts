// Rate-distortion optimal quantization of a block by dynamic programming over its run/level pairs.
import { Quantizer } from '../generated/records';
import { END_OF_BLOCK_BITS, LONG_ESCAPE_BITS, RUN_LEVEL_TABLE_STRIDE, SCAN } from '../generated/tables';
import {
  clearBlock,
  dequantizeColumn,
  energySum,
  loadColumn,
  lowestColumn,
  pairBits,
  quantizeColumn,
  storeCost,
  storeIntraDc,
  testDeadZone,
} from './quantize';
import { positionOf } from './scan';
import { scratch } from '../scratch';

/**
 * Column by column, 128 bytes apart: the levels of the coefficients, |reconstruction| of these, and of the levels
 * below.
 */
const bothWays = scratch(3 * 128);
const UPPER_VALUES = 128;
const LOWER_VALUES = 256;

/** Paths, one per coefficient that may be coded, 16 bytes each. */
const paths = scratch(64 * 16);
/** In a path: scan position, level, |reconstruction|, and the path before (-1: the start). */
const PATH_LEVEL = 4;
const PATH_VALUE = 8;
const PATH_BEFORE = 12;
/**
 * Paths that may still be part of the best one, oldest first, which is also cheapest first, 16 bytes each: cost, scan
 * position after their end, and their number (-1: the start).
 */
const survivors = scratch(65 * 16);
const SURVIVOR_NEXT = 4;
const SURVIVOR_PATH = 8;

// @ts-ignore: decorator
@inline
function pathAt(base: usize, path: i32): usize {
  return base + (<usize>path << 4);
}

/**
 * Quantizes the columns with places in `beyond`, and finds the reconstructions of both levels that each of their
 * coefficients may take. Returns a bit for each scan position whose level is not zero.
 */
// @ts-ignore: decorator
@inline
function quantizeBothWays(coefficients: usize, quantizer: Quantizer, intra: bool, beyond: u64): u64 {
  const base = bothWays;
  let coded: u64 = 0;
  while (beyond != 0) {
    const first = lowestColumn(beyond);
    beyond &= ~(<u64>0xff << first);
    const column = <usize>(first >> 3);
    const quantized = quantizeColumn(v128.abs<i16>(loadColumn(coefficients, column, intra)), quantizer, column);
    const value = dequantizeColumn(quantized, quantizer, column, intra);
    const level = v128.andnot(quantized, v128.eq<i16>(value, i16x8.splat(0)));
    const lower = v128.sub_sat<u16>(level, i16x8.splat(1));
    const at = base + column * 16;
    v128.store(at, level);
    v128.store(at, value, UPPER_VALUES);
    v128.store(at, dequantizeColumn(lower, quantizer, column, intra), LOWER_VALUES);
    coded |= <u64>i16x8.bitmask(i16x8.gt_s(level, i16x8.splat(0))) << first;
  }
  let mask: u64 = 0;
  while (coded != 0) {
    mask |= <u64>1 << <u64>positionOf(<usize>ctz(coded));
    coded &= coded - 1;
  }
  return mask;
}

/** Change of distortion when a coefficient is reconstructed as `value` instead of 0. */
// @ts-ignore: decorator
@inline
function distortionOf(magnitude: i32, value: i32): i32 {
  const error = magnitude - 8 * value;
  return error * error - magnitude * magnitude;
}

/** Quantizes a block with the cheapest levels; returns the scan position after the last non-zero level. */
export function quantizeBlockByTrellis(
  levels: usize,
  reconstruction: usize,
  coefficients: usize,
  quantizer: Quantizer,
  lengths: usize,
  intra: bool,
  lambda: i32,
): i32 {
  clearBlock(levels);
  let beyond = testDeadZone(reconstruction, coefficients, quantizer);
  if (intra) beyond &= ~1;
  else if (beyond == 0) {
    storeCost(energySum, energySum, 0, 0);
    return 0;
  }
  let mask = quantizeBothWays(coefficients, quantizer, intra, beyond);
  const both = bothWays;
  const firstPath = paths;
  const firstSurvivor = survivors;
  const endOfBlock = lambda * END_OF_BLOCK_BITS;
  let best = -1;
  let minCost = intra ? endOfBlock : 0;
  let path = 0;
  let end = firstSurvivor + 16;
  store<i32>(firstSurvivor, 0);
  store<i32>(firstSurvivor, intra ? 1 : 0, SURVIVOR_NEXT);
  store<i32>(firstSurvivor, -1, SURVIVOR_PATH);
  while (mask != 0) {
    const position = <i32>ctz(mask);
    mask &= mask - 1;
    const place = <usize>load<u8>(SCAN + <usize>position) << 1;
    const magnitude = abs<i32>(<i32>load<i16>(coefficients + place));
    const upper = <i32>load<i16>(both + place);
    const upperValue = <i32>load<i16>(both + place, UPPER_VALUES);
    const lowerValue = <i32>load<i16>(both + place, LOWER_VALUES);
    // For each survivor the level and the one below differ in the bits of the run alone.
    let upperCost = i32.MAX_VALUE;
    let upperBefore = firstSurvivor;
    let lowerCost = i32.MAX_VALUE;
    let lowerBefore = firstSurvivor;
    if (upper < RUN_LEVEL_TABLE_STRIDE) {
      const row = lengths + <usize>(position * RUN_LEVEL_TABLE_STRIDE + upper);
      for (let s = firstSurvivor; s < end; s += 16) {
        const code = row - <usize>(load<i32>(s, SURVIVOR_NEXT) * RUN_LEVEL_TABLE_STRIDE);
        const before = load<i32>(s);
        const upperTotal = before + lambda * <i32>load<u8>(code);
        const isUpper = upperTotal < upperCost;
        upperCost = select<i32>(upperTotal, upperCost, isUpper);
        upperBefore = select<usize>(s, upperBefore, isUpper);
        const lowerTotal = before + lambda * <i32>load<u8>(code - 1);
        const isLower = lowerTotal < lowerCost;
        lowerCost = select<i32>(lowerTotal, lowerCost, isLower);
        lowerBefore = select<usize>(s, lowerBefore, isLower);
      }
    } else {
      // Long escapes take the same bits after every run: the cheapest survivor, which is the oldest, is best.
      upperCost = load<i32>(firstSurvivor) + lambda * LONG_ESCAPE_BITS;
      lowerCost = upperCost;
      if (upper == RUN_LEVEL_TABLE_STRIDE) {
        lowerCost = i32.MAX_VALUE;
        const row = lengths + <usize>(position * RUN_LEVEL_TABLE_STRIDE + upper - 1);
        for (let s = firstSurvivor; s < end; s += 16) {
          const bits = <i32>load<u8>(row - <usize>(load<i32>(s, SURVIVOR_NEXT) * RUN_LEVEL_TABLE_STRIDE));
          const lowerTotal = load<i32>(s) + lambda * bits;
          if (lowerTotal >= lowerCost) continue;
          lowerCost = lowerTotal;
          lowerBefore = s;
        }
      }
    }
    upperCost += distortionOf(magnitude, upperValue);
    let level = upper;
    let value = upperValue;
    let before = upperBefore;
    if (position == 0 && upper == 1) upperCost -= lambda; // dct_coeff_first
    if (lowerValue != 0) {
      lowerCost += distortionOf(magnitude, lowerValue);
      if (position == 0 && upper == 2) lowerCost -= lambda;
      if (lowerCost < upperCost) {
        upperCost = lowerCost;
        level = upper - 1;
        value = lowerValue;
        before = lowerBefore;
      }
    }
    const at = pathAt(firstPath, path);
    store<i32>(at, position);
    store<i32>(at, level, PATH_LEVEL);
    store<i32>(at, value, PATH_VALUE);
    store<i32>(at, load<i32>(before, SURVIVOR_PATH), PATH_BEFORE);
    while (end > firstSurvivor && load<i32>(end - 16) >= upperCost) end -= 16;
    store<i32>(end, upperCost);
    store<i32>(end, position + 1, SURVIVOR_NEXT);
    store<i32>(end, path, SURVIVOR_PATH);
    end += 16;
    if (upperCost + endOfBlock < minCost) {
      minCost = upperCost + endOfBlock;
      best = path;
    }
    path++;
  }
  let distortion = energySum;
  let bits: i32 = intra || best >= 0 ? END_OF_BLOCK_BITS : 0;
  let magnitudes = 0;
  let chosen: u64 = 0;
  while (best >= 0) {
    const at = pathAt(firstPath, best);
    const position = load<i32>(at);
    const level = load<i32>(at, PATH_LEVEL);
    const value = load<i32>(at, PATH_VALUE);
    best = load<i32>(at, PATH_BEFORE);
    const next = best >= 0 ? load<i32>(pathAt(firstPath, best)) + 1 : intra ? 1 : 0;
    bits += pairBits(lengths, position, next, level);
    const place = <usize>load<u8>(SCAN + <usize>position) << 1;
    const coefficient = <i32>load<i16>(coefficients + place);
    const sign = coefficient >> 31;
    store<i16>(levels + (<usize>position << 1), <i16>((level ^ sign) - sign));
    store<i16>(reconstruction + place, <i16>((value ^ sign) - sign));
    distortion += distortionOf((coefficient ^ sign) - sign, value);
    magnitudes += value;
    chosen |= <u64>1 << <u64>position;
  }
  storeCost(distortion, energySum, bits, magnitudes);
  return intra ? storeIntraDc(levels, reconstruction, coefficients, chosen) : 64 - <i32>clz(chosen);
}
