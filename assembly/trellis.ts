// Rate-distortion optimal quantisation; equals chooseLevels in src/kernels/reference/trellis.ts to the bit.

import {
  dequantizeColumn,
  END_OF_BLOCK_BITS,
  finishBlock,
  LENGTHS_STRIDE,
  LONG_ESCAPE_BITS,
  quantizeColumn,
  scan,
  unscanned,
} from './quantize';

/** Place of each scan position in a block kept column by column. */
const SCAN = memory.data<u8>([
  0, 8, 1, 2, 9, 16, 24, 17, 10, 3, 4, 11, 18, 25, 32, 40,
  33, 26, 19, 12, 5, 6, 13, 20, 27, 34, 41, 48, 56, 49, 42, 35,
  28, 21, 14, 7, 15, 22, 29, 36, 43, 50, 57, 58, 51, 44, 37, 30,
  23, 31, 38, 45, 52, 59, 60, 53, 46, 39, 47, 54, 61, 62, 55, 63,
]);

/** |reconstruction| of the level of each coefficient, and of the level below, column by column. */
const upperValues = memory.data(128, 16);
const lowerValues = memory.data(128, 16);

/** Paths, one per coefficient that may be coded: scan position, level, and the path before (-1: the start). */
const pathPosition = memory.data(64 * 4, 16);
const pathLevel = memory.data(64 * 4, 16);
const pathBefore = memory.data(64 * 4, 16);
/** Paths still worth going on from, oldest first: their number (-1: the start) and cost. */
const survivorPath = memory.data(65 * 4, 16);
const survivorCost = memory.data(65 * 4, 16);

// @ts-ignore: decorator
@inline
function at(array: usize, index: i32): usize {
  return array + (<usize>index << 2);
}

/** Quantises the block into `unscanned` (magnitudes), with the reconstructions of both levels each coefficient may take. */
// @ts-ignore: decorator
@inline
function quantizeBothWays(coefficients: usize, quantiser: usize, intra: bool): void {
  for (let column: usize = 0; column < 8; column++) {
    const magnitude = v128.abs<i16>(v128.load(coefficients + column * 16));
    const quantised = quantizeColumn(magnitude, quantiser, column);
    const value = dequantizeColumn(quantised, quantiser, column, intra);
    const level = v128.andnot(quantised, v128.eq<i16>(value, i16x8.splat(0)));
    const lower = v128.sub_sat<u16>(level, i16x8.splat(1));
    v128.store(unscanned + column * 16, level);
    v128.store(upperValues + column * 16, value);
    v128.store(lowerValues + column * 16, dequantizeColumn(lower, quantiser, column, intra));
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

export function quantizeBlockByTrellis(
  levels: usize,
  reconstruction: usize,
  coefficients: usize,
  quantiser: usize,
  lengths: usize,
  intra: bool,
  cost: usize,
  lambda: i32,
): i32 {
  quantizeBothWays(coefficients, quantiser, intra);
  let mask = scan(levels);
  const endOfBlock = lambda * END_OF_BLOCK_BITS;
  let best = -1;
  let leastCost = intra ? endOfBlock : 0;
  let paths = 0;
  let survivors = 1;
  store<i32>(survivorPath, -1);
  store<i32>(survivorCost, 0);
  while (mask != 0) {
    const position = <i32>ctz(mask);
    mask &= mask - 1;
    const place = <usize>load<u8>(SCAN + <usize>position) << 1;
    const magnitude = abs<i32>(<i32>load<i16>(coefficients + place));
    const upper = <i32>load<i16>(unscanned + place);
    const lowerValue = <i32>load<i16>(lowerValues + place);
    let pathCost = i32.MAX_VALUE;
    let level = 0;
    let before = 0;
    for (let lower = 0; lower < 2; lower++) {
      if (lower == 1 && lowerValue == 0) break;
      const tried = upper - lower;
      const distortion = distortionOf(magnitude, lower == 1 ? lowerValue : <i32>load<i16>(upperValues + place));
      const shorter = position == 0 && tried == 1 ? 1 : 0; // dct_coeff_first
      for (let s = 0; s < survivors; s++) {
        const from = load<i32>(at(survivorPath, s));
        const last = from < 0 ? (intra ? 0 : -1) : load<i32>(at(pathPosition, from));
        const run = position - last - 1;
        const length =
          tried < LENGTHS_STRIDE ? <i32>load<u8>(lengths + <usize>(run * LENGTHS_STRIDE + tried)) : LONG_ESCAPE_BITS;
        const total = load<i32>(at(survivorCost, s)) + distortion + lambda * (length - shorter);
        if (total < pathCost) {
          pathCost = total;
          level = tried;
          before = from;
        }
      }
    }
    store<i32>(at(pathPosition, paths), position);
    store<i32>(at(pathLevel, paths), level);
    store<i32>(at(pathBefore, paths), before);
    let kept = 0;
    for (let s = 0; s < survivors; s++) {
      const other = load<i32>(at(survivorCost, s));
      if (other >= pathCost) continue;
      store<i32>(at(survivorCost, kept), other);
      store<i32>(at(survivorPath, kept), load<i32>(at(survivorPath, s)));
      kept++;
    }
    store<i32>(at(survivorCost, kept), pathCost);
    store<i32>(at(survivorPath, kept), paths);
    survivors = kept + 1;
    if (pathCost + endOfBlock < leastCost) {
      leastCost = pathCost + endOfBlock;
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
  return finishBlock(levels, reconstruction, coefficients, quantiser, lengths, intra, cost, any);
}
