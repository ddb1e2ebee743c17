// The vectors proposed for the macroblocks of a picture: the estimator's.

import { InputError } from '../../errors.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { MAX_PROPOSALS } from '../../kernels/records/candidate-search.js';
import type { MotionField } from '../../motion/estimator.js';
import type { VectorSearchPlaces } from '../picture/workspace.js';

/** A value for each direction of prediction. */
export interface ByDirection<T> {
  readonly forward: T;
  readonly backward: T;
}

/** The part of an estimator's field that is proposed. */
export type ProposedField = Pick<MotionField, 'dx' | 'dy' | 'candidatesPerBlock'>;

/** The part of a field that is proposed: the rest need not be kept or sent to threads. */
export function proposedField({ dx, dy, candidatesPerBlock }: ProposedField): ProposedField {
  return { dx, dy, candidatesPerBlock };
}

/** Vectors proposed in one direction, in full pels. */
export interface VectorProposals {
  /** The estimator's field, best vectors first. */
  readonly searched: ProposedField | undefined;
  /**
   * What to multiply the estimator's vectors by: 1, or another number where they were searched from the other anchor.
   */
  readonly factor: number;
}

/** Vectors proposed for each macroblock. */
export function proposalsPerMacroblock({ searched }: VectorProposals): number {
  return searched?.candidatesPerBlock ?? 0;
}

/**
 * Writes proposals for `macroblocks` macroblocks into kernel memory: those of a macroblock together. Throws InputError
 * if the estimator's field has the wrong size.
 */
export function writeProposals(
  { i16 }: KernelMemory,
  { fieldDx, fieldDy }: VectorSearchPlaces,
  macroblocks: number,
  proposals: VectorProposals,
): void {
  const { searched, factor } = proposals;
  if (!searched) return;
  checkSize(searched, macroblocks);
  writeMultiplied(i16, fieldDx >> 1, searched.dx, factor);
  writeMultiplied(i16, fieldDy >> 1, searched.dy, factor);
}

/** Writes components of the estimator's vectors as they are proposed. They may point out of the picture. */
function writeMultiplied(i16: Int16Array, first: number, components: Int16Array, factor: number): void {
  i16.set(components, first);
  if (factor === 1) return;
  for (let i = first; i < first + components.length; i++) i16[i] = Math.round(i16[i]! * factor);
}

function checkSize({ dx, dy, candidatesPerBlock }: ProposedField, macroblocks: number): void {
  const expected = macroblocks * candidatesPerBlock;
  if (dx.length !== expected || dy.length !== expected || candidatesPerBlock > MAX_PROPOSALS) {
    throw new InputError(`an estimator's field has ${dx.length} vectors, not ${expected}`);
  }
}
