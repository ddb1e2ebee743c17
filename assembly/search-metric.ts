// The metric of one vector, in full.
import { absoluteDifference, sumLanes16, sumLanes32 } from './lanes';
import { blockSize, currentBlock, match, squared, stride } from './search-job';

// @ts-ignore: decorator
@inline
function absoluteRow16(a: usize, b: usize): v128 {
  return i16x8.extadd_pairwise_i8x16_u(absoluteDifference(v128.load(a), v128.load(b)));
}

function absolute16(a: usize, b: usize): i32 {
  let sum = i16x8.splat(0);
  for (let j = 0; j < 4; j++) {
    sum = i16x8.add(sum, absoluteRow16(a, b));
    a += stride;
    b += stride;
    sum = i16x8.add(sum, absoluteRow16(a, b));
    a += stride;
    b += stride;
    sum = i16x8.add(sum, absoluteRow16(a, b));
    a += stride;
    b += stride;
    sum = i16x8.add(sum, absoluteRow16(a, b));
    a += stride;
    b += stride;
  }
  return sumLanes16(sum);
}

// @ts-ignore: decorator
@inline
function twoRows8(at: usize): v128 {
  return v128.load64_lane(at + stride, v128.load64_zero(at), 1);
}

function absolute8(a: usize, b: usize): i32 {
  let sum = i16x8.splat(0);
  for (let j = 0; j < 4; j++) {
    sum = i16x8.add(sum, i16x8.extadd_pairwise_i8x16_u(absoluteDifference(twoRows8(a), twoRows8(b))));
    a += 2 * stride;
    b += 2 * stride;
  }
  return sumLanes16(sum);
}

// @ts-ignore: decorator
@inline
function squares8(a: usize, b: usize): v128 {
  const difference = i16x8.sub(v128.load8x8_u(a), v128.load8x8_u(b));
  return i32x4.dot_i16x8_s(difference, difference);
}

function squares(a: usize, b: usize): i32 {
  let sum = i32x4.splat(0);
  for (let j = 0; j < blockSize; j++) {
    sum = i32x4.add(sum, squares8(a, b));
    if (blockSize == 16) sum = i32x4.add(sum, squares8(a + 8, b + 8));
    a += stride;
    b += stride;
  }
  return sumLanes32(sum);
}

function small(a: usize, b: usize): i32 {
  let sum = 0;
  for (let j = 0; j < blockSize; j++) {
    for (let i = 0; i < blockSize; i++) {
      const difference = <i32>load<u8>(a + i) - <i32>load<u8>(b + i);
      sum += squared ? difference * difference : abs(difference);
    }
    a += stride;
    b += stride;
  }
  return sum;
}

/** The metric of the open block for one vector. */
export function metric(dx: i32, dy: i32): i32 {
  const a = currentBlock;
  const b = match(dx, dy);
  if (blockSize < 8) return small(a, b);
  if (squared) return squares(a, b);
  return blockSize == 16 ? absolute16(a, b) : absolute8(a, b);
}
