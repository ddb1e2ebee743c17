// The best vectors of a block so far, in the estimator contract's order.
import { SearchJob } from '../../generated/records';
import { MAX_CANDIDATES } from '../../generated/tables';
import { block } from './open-block';
import { scratch } from '../../scratch';

/**
 * A vector and its cost in one number that sorts as the contract does; dx follows from |dx| + |dy|, dy and its sign:
 *
 *     58    27             14            1            0
 *     | cost | |dx| + |dy| | dy + 4096 | dx > 0 |
 */
const keys: usize = scratch(MAX_CANDIDATES * 8);
const COST_SHIFT = 27;
const DISTANCE_SHIFT = 14;
const COMPONENT_MASK = 0x1fff;
const COMPONENT_OFFSET = 4096;

let capacity: i32 = 0;
let count: i32 = 0;
let last: usize = keys;

/** Cost and |dx| + |dy| of the last place, once all places are taken: a new vector must be better. */
export let bound: i32 = i32.MAX_VALUE;
let boundDistance: i32 = i32.MAX_VALUE;

/** Empties the ranking. */
export function clearRanking(places: i32): void {
  capacity = places;
  count = 0;
  last = keys + (<usize>(places - 1) << 3);
  for (let at = keys; at <= last; at += 8) store<u64>(at, u64.MAX_VALUE);
  bound = i32.MAX_VALUE;
  boundDistance = i32.MAX_VALUE;
}

// @ts-ignore: decorator
@inline
function keyDistance(key: u64): i32 {
  return <i32>(key >> DISTANCE_SHIFT) & COMPONENT_MASK;
}

// @ts-ignore: decorator
@inline
function keyDy(key: u64): i32 {
  return (<i32>(key >> 1) & COMPONENT_MASK) - COMPONENT_OFFSET;
}

// @ts-ignore: decorator
@inline
function keyDx(key: u64): i32 {
  const magnitude = keyDistance(key) - abs(keyDy(key));
  return (key & 1) != 0 ? magnitude : -magnitude;
}

/** The largest cost that a vector at least `distance` from zero may have to enter the ranking. */
// @ts-ignore: decorator
@inline
export function entryLimit(distance: i32): i32 {
  return bound - <i32>(distance > boundDistance);
}

/** Enters a vector if it is good enough and not in the ranking yet. */
export function offer(cost: i32, dx: i32, dy: i32): void {
  if (cost > bound) return;
  const vector = ((abs(dx) + abs(dy)) << DISTANCE_SHIFT) | ((dy + COMPONENT_OFFSET) << 1) | <i32>(dx > 0);
  const key = (<u64>cost << COST_SHIFT) | <u64>(<u32>vector);
  if (key >= load<u64>(last)) return;
  // Each place keeps the better vector and passes the other on; a branch on costs would be mispredicted. A vector that
  // is in the ranking already meets itself before it has changed anything.
  let passed = key;
  for (let at = keys; at <= last; at += 8) {
    const other = load<u64>(at);
    if (other == key) return;
    const isBetter = passed < other;
    store<u64>(at, isBetter ? passed : other);
    passed = isBetter ? other : passed;
  }
  if (count < capacity) count++;
  if (count < capacity) return;
  const worst = load<u64>(last);
  bound = <i32>(worst >> COST_SHIFT);
  boundDistance = keyDistance(worst);
}

/** Displacements of the best vector so far. */
// @ts-ignore: decorator
@inline
export function bestDx(): i32 {
  return keyDx(load<u64>(keys));
}
// @ts-ignore: decorator
@inline
export function bestDy(): i32 {
  return keyDy(load<u64>(keys));
}

/** Writes the ranking as the answer of the open block; the last vector fills the places that are left. */
export function writeRanking(job: SearchJob): void {
  const first: usize = block * job.candidates;
  for (let k = 0; k < capacity; k++) {
    const key = load<u64>(keys + (<usize>min(k, count - 1) << 3));
    const entry = first + <usize>k;
    store<i16>(job.dx + (entry << 1), <i16>keyDx(key));
    store<i16>(job.dy + (entry << 1), <i16>keyDy(key));
    store<i32>(job.cost + (entry << 2), <i32>(key >> COST_SHIFT));
  }
}
