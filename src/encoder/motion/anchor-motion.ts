// From which anchors the motion of a picture is searched, and which vectors are proposed where it is not.

import type { PlannedPicture } from '../gop/gop-plan.js';
import type { CodingTools } from '../settings/presets.js';
import type { ByDirection, ProposedField, VectorProposals } from './vector-proposals.js';

/** The motion that a picture's vectors are proposed by. */
export interface AnchorMotion<Field> extends ByDirection<Field | undefined> {
  /** The motion of the picture after the past anchor from there; it stands for what is not searched. */
  readonly firstStep?: Field | undefined;
}

/** Fields of a picture's motion from its past and its future anchor. */
export type SearchedFields = AnchorMotion<ProposedField>;

/**
 * The anchors (display numbers) from which a picture is searched that has no motion of another one. A B picture is
 * searched from both or, unless `search` is 'both', from the nearer one, where a search finds most.
 */
export function searchedAnchors(
  { type, displayNumber, forward, backward }: PlannedPicture,
  search: CodingTools['bPictureMotion'],
): Pick<PlannedPicture, 'forward' | 'backward'> {
  if (type !== 'B' || search === 'both' || forward === undefined || backward === undefined)
    return { forward, backward };
  const isPastNearer = displayNumber - forward <= backward - displayNumber;
  return isPastNearer ? { forward, backward: undefined } : { forward: undefined, backward };
}

/**
 * The vectors proposed for a picture. In a direction of a B picture that was not searched, these are the vectors of the
 * other direction, or of the first step, scaled as if motion were steady.
 */
export function proposedVectors(
  { type, displayNumber, forward: past, backward: future }: PlannedPicture,
  { forward, backward, firstStep }: SearchedFields,
): ByDirection<VectorProposals> {
  if (type !== 'B' || past === undefined || future === undefined) {
    return { forward: { searched: forward, factor: 1 }, backward: { searched: backward, factor: 1 } };
  }
  const steady = firstStep ?? forward ?? backward;
  const distance = firstStep ? 1 : displayNumber - (forward ? past : future);
  const proposals = (searched: ProposedField | undefined, anchor: number): VectorProposals =>
    searched ? { searched, factor: 1 } : { searched: steady, factor: (displayNumber - anchor) / distance };
  return { forward: proposals(forward, past), backward: proposals(backward, future) };
}
