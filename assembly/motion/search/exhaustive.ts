// The exhaustive search of one block, without early exits; see SearchKernels.searchExhaustively.
import { SearchJob } from '../../generated/records';
import {
  absoluteEight,
  absoluteEightSmall,
  metrics,
  prepareEight,
  spreadMetrics,
  squaresEight,
  squaresEightSmall,
} from './eight-vectors';
import { blockSize, blockX, blockY, maxDx, minDx, maxDy, minDy, squared, stride } from './open-block';
import { penalty, penaltyBoundY, penaltyBoundsX } from './penalty';
import { entryLimit, offer } from './ranking';

/** Offers those of the eight vectors from `dx` whose bit is set, their metrics in `metrics`. */
export function offerLanes(lanes: i32, dx: i32, dy: i32): void {
  while (lanes != 0) {
    const lane = ctz(lanes);
    lanes &= lanes - 1;
    offer(load<i32>(metrics + (<usize>lane << 2)) + penalty(dx + lane, dy), dx + lane, dy);
  }
}

/** Smallest |dx| among `count` vectors from `dx`. */
// @ts-ignore: decorator
@inline
export function minDistance(dx: i32, count: i32): i32 {
  return max(max(dx, -(dx + count - 1)), 0);
}

/** Bits of the eight u16 metrics that with their penalty may be within `limit`. */
// @ts-ignore: decorator
@inline
export function lanesWithin16(values: v128, dx: i32, limit: i32): i32 {
  const costs = i16x8.add_sat_u(values, v128.load(penaltyBoundsX(dx)));
  return i16x8.bitmask(i16x8.le_u(costs, i16x8.splat(<i16>min(limit, 65535))));
}

/** The same for eight u32 values in two vectors; `scale` is a shift of the penalties. */
// @ts-ignore: decorator
@inline
export function lanesWithin32(low: v128, high: v128, dx: i32, limit: i32, scale: i32): i32 {
  const penalties = v128.load(penaltyBoundsX(dx));
  const limits = i32x4.splat(limit);
  const first = i32x4.le_s(i32x4.add(low, i32x4.shl(i32x4.extend_low_i16x8_u(penalties), scale)), limits);
  const last = i32x4.le_s(i32x4.add(high, i32x4.shl(i32x4.extend_high_i16x8_u(penalties), scale)), limits);
  return i16x8.bitmask(i16x8.narrow_i32x4_s(first, last));
}

/** Tries every legal vector of the open block. */
export function exhaust(job: SearchJob): void {
  prepareEight();
  const sums = blockSize == 16 ? job.sums16 : job.sums8;
  for (let dy = minDy; dy <= maxDy; dy++) {
    const penaltyY = penaltyBoundY(dy);
    const rowSums: usize = sums + <usize>(((blockY + dy) * stride + blockX) << 1);
    for (let dx = minDx; dx <= maxDx; dx += 8) {
      const count = min(8, maxDx - dx + 1);
      const limit = entryLimit(minDistance(dx, count) + abs(dy)) - penaltyY;
      let lanes = 0;
      if (squared) {
        if (blockSize < 8) squaresEightSmall(dx, dy);
        else squaresEight(dx, dy);
        lanes = lanesWithin32(v128.load(metrics), v128.load(metrics, 16), dx, limit, 0);
      } else {
        const values = blockSize < 8 ? absoluteEightSmall(dx, dy) : absoluteEight(dx, dy, rowSums + <usize>(dx << 1));
        lanes = limit < 0 ? 0 : lanesWithin16(values, dx, limit);
        if (lanes != 0) spreadMetrics(values);
      }
      offerLanes(lanes & ((1 << count) - 1), dx, dy);
    }
  }
}
