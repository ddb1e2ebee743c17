// Sums of the parts of the current block, eight copies of each, to compare with eight reference blocks at once.
import { blockSize, currentBlock, stride } from './open-block';
import { scratch } from '../../scratch';

export const splats4: usize = scratch(16 * 16);
export const splats8: usize = scratch(4 * 16);
export const splats16: usize = scratch(16);

/** |a - b| of eight u16. */
// @ts-ignore: decorator
@inline
export function absoluteDifference16(a: v128, b: v128): v128 {
  return v128.or(i16x8.sub_sat_u(a, b), i16x8.sub_sat_u(b, a));
}

/** Pairs of pels added up over four rows. */
// @ts-ignore: decorator
@inline
function fourRows(at: usize): v128 {
  let sum = i16x8.extadd_pairwise_i8x16_u(v128.load(at));
  sum = i16x8.add(sum, i16x8.extadd_pairwise_i8x16_u(v128.load(at + stride)));
  sum = i16x8.add(sum, i16x8.extadd_pairwise_i8x16_u(v128.load(at + 2 * stride)));
  return i16x8.add(sum, i16x8.extadd_pairwise_i8x16_u(v128.load(at + 3 * stride)));
}

/** Stores the splat of lane 0 of a + b + c + d. */
// @ts-ignore: decorator
@inline
function storeTotal(to: usize, a: usize, b: usize, c: usize, d: usize): void {
  v128.store(to, i16x8.add(i16x8.add(v128.load(a), v128.load(b)), i16x8.add(v128.load(c), v128.load(d))));
}

/** Fills the splats for the open block: parts in raster order. */
export function sumsOfCurrent(): void {
  const across = blockSize >> 2;
  let to = splats4;
  for (let y = 0; y < across; y++) {
    const sums = i32x4.extadd_pairwise_i16x8_u(fourRows(currentBlock + 4 * y * stride));
    v128.store(to, v128.shuffle<i16>(sums, sums, 0, 0, 0, 0, 0, 0, 0, 0));
    if (across > 1) v128.store(to, v128.shuffle<i16>(sums, sums, 2, 2, 2, 2, 2, 2, 2, 2), 16);
    if (across > 2) {
      v128.store(to, v128.shuffle<i16>(sums, sums, 4, 4, 4, 4, 4, 4, 4, 4), 32);
      v128.store(to, v128.shuffle<i16>(sums, sums, 6, 6, 6, 6, 6, 6, 6, 6), 48);
    }
    to += <usize>across << 4;
  }
  if (blockSize == 8) storeTotal(splats8, splats4, splats4 + 16, splats4 + 32, splats4 + 48);
  if (blockSize < 16) return;
  storeTotal(splats8, splats4, splats4 + 16, splats4 + 64, splats4 + 80);
  storeTotal(splats8 + 16, splats4 + 32, splats4 + 48, splats4 + 96, splats4 + 112);
  storeTotal(splats8 + 32, splats4 + 128, splats4 + 144, splats4 + 192, splats4 + 208);
  storeTotal(splats8 + 48, splats4 + 160, splats4 + 176, splats4 + 224, splats4 + 240);
  storeTotal(splats16, splats8, splats8 + 16, splats8 + 32, splats8 + 48);
}
