// The macroblock that is being coded: where it is, what is wanted of it, and two ways to code it.
import { CandidateSearch, MacroblockCoding, MacroblockTrial, SlicePredictors } from '../generated/records';
import {
  B_PICTURE,
  KNOWS_NEXT,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MAY_CHANGE_SCALE,
  MAY_SKIP,
  MUST_BE_INTRA,
  P_PICTURE,
  WAS_CODED,
} from '../generated/tables';
import { deviation16x16 } from '../picture/block-differences';
import { lumaOf } from '../picture/macroblock-blocks';

export let coding: MacroblockCoding = changetype<MacroblockCoding>(0);
export let predictors: SlicePredictors = changetype<SlicePredictors>(0);
export let isP: bool = false;
export let isB: bool = false;
export let mbX: i32 = 0;
export let mbY: i32 = 0;
export let wantedScale: i32 = 0;
/** What a bit costs, in squared errors of coefficients. */
export let lambda: f64 = 0;
export let maySkip: bool = false;
export let mustBeIntra: bool = false;
export let mayChangeScale: bool = false;
/** The row has been coded before. */
export let wasCoded: bool = false;
/** An earlier coding of the row tells what the next macroblock is. */
export let knowsNext: bool = false;
/** The cheapest trial so far, and the one in which the next is made. */
export let best: MacroblockTrial = changetype<MacroblockTrial>(0);
export let spare: MacroblockTrial = changetype<MacroblockTrial>(0);

export function openMacroblock(ofPicture: MacroblockCoding, x: i32, y: i32, scale: i32, bitCost: f64, rules: i32): void {
  coding = ofPicture;
  predictors = ofPicture.predictors;
  isP = ofPicture.pictureType == P_PICTURE;
  isB = ofPicture.pictureType == B_PICTURE;
  mbX = x;
  mbY = y;
  wantedScale = scale;
  lambda = bitCost;
  maySkip = (rules & MAY_SKIP) != 0;
  mustBeIntra = (rules & MUST_BE_INTRA) != 0;
  mayChangeScale = (rules & MAY_CHANGE_SCALE) != 0;
  wasCoded = (rules & WAS_CODED) != 0;
  knowsNext = (rules & KNOWS_NEXT) != 0;
  best = ofPicture.trial;
  spare = ofPicture.otherTrial;
  best.cost = Infinity;
}

/** Keeps the spare trial if it is cheaper than the best. */
export function offer(): void {
  if (spare.cost >= best.cost) return;
  const kept = spare;
  spare = best;
  best = kept;
}

/** Sets what a trial is predicted from. Vectors of a direction that is not used count as zero. */
export function setMotion(
  trial: MacroblockTrial,
  direction: i32,
  forwardDx: i32,
  forwardDy: i32,
  backwardDx: i32,
  backwardDy: i32,
): void {
  const forward = (direction & MACROBLOCK_MOTION_FORWARD) != 0;
  const backward = (direction & MACROBLOCK_MOTION_BACKWARD) != 0;
  trial.direction = direction;
  trial.forwardDxHalfPels = forward ? forwardDx : 0;
  trial.forwardDyHalfPels = forward ? forwardDy : 0;
  trial.backwardDxHalfPels = backward ? backwardDx : 0;
  trial.backwardDyHalfPels = backward ? backwardDy : 0;
}

/** Whether the macroblock may have a vector: f_code allows it, and it stays inside the picture. */
export function allows(search: CandidateSearch, dx: i32, dy: i32): bool {
  if (min(dx, dy) < search.minHalfPels || max(dx, dy) > search.maxHalfPels) return false;
  const x = 32 * mbX + dx;
  const y = 32 * mbY + dy;
  return x >= 0 && y >= 0 && x <= search.maxXHalfPels && y <= search.maxYHalfPels;
}

/** Sum of |pel - mean| of the source macroblock's luma. */
export function sourceDeviation(): i32 {
  const source = coding.source;
  return deviation16x16(lumaOf(source, mbX, mbY), source.lumaStride);
}
