import type { MotionField } from '../motion/estimator.js';
import type { MotionRefinement } from './motion-refinement.js';
import type { PictureDecisions } from './picture-decisions.js';
import type { MacroblockPosition } from './prediction.js';

/** Proposes to the refinement everything that may be the vector of a macroblock: zero, predicted, neighbours, the field. */
export function proposeVectors(
  refinement: MotionRefinement,
  decisions: PictureDecisions,
  field: MotionField | undefined,
  { mbX, mbY }: MacroblockPosition,
  predictedX: number,
  predictedY: number,
): void {
  const { mbWidth, forwardX, forwardY } = decisions;
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
  if (mbX > 0) refinement.propose(forwardX[address - 1]!, forwardY[address - 1]!);
  if (mbY > 0) {
    refinement.propose(forwardX[address - mbWidth]!, forwardY[address - mbWidth]!);
    if (mbX + 1 < mbWidth) refinement.propose(forwardX[address - mbWidth + 1]!, forwardY[address - mbWidth + 1]!);
  }
  refinement.refine();
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
