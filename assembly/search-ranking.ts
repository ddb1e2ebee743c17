// The best vectors of a block so far, in the estimator contract's order.
import { COST, CANDIDATES, DX, DY, block, word } from './search-job';

const MAX_CANDIDATES = 8;
const costs: usize = memory.data(MAX_CANDIDATES * 4, 16);
/** |dx| + |dy|, dy and dx in one number that sorts as the tie rule does. */
const keys: usize = memory.data(MAX_CANDIDATES * 8, 16);

let capacity: i32 = 0;
let count: i32 = 0;

/** Cost and |dx| + |dy| of the last place, once all places are taken: what a newcomer has to beat. */
export let bound: i32 = i32.MAX_VALUE;
export let boundDistance: i32 = i32.MAX_VALUE;

/** Empties the ranking. */
export function clearRanking(places: i32): void {
  capacity = places;
  count = 0;
  bound = i32.MAX_VALUE;
  boundDistance = i32.MAX_VALUE;
}

// @ts-ignore: decorator
@inline
function keyDx(key: u64): i32 {
  return <i32>(key & 0xffff) - 32768;
}

// @ts-ignore: decorator
@inline
function keyDy(key: u64): i32 {
  return <i32>((key >> 16) & 0xffff) - 32768;
}

/** The largest cost that a vector at least `distance` from zero may have to enter the ranking. */
// @ts-ignore: decorator
@inline
export function entryLimit(distance: i32): i32 {
  return bound - <i32>(distance > boundDistance);
}

/** Offers a vector; one that is in the ranking already is not entered twice. */
export function offer(cost: i32, dx: i32, dy: i32): void {
  if (cost > bound) return;
  const key = (<u64>(abs(dx) + abs(dy)) << 32) | (<u64>(dy + 32768) << 16) | <u64>(dx + 32768);
  let place = count;
  while (place > 0) {
    const above = load<i32>(costs + (<usize>(place - 1) << 2));
    const aboveKey = load<u64>(keys + (<usize>(place - 1) << 3));
    if (cost > above || (cost == above && key > aboveKey)) break;
    if (cost == above && key == aboveKey) return;
    place--;
  }
  if (place == capacity) return;
  if (count < capacity) count++;
  for (let k = count - 1; k > place; k--) {
    store<i32>(costs + (<usize>k << 2), load<i32>(costs + (<usize>(k - 1) << 2)));
    store<u64>(keys + (<usize>k << 3), load<u64>(keys + (<usize>(k - 1) << 3)));
  }
  store<i32>(costs + (<usize>place << 2), cost);
  store<u64>(keys + (<usize>place << 3), key);
  if (count == capacity) {
    bound = load<i32>(costs + (<usize>(count - 1) << 2));
    boundDistance = <i32>(load<u64>(keys + (<usize>(count - 1) << 3)) >> 32);
  }
}

/** Displacements and cost of the best vector so far. */
export function bestDx(): i32 {
  return keyDx(load<u64>(keys));
}
export function bestDy(): i32 {
  return keyDy(load<u64>(keys));
}

/** Writes the ranking as the answer of the open block; the last vector fills what is left. */
export function writeRanking(job: usize): void {
  const first: usize = block * word(job, CANDIDATES);
  for (let k = 0; k < capacity; k++) {
    const from: usize = min(k, count - 1);
    const key = load<u64>(keys + (from << 3));
    const entry = first + <usize>k;
    store<i16>(<usize>word(job, DX) + (entry << 1), <i16>keyDx(key));
    store<i16>(<usize>word(job, DY) + (entry << 1), <i16>keyDy(key));
    store<i32>(<usize>word(job, COST) + (entry << 2), load<i32>(costs + (from << 2)));
  }
}
