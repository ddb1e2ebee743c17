// The parameters of the estimator that an encode asks for.
import type { EstimatorParameters, Metric, SearchRange } from '../../motion/estimator.js';
import type { MacroblockGrid } from '../../picture/picture.js';

/** The options of the encoder that concern the search. */
export interface SearchOptions {
  readonly grid: MacroblockGrid;
  readonly metric: Metric;
  readonly range: SearchRange;
  readonly candidates: number;
}

/**
 * Cost of a vector bit. Where the pels say little, it keeps a field near zero, and so near to what is cheap to code and
 * to what really moves. For `sad` 24 was the best of 0, 16, 24, 32 and 48 for cpu-predictive; cpu-mrmp gains by up to
 * 48. `sse` has what that is worth where pels differ by 4, which is not measured.
 */
const LAMBDA = { sad: 24, sse: 192 } as const;

/** The parameters for a search of macroblocks. */
export function searchParameters({ grid, metric, range, candidates }: SearchOptions): EstimatorParameters {
  return {
    width: grid.codedWidth,
    height: grid.codedHeight,
    metric,
    blockSize: 16,
    range,
    candidatesPerBlock: candidates,
    lambda: LAMBDA[metric],
  };
}
