// Mode decision in B pictures: skipped, forward, backward, interpolated or intra; see src/macroblock.
import {
  CERTAIN_SKIP_BITS_B,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_BOTH,
  MACROBLOCK_MOTION_FORWARD,
  MIN_INTRA_BITS,
  UNSEARCHED_SAD,
} from '../generated/tables';
import { searchCandidates } from '../motion/search/candidate-search';
import { refineJointly } from '../motion/search/joint-search';
import { sad16x16 } from '../picture/block-differences';
import { lumaOf } from '../picture/macroblock-blocks';
import { clearPredictions, codePrediction, refineStarts } from './full-refinement';
import { addressOf } from './known-macroblock';
import { mayPayAsIntra } from './likely-modes';
import {
  allows,
  best,
  coding,
  lambda,
  maySkip,
  mbX,
  mbY,
  offer,
  predictors,
  setMotion,
  spare,
  wantedScale,
  wasCoded,
} from './open-macroblock';
import { codeSkipped, finish, predict, tryIntra } from './trial-coder';

/** Whether the motion of another macroblock has a direction, and its vectors are allowed here, too. */
function allowsMotion(direction: i32, forwardDx: i32, forwardDy: i32, backwardDx: i32, backwardDy: i32): bool {
  if (direction == 0) return false;
  if (direction & MACROBLOCK_MOTION_FORWARD && !allows(coding.forward, forwardDx, forwardDy)) return false;
  return (direction & MACROBLOCK_MOTION_BACKWARD) == 0 || allows(coding.backward, backwardDx, backwardDy);
}

/** Codes the macroblock skipped in the spare trial, where that is allowed; returns whether it is. */
function trySkipped(): bool {
  if (!maySkip) return false;
  const direction = predictors.direction;
  const forwardDx = predictors.forwardDxHalfPels;
  const forwardDy = predictors.forwardDyHalfPels;
  const backwardDx = predictors.backwardDxHalfPels;
  const backwardDy = predictors.backwardDyHalfPels;
  if (!allowsMotion(direction, forwardDx, forwardDy, backwardDx, backwardDy)) return false;
  setMotion(spare, direction, forwardDx, forwardDy, backwardDx, backwardDy);
  codeSkipped(spare);
  return true;
}

/** Codes a prediction whose vectors are known to be allowed. */
// @ts-ignore: decorator
@inline
function tryVectors(direction: i32, forwardDx: i32, forwardDy: i32, backwardDx: i32, backwardDy: i32): void {
  codePrediction(direction, forwardDx, forwardDy, backwardDx, backwardDy, false);
}

/** Codes the best vectors of a direction. */
function tryDirection(direction: i32): void {
  const forward = coding.forward;
  const backward = coding.backward;
  const joint = coding.joint;
  if (direction != MACROBLOCK_MOTION_BOTH) {
    tryVectors(direction, forward.dxHalfPels, forward.dyHalfPels, backward.dxHalfPels, backward.dyHalfPels);
    return;
  }
  const forwardDx = joint.forwardDxHalfPels;
  const forwardDy = joint.forwardDyHalfPels;
  tryVectors(direction, forwardDx, forwardDy, joint.backwardDxHalfPels, joint.backwardDyHalfPels);
}

/** Codes a prediction, where its vectors are allowed. */
function tryMotion(direction: i32, forwardDx: i32, forwardDy: i32, backwardDx: i32, backwardDy: i32): void {
  if (!allowsMotion(direction, forwardDx, forwardDy, backwardDx, backwardDy)) return;
  tryVectors(direction, forwardDx, forwardDy, backwardDx, backwardDy);
}

/** Codes the motion of the macroblock at `address`, if it has any. */
function tryMotionAt(address: usize): void {
  const symbols = coding.symbols;
  const at = address << 1;
  tryMotion(
    <i32>load<u8>(symbols.direction + address),
    <i32>load<i16>(symbols.forwardDx + at),
    <i32>load<i16>(symbols.forwardDy + at),
    <i32>load<i16>(symbols.backwardDx + at),
    <i32>load<i16>(symbols.backwardDy + at),
  );
}

/** Codes a direction with the predicted vectors. */
function tryPredicted(direction: i32): void {
  tryMotion(
    direction,
    predictors.forwardDxHalfPels,
    predictors.forwardDyHalfPels,
    predictors.backwardDxHalfPels,
    predictors.backwardDyHalfPels,
  );
}

