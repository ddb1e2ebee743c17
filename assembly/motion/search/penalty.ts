// The cost of a vector's bits: exact for one vector, and as lower bounds for eight side by side.
import { scratch } from '../../scratch';

/** Largest |dx| that has a bound, and bounds behind the last one, which a vector may read. */
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

/** The entry of a component in a table. */
// @ts-ignore: decorator
@inline
function entryOf(table: usize, component: i32): usize {
  return table + ((<usize>abs(component) << level) << 2);
}

/** The penalty of a vector. */
// @ts-ignore: decorator
@inline
export function penalty(dx: i32, dy: i32): i32 {
  return (load<u32>(entryOf(tableX, dx)) + load<u32>(entryOf(tableY, dy))) >>> (2 * level);
}

/** Four penalties, from the table entries of dx and of dy. */
// @ts-ignore: decorator
@inline
function fromParts(x: v128, y: v128): v128 {
  return i32x4.shr_u(i32x4.add(x, y), 2 * level);
}

/** The penalties of the four neighbours along the axes, `step` pels away, in the order of NEIGHBOURS. */
// @ts-ignore: decorator
@inline
export function penaltiesAlong(dx: i32, dy: i32, step: i32): v128 {
  const x = v128.load32_lane(entryOf(tableX, dx - step), v128.load32_splat(entryOf(tableX, dx)), 1);
  const y = v128.load32_lane(entryOf(tableY, dy - step), v128.load32_splat(entryOf(tableY, dy)), 0);
  return fromParts(
    v128.load32_lane(entryOf(tableX, dx + step), x, 2),
    v128.load32_lane(entryOf(tableY, dy + step), y, 3),
  );
}

/** The same for the four diagonal neighbours. */
// @ts-ignore: decorator
@inline
export function penaltiesAcross(dx: i32, dy: i32, step: i32): v128 {
  const x = v128.load32_lane(entryOf(tableX, dx + step), v128.load32_zero(entryOf(tableX, dx - step)), 1);
  const y = v128.load32_lane(entryOf(tableY, dy + step), v128.load32_zero(entryOf(tableY, dy - step)), 1);
  return fromParts(v128.shuffle<i32>(x, x, 0, 1, 0, 1), v128.shuffle<i32>(y, y, 0, 0, 1, 1));
}

/** The table entries of dx - 1, dx and dx + 1 in lanes 0..2. */
// @ts-ignore: decorator
@inline
export function threeHorizontalParts(dx: i32): v128 {
  const two = v128.load32_lane(entryOf(tableX, dx), v128.load32_zero(entryOf(tableX, dx - 1)), 1);
  return v128.load32_lane(entryOf(tableX, dx + 1), two, 2);
}

/** The penalties of vectors with these table entries of dx and the vertical component `dy`. */
// @ts-ignore: decorator
@inline
export function penaltiesOfRow(parts: v128, dy: i32): v128 {
  return fromParts(parts, v128.load32_splat(entryOf(tableY, dy)));
}

/**
 * A lower bound of the vertical part. Added to the bound of the horizontal part it never exceeds the penalty, because
 * each part is rounded down.
 */
// @ts-ignore: decorator
@inline
export function penaltyBoundY(dy: i32): i32 {
  return load<u32>(entryOf(tableY, dy)) >>> (2 * level);
}

/** Pointer to the bounds of the horizontal part for dx, dx + 1, ... dx + 7: u16, at most 65535. */
// @ts-ignore: decorator
@inline
export function penaltyBoundsX(dx: i32): usize {
  return bounds + <usize>((REACH + dx) << 1);
}
