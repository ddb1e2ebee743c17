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
 * to what really moves. For `sad` 48 of 4 to 96; `sse` has what that is worth where pels differ by 4.
 */
const LAMBDA = { sad: 48, sse: 384 } as const;

/** The parameters for a search of macroblocks. */
export function searchParameters({ grid, metric, range, candidates }: SearchOptions): EstimatorParameters {
  return {
    width: grid.codedWidth,
    height: grid.codedHeight,
    metric,
    blockSize: 16,
    range,
    candidatesPerBlock: candidates,
    lambda: Number((globalThis as any).process?.env?.LAM ?? LAMBDA[metric]),
  };
}
