// Mode decision in B pictures: skipped, forward, backward, interpolated or intra; see src/macroblock.
import {
  CERTAIN_SKIP_BITS_B,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_BOTH,
  MACROBLOCK_MOTION_FORWARD,
  MIN_INTRA_BITS,
  REFINED_COST_FACTOR,
} from '../generated/tables';
import { searchCandidates } from '../motion/search/candidate-search';
import { refineJointly } from '../motion/search/joint-search';
import { scratch } from '../scratch';
import { refineInFull, vectorsOf } from './full-refinement';
import { allows, best, coding, lambda, maySkip, mbX, mbY, offer, predictors, setMotion, spare } from './open-macroblock';
import { mayPayAsIntra } from './predictive-modes';
import { codeIntra, codePredicted, codeSkipped, finish } from './trial-coder';

/** The predictions coded so far: a double with the cost, a word with the vectors, and the direction. */
const starts: usize = scratch(3 * 24);
let startCount: usize = 0;

/** Whether the macroblock before has a direction, and its vectors are allowed here, too. */
function staysInsideSkipped(): bool {
  const direction = predictors.direction;
  if (direction == 0) return false;
  if (
    direction & MACROBLOCK_MOTION_FORWARD &&
    !allows(coding.forward, predictors.forwardDxHalfPels, predictors.forwardDyHalfPels)
  ) {
    return false;
  }
  return (
    (direction & MACROBLOCK_MOTION_BACKWARD) == 0 ||
    allows(coding.backward, predictors.backwardDxHalfPels, predictors.backwardDyHalfPels)
  );
}

/** Codes the macroblock skipped, where that is allowed; returns whether no other mode can be cheaper. */
function isSkipped(): bool {
  if (!maySkip || !staysInsideSkipped()) return false;
  setMotion(
    spare,
    predictors.direction,
    predictors.forwardDxHalfPels,
    predictors.forwardDyHalfPels,
    predictors.backwardDxHalfPels,
    predictors.backwardDyHalfPels,
  );
  codeSkipped(spare);
  offer();
  return best.cost <= lambda * CERTAIN_SKIP_BITS_B;
}

/** Codes the best vectors of a direction, and notes them as a start of refinements. */
function tryDirection(direction: i32): void {
  const forward = coding.forward;
  const backward = coding.backward;
  if (direction == MACROBLOCK_MOTION_BOTH) {
    const joint = coding.joint;
    setMotion(
      spare,
      direction,
      joint.forwardDxHalfPels,
      joint.forwardDyHalfPels,
      joint.backwardDxHalfPels,
      joint.backwardDyHalfPels,
    );
  } else {
    setMotion(spare, direction, forward.dxHalfPels, forward.dyHalfPels, backward.dxHalfPels, backward.dyHalfPels);
  }
  codePredicted(spare, false);
  const start = starts + 24 * startCount++;
  store<f64>(start, spare.cost);
  store<u64>(start, vectorsOf(spare), 8);
  store<i32>(start, direction, 16);
  offer();
}

/** Leaves the best mode in the best trial. */
export function chooseBidirectionalMode(): void {
  if (isSkipped()) return;
  const forward = coding.forward;
  const backward = coding.backward;
  const joint = coding.joint;
  searchCandidates(forward, mbX, mbY, predictors.forwardDxHalfPels, predictors.forwardDyHalfPels);
  searchCandidates(backward, mbX, mbY, predictors.backwardDxHalfPels, predictors.backwardDyHalfPels);
  refineJointly(joint);
  const minCost = min(min(forward.cost, backward.cost), joint.cost);
  const maxCost = max(minCost, minCost * <f64>coding.directionFactor);
  startCount = 0;
  if (joint.cost <= maxCost) tryDirection(MACROBLOCK_MOTION_BOTH);
  if (forward.cost <= maxCost) tryDirection(MACROBLOCK_MOTION_FORWARD);
  if (backward.cost <= maxCost) tryDirection(MACROBLOCK_MOTION_BACKWARD);
  if (coding.rateDistortionModes != 0 && coding.fullRefinementRounds > 0) {
    for (let i: usize = 0; i < startCount; i++) {
      const start = starts + 24 * i;
      const cost = load<f64>(start);
      if (cost <= best.cost * REFINED_COST_FACTOR) refineInFull(load<i32>(start, 16), load<u64>(start, 8), cost);
    }
  }
  const sad = min(min(forward.sad, backward.sad), joint.sad);
  if (best.bits > MIN_INTRA_BITS && mayPayAsIntra(sad)) {
    codeIntra(spare, false);
    offer();
  }
  finish(best);
}
