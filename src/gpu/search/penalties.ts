// The penalties of vectors as the shaders read them: one table by |dx| and |dy|.
import { penaltyTable } from '../../motion/cost.js';
import type { EstimatorParameters } from '../../motion/estimator.js';

/** Penalties by |dx| from entry 0 on, then by |dy| from entry `firstY` on. */
export interface SearchPenalties {
  readonly words: Uint32Array;
  readonly firstY: number;
}

/**
 * Penalties for every |dx| and |dy| that a search with `parameters` can ask for, in pels of full resolution. A pyramid
 * of `levels` rounds its ranges up, so its tables reach a little beyond the picture.
 */
export function searchPenalties(parameters: EstimatorParameters, levels: number): SearchPenalties {
  const roundingPels = 1 << levels;
  const byX = penaltyTable(parameters, parameters.width + roundingPels);
  const byY = penaltyTable(parameters, parameters.height + roundingPels);
  const words = new Uint32Array(byX.length + byY.length);
  words.set(byX);
  words.set(byY, byX.length);
  return { words, firstY: byX.length };
}
