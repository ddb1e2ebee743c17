// Differences of blocks: how far pels lie from their mean, and from other pels.
import { addAbsoluteDifferences, squaredDifferences, sumLanes16, sumLanes32 } from '../lanes';

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
  let total = i16x8.splat(0);
  let at = pels;
  for (let y = 0; y < 16; y++) {
    total = v128.add<i16>(total, i16x8.extadd_pairwise_i8x16_u(v128.load(at)));
    at += stride;
  }
  const mean = i8x16.splat(<i8>((sumLanes16(total) + 128) >> 8));
  let sum = i16x8.splat(0);
  for (let y = 0; y < 16; y++) {
    sum = addAbsoluteDifferences(sum, v128.load(pels), mean);
    pels += stride;
  }
  return sumLanes16(sum);
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
