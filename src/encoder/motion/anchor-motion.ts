import type { MotionField } from '../../motion/estimator.js';
import type { PlannedPicture } from '../gop/gop-plan.js';

/**
 * From which anchors the motion of a B picture is searched: from both, from the nearer, where a search finds most, or from
 * neither where the lookahead has vectors.
 */
export type BPictureMotion = 'both' | 'near' | 'lookahead';

/** The anchors (display numbers) that a picture's motion is to be searched from. */
export function searchedAnchors(
  { type, displayNumber, forward, backward }: PlannedPicture,
  search: BPictureMotion,
  hints: SearchedFields,
): Pick<PlannedPicture, 'forward' | 'backward'> {
  if (type !== 'B' || search === 'both' || forward === undefined || backward === undefined)
    return { forward, backward };
  if (search === 'lookahead' && hints.forward && hints.backward) return { forward: undefined, backward: undefined };
  const isNearPast = displayNumber - forward <= backward - displayNumber;
  return isNearPast ? { forward, backward: undefined } : { forward: undefined, backward };
}

/** Fields that were searched for a picture, seen from its past and its future anchor. */
export interface SearchedFields {
  readonly forward: MotionField | undefined;
  readonly backward: MotionField | undefined;
}

/**
 * The fields of both directions: for a B picture, what was not searched is scaled as if motion were steady. The lookahead's
 * vectors come last among a block's.
 */
export function completeFields(
  { type, displayNumber, forward: past, backward: future }: PlannedPicture,
  { forward, backward }: SearchedFields,
  hints: SearchedFields,
): SearchedFields {
  if (type !== 'B' || past === undefined || future === undefined) {
    return { forward: withHints(forward, hints.forward), backward };
  }
  const farther = (displayNumber - past) / (future - displayNumber);
  return {
    forward: withHints(forward ?? (backward && scaledField(backward, -farther)), hints.forward),
    backward: withHints(backward ?? (forward && scaledField(forward, -1 / farther)), hints.backward),
  };
}

/** Adds the vectors of hints, one a block, to a field. A field of another size is left for its user to complain of. */
function withHints(field: MotionField | undefined, hints: MotionField | undefined): MotionField | undefined {
  if (!field || !hints) return field ?? hints;
  const { candidatesPerBlock: searched } = field;
  const blocks = hints.dx.length;
  if (field.dx.length !== blocks * searched || field.dy.length !== blocks * searched) return field;
  const candidatesPerBlock = searched + 1;
  const joined = <T extends Int16Array | Uint32Array>(all: T, first: T, last: T): T => {
    for (let block = 0; block < blocks; block++) {
      const at = block * candidatesPerBlock;
      for (let i = 0; i < searched; i++) all[at + i] = first[block * searched + i]!;
      all[at + searched] = last[block]!;
    }
    return all;
  };
  const length = blocks * candidatesPerBlock;
  return {
    ...field,
    candidatesPerBlock,
    dx: joined(new Int16Array(length), field.dx, hints.dx),
    dy: joined(new Int16Array(length), field.dy, hints.dy),
    cost: joined(new Uint32Array(length), field.cost, hints.cost),
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
