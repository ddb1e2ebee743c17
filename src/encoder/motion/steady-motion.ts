// Whether motion goes on from an anchor to the next one as it begins.
import type { MotionField } from '../../motion/estimator.js';

/** What a field says of how well it predicts. */
type FieldCosts = Pick<MotionField, 'cost' | 'candidatesPerBlock'>;

/**
 * Where motion is steady, the next anchor is predicted from an anchor at no more than so many times what the picture
 * after that one costs, and this more a macroblock: a quarter of a level a pel, which matters where nothing moves. The
 * factor is chosen among 1.1, 1.2, 1.3 and 1.4 (docs/decisions/b-picture-search.md).
 */
const MAX_RISE = 1.2;
const FREE_COST = 64;

/** By the motion of the picture after an anchor from there, and that of the next anchor. */
export function isSteady(firstStep: FieldCosts, whole: FieldCosts): boolean {
  return meanCost(whole) <= MAX_RISE * meanCost(firstStep) + FREE_COST;
}

/** Of the best vectors of all macroblocks. */
function meanCost({ cost, candidatesPerBlock: candidates }: FieldCosts): number {
  let sum = 0;
  for (let best = 0; best < cost.length; best += candidates) sum += cost[best]!;
  return (sum * candidates) / cost.length;
}
