// Mode decision in B pictures: skipped, forward, backward, interpolated or intra.
import {
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_BOTH,
  MACROBLOCK_MOTION_FORWARD,
} from '../bitstream/tables/macroblock-codes.js';
import { PICTURE_PLANES } from '../kernels/records/picture-planes.js';
import { CodedPredictions } from './full-refinement.js';
import { knownMacroblock } from './known-macroblock.js';
import { mayPayAsIntra } from './likely-modes.js';
import { type Motion, setMotion, type VectorPair, vectorsOf } from './macroblock-trial.js';
import { CERTAIN_SKIP_BITS_B, MAX_STARTS_B, MIN_INTRA_BITS, UNSEARCHED_SAD } from './mode-limits.js';
import type { OpenMacroblock } from './open-macroblock.js';
import { codeSkipped, finish, predict, tryIntra } from './trial-coder.js';

/** Leaves the best mode of a macroblock in its best trial. */
export function chooseBidirectionalMode(macroblock: OpenMacroblock): void {
  const { coding, forward, backward, joint, lambda } = macroblock;
  if (trySkipped(macroblock)) {
    macroblock.offer();
    if (macroblock.best.cost <= lambda * CERTAIN_SKIP_BITS_B) return; // no other mode can be cheaper
  }
  const minCost = searchDirections(macroblock);
  const maxCost = Math.max(minCost, minCost * coding.directionFactor);
  const predictions = new CodedPredictions(macroblock);
  if (joint.cost <= maxCost) predictions.code(bestMotion(macroblock, MACROBLOCK_MOTION_BOTH));
  if (forward.cost <= maxCost) predictions.code(bestMotion(macroblock, MACROBLOCK_MOTION_FORWARD));
  if (backward.cost <= maxCost) predictions.code(bestMotion(macroblock, MACROBLOCK_MOTION_BACKWARD));
  const tryOthers = (others: readonly Motion[]) => {
    for (const motion of others) if (allowsMotion(macroblock, motion)) predictions.code(motion);
  };
  tryOthers(macroblock.knownAround());
  if (coding.rateDistortionModes === 1 && coding.fullRefinementRounds > 0) {
    tryOthers(neighbouringMotion(macroblock));
    predictions.refineStarts(MAX_STARTS_B);
  }
  const sad = Math.min(forward.sad, backward.sad, joint.sad);
  if (macroblock.best.bits > MIN_INTRA_BITS && mayPayAsIntra(macroblock, sad)) tryIntra(macroblock);
  finish(macroblock, macroblock.best);
}

/**
 * Leaves the prediction that costs least in the best trial: the one that a skipped macroblock has, without the bits of
 * a vector, or the best of a direction. Returns the SAD of its luma.
 */
export function predictBidirectionally(macroblock: OpenMacroblock): number {
  const { forward, backward, joint, best, wantedScale } = macroblock;
  const skippedSad = predictSkipped(macroblock);
  if (skippedSad < UNSEARCHED_SAD * wantedScale) return skippedSad;
  const minCost = searchDirections(macroblock);
  if (skippedSad <= minCost) return skippedSad;
  const [direction, { sad }] =
    joint.cost === minCost
      ? [MACROBLOCK_MOTION_BOTH, joint]
      : forward.cost === minCost
        ? [MACROBLOCK_MOTION_FORWARD, forward]
        : [MACROBLOCK_MOTION_BACKWARD, backward];
  setMotion(best, direction, bestMotion(macroblock, direction).vectors);
  predict(macroblock, best);
  return sad;
}

/** Searches both directions, and refines the two vectors together. Returns the least cost. */
function searchDirections(macroblock: OpenMacroblock): number {
  const { coding, kernels, forward, backward, joint } = macroblock;
  macroblock.searchForward();
  macroblock.searchBackward();
  kernels.refineJointly(coding.joint);
  return Math.min(forward.cost, backward.cost, joint.cost);
}

/** Predicts the macroblock as if it were skipped. Returns the SAD of its luma, infinite where it may not be skipped. */
function predictSkipped(macroblock: OpenMacroblock): number {
  const { memory, coding, best, mbX, mbY } = macroblock;
  const motion = skippedMotion(macroblock);
  if (!motion) return Number.POSITIVE_INFINITY;
  setMotion(best, motion.direction, motion.vectors);
  predict(macroblock, best);
  const { y: plane, lumaStride } = PICTURE_PLANES.at(memory, coding.source);
  const first = plane + (mbY * lumaStride + mbX) * 16;
  let sad = 0;
  for (let y = 0; y < 16; y++) {
    for (let x = 0; x < 16; x++) sad += Math.abs(memory.u8[first + y * lumaStride + x]! - best.prediction[16 * y + x]!);
  }
  return sad;
}

/** Codes the macroblock skipped in the spare trial, where that is allowed. Returns whether it is. */
function trySkipped(macroblock: OpenMacroblock): boolean {
  const { spare } = macroblock;
  const motion = skippedMotion(macroblock);
  if (!motion) return false;
  setMotion(spare, motion.direction, motion.vectors);
  codeSkipped(macroblock, spare);
  return true;
}

/** The motion that the macroblock has if it is skipped; undefined where it may not be. */
function skippedMotion(macroblock: OpenMacroblock): Motion | undefined {
  const { maySkip, predictors } = macroblock;
  const motion = { direction: predictors.direction, vectors: vectorsOf(predictors) };
  return maySkip && allowsMotion(macroblock, motion) ? motion : undefined;
}

/** Whether the motion of another macroblock has a direction, and its vectors are allowed here, too. */
function allowsMotion(macroblock: OpenMacroblock, { direction, vectors }: Motion): boolean {
  const [forwardDx, forwardDy, backwardDx, backwardDy] = vectors;
  if (direction === 0) return false;
  const isForward = (direction & MACROBLOCK_MOTION_FORWARD) !== 0;
  const isBackward = (direction & MACROBLOCK_MOTION_BACKWARD) !== 0;
  if (isForward && !macroblock.allows(macroblock.forward, forwardDx, forwardDy)) return false;
  return !isBackward || macroblock.allows(macroblock.backward, backwardDx, backwardDy);
}

/** The motion that the macroblocks around suggest: each direction with the predicted vectors, the motion above. */
function neighbouringMotion(macroblock: OpenMacroblock): Motion[] {
  const { memory, symbols, coding, address, mbX, mbY } = macroblock;
  const { mbWidth } = coding;
  const vectors = vectorsOf(macroblock.predictors);
  const motion: Motion[] = [MACROBLOCK_MOTION_BOTH, MACROBLOCK_MOTION_FORWARD, MACROBLOCK_MOTION_BACKWARD].map(
    direction => ({ direction, vectors }),
  );
  if (mbY === 0) return motion;
  for (const column of [-1, 0, 1]) {
    if (mbX + column < 0 || mbX + column >= mbWidth) continue;
    motion.push(knownMacroblock(memory, symbols, address - mbWidth + column, mbWidth));
  }
  return motion;
}

/** The best vectors of a direction. */
function bestMotion({ forward, backward, joint }: OpenMacroblock, direction: number): Motion {
  const vectors: VectorPair =
    direction === MACROBLOCK_MOTION_BOTH
      ? [joint.forwardDxHalfPels, joint.forwardDyHalfPels, joint.backwardDxHalfPels, joint.backwardDyHalfPels]
      : [forward.dxHalfPels, forward.dyHalfPels, backward.dxHalfPels, backward.dyHalfPels];
  return { direction, vectors };
}
