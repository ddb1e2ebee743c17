// The cost of a vector's bits: exact for one vector, and as lower bounds for eight side by side.
import { scratch } from '../../scratch';

/** Reach of a row of bounds in pels to each side, and lanes past its end. */
const REACH = 4096;
const LANES = 8;
const bounds: usize = scratch((2 * REACH + 2 * LANES) * 2);

let tableX: usize = 0;
let tableY: usize = 0;
let level: i32 = 0;
/** Whether any vector in range has a penalty; known once the bounds are made. */
export let hasPenalties: bool = false;

/** Sets the tables. */
export function setPenalties(x: usize, y: usize, pyramidLevel: i32): void {
  tableX = x;
  tableY = y;
  level = pyramidLevel;
}

/** Makes the bounds for |dx| <= `rangeX`, and `hasPenalties`. Reads the tables up to both ranges. */
export function setPenaltyBounds(rangeX: i32, rangeY: i32): void {
  const x = tableX;
  const y = tableY;
  let any: u32 = 0;
  for (let dy = 0; dy <= rangeY; dy++) any |= load<u32>(y + ((<usize>dy << level) << 2));
  for (let dx = 0; dx <= rangeX; dx++) {
    const full = load<u32>(x + ((<usize>dx << level) << 2));
    const bound = <u16>min<u32>(full >> (2 * level), 65535);
    any |= full;
    store<u16>(bounds + ((REACH + dx) << 1), bound);
    store<u16>(bounds + ((REACH - dx) << 1), bound);
  }
  hasPenalties = any != 0;
}

/** The penalty of a vector. */
// @ts-ignore: decorator
@inline
export function penalty(dx: i32, dy: i32): i32 {
  const x = load<u32>(tableX + ((<usize>abs(dx) << level) << 2));
  const y = load<u32>(tableY + ((<usize>abs(dy) << level) << 2));
  return (x + y) >>> (2 * level);
}

/**
 * A lower bound of the vertical part. Added to the bound of the horizontal part it never exceeds the penalty, because
 * each part is rounded down.
 */
// @ts-ignore: decorator
@inline
export function penaltyBoundY(dy: i32): i32 {
  return load<u32>(tableY + ((<usize>abs(dy) << level) << 2)) >>> (2 * level);
}

/** Pointer to the bounds of the horizontal part for dx, dx + 1, ... dx + 7: u16, at most 65535. */
// @ts-ignore: decorator
@inline
export function penaltyBoundsX(dx: i32): usize {
  return bounds + <usize>((REACH + dx) << 1);
}
