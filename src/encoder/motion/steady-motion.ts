// Whether motion goes on from an anchor to the next one as it begins, and whether B pictures pay between them.
import type { MotionField } from '../../motion/estimator.js';
import { deviation } from '../../picture/block-differences.js';
import type { Picture } from '../../picture/picture.js';

/** What a field says of how well it predicts. */
type FieldCosts = Pick<MotionField, 'cost' | 'candidatesPerBlock'>;

/** A picture whose pels are looked at. */
type Pels = Pick<Picture, 'y' | 'grid'>;

/**
 * Motion is steady where the next anchor, predicted from an anchor, costs at most MAX_RISE times as much as the picture
 * after that anchor, and FREE_COST more a macroblock: a quarter of a level a pel, which matters where nothing moves.
 * The factor is chosen among 1.1, 1.2, 1.3 and 1.4 (docs/decisions/b-picture-search.md).
 */
const MAX_RISE = 1.2;
const FREE_COST = 64;

/**
 * One B picture pays more than several where motion is not steady and even the picture after an anchor is predicted
 * badly: it costs at least MIN_DEVIATIONS times what its pels deviate from the means of 8x8 blocks, and two levels a
 * pel. Once anchors are two pictures apart, any rise beyond FREE_COST counts (docs/decisions/b-picture-search.md).
 */
const MIN_DEVIATIONS = 0.45;
const MIN_COST = 512;
const MAX_NEAR_RISE = 1;
/**
 * None pays if that cost is also this much a macroblock for each unit of quantizer_scale, 0.75 levels a pel: then
 * predictions are coded anew in each picture, and so the nearest is the best (docs/decisions/b-picture-search.md).
 */
const MIN_COST_OF_SCALE = 192;

/** The deviation of a picture is that of blocks of this size, one in so many pels across and down. */
const BLOCK_SIZE = 8;
const BLOCK_DISTANCE = 64;

/** What the motion from an anchor to the next one is like. */
export interface MotionChange {
  readonly isSteady: boolean;
  /** How many B pictures pay between the anchors at most: 0 or 1, infinite where any number may. */
  readonly mostB: number;
}

/**
 * What the motion from an anchor to the next one is like, which is `distance` pictures later. `firstStep` is the motion
 * of the picture after the anchor, `whole` that of the next anchor, `first` that picture: without it, any number of B
 * pictures may pay. `scale`: quantizer_scale of P pictures; without it, one always may.
 */
export function motionChange(
  firstStep: FieldCosts,
  whole: FieldCosts,
  distance: number,
  first: Pels | undefined,
  scale = Number.POSITIVE_INFINITY,
): MotionChange {
  const [cost, wholeCost] = [meanCost(firstStep), meanCost(whole)];
  const isWithin = (rise: number) => wholeCost <= rise * cost + FREE_COST;
  const areFew =
    first !== undefined &&
    !isWithin(distance > 2 ? MAX_RISE : MAX_NEAR_RISE) &&
    cost >= MIN_COST &&
    cost >= MIN_DEVIATIONS * macroblockDeviation(first);
  const few = cost < MIN_COST_OF_SCALE * scale ? 1 : 0;
  return { isSteady: isWithin(MAX_RISE), mostB: areFew ? few : Number.POSITIVE_INFINITY };
}

/** The mean cost of the best vectors of all macroblocks. */
function meanCost({ cost, candidatesPerBlock: candidates }: FieldCosts): number {
  let sum = 0;
  for (let best = 0; best < cost.length; best += candidates) sum += cost[best]!;
  return (sum * candidates) / cost.length;
}

/** The mean deviation of the pels of a macroblock from the means of its 8x8 blocks, estimated from some of them. */
function macroblockDeviation({ y, grid: { codedWidth, codedHeight } }: Pels): number {
  let sum = 0;
  let blocks = 0;
  for (let row = 0; row < codedHeight; row += BLOCK_DISTANCE) {
    const start = (row / BLOCK_DISTANCE) % 2 === 0 ? 0 : BLOCK_DISTANCE / 2;
    for (let column = start; column < codedWidth; column += BLOCK_DISTANCE) {
      sum += deviation(y, row * codedWidth + column, codedWidth, BLOCK_SIZE).deviation;
      blocks++;
    }
  }
  return (4 * sum) / blocks;
}
