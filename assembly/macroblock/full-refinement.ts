// Refines the vectors of a mode by what they really cost: each is coded in full; see src/macroblock.
import { MacroblockTrial } from '../generated/records';
import {
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MAX_CODED_PREDICTIONS,
  MAX_STARTS_B,
  MAX_STARTS_P,
  NEIGHBOURS,
  REFINED_COST_FACTOR,
} from '../generated/tables';
import { scratch } from '../scratch';
import { allows, best, coding, isP, offer, setMotion, spare } from './open-macroblock';
import { codePredicted } from './trial-coder';

/** The predictions of the macroblock that have been coded: pairs of vectors, each in one word, and directions. */
const coded: usize = scratch(8 * MAX_CODED_PREDICTIONS);
const codedDirections: usize = scratch(MAX_CODED_PREDICTIONS);
let codedCount = 0;
/** Those of them from which refinements start: a double with the cost, the vectors, the direction. */
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

// @ts-ignore: decorator
@inline
function packed(forwardDx: i32, forwardDy: i32, backwardDx: i32, backwardDy: i32): u64 {
  const forward = <u32>((forwardDx & 0xffff) | (forwardDy << 16));
  return <u64>forward | (<u64>(<u32>((backwardDx & 0xffff) | (backwardDy << 16))) << 32);
}

// @ts-ignore: decorator
@inline
function component(vectors: u64, index: u64): i32 {
  return <i32>(<i16>(vectors >> (16 * index)));
}

/** A macroblock begins: nothing has been coded. */
export function clearPredictions(): void {
  codedCount = 0;
  startCount = 0;
}

/** Codes the prediction that the spare trial has, unless that has been done or there is no room; returns whether. */
function codeOnce(isOnlyMode: bool): bool {
  const vectors = vectorsOf(spare);
  const direction = spare.direction;
  if (codedCount == MAX_CODED_PREDICTIONS) return false;
  for (let i: usize = 0; i < <usize>codedCount; i++) {
    if (load<u64>(coded + (i << 3)) == vectors && <i32>load<u8>(codedDirections + i) == direction) return false;
  }
  store<u64>(coded + (<usize>codedCount << 3), vectors);
  store<u8>(codedDirections + <usize>codedCount, <u8>direction);
  codedCount++;
  codePredicted(spare, isOnlyMode);
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

/** Codes the neighbours of one vector of the centre, which becomes the best of them and itself. */
function moveToBest(direction: i32, isBackward: bool): void {
  const from = centre;
  const forwardDx = component(from, 0);
  const forwardDy = component(from, 1);
  const backwardDx = component(from, 2);
  const backwardDy = component(from, 3);
  for (let i: usize = 0; i < 16; i += 2) {
    const dx = <i32>load<i8>(NEIGHBOURS + i);
    const dy = <i32>load<i8>(NEIGHBOURS + i, 1);
    const x = (isBackward ? backwardDx : forwardDx) + dx;
    const y = (isBackward ? backwardDy : forwardDy) + dy;
    if (!allows(isBackward ? coding.backward : coding.forward, x, y)) continue;
    if (isBackward) setMotion(spare, direction, forwardDx, forwardDy, x, y);
    else setMotion(spare, direction, x, y, backwardDx, backwardDy);
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
    if (direction & MACROBLOCK_MOTION_BACKWARD) moveToBest(direction, true);
    if (direction & MACROBLOCK_MOTION_FORWARD) moveToBest(direction, false);
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
