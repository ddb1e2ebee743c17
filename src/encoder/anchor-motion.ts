import type { MotionField } from '../motion/estimator.js';
import type { PlannedPicture } from './gop-plan.js';

/** From which anchors the motion of a B picture is searched: from both, or from the nearer, where a search finds most. */
export type BPictureSearch = 'both' | 'near';

/** The anchors (display numbers) that a picture's motion is to be searched from. */
export function searchedAnchors(
  { type, displayNumber, forward, backward }: PlannedPicture,
  search: BPictureSearch,
): Pick<PlannedPicture, 'forward' | 'backward'> {
  if (type !== 'B' || search === 'both' || forward === undefined || backward === undefined)
    return { forward, backward };
  const isNearPast = displayNumber - forward <= backward - displayNumber;
  return isNearPast ? { forward, backward: undefined } : { forward: undefined, backward };
}

/** Fields that were searched for a picture, seen from its past and its future anchor. */
export interface SearchedFields {
  readonly forward: MotionField | undefined;
  readonly backward: MotionField | undefined;
}

/** The fields of both directions: for a B picture, what was not searched is scaled as if motion were steady. */
export function completeFields(
  { type, displayNumber, forward: past, backward: future }: PlannedPicture,
  { forward, backward }: SearchedFields,
): SearchedFields {
  if (type !== 'B' || past === undefined || future === undefined) return { forward, backward };
  const farther = (displayNumber - past) / (future - displayNumber);
  return {
    forward: forward ?? (backward && scaledField(backward, -farther)),
    backward: backward ?? (forward && scaledField(forward, -1 / farther)),
  };
}

/**
 * A field with every vector times `part`: hints, not answers. The costs are those of the field given, and a vector may point
 * out of the picture.
 */
function scaledField(field: MotionField, part: number): MotionField {
  return { ...field, dx: scaled(field.dx, part), dy: scaled(field.dy, part) };
}

function scaled(components: Int16Array, part: number): Int16Array {
  const result = new Int16Array(components.length);
  for (let i = 0; i < result.length; i++) result[i] = Math.round(components[i]! * part);
  return result;
}
