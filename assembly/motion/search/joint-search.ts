// Refines the two vectors of an interpolated macroblock together.
import { CandidateSearch, JointSearch } from '../../generated/records';
import { NEIGHBOURS } from '../../generated/tables';
import { predictBlock } from '../../picture/half-pel-prediction';
import { sadAverage16x16 } from './half-pel-sads';
import { bitCost, isLegal, matchOf, matchStride, openSearch, pels, stride } from './macroblock-match';

/** The vector that `moveToBest` has found. */
let movedDx: i32 = 0;
let movedDy: i32 = 0;

/** Writes the prediction of the vector that stays to `pair.scratch`. Returns lambda * bits of the vector. */
function fixVector(pair: JointSearch, search: CandidateSearch, dx: i32, dy: i32): f64 {
  openSearch(search);
  predictBlock(pair.scratch, 16, matchOf(dx, dy), matchStride, 16, dx & 1, dy & 1);
  return bitCost(dx, dy);
}

/** SAD of the open search's macroblock against the mean of `scratch` and the prediction of a vector. */
// @ts-ignore: decorator
@inline
function jointSad(scratch: usize, dx: i32, dy: i32): i32 {
  return sadAverage16x16(pels, stride, scratch, matchOf(dx, dy), matchStride, dx & 1, dy & 1);
}

/** Moves the vector (dx, dy) of a search to its best neighbour while the other one stays; returns whether it moved. */
function moveToBest(pair: JointSearch, search: CandidateSearch, dx: i32, dy: i32, fixedCost: f64): bool {
  openSearch(search);
  const scratch = pair.scratch;
  movedDx = dx;
  movedDy = dy;
  const end: usize = pair.movesBoth != 0 ? 16 : 8;
  for (let i: usize = 0; i < end; i += 2) {
    const nearDx = dx + <i32>load<i8>(NEIGHBOURS + i);
    const nearDy = dy + <i32>load<i8>(NEIGHBOURS + i, 1);
    if (!isLegal(nearDx, nearDy)) continue;
    const sad = jointSad(scratch, nearDx, nearDy);
    const cost = <f64>sad + (fixedCost + bitCost(nearDx, nearDy));
    if (cost >= pair.cost) continue;
    pair.cost = cost;
    pair.sad = sad;
    movedDx = nearDx;
    movedDy = nearDy;
  }
  return movedDx != dx || movedDy != dy;
}

export function refineJointly(pair: JointSearch): void {
  const forward = pair.forward;
  const backward = pair.backward;
  const rounds = pair.rounds;
  let forwardDx = forward.dxHalfPels;
  let forwardDy = forward.dyHalfPels;
  let backwardDx = backward.dxHalfPels;
  let backwardDy = backward.dyHalfPels;
  let fixedCost = fixVector(pair, forward, forwardDx, forwardDy);
  openSearch(backward);
  const sad = jointSad(pair.scratch, backwardDx, backwardDy);
  pair.sad = sad;
  pair.cost = <f64>sad + fixedCost + bitCost(backwardDx, backwardDy);
  const isBackwardWorse = backward.cost > forward.cost;
  const movesBackward = pair.movesBoth != 0 || isBackwardWorse;
  const movesForward = pair.movesBoth != 0 || !isBackwardWorse;
  for (let round = 0; round < rounds; round++) {
    let moved = false;
    if (movesBackward) {
      if (round > 0) fixedCost = fixVector(pair, forward, forwardDx, forwardDy);
      moved = moveToBest(pair, backward, backwardDx, backwardDy, fixedCost);
      backwardDx = movedDx;
      backwardDy = movedDy;
    }
    if (movesForward) {
      fixedCost = fixVector(pair, backward, backwardDx, backwardDy);
      const forwardMoved = moveToBest(pair, forward, forwardDx, forwardDy, fixedCost);
      moved = moved || forwardMoved;
      forwardDx = movedDx;
      forwardDy = movedDy;
    }
    if (!moved) break;
  }
  pair.forwardDxHalfPels = forwardDx;
  pair.forwardDyHalfPels = forwardDy;
  pair.backwardDxHalfPels = backwardDx;
  pair.backwardDyHalfPels = backwardDy;
}
