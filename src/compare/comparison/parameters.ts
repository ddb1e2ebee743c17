import { resolveOptions } from '../../encoder/settings/resolve-options.js';
import type { EstimatorParameters } from '../../motion/estimator.js';
import type { ComparisonJob } from './compare-estimators.js';

/** What an encode of this comparison makes its estimator with: a search on its own is then the same search. */
export function parametersOf({ frames, frameRate, encoder }: ComparisonJob): EstimatorParameters {
  const { width, height } = frames[0]!;
  const { grid, range, metric, candidates } = resolveOptions({ ...encoder, width, height, frameRate });
  return {
    width: grid.codedWidth,
    height: grid.codedHeight,
    metric,
    blockSize: 16,
    range,
    candidatesPerBlock: candidates,
    lambda: 0,
  };
}
