// Refines the vectors of a mode by what they really cost: each is coded in full; see src/macroblock.
import { MacroblockTrial } from '../generated/records';
import {
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MAX_REFINEMENT_ROUNDS,
  NEIGHBOURS,
} from '../generated/tables';
import { scratch } from '../scratch';
import { allows, coding, offer, setMotion, spare } from './open-macroblock';
import { codePredicted } from './trial-coder';

/** What has been coded from one start on: pairs of vectors, each in one word. */
const coded: usize = scratch(8 * (1 + 16 * MAX_REFINEMENT_ROUNDS));
let count: usize = 0;
/** The pair to go on from, and its cost. */
let centre: u64 = 0;
let centreCost: f64 = 0;

/** The vectors of a trial in one word: forward dx, dy, backward dx, dy from its low end on. */
export function vectorsOf(trial: MacroblockTrial): u64 {
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

function wasCoded(vectors: u64): bool {
  for (let i: usize = 0; i < count; i++) if (load<u64>(coded + (i << 3)) == vectors) return true;
  return false;
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
    const vectors = isBackward ? packed(forwardDx, forwardDy, x, y) : packed(x, y, backwardDx, backwardDy);
    if (!allows(isBackward ? coding.backward : coding.forward, x, y) || wasCoded(vectors)) continue;
    store<u64>(coded + (count++ << 3), vectors);
    if (isBackward) setMotion(spare, direction, forwardDx, forwardDy, x, y);
    else setMotion(spare, direction, x, y, backwardDx, backwardDy);
    codePredicted(spare, false);
    if (spare.cost < centreCost) {
      centreCost = spare.cost;
      centre = vectors;
    }
    offer();
  }
}

/** Refines a prediction that was coded in full; what is better than the best trial takes its place. */
export function refineInFull(direction: i32, vectors: u64, cost: f64): void {
  centre = vectors;
  centreCost = cost;
  store<u64>(coded, vectors);
  count = 1;
  const rounds = coding.fullRefinementRounds;
  for (let round = 0; round < rounds; round++) {
    const before = centre;
    if (direction & MACROBLOCK_MOTION_BACKWARD) moveToBest(direction, true);
    if (direction & MACROBLOCK_MOTION_FORWARD) moveToBest(direction, false);
    if (centre == before) return;
  }
}
