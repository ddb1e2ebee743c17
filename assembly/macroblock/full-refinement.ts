// Refines the vectors of a mode by what they really cost: each is coded in full; see src/macroblock.
import { MacroblockTrial } from '../generated/records';
import {
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_BOTH,
  MACROBLOCK_MOTION_FORWARD,
  MAX_CODED_PREDICTIONS,
  MAX_STARTS_B,
  MAX_STARTS_P,
  NEIGHBOURS,
  REFINED_COST_FACTOR,
} from '../generated/tables';
import { scratch } from '../scratch';
import { compareEstimate, transformLikely } from './likely-modes';
import { allows, best, coding, isP, offer, setMotion, spare } from './open-macroblock';
import {
  addPrediction,
  choices,
  component,
  findPrediction,
  giveUpPrediction,
  keepPrediction,
  openPredictions,
  packed,
  recallPrediction,
  wasGivenUp,
} from './row/coded-predictions';
import { codePredicted, codeTransformed, countHeader } from './trial-coder';

/** A byte for each prediction that is known: whether it has been compared in this coding of the macroblock. */
const compared: usize = scratch(MAX_CODED_PREDICTIONS);
/** Predictions from which refinements start: a double with the cost, the vectors, the direction. */
const START_BYTES: usize = 24;
const starts: usize = scratch(<i32>START_BYTES * MAX_STARTS_B);
let startCount = 0;
/** The pair to go on from, and its cost. */
let centre: u64 = 0;
let centreCost: f64 = 0;

/** The vectors of a trial in one word: forward dx, dy, backward dx, dy from its low end on. */
function vectorsOf(trial: MacroblockTrial): u64 {
  return packed(
    trial.forwardDxHalfPels,
    trial.forwardDyHalfPels,
    trial.backwardDxHalfPels,
    trial.backwardDyHalfPels,
  );
}

/** A macroblock begins: nothing has been compared. */
export function clearPredictions(): void {
  memory.fill(compared, 0, MAX_CODED_PREDICTIONS);
  openPredictions();
  startCount = 0;
}

/** Codes the prediction of the spare trial, unless it is given up as unlikely, and keeps what it takes. */
function codeNew(number: i32): void {
  if (coding.fullRefinementRounds == 0) codePredicted(spare, false);
  else {
    if (!transformLikely(spare)) {
      giveUpPrediction(number);
      spare.cost = Infinity;
      return;
    }
    codeTransformed(spare, false);
    compareEstimate(spare);
  }
  keepPrediction(spare, number);
}

/** Codes or recalls the prediction of the spare trial, unless it was compared or has no room; returns whether. */
function codeOnce(isOnlyMode: bool): bool {
  if (isOnlyMode) {
    codePredicted(spare, true);
    return true;
  }
  const vectors = vectorsOf(spare);
  const number = findPrediction(spare.direction, vectors, choices.count);
  if (number == MAX_CODED_PREDICTIONS || load<u8>(compared + <usize>number) != 0) return false;
  if (number == choices.count) {
    addPrediction(spare.direction, vectors);
    codeNew(number);
  } else if (!wasGivenUp(number)) {
    recallPrediction(spare, number);
    countHeader(spare);
  } else if (best.cost == Infinity) codeNew(number);
  else spare.cost = Infinity;
  store<u8>(compared + <usize>number, 1);
  store<f64>(choices.cost + (<usize>number << 3), spare.cost);
  return true;
}

/** Codes a prediction and offers it; it becomes a start of refinements, in P pictures if it is among the first. */
export function codePrediction(
  direction: i32,
  forwardDx: i32,
  forwardDy: i32,
  backwardDx: i32,
  backwardDy: i32,
  isOnlyMode: bool,
): void {
  setMotion(spare, direction, forwardDx, forwardDy, backwardDx, backwardDy);
  if (!codeOnce(isOnlyMode)) return;
  const maxStarts = isP ? MAX_STARTS_P : MAX_STARTS_B;
  if (startCount != maxStarts) {
    const start = starts + START_BYTES * <usize>startCount;
    store<f64>(start, spare.cost);
    store<u64>(start, vectorsOf(spare), 8);
    store<i32>(start, direction, 16);
    startCount++;
  }
  offer();
}

/**
 * Codes predictions around the centre, which becomes the best of them and itself: its vectors move by half a pel,
 * `forward` and `backward` times.
 */
function moveToBest(direction: i32, forward: i32, backward: i32): void {
  const from = centre;
  for (let i: usize = 0; i < 16; i += 2) {
    const dx = <i32>load<i8>(NEIGHBOURS + i);
    const dy = <i32>load<i8>(NEIGHBOURS + i, 1);
    const forwardDx = component(from, 0) + forward * dx;
    const forwardDy = component(from, 1) + forward * dy;
    const backwardDx = component(from, 2) + backward * dx;
    const backwardDy = component(from, 3) + backward * dy;
    if (forward != 0 && !allows(coding.forward, forwardDx, forwardDy)) continue;
    if (backward != 0 && !allows(coding.backward, backwardDx, backwardDy)) continue;
    setMotion(spare, direction, forwardDx, forwardDy, backwardDx, backwardDy);
    if (!codeOnce(false)) continue;
    if (spare.cost < centreCost) {
      centreCost = spare.cost;
      centre = vectorsOf(spare);
    }
    offer();
  }
}

/** Refines a prediction that was coded in full; what is better than the best trial takes its place. */
function refine(direction: i32, vectors: u64, cost: f64): void {
  centre = vectors;
  centreCost = cost;
  const rounds = coding.fullRefinementRounds;
  for (let round = 0; round < rounds; round++) {
    const before = centre;
    if (direction & MACROBLOCK_MOTION_BACKWARD) moveToBest(direction, 0, 1);
    if (direction & MACROBLOCK_MOTION_FORWARD) moveToBest(direction, 1, 0);
    if (direction == MACROBLOCK_MOTION_BOTH) {
      moveToBest(direction, 1, 1);
      moveToBest(direction, 1, -1);
    }
    if (centre == before) return;
  }
}

/** Refines the best trial, which is a predicted one. */
export function refineBest(): void {
  refine(best.direction, vectorsOf(best), best.cost);
}

/** Refines the starts that are nearly as good as the best trial. */
export function refineStarts(): void {
  for (let i = 0; i < startCount; i++) {
    const start = starts + START_BYTES * <usize>i;
    const cost = load<f64>(start);
    if (cost <= best.cost * REFINED_COST_FACTOR) refine(load<i32>(start, 16), load<u64>(start, 8), cost);
  }
}
