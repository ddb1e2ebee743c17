// Quantization of a block that is only coded or left out; see codeSingleMode in src/macroblock.
// Coefficients lie column by column: vector u holds the eight vertical frequencies of column u.
import { Quantizer } from '../generated/records';
import { sumLanes16, sumLanes32 } from '../lanes';
import { dequantizeColumn, lowestColumn, quantizeColumn, runLevelBits, twoColumnsBeyond, withSign } from './quantize';
import { positionOf } from './scan';
import { scratch } from '../scratch';

/** Where the levels are kept column by column. */
const unscanned = scratch(128);

/** What the levels of the block quantized last save in squared error, their bits, and the sum of |reconstruction|. */
export let savedDistortion: i32 = 0;
export let pairBits: i32 = 0;
export let magnitude: i32 = 0;

// @ts-ignore: decorator
@inline
function clearBlock(at: usize): void {
  const zero = i16x8.splat(0);
  v128.store(at, zero);
  v128.store(at, zero, 16);
  v128.store(at, zero, 32);
  v128.store(at, zero, 48);
  v128.store(at, zero, 64);
  v128.store(at, zero, 80);
  v128.store(at, zero, 96);
  v128.store(at, zero, 112);
}

/**
 * Quantizes a block that is not intra. Returns the scan position after the last level; 0 for a block without levels, of
 * which nothing is stored for good.
 */
export function quantizePlain(
  levels: usize,
  reconstruction: usize,
  coefficients: usize,
  quantizer: Quantizer,
  lengths: usize,
): i32 {
  const deadZone = quantizer.deadZone;
  let beyond =
    twoColumnsBeyond(v128.load(coefficients), v128.load(coefficients, 16), deadZone) |
    (twoColumnsBeyond(v128.load(coefficients, 32), v128.load(coefficients, 48), deadZone + 32) << 16) |
    (twoColumnsBeyond(v128.load(coefficients, 64), v128.load(coefficients, 80), deadZone + 64) << 32) |
    (twoColumnsBeyond(v128.load(coefficients, 96), v128.load(coefficients, 112), deadZone + 96) << 48);
  if (beyond == 0) return 0;
  clearBlock(reconstruction);
  const zero = i16x8.splat(0);
  let saved = i32x4.splat(0);
  let magnitudes = zero;
  let coded: u64 = 0;
  const base = unscanned;
  while (beyond != 0) {
    const first = lowestColumn(beyond);
    beyond &= ~(<u64>0xff << first);
    const column = <usize>(first >> 3);
    const coefficient = v128.load(coefficients + column * 16);
    const signs = v128.shr<i16>(coefficient, 15);
    const absolute = v128.abs<i16>(coefficient);
    const quantized = quantizeColumn(absolute, quantizer, column);
    const value = dequantizeColumn(quantized, quantizer, column, false);
    const level = v128.andnot(quantized, v128.eq<i16>(value, zero));
    // coefficient^2 - (coefficient - value)^2
    const wide = v128.shl<i16>(value, 3);
    saved = i32x4.add(saved, i32x4.dot_i16x8_s(wide, v128.sub<i16>(v128.shl<i16>(absolute, 1), wide)));
    magnitudes = v128.add<i16>(magnitudes, value);
    v128.store(base + column * 16, withSign(level, signs));
    v128.store(reconstruction + column * 16, withSign(value, signs));
    coded |= <u64>i16x8.bitmask(i16x8.ne(level, zero)) << first;
  }
  if (coded == 0) return 0; // weights so small that no level can be used
  clearBlock(levels);
  let mask: u64 = 0;
  while (coded != 0) {
    const place = <usize>ctz(coded);
    coded &= coded - 1;
    const position = positionOf(place);
    store<i16>(levels + (position << 1), load<i16>(base + (place << 1)));
    mask |= <u64>1 << <u64>position;
  }
  savedDistortion = sumLanes32(saved);
  magnitude = sumLanes16(magnitudes);
  pairBits = runLevelBits(levels, lengths, 0, mask);
  return 64 - <i32>clz(mask);
}
