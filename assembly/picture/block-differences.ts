// Differences of blocks: how far pels lie from their mean, and from other pels.
import { addAbsoluteDifferences, addPels, squaredDifferences, sumLanes16, sumLanes32 } from '../lanes';

/** Sum of absolute differences of two 16x16 blocks, 0..65,280. */
export function sad16x16(a: usize, aStride: usize, b: usize, bStride: usize): i32 {
  let sum = i16x8.splat(0);
  for (let y = 0; y < 4; y++) {
    sum = addAbsoluteDifferences(sum, v128.load(a), v128.load(b));
    a += aStride;
    b += bStride;
    sum = addAbsoluteDifferences(sum, v128.load(a), v128.load(b));
    a += aStride;
    b += bStride;
    sum = addAbsoluteDifferences(sum, v128.load(a), v128.load(b));
    a += aStride;
    b += bStride;
    sum = addAbsoluteDifferences(sum, v128.load(a), v128.load(b));
    a += aStride;
    b += bStride;
  }
  return sumLanes16(sum);
}

/** Sum of squared differences of two 16x16 blocks. */
export function sse16x16(a: usize, aStride: usize, b: usize, bStride: usize): i32 {
  let sum = i32x4.splat(0);
  for (let y = 0; y < 16; y++) {
    sum = v128.add<i32>(sum, squaredDifferences(v128.load(a), v128.load(b)));
    a += aStride;
    b += bStride;
  }
  return sumLanes32(sum);
}

/** Sum of squared differences of two 8x8 blocks. */
export function sse8x8(a: usize, aStride: usize, b: usize, bStride: usize): i32 {
  let sum = i32x4.splat(0);
  for (let y = 0; y < 8; y++) {
    sum = v128.add<i32>(sum, squaredDifferences(v128.load64_zero(a), v128.load64_zero(b)));
    a += aStride;
    b += bStride;
  }
  return sumLanes32(sum);
}

export function deviation16x16(pels: usize, stride: usize): i32 {
  let sums = i16x8.splat(0);
  let at = pels;
  for (let y = 0; y < 16; y++) {
    sums = addPels(sums, v128.load(at));
    at += stride;
  }
  const total = sumLanes16(sums);
  const mean = (total + 128) >> 8;
  // Differences from the mean are twice what the pels exceed it by, plus the mean of each, less the pels.
  const means = i8x16.splat(<i8>mean);
  let excess = i16x8.splat(0);
  for (let y = 0; y < 16; y++) {
    excess = addPels(excess, v128.sub_sat<u8>(v128.load(pels), means));
    pels += stride;
  }
  return 2 * sumLanes16(excess) + 256 * mean - total;
}

export function sumSquaredDifferences(a: usize, b: usize, length: i32): f64 {
  let total: f64 = 0;
  let i = 0;
  while (i + 16 <= length) {
    // 4,096 pels at a time stay far inside 32 bits a lane.
    const stop = min(i + 4096, length & ~15);
    let sum = i32x4.splat(0);
    for (; i < stop; i += 16) sum = v128.add<i32>(sum, squaredDifferences(v128.load(a + i), v128.load(b + i)));
    total += <f64>sumLanes32(sum);
  }
  for (; i < length; i++) {
    const difference = <i32>load<u8>(a + i) - <i32>load<u8>(b + i);
    total += <f64>(difference * difference);
  }
  return total;
}
