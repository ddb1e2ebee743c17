// Rate-distortion optimal quantization of a block by dynamic programming over its run/level pairs.
import { Quantizer } from '../generated/records';
import { END_OF_BLOCK_BITS, LONG_ESCAPE_BITS, RUN_LEVEL_TABLE_STRIDE, SCAN } from '../generated/tables';
import { dequantizeColumn, isDropped, quantizeColumn, storeBlock } from './quantize';
import { scan, unscanned } from './scan';
import { scratch } from '../scratch';

/** |reconstruction| of the level of each coefficient, and of the level below, column by column. */
const upperValues = scratch(128);
const lowerValues = scratch(128);

/** Paths, one per coefficient that may be coded: scan position, level, and the path before (-1: the start). */
const pathPosition = scratch(64 * 4);
const pathLevel = scratch(64 * 4);
const pathBefore = scratch(64 * 4);
/**
 * Paths that may still be part of the best one, oldest first, which is also cheapest first: their number (-1: the
 * start), cost, and the scan position after their end.
 */
const survivorPath = scratch(65 * 4);
const survivorCost = scratch(65 * 4);
const survivorNext = scratch(65 * 4);

// @ts-ignore: decorator
@inline
function at(array: usize, index: i32): usize {
  return array + (<usize>index << 2);
}

/**
 * Quantizes the block into `unscanned` (magnitudes), with the reconstructions of both levels each coefficient may
 * take.
 */
// @ts-ignore: decorator
@inline
function quantizeBothWays(coefficients: usize, quantizer: Quantizer, intra: bool): void {
  for (let column: usize = 0; column < 8; column++) {
    const magnitude = v128.abs<i16>(v128.load(coefficients + column * 16));
    const quantized = quantizeColumn(magnitude, quantizer, column);
    const value = dequantizeColumn(quantized, quantizer, column, intra);
    const level = v128.andnot(quantized, v128.eq<i16>(value, i16x8.splat(0)));
    const lower = v128.sub_sat<u16>(level, i16x8.splat(1));
    v128.store(unscanned + column * 16, level);
    v128.store(upperValues + column * 16, value);
    v128.store(lowerValues + column * 16, dequantizeColumn(lower, quantizer, column, intra));
  }
  if (intra) store<i16>(unscanned, 0);
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
  if (!intra && isDropped(levels, reconstruction, coefficients, quantizer)) return 0;
  quantizeBothWays(coefficients, quantizer, intra);
  let mask = scan(levels);
  const endOfBlock = lambda * END_OF_BLOCK_BITS;
  let best = -1;
  let minCost = intra ? endOfBlock : 0;
  let paths = 0;
  let survivors = 1;
  store<i32>(survivorPath, -1);
  store<i32>(survivorCost, 0);
  store<i32>(survivorNext, intra ? 1 : 0);
  while (mask != 0) {
    const position = <i32>ctz(mask);
    mask &= mask - 1;
    const place = <usize>load<u8>(SCAN + <usize>position) << 1;
    const magnitude = abs<i32>(<i32>load<i16>(coefficients + place));
    const upper = <i32>load<i16>(unscanned + place);
    const lowerValue = <i32>load<i16>(lowerValues + place);
    const end = at(0, survivors);
    // For each survivor the level and the one below differ in the bits of the run alone.
    let upperCost = i32.MAX_VALUE;
    let upperBefore: usize = 0;
    let lowerCost = i32.MAX_VALUE;
    let lowerBefore: usize = 0;
    if (upper < RUN_LEVEL_TABLE_STRIDE) {
      const row = lengths + <usize>(position * RUN_LEVEL_TABLE_STRIDE + upper);
      for (let s: usize = 0; s < end; s += 4) {
        const code = row - <usize>(load<i32>(survivorNext + s) * RUN_LEVEL_TABLE_STRIDE);
        const before = load<i32>(survivorCost + s);
        const upperTotal = before + lambda * <i32>load<u8>(code);
        if (upperTotal < upperCost) {
          upperCost = upperTotal;
          upperBefore = s;
        }
        const lowerTotal = before + lambda * <i32>load<u8>(code - 1);
        if (lowerTotal < lowerCost) {
          lowerCost = lowerTotal;
          lowerBefore = s;
        }
      }
    } else {
      // Long escapes take the same bits after every run: the cheapest survivor, which is the oldest, is best.
      upperCost = load<i32>(survivorCost) + lambda * LONG_ESCAPE_BITS;
      lowerCost = upperCost;
      if (upper == RUN_LEVEL_TABLE_STRIDE) {
        lowerCost = i32.MAX_VALUE;
        const row = lengths + <usize>(position * RUN_LEVEL_TABLE_STRIDE + upper - 1);
        for (let s: usize = 0; s < end; s += 4) {
          const bits = <i32>load<u8>(row - <usize>(load<i32>(survivorNext + s) * RUN_LEVEL_TABLE_STRIDE));
          const lowerTotal = load<i32>(survivorCost + s) + lambda * bits;
          if (lowerTotal >= lowerCost) continue;
          lowerCost = lowerTotal;
          lowerBefore = s;
        }
      }
    }
    upperCost += distortionOf(magnitude, <i32>load<i16>(upperValues + place));
    let level = upper;
    let before = upperBefore;
    if (position == 0 && upper == 1) upperCost -= lambda; // dct_coeff_first
    if (lowerValue != 0) {
      lowerCost += distortionOf(magnitude, lowerValue);
      if (position == 0 && upper == 2) lowerCost -= lambda;
      if (lowerCost < upperCost) {
        upperCost = lowerCost;
        level = upper - 1;
        before = lowerBefore;
      }
    }
    store<i32>(at(pathPosition, paths), position);
    store<i32>(at(pathLevel, paths), level);
    store<i32>(at(pathBefore, paths), load<i32>(survivorPath + before));
    let last = end;
    while (last > 0 && load<i32>(survivorCost + last - 4) >= upperCost) last -= 4;
    store<i32>(survivorCost + last, upperCost);
    store<i32>(survivorPath + last, paths);
    store<i32>(survivorNext + last, position + 1);
    survivors = <i32>(last >> 2) + 1;
    if (upperCost + endOfBlock < minCost) {
      minCost = upperCost + endOfBlock;
      best = paths;
    }
    paths++;
  }
  for (let i: usize = 0; i < 128; i += 16) v128.store(unscanned + i, i16x8.splat(0));
  const any = best >= 0;
  while (best >= 0) {
    const place = <usize>load<u8>(SCAN + <usize>load<i32>(at(pathPosition, best))) << 1;
    store<i16>(unscanned + place, <i16>load<i32>(at(pathLevel, best)));
    best = load<i32>(at(pathBefore, best));
  }
  return storeBlock(levels, reconstruction, coefficients, quantizer, lengths, intra, any);
}
