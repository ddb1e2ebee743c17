// From which anchors the motion of a picture is searched, and which vectors are proposed where it is not.

import type { MotionField } from '../../motion/estimator.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { ByDirection, VectorProposals } from './vector-proposals.js';

/**
 * From which anchors the motion of a B picture is searched: from both; from the nearer one, where a search finds most;
 * or from neither, if the lookahead has vectors, and else from the nearer one.
 */
export type BPictureMotion = 'both' | 'near' | 'lookahead';

/** Fields of a picture's motion from its past and its future anchor. */
export type SearchedFields = ByDirection<MotionField | undefined>;

/** The anchors (display numbers) from which a picture's motion is searched. */
export function searchedAnchors(
  { type, displayNumber, forward, backward }: PlannedPicture,
  search: BPictureMotion,
  hints: SearchedFields,
): Pick<PlannedPicture, 'forward' | 'backward'> {
  if (type !== 'B' || search === 'both' || forward === undefined || backward === undefined)
    return { forward, backward };
  if (search === 'lookahead' && hints.forward && hints.backward) return { forward: undefined, backward: undefined };
  const isPastNearer = displayNumber - forward <= backward - displayNumber;
  return isPastNearer ? { forward, backward: undefined } : { forward: undefined, backward };
}

/**
 * The vectors proposed for a picture. In a direction of a B picture that was not searched, these are the vectors of the
 * other direction, scaled as if motion were steady. `hints` are the lookahead's fields.
 */
export function proposedVectors(
  { type, displayNumber, forward: past, backward: future }: PlannedPicture,
  { forward, backward }: SearchedFields,
  hints: SearchedFields,
): ByDirection<VectorProposals> {
  if (type !== 'B' || past === undefined || future === undefined) {
    return {
      forward: { searched: forward, factor: 1, hints: hints.forward },
      backward: { searched: backward, factor: 1, hints: undefined },
    };
  }
  const distanceRatio = (displayNumber - past) / (future - displayNumber);
  return {
    forward: { searched: forward ?? backward, factor: forward ? 1 : -distanceRatio, hints: hints.forward },
    backward: { searched: backward ?? forward, factor: backward ? 1 : -1 / distanceRatio, hints: hints.backward },
  };
}
