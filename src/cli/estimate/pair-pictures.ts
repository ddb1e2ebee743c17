// The pictures of a pair that show what motion compensation does.
import type { SearchedPair } from '../../compare/motion-fields/pair-search.js';
import type { PairStudy } from '../../compare/motion-fields/pair-study.js';
import type { Canvas } from '../../compare/overlay/canvas.js';
import { drawDifference } from '../../compare/overlay/difference.js';
import { drawVectorGrid, drawVectors } from '../../compare/overlay/vectors.js';

/** A searched pair and its prediction. */
interface PredictedPair extends Pick<SearchedPair, 'current' | 'reference' | 'field'> {
  readonly study: Pick<PairStudy, 'predicted'>;
}

/**
 * The pictures by their names, as Ruane (2006) shows a pair. The *origin* is the frame that was searched, the *target*
 * the one that is predicted from it. Pictures with vectors have `scale` canvas pels for each pel of the frame.
 */
export function pairPictures(
  { current: target, reference: origin, field, study }: PredictedPair,
  scale: number,
): Readonly<Record<string, Canvas>> {
  return {
    'difference-origin-target': drawDifference(origin, target),
    'difference-prediction-target': drawDifference(study.predicted, target),
    'vector-grid': drawVectorGrid(target, field, scale),
    'vectors-over-origin': drawVectors(origin, field, { scale }),
  };
}
