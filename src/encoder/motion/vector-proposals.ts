// The vectors proposed for the macroblocks of a picture: the estimator's and the lookahead's.

import { InputError } from '../../errors.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { MotionField } from '../../motion/estimator.js';
import { MAX_PROPOSALS, type VectorSearchPlaces } from '../picture/workspace.js';

/** A value for each direction of prediction. */
export interface ByDirection<T> {
  readonly forward: T;
  readonly backward: T;
}

/** Vectors proposed in one direction, in full pels. */
export interface VectorProposals {
  /** The estimator's field, best vectors first. */
  readonly searched: MotionField | undefined;
  /**
   * What to multiply the estimator's vectors by: 1, or another number where they were searched from the other anchor.
   */
  readonly factor: number;
  /** The lookahead's field, one vector a macroblock. */
  readonly hints: MotionField | undefined;
}

/** A component of the estimator's vectors as it is proposed. It may point out of the picture. */
export function proposedComponent({ searched, factor }: VectorProposals, component: number): number {
  return searched === undefined || factor === 1 ? component : Math.round(component * factor);
}

/** Vectors proposed for each macroblock. */
export function proposalsPerMacroblock({ searched, hints }: VectorProposals): number {
  return (searched?.candidatesPerBlock ?? 0) + (hints ? 1 : 0);
}

/**
 * Writes proposals for `macroblocks` macroblocks into kernel memory: those of a macroblock together, the lookahead's
 * last. Throws InputError if the estimator's field has the wrong size.
 */
export function writeProposals(
  { i16 }: KernelMemory,
  { fieldDx, fieldDy }: VectorSearchPlaces,
  macroblocks: number,
  proposals: VectorProposals,
): void {
  const { searched, hints } = proposals;
  const candidates = searched?.candidatesPerBlock ?? 0;
  if (searched) checkSize(searched, macroblocks, hints ? MAX_PROPOSALS - 1 : MAX_PROPOSALS);
  let [atDx, atDy] = [fieldDx >> 1, fieldDy >> 1];
  for (let address = 0; address < macroblocks; address++) {
    for (let i = address * candidates; i < (address + 1) * candidates; i++) {
      i16[atDx++] = proposedComponent(proposals, searched!.dx[i]!);
      i16[atDy++] = proposedComponent(proposals, searched!.dy[i]!);
    }
    if (hints) {
      i16[atDx++] = hints.dx[address]!;
      i16[atDy++] = hints.dy[address]!;
    }
  }
}

function checkSize({ dx, dy, candidatesPerBlock }: MotionField, macroblocks: number, maxCandidates: number): void {
  const expected = macroblocks * candidatesPerBlock;
  if (dx.length !== expected || dy.length !== expected || candidatesPerBlock > maxCandidates) {
    throw new InputError(`an estimator's field has ${dx.length} vectors, not ${expected}`);
  }
}
