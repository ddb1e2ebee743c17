import { penaltyTable } from '../../motion/cost.js';
import type { EstimatorParameters } from '../../motion/estimator.js';

/** Penalties as the shaders read them: by |dx| from entry 0 on, by |dy| from `firstY` on. */
export interface SearchPenalties {
  readonly words: Uint32Array;
  readonly firstY: number;
}

/**
 * Cost of the vector bits for every |dx| and |dy| that a search of pictures of `parameters`' size can ask for, in pels of
 * full resolution; a pyramid of `levels` rounds its ranges up, so its tables reach further.
 */
export function searchPenalties(parameters: EstimatorParameters, levels: number): SearchPenalties {
  const slack = 1 << levels;
  const byX = penaltyTable(parameters, parameters.width + slack);
  const byY = penaltyTable(parameters, parameters.height + slack);
  const words = new Uint32Array(byX.length + byY.length);
  words.set(byX);
  words.set(byY, byX.length);
  return { words, firstY: byX.length };
}
