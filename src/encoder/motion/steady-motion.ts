// Whether motion goes on from an anchor to the next one as it begins.
import type { MotionField } from '../../motion/estimator.js';

/** What a field says of how well it predicts. */
type FieldCosts = Pick<MotionField, 'cost' | 'candidatesPerBlock'>;

/**
 * Motion is steady where the next anchor, predicted from an anchor, costs at most MAX_RISE times as much as the picture
 * after that anchor, and FREE_COST more a macroblock: a quarter of a level a pel, which matters where nothing moves.
 * The factor is chosen among 1.1, 1.2, 1.3 and 1.4 (docs/decisions/b-picture-search.md).
 */
const MAX_RISE = 1.2;
const FREE_COST = 64;

/** Whether motion from an anchor is steady: `firstStep` is that of the picture after it, `whole` of the next anchor. */
export function isSteady(firstStep: FieldCosts, whole: FieldCosts): boolean {
  return meanCost(whole) <= MAX_RISE * meanCost(firstStep) + FREE_COST;
}

/** The mean cost of the best vectors of all macroblocks. */
function meanCost({ cost, candidatesPerBlock: candidates }: FieldCosts): number {
  let sum = 0;
  for (let best = 0; best < cost.length; best += candidates) sum += cost[best]!;
  return (sum * candidates) / cost.length;
}