/** Codes the motion that the macroblocks around suggest. */
function tryNeighbours(): void {
  tryPredicted(MACROBLOCK_MOTION_BOTH);
  tryPredicted(MACROBLOCK_MOTION_FORWARD);
  tryPredicted(MACROBLOCK_MOTION_BACKWARD);
  if (mbY == 0) return;
  const above = addressOf() - <usize>coding.mbWidth;
  if (mbX > 0) tryMotionAt(above - 1);
  tryMotionAt(above);
  if (mbX + 1 < coding.mbWidth) tryMotionAt(above + 1);
}

/** Searches both directions, and refines the two vectors together. Returns the least cost. */
function searchDirections(): f64 {
  const forward = coding.forward;
  const backward = coding.backward;
  searchCandidates(forward, mbX, mbY, predictors.forwardDxHalfPels, predictors.forwardDyHalfPels);
  searchCandidates(backward, mbX, mbY, predictors.backwardDxHalfPels, predictors.backwardDyHalfPels);
  refineJointly(coding.joint);
  return min(min(forward.cost, backward.cost), coding.joint.cost);
}

/** Leaves the best mode in the best trial. */
export function chooseBidirectionalMode(): void {
  if (trySkipped()) {
    offer();
    if (best.cost <= lambda * CERTAIN_SKIP_BITS_B) return; // no other mode can be cheaper
  }
  const forward = coding.forward;
  const backward = coding.backward;
  const joint = coding.joint;
  const minCost = searchDirections();
  const maxCost = max(minCost, minCost * <f64>coding.directionFactor);
  clearPredictions();
  if (joint.cost <= maxCost) tryDirection(MACROBLOCK_MOTION_BOTH);
  if (forward.cost <= maxCost) tryDirection(MACROBLOCK_MOTION_FORWARD);
  if (backward.cost <= maxCost) tryDirection(MACROBLOCK_MOTION_BACKWARD);
  if (wasCoded) {
    tryMotionAt(addressOf());
    if (mbX + 1 < coding.mbWidth) tryMotionAt(addressOf() + 1);
    if (mbX + 2 < coding.mbWidth) tryMotionAt(addressOf() + 2);
    if (mbX > 1) tryMotionAt(addressOf() - 2);
  }
  if (coding.rateDistortionModes != 0 && coding.fullRefinementRounds > 0) {
    tryNeighbours();
    refineStarts();
  }
  const sad = min(min(forward.sad, backward.sad), joint.sad);
  if (best.bits > MIN_INTRA_BITS && mayPayAsIntra(sad)) tryIntra();
  finish(best);
}

/** Predicts the macroblock as if it were skipped. Returns the SAD of its luma, -1 where it may not be skipped. */
function predictSkipped(): i32 {
  if (!maySkip) return -1;
  const direction = predictors.direction;
  const forwardDx = predictors.forwardDxHalfPels;
  const forwardDy = predictors.forwardDyHalfPels;
  const backwardDx = predictors.backwardDxHalfPels;
  const backwardDy = predictors.backwardDyHalfPels;
  if (!allowsMotion(direction, forwardDx, forwardDy, backwardDx, backwardDy)) return -1;
  setMotion(best, direction, forwardDx, forwardDy, backwardDx, backwardDy);
  predict(best);
  const source = coding.source;
  return sad16x16(lumaOf(source, mbX, mbY), source.lumaStride, best.prediction, 16);
}

/** Leaves the prediction that costs least in the best trial. Returns the SAD of its luma. */
export function predictBidirectionally(): i32 {
  const skippedSad = predictSkipped();
  if (skippedSad >= 0 && skippedSad < UNSEARCHED_SAD * wantedScale) return skippedSad;
  const forward = coding.forward;
  const backward = coding.backward;
  const joint = coding.joint;
  const minCost = searchDirections();
  if (skippedSad >= 0 && <f64>skippedSad <= minCost) return skippedSad;
  let sad = joint.sad;
  if (joint.cost == minCost) {
    const forwardDx = joint.forwardDxHalfPels;
    const forwardDy = joint.forwardDyHalfPels;
    setMotion(best, MACROBLOCK_MOTION_BOTH, forwardDx, forwardDy, joint.backwardDxHalfPels, joint.backwardDyHalfPels);
  } else {
    const isForward = forward.cost == minCost;
    const search = isForward ? forward : backward;
    const dx = search.dxHalfPels;
    const dy = search.dyHalfPels;
    setMotion(best, isForward ? MACROBLOCK_MOTION_FORWARD : MACROBLOCK_MOTION_BACKWARD, dx, dy, dx, dy);
    sad = search.sad;
  }
  predict(best);
  return sad;
}
