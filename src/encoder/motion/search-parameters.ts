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

/** The parameters for a search of macroblocks by the metric alone. */
export function searchParameters({ grid, metric, range, candidates }: SearchOptions): EstimatorParameters {
  return {
    width: grid.codedWidth,
    height: grid.codedHeight,
    metric,
    blockSize: 16,
    range,
    candidatesPerBlock: candidates,
    lambda: Number((globalThis as any).process?.env?.LAM ?? 0),
  };
}
