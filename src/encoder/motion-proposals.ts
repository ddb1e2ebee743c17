import type { MotionField } from '../motion/estimator.js';
import type { MotionRefinement } from './motion-refinement.js';
import type { MacroblockPosition } from './prediction.js';

/** Vectors of one direction chosen so far in a picture, by macroblock, in half-pels. */
export interface ChosenVectors {
  readonly mbWidth: number;
  readonly x: Int16Array;
  readonly y: Int16Array;
  /** Whether those of neighbours are proposed. */
  readonly areProposed: boolean;
}

/** Proposes to the refinement everything that may be the vector of a macroblock: zero, predicted, neighbours, the field. */
export function proposeVectors(
  refinement: MotionRefinement,
  chosen: ChosenVectors,
  field: MotionField | undefined,
  { mbX, mbY }: MacroblockPosition,
  predictedX: number,
  predictedY: number,
): void {
  const { mbWidth, areProposed } = chosen;
  const address = mbY * mbWidth + mbX;
  refinement.begin(mbX, mbY, predictedX, predictedY);
  refinement.propose(0, 0);
  refinement.propose(predictedX, predictedY);
  if (field) {
    const first = address * field.candidatesPerBlock;
    for (let i = first; i < first + field.candidatesPerBlock; i++) {
      refinement.propose(field.dx[i]! * 2, field.dy[i]! * 2);
    }
  }
  if (areProposed) proposeNeighbours(refinement, chosen, mbX, mbY);
  refinement.refine();
}

function proposeNeighbours(
  refinement: MotionRefinement,
  { mbWidth, x, y }: ChosenVectors,
  mbX: number,
  mbY: number,
): void {
  const address = mbY * mbWidth + mbX;
  if (mbX > 0) refinement.propose(x[address - 1]!, y[address - 1]!);
  if (mbY === 0) return;
  refinement.propose(x[address - mbWidth]!, y[address - mbWidth]!);
  if (mbX + 1 < mbWidth) refinement.propose(x[address - mbWidth + 1]!, y[address - mbWidth + 1]!);
}

/** The extremes of a field's best vectors, in half-pels with room for half-pel refinement, at least -1..1. */
export function fieldExtent(field: MotionField): { least: number; greatest: number } {
  let least = 0;
  let greatest = 0;
  const { dx, dy, candidatesPerBlock } = field;
  for (let i = 0; i < dx.length; i += candidatesPerBlock) {
    least = Math.min(least, dx[i]!, dy[i]!);
    greatest = Math.max(greatest, dx[i]!, dy[i]!);
  }
  return { least: least * 2 - 1, greatest: greatest * 2 + 1 };
}
