// From which anchors the motion of a picture is searched, and which vectors are proposed where it is not.

import type { PlannedPicture } from '../gop/gop-plan.js';
import type { ByDirection, ProposedField, VectorProposals } from './vector-proposals.js';

/**
 * From which anchors the motion of a B picture is searched where the lookahead has not done so: from both, or from the
 * nearer one, where a search finds most.
 */
export type BPictureMotion = 'both' | 'near';

/** Fields of a picture's motion from its past and its future anchor. */
export type SearchedFields = ByDirection<ProposedField | undefined>;

/** The anchors (display numbers) from which a picture's motion is searched. */
export function searchedAnchors(
  { type, displayNumber, forward, backward }: PlannedPicture,
  search: BPictureMotion,
): Pick<PlannedPicture, 'forward' | 'backward'> {
  if (type !== 'B' || search === 'both' || forward === undefined || backward === undefined)
    return { forward, backward };
  const isPastNearer = displayNumber - forward <= backward - displayNumber;
  return isPastNearer ? { forward, backward: undefined } : { forward: undefined, backward };
}

/**
 * The vectors proposed for a picture. In a direction of a B picture that was not searched, these are the vectors of the
 * other direction, scaled as if motion were steady.
 */
export function proposedVectors(
  { type, displayNumber, forward: past, backward: future }: PlannedPicture,
  { forward, backward }: SearchedFields,
): ByDirection<VectorProposals> {
  if (type !== 'B' || past === undefined || future === undefined) {
    return { forward: { searched: forward, factor: 1 }, backward: { searched: backward, factor: 1 } };
  }
  const distanceRatio = (displayNumber - past) / (future - displayNumber);
  return {
    forward: { searched: forward ?? backward, factor: forward ? 1 : -distanceRatio },
    backward: { searched: backward ?? forward, factor: backward ? 1 : -1 / distanceRatio },
  };
}
