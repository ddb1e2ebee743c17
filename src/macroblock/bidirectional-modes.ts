// Mode decision in B pictures: skipped, forward, backward, interpolated or intra.
import {
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_BOTH,
  MACROBLOCK_MOTION_FORWARD,
} from '../bitstream/tables/macroblock-codes.js';
import { type CodedPrediction, codedPrediction, refineInFull } from './full-refinement.js';
import { mayPayAsIntra } from './intra-check.js';
import { setMotion, type VectorPair } from './macroblock-trial.js';
import { CERTAIN_SKIP_BITS_B, MIN_INTRA_BITS, REFINED_COST_FACTOR } from './mode-limits.js';
import type { OpenMacroblock } from './open-macroblock.js';
import { codeIntra, codePredicted, codeSkipped, finish } from './trial-coder.js';

/** Leaves the best mode of a macroblock in its best trial. */
export function chooseBidirectionalMode(macroblock: OpenMacroblock): void {
  if (isSkipped(macroblock)) return;
  const { coding, kernels, forward, backward, joint } = macroblock;
  macroblock.searchForward();
  macroblock.searchBackward();
  kernels.refineJointly(coding.joint);
  const minCost = Math.min(forward.cost, backward.cost, joint.cost);
  const maxCost = Math.max(minCost, minCost * coding.directionFactor);
  const starts: CodedPrediction[] = [];
  if (joint.cost <= maxCost) starts.push(tryDirection(macroblock, MACROBLOCK_MOTION_BOTH));
  if (forward.cost <= maxCost) starts.push(tryDirection(macroblock, MACROBLOCK_MOTION_FORWARD));
  if (backward.cost <= maxCost) starts.push(tryDirection(macroblock, MACROBLOCK_MOTION_BACKWARD));
  if (coding.rateDistortionModes === 1 && coding.fullRefinementRounds > 0) {
    for (const start of starts) {
      if (start.cost <= macroblock.best.cost * REFINED_COST_FACTOR) refineInFull(macroblock, start);
    }
  }
  const sad = Math.min(forward.sad, backward.sad, joint.sad);
  if (macroblock.best.bits > MIN_INTRA_BITS && mayPayAsIntra(macroblock, sad)) {
    codeIntra(macroblock, macroblock.spare);
    macroblock.offer();
  }
  finish(macroblock, macroblock.best);
}

/** Codes the macroblock skipped, where that is allowed. Returns whether no other mode can be cheaper. */
function isSkipped(macroblock: OpenMacroblock): boolean {
  const { maySkip, predictors, spare, lambda } = macroblock;
  if (!maySkip || !staysInsideSkipped(macroblock)) return false;
  setMotion(spare, predictors.direction, predictedVectors(macroblock));
  codeSkipped(macroblock, spare);
  macroblock.offer();
  return macroblock.best.cost <= lambda * CERTAIN_SKIP_BITS_B;
}

/** Whether the macroblock before has a direction, and its vectors are allowed here, too. */
function staysInsideSkipped(macroblock: OpenMacroblock): boolean {
  const { direction } = macroblock.predictors;
  const [forwardDx, forwardDy, backwardDx, backwardDy] = predictedVectors(macroblock);
  if (direction === 0) return false;
  const isForward = (direction & MACROBLOCK_MOTION_FORWARD) !== 0;
  const isBackward = (direction & MACROBLOCK_MOTION_BACKWARD) !== 0;
  if (isForward && !macroblock.allows(macroblock.forward, forwardDx, forwardDy)) return false;
  return !isBackward || macroblock.allows(macroblock.backward, backwardDx, backwardDy);
}

function predictedVectors({ predictors }: OpenMacroblock): VectorPair {
  const { forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels } = predictors;
  return [forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels];
}

/** Codes the best vectors of a direction. */
function tryDirection(macroblock: OpenMacroblock, direction: number): CodedPrediction {
  const { forward, backward, joint, spare } = macroblock;
  const vectors: VectorPair =
    direction === MACROBLOCK_MOTION_BOTH
      ? [joint.forwardDxHalfPels, joint.forwardDyHalfPels, joint.backwardDxHalfPels, joint.backwardDyHalfPels]
      : [forward.dxHalfPels, forward.dyHalfPels, backward.dxHalfPels, backward.dyHalfPels];
  setMotion(spare, direction, vectors);
  codePredicted(macroblock, spare);
  const coded = codedPrediction(spare);
  macroblock.offer();
  return coded;
}
