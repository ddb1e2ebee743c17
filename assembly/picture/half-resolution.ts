// Pictures at half resolution, for the lookahead: halving, planes between the pels, deviations, SADs against a mean.
import { absoluteDifference, addAbsoluteDifferences, sumLanes16, twoRowsOf8 } from '../lanes';

// @ts-ignore: decorator
@inline
function pairs(pels: v128): v128 {
  return i16x8.extadd_pairwise_i8x16_u(pels);
}

export function sadOfMean8x8(block: usize, past: usize, future: usize, stride: usize): i32 {
  let sum = i16x8.splat(0);
  for (let y = 0; y < 4; y++) {
    const mean = i8x16.avgr_u(twoRowsOf8(past, stride), twoRowsOf8(future, stride));
    sum = addAbsoluteDifferences(sum, twoRowsOf8(block, stride), mean);
    block += 2 * stride;
    past += 2 * stride;
    future += 2 * stride;
  }
  return sumLanes16(sum);
}

export function halveByMeans(target: usize, targetStride: usize, source: usize, width: i32, height: i32): void {
  const two = i16x8.splat(2);
  for (let y = 0; y < height; y += 2) {
    let above = source + <usize>(y * width);
    const end = above + <usize>width;
    let to = target;
    for (; above < end; above += 16) {
      const sums = i16x8.add(pairs(v128.load(above)), pairs(v128.load(above + <usize>width)));
      const means = i16x8.shr_u(i16x8.add(sums, two), 2);
      v128.store64_lane(to, i8x16.narrow_i16x8_u(means, means), 0);
      to += 8;
    }
    target += targetStride;
  }
}

export function deviations8x8(deviations: usize, plane: usize, width: i32, height: i32): i32 {
  const stride = <usize>width;
  let total = 0;
  for (let y = 0; y < height; y += 8) {
    for (let x = 0; x < width; x += 8) {
      const at = plane + <usize>(y * width + x);
      const r0 = twoRowsOf8(at, stride);
      const r1 = twoRowsOf8(at + 2 * stride, stride);
      const r2 = twoRowsOf8(at + 4 * stride, stride);
      const r3 = twoRowsOf8(at + 6 * stride, stride);
      const sum = sumLanes16(i16x8.add(i16x8.add(pairs(r0), pairs(r1)), i16x8.add(pairs(r2), pairs(r3))));
      const mean = i8x16.splat(<i8>((sum + 32) >> 6));
      const d01 = addAbsoluteDifferences(pairs(absoluteDifference(r0, mean)), r1, mean);
      const d23 = addAbsoluteDifferences(pairs(absoluteDifference(r2, mean)), r3, mean);
      store<u16>(deviations, <u16>sumLanes16(i16x8.add(d01, d23)));
      deviations += 2;
      total += sum;
    }
  }
  return total;
}

export function halfPelPlanes(planes: usize, width: i32, height: i32): void {
  const size = <usize>(width * height);
  const stride = <usize>width;
  const right = planes + size;
  for (let at: usize = 0; at < size; at += 16) {
    v128.store(right + at, i8x16.avgr_u(v128.load(planes + at), v128.load(planes + at, 1)));
  }
  const below = right + size;
  const both = below + size;
  for (let at: usize = 0; at < size - stride; at += 16) {
    v128.store(below + at, i8x16.avgr_u(v128.load(planes + at), v128.load(planes + at + stride)));
    v128.store(both + at, i8x16.avgr_u(v128.load(right + at), v128.load(right + at + stride)));
  }
}
