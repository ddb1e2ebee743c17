// Half-pel refinement of one 8x8 block; see SearchKernels.refineHalfPels.
import { SearchJob } from '../../generated/records';
import { block, maxDx, minDx, maxDy, minDy, match, stride } from './open-block';
import { absoluteFour8 } from './metric';
import { penalty } from './penalty';

let bestDx: i32 = 0;
let bestDy: i32 = 0;
let bestCost: i32 = 0;
/** Bytes of a plane. */
let plane: i32 = 0;

// @ts-ignore: decorator
@inline
function isLegal(dx: i32, dy: i32): bool {
  return dx >= 2 * minDx && dx <= 2 * maxDx && dy >= 2 * minDy && dy <= 2 * maxDy;
}

/** The match of a vector in half-pels; of the nearest legal one if it is illegal, so that it can be read. */
// @ts-ignore: decorator
@inline
function matchOf(dx: i32, dy: i32): usize {
  const x = max(2 * minDx, min(2 * maxDx, dx));
  const y = max(2 * minDy, min(2 * maxDy, dy));
  return match(x >> 1, y >> 1) + <usize>(((x & 1) + 2 * (y & 1)) * plane);
}

// @ts-ignore: decorator
@inline
function consider(sad: i32, dx: i32, dy: i32): void {
  if (!isLegal(dx, dy)) return;
  const cost = sad + penalty(dx >> 1, dy >> 1);
  if (cost >= bestCost) return;
  bestCost = cost;
  bestDx = dx;
  bestDy = dy;
}

/** Compares (dx + x0, dy + y0) and three more. */
// @ts-ignore: decorator
@inline
function considerFour(dx: i32, dy: i32, x0: i32, y0: i32, x1: i32, y1: i32, x2: i32, y2: i32, x3: i32, y3: i32): void {
  const sads = absoluteFour8(
    matchOf(dx + x0, dy + y0),
    matchOf(dx + x1, dy + y1),
    matchOf(dx + x2, dy + y2),
    matchOf(dx + x3, dy + y3),
  );
  consider(i32x4.extract_lane(sads, 0), dx + x0, dy + y0);
  consider(i32x4.extract_lane(sads, 1), dx + x1, dy + y1);
  consider(i32x4.extract_lane(sads, 2), dx + x2, dy + y2);
  consider(i32x4.extract_lane(sads, 3), dx + x3, dy + y3);
}

/** Refines the answer of the open block. */
export function refineHalfPel(job: SearchJob): void {
  const dxAt = job.dx + (<usize>block << 1);
  const dyAt = job.dy + (<usize>block << 1);
  const costAt = job.cost + (<usize>block << 2);
  plane = stride * job.height;
  const dx = 2 * <i32>load<i16>(dxAt);
  const dy = 2 * <i32>load<i16>(dyAt);
  bestDx = dx;
  bestDy = dy;
  bestCost = load<i32>(costAt);
  considerFour(dx, dy, 0, -1, -1, 0, 1, 0, 0, 1);
  considerFour(dx, dy, -1, -1, 1, -1, -1, 1, 1, 1);
  store<i16>(dxAt, <i16>bestDx);
  store<i16>(dyAt, <i16>bestDy);
  store<i32>(costAt, bestCost);
}
