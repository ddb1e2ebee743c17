// Tells which modes are likely enough to be coded; see src/macroblock.
import { transformBlock } from '../dct/transform-macroblock';
import { MacroblockTrial } from '../generated/records';
import {
  BLOCKS_PER_MACROBLOCK,
  BLOCK_BYTES,
  DEVIATION_FACTOR,
  ESTIMATED_BITS,
  EXCESS_FACTOR,
  MAX_WAY_BITS,
  REFINED_DEVIATION_FACTOR,
  UNLIKELY_COST_PART,
} from '../generated/tables';
import { sumLanes32 } from '../lanes';
import { best, coding, lambda, mbX, mbY, sourceDeviation, wantedScale } from './open-macroblock';
import { choices } from './row/coded-predictions';
import { predict } from './trial-coder';

/** Whether intra may be cheaper than the best prediction, whose SAD is given. */
export function mayPayAsIntra(sad: i32): bool {
  const factor = coding.fullRefinementRounds > 0 ? REFINED_DEVIATION_FACTOR : DEVIATION_FACTOR;
  return <f64>sourceDeviation() * factor < <f64>(sad + 256 * wantedScale);
}

/** The estimate of the trial that was transformed last. */
let estimate: f64 = 0;

/**
 * Predicts and transforms a trial; returns whether it may come near the cheapest prediction of the macroblock. If not,
 * blocks may be left out: the estimate is the sum of theirs.
 */
export function transformLikely(trial: MacroblockTrial): bool {
  const isFirst = best.cost == Infinity;
  const limit = choices.leastCost * UNLIKELY_COST_PART + lambda * MAX_WAY_BITS;
  const threshold = <i32>Math.sqrt(lambda * ESTIMATED_BITS);
  const perExcess = EXCESS_FACTOR * <f64>threshold;
  const thresholds = i16x8.splat(<i16>threshold);
  let squares = i32x4.splat(0);
  let excess = i32x4.splat(0);
  let at = trial.coefficients;
  predict(trial);
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    transformBlock(trial, coding.source, mbX, mbY, block, false);
    for (const end = at + BLOCK_BYTES; at < end; at += 16) {
      const magnitude = v128.abs<i16>(v128.load(at));
      const limited = v128.min<i16>(magnitude, thresholds);
      squares = v128.add<i32>(squares, v128.dot<i16>(limited, limited));
      excess = v128.add<i32>(excess, i32x4.extadd_pairwise_i16x8_u(v128.sub<i16>(magnitude, limited)));
    }
    estimate = <f64>sumLanes32(squares) + perExcess * <f64>sumLanes32(excess);
    if (!isFirst && estimate - choices.leastEstimate > limit) return false;
  }
  return true;
}

/** Remembers the trial that was transformed last, and is coded now, if it is the cheapest. */
export function compareEstimate(trial: MacroblockTrial): void {
  const coded = trial.codedPattern == 0 ? Infinity : trial.codedDistortion + lambda * <f64>trial.codedBits;
  const cost = min(coded, trial.emptyDistortion);
  if (cost >= choices.leastCost) return;
  choices.leastCost = cost;
  choices.leastEstimate = estimate;
}
