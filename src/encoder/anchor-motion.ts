import type { MotionField } from '../motion/estimator.js';
import type { PlannedPicture } from './gop-plan.js';

/**
 * From which anchors the motion of a B picture is searched: from both; from the nearer, where a search finds most; or from none, when the
 * motion between the anchors has to do.
 */
export type BPictureSearch = 'both' | 'near' | 'none';

/** The anchors (display numbers) that a picture's motion is to be searched from. */
export function searchedAnchors(
  { type, displayNumber, forward, backward }: PlannedPicture,
  search: BPictureSearch,
): Pick<PlannedPicture, 'forward' | 'backward'> {
  if (type !== 'B' || search === 'both' || forward === undefined || backward === undefined)
    return { forward, backward };
  if (search === 'none') return { forward: undefined, backward: undefined };
  const isNearPast = displayNumber - forward <= backward - displayNumber;
  return isNearPast ? { forward, backward: undefined } : { forward: undefined, backward };
}

/** Fields that were searched for a picture, and the newest between two anchors. */
export interface KnownFields {
  readonly forward: MotionField | undefined;
  readonly backward: MotionField | undefined;
  readonly betweenAnchors: MotionField | undefined;
}

/** The fields of both directions: for a B picture, what was not searched is scaled as if motion were steady. */
export function completeFields(
  { type, displayNumber, forward: past, backward: future }: PlannedPicture,
  { forward, backward, betweenAnchors }: KnownFields,
): { forwardField: MotionField | undefined; backwardField: MotionField | undefined } {
  if (type !== 'B' || past === undefined || future === undefined)
    return { forwardField: forward, backwardField: undefined };
  const sincePast = displayNumber - past;
  const untilFuture = future - displayNumber;
  const whole = future - past;
  return {
    forwardField:
      forward ??
      (backward ? scaledField(backward, -sincePast / untilFuture) : scaled(betweenAnchors, sincePast / whole)),
    backwardField:
      backward ??
      (forward ? scaledField(forward, -untilFuture / sincePast) : scaled(betweenAnchors, -untilFuture / whole)),
  };
}

function scaled(field: MotionField | undefined, part: number): MotionField | undefined {
  return field && scaledField(field, part);
}

/**
 * A field with every vector times `part`: hints, not answers. The costs are those of the field given, and a vector may point
 * out of the picture.
 */
function scaledField(field: MotionField, part: number): MotionField {
  const scale = (component: number) => Math.round(component * part);
  return { ...field, dx: field.dx.map(scale), dy: field.dy.map(scale) };
}
