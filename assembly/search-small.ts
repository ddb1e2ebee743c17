// The exhaustive search of one small block (4x4, 2x2) by absolute differences. A comparison costs so little there that choosing
// on the way would cost more; so it is done apart, in a second pass over a buffer.
import { absoluteEightSmall, prepareEight, spreadMetrics } from './search-eight';
import { offerLanes } from './search-exhaustive';
import { CANDIDATES, dxGreatest, dxLeast, dyGreatest, dyLeast, word } from './search-job';
import { penaltyBoundY, penaltyBoundsX } from './search-penalty';

/** Groups of eight vectors that the buffer holds; ±16 by ±8 makes 85. */
const MOST_GROUPS: usize = 256;
/** By group: eight metrics, eight costs (u16, at most 65535), dx and dy of the first vector. */
const values: usize = memory.data(256 * 16, 16);
const costs: usize = memory.data(256 * 16, 16);
const places: usize = memory.data(256 * 8, 16);
let groups: usize = 0;

/** The smallest cost in each lane. */
const lowest: usize = memory.data(16, 16);

/** All ones in the lanes past `count` where loaded from `8 - count` entries on. */
const past: usize = memory.data<u16>([0, 0, 0, 0, 0, 0, 0, 0, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff], 16);

/** The `rank`th smallest of the eight lanes' costs, counted from 1: at least so many vectors cost no more. */
function smallest(rank: i32): i32 {
  for (let i = 0; i < rank; i++) {
    for (let j = 7; j > i; j--) {
      const a = load<u16>(lowest + (<usize>(j - 1) << 1));
      const b = load<u16>(lowest + (<usize>j << 1));
      store<u16>(lowest + (<usize>(j - 1) << 1), <u16>min(a, b));
      store<u16>(lowest + (<usize>j << 1), <u16>max(a, b));
    }
  }
  return load<u16>(lowest + (<usize>(rank - 1) << 1));
}

/** Offers what may be among the best `rank` of the buffer, and empties it. */
function choose(rank: i32): void {
  // The costs here may be one too low, as penalties are rounded down twice.
  const limit = i16x8.splat(<i16>min(smallest(rank) + 1, 65535));
  for (let group: usize = 0; group < groups; group++) {
    const lanes = i16x8.bitmask(i16x8.le_u(v128.load(costs + (group << 4)), limit));
    if (lanes == 0) continue;
    const dx = load<i32>(places + (group << 3));
    spreadMetrics(v128.load(values + (group << 4)));
    offerLanes(lanes & (0xff >> max(0, dx + 7 - dxGreatest)), dx, load<i32>(places + (group << 3), 4));
  }
  groups = 0;
}

/** Tries every legal vector of the open block. */
export function exhaustSmall(job: usize): void {
  prepareEight();
  const rank = word(job, CANDIDATES);
  let minima = i16x8.splat(-1);
  for (let dy = dyLeast; dy <= dyGreatest; dy++) {
    const penaltyY = i16x8.splat(<i16>min(penaltyBoundY(dy), 65535));
    for (let dx = dxLeast; dx <= dxGreatest; dx += 8) {
      const value = absoluteEightSmall(dx, dy);
      const penalties = i16x8.add_sat_u(v128.load(penaltyBoundsX(dx)), penaltyY);
      const illegal = v128.load(past + (<usize>max(0, dx + 7 - dxGreatest) << 1));
      const cost = v128.or(i16x8.add_sat_u(value, penalties), illegal);
      v128.store(values + (groups << 4), value);
      v128.store(costs + (groups << 4), cost);
      store<i32>(places + (groups << 3), dx);
      store<i32>(places + (groups << 3), dy, 4);
      minima = i16x8.min_u(minima, cost);
      if (++groups < MOST_GROUPS) continue;
      v128.store(lowest, minima);
      choose(rank);
      minima = i16x8.splat(-1);
    }
  }
  v128.store(lowest, minima);
  choose(rank);
}
