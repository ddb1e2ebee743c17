// Mode decision in P pictures: skipped, predicted or intra.
import { MACROBLOCK_MOTION_FORWARD } from '../bitstream/tables/macroblock-codes.js';
import type { CandidateSearch } from '../kernels/records/candidate-search.js';
import { codedPrediction, refineInFull } from './full-refinement.js';
import { mayPayAsIntra } from './intra-check.js';
import { setMotion } from './macroblock-trial.js';
import {
  CERTAIN_SKIP_BITS_P,
  EARLY_SKIP_BITS,
  INTRA_BIAS_SAD,
  MIN_INTRA_BITS,
  ZERO_VECTOR_FACTOR,
} from './mode-limits.js';
import type { OpenMacroblock } from './open-macroblock.js';
import { codeIntra, codePredicted, codeSkipped, finish, isCheaperWithResidual } from './trial-coder.js';

/** Leaves the best mode of a macroblock in its best trial. */
export function choosePredictiveMode(macroblock: OpenMacroblock): void {
  if (isSkipped(macroblock)) {
    macroblock.offer();
    return;
  }
  if (macroblock.mustBeIntra) tryIntra(macroblock, true);
  else {
    macroblock.searchForward();
    if (macroblock.coding.rateDistortionModes === 1) chooseByRateAndDistortion(macroblock);
    else chooseBySad(macroblock);
  }
  finish(macroblock, macroblock.best);
}

/**
 * Codes the macroblock skipped in the spare trial. Returns whether no other mode can be cheaper or, with the tool
 * `earlySkips`, whether the zero vector leaves a small error that does not pay to be coded.
 */
function isSkipped(macroblock: OpenMacroblock): boolean {
  const { coding, mustBeIntra, maySkip, lambda, spare } = macroblock;
  if (coding.rateDistortionModes === 0 || mustBeIntra || !maySkip) return false;
  setMotion(spare, MACROBLOCK_MOTION_FORWARD, [0, 0, 0, 0]);
  codeSkipped(macroblock, spare);
  const bits = spare.cost / lambda;
  if (bits <= CERTAIN_SKIP_BITS_P) return true;
  return coding.earlySkips === 1 && bits <= EARLY_SKIP_BITS && !isCheaperWithResidual(macroblock, spare);
}

function chooseByRateAndDistortion(macroblock: OpenMacroblock): void {
  const { coding, forward, maySkip } = macroblock;
  const { dxHalfPels, dyHalfPels, sad, zeroSad } = forward;
  const { rdVectorCandidates, fullRefinementRounds } = coding;
  const isZero = dxHalfPels === 0 && dyHalfPels === 0;
  const triesZero = isZero || zeroSad <= sad * ZERO_VECTOR_FACTOR;
  const mayBeIntra = mayPayAsIntra(macroblock, sad);
  const isOnlyMode = !triesZero && !mayBeIntra && rdVectorCandidates === 1 && fullRefinementRounds === 0;
  if (isOnlyMode) {
    tryVector(macroblock, dxHalfPels, dyHalfPels, true);
    return;
  }
  if (triesZero) {
    if (maySkip) macroblock.offer(); // the spare trial is still that of isSkipped
    tryVector(macroblock, 0, 0);
  }
  if (!isZero) tryVector(macroblock, dxHalfPels, dyHalfPels);
  for (const index of nextBest(forward, rdVectorCandidates - 1)) {
    tryVector(macroblock, forward.tried[2 * index]!, forward.tried[2 * index + 1]!);
  }
  const { best } = macroblock;
  if (fullRefinementRounds > 0 && best.flags !== 0) refineInFull(macroblock, codedPrediction(best));
  if (mayBeIntra && macroblock.best.bits > MIN_INTRA_BITS) tryIntra(macroblock);
}

function chooseBySad(macroblock: OpenMacroblock): void {
  const { dxHalfPels, dyHalfPels, sad } = macroblock.forward;
  if (macroblock.sourceDeviation() + INTRA_BIAS_SAD < sad) tryIntra(macroblock, true);
  else tryVector(macroblock, dxHalfPels, dyHalfPels, true);
}

function tryVector(macroblock: OpenMacroblock, dxHalfPels: number, dyHalfPels: number, isOnlyMode = false): void {
  const trial = macroblock.spare;
  setMotion(trial, MACROBLOCK_MOTION_FORWARD, [dxHalfPels, dyHalfPels, 0, 0]);
  codePredicted(macroblock, trial, isOnlyMode);
  macroblock.offer();
}

function tryIntra(macroblock: OpenMacroblock, isOnlyMode = false): void {
  codeIntra(macroblock, macroblock.spare, isOnlyMode);
  macroblock.offer();
}

/** Indices of at most `count` tried vectors that cost more than the best, cheapest first, without the zero vector. */
function* nextBest(search: CandidateSearch, count: number): Generator<number> {
  let floor = search.cost;
  for (let rank = 0; rank < count; rank++) {
    const found = cheapestAbove(search, floor);
    if (found < 0) return;
    yield found;
    floor = search.triedCosts[found]!;
  }
}

function cheapestAbove({ tried, triedCosts, triedCount }: CandidateSearch, floor: number): number {
  let minCost = Number.POSITIVE_INFINITY;
  let found = -1;
  for (let i = 0; i < triedCount; i++) {
    if (tried[2 * i] === 0 && tried[2 * i + 1] === 0) continue;
    const cost = triedCosts[i]!;
    if (cost <= floor || cost >= minCost) continue;
    minCost = cost;
    found = i;
  }
  return found;
}
