// Tells which modes are likely enough to be coded.
import { MACROBLOCK_SIZE } from '../picture/picture.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import {
  DEVIATION_FACTOR,
  ESTIMATED_BITS,
  EXCESS_FACTOR,
  MAX_WAY_BITS,
  REFINED_DEVIATION_FACTOR,
  UNLIKELY_COST_PART,
} from './mode-limits.js';
import type { OpenMacroblock } from './open-macroblock.js';

/** Luma pels of a macroblock: the error of quantization is taken for one quantizer_scale a pel. */
const LUMA_PELS = MACROBLOCK_SIZE * MACROBLOCK_SIZE;

/** Whether intra may be cheaper than the best prediction, whose SAD is given. */
export function mayPayAsIntra(macroblock: OpenMacroblock, sad: number): boolean {
  const factor = macroblock.coding.fullRefinementRounds > 0 ? REFINED_DEVIATION_FACTOR : DEVIATION_FACTOR;
  return macroblock.sourceDeviation() * factor < sad + LUMA_PELS * macroblock.wantedScale;
}

/** An estimate of distortion + lambda * bits of the blocks of a trial, from its coefficients; see ESTIMATED_BITS. */
export function estimateCost({ lambda }: OpenMacroblock, { coefficients }: MacroblockTrial): number {
  const threshold = Math.floor(Math.sqrt(lambda * ESTIMATED_BITS));
  let squares = 0;
  let excess = 0;
  for (const coefficient of coefficients) {
    const magnitude = Math.abs(coefficient);
    const limited = Math.min(magnitude, threshold);
    squares += limited * limited;
    excess += magnitude - limited;
  }
  return squares + EXCESS_FACTOR * threshold * excess;
}

/** Whether a prediction with an estimate may come near the cheapest one of the macroblock. The first always may. */
export function mayBeCheap({ best, choices, lambda }: OpenMacroblock, estimate: number): boolean {
  const { leastCost, leastEstimate } = choices;
  if (best.cost === Number.POSITIVE_INFINITY) return true;
  return estimate - leastEstimate <= leastCost * UNLIKELY_COST_PART + lambda * MAX_WAY_BITS;
}

/** Remembers a prediction that has been coded, and its estimate, if it is the cheapest. */
export function compareEstimate(macroblock: OpenMacroblock, trial: MacroblockTrial, estimate: number): void {
  const { choices, lambda } = macroblock;
  const { codedPattern, codedDistortion, codedBits, emptyDistortion } = trial;
  const coded = codedPattern === 0 ? Number.POSITIVE_INFINITY : codedDistortion + lambda * codedBits;
  const cost = Math.min(coded, emptyDistortion);
  if (cost < choices.leastCost) Object.assign(choices, { leastCost: cost, leastEstimate: estimate });
}
