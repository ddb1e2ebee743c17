// The search around kept vectors of one block; see SearchKernels.searchNeighbourhoods.
import { SearchJob } from '../../generated/records';
import { MAX_CANDIDATES } from '../../generated/tables';
import { block, blockSize, maxDx, minDx, maxDy, minDy, squared } from './open-block';
import { absoluteNine } from './absolute-nine';
import { absoluteThree, metric } from './metric';
import { penaltiesOfRow, penalty, threeHorizontalParts } from './penalty';
import { bound, offer } from './ranking';
import { scratch } from '../../scratch';

/** Twice each kept vector, i32. */
const centresX: usize = scratch(MAX_CANDIDATES * 4);
const centresY: usize = scratch(MAX_CANDIDATES * 4);
/** Costs of three vectors side by side. */
const three: usize = scratch(16);
/** Metrics of three vectors side by side in three rows. */
const nine: usize = scratch(3 * 16);

/**
 * Offers those of the three vectors from (dx, dy) to the right whose cost is within the bound; all are legal. `parts`
 * are the table entries of their dx, see `threeHorizontalParts`.
 */
// @ts-ignore: decorator
@inline
function offerThree(metrics: v128, parts: v128, dx: i32, dy: i32): void {
  const costs = i32x4.add(metrics, penaltiesOfRow(parts, dy));
  let lanes = i32x4.bitmask(i32x4.le_s(costs, i32x4.splat(bound))) & 7;
  if (lanes == 0) return;
  v128.store(three, costs);
  for (; lanes != 0; lanes &= lanes - 1) {
    const lane = ctz(lanes);
    offer(load<i32>(three + (<usize>lane << 2)), dx + lane, dy);
  }
}

// @ts-ignore: decorator
@inline
function doubled(components: usize, entry: i32): i32 {
  return 2 * <i32>load<i16>(components + (<usize>entry << 1));
}

/**
 * A bit for each vector of row `dy` from `dx - radius` on; set if it lies in the neighbourhood of an earlier centre.
 */
// @ts-ignore: decorator
@inline
function triedBefore(centre: usize, radius: i32, dx: i32, dy: i32): i32 {
  const all = (1 << (2 * radius + 1)) - 1;
  let tried = 0;
  for (let other: usize = 0; other < centre; other += 4) {
    if (abs(dy - load<i32>(centresY + other)) > radius) continue;
    const shift = load<i32>(centresX + other) - dx;
    if (abs(shift) > 2 * radius) continue;
    tried |= shift < 0 ? all >> -shift : all << shift;
  }
  return tried;
}

// @ts-ignore: decorator
@inline
function offerMetric(value: i32, dx: i32, dy: i32): void {
  const cost = value + penalty(dx, dy);
  if (cost <= bound) offer(cost, dx, dy);
}

/** Offers those of the three vectors from (dx, dy) to the right that are in `lanes` and within the bound. */
// @ts-ignore: decorator
@inline
function offerMetrics(metrics: v128, lanes: i32, dx: i32, dy: i32): void {
  lanes &= i32x4.bitmask(i32x4.le_s(metrics, i32x4.splat(bound)));
  v128.store(three, metrics);
  for (; lanes != 0; lanes &= lanes - 1) {
    const lane = ctz(lanes);
    offerMetric(load<i32>(three + (<usize>lane << 2)), dx + lane, dy);
  }
}

/** Tries the vectors from (dx, dy) to the right whose bit in `wanted` is set; three at a time if they lie together. */
// @ts-ignore: decorator
@inline
function searchRun(wanted: i32, dx: i32, dy: i32): void {
  const together = !squared && blockSize >= 8;
  while (wanted != 0) {
    const skipped = ctz(wanted);
    wanted >>= skipped;
    dx += skipped;
    if (!together || wanted == 1) {
      offerMetric(metric(dx, dy), dx, dy);
      wanted >>= 1;
      dx += 1;
      continue;
    }
    offerMetrics(absoluteThree(dx, dy), wanted & 7, dx, dy);
    wanted >>= 3;
    dx += 3;
  }
}

/** Tries the legal vectors around twice each kept vector of the open block, each once. */
export function searchKept(job: SearchJob): void {
  const radius = job.radius;
  const count = job.kept;
  for (let k = 0; k < count; k++) {
    store<i32>(centresX + (<usize>k << 2), doubled(job.keptDx, block * count + k));
    store<i32>(centresY + (<usize>k << 2), doubled(job.keptDy, block * count + k));
  }
  const end = <usize>count << 2;
  for (let centre: usize = 0; centre < end; centre += 4) {
    const centreX = load<i32>(centresX + centre);
    const centreY = load<i32>(centresY + centre);
    const first = max(centreX - radius, minDx);
    const last = min(centreX + radius, maxDx);
    if (first > last) continue;
    const isWhole = last - first == 2 && centreY > minDy && centreY < maxDy;
    if (isWhole && radius == 1 && blockSize == 16 && !squared) {
      absoluteNine(centreX, centreY, nine);
      const parts = threeHorizontalParts(centreX);
      offerThree(v128.load(nine, 16), parts, first, centreY);
      offerThree(v128.load(nine), parts, first, centreY - 1);
      offerThree(v128.load(nine, 32), parts, first, centreY + 1);
      continue;
    }
    for (let dy = max(centreY - radius, minDy); dy <= min(centreY + radius, maxDy); dy++) {
      const tried = triedBefore(centre, radius, centreX, dy) >> (first - centreX + radius);
      searchRun(~tried & ((2 << (last - first)) - 1), first, dy);
    }
  }
}
