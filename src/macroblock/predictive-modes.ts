// Mode decision in P pictures: skipped, predicted or intra.
import { MACROBLOCK_MOTION_FORWARD } from '../bitstream/tables/macroblock-codes.js';
import type { CandidateSearch } from '../kernels/records/candidate-search.js';
import { CodedPredictions } from './full-refinement.js';
import { mayPayAsIntra } from './likely-modes.js';
import { type Motion, setMotion } from './macroblock-trial.js';
import {
  CERTAIN_SKIP_BITS_P,
  EARLY_SKIP_BITS,
  INTRA_BIAS_SAD,
  MAX_STARTS_P,
  MIN_INTRA_BITS,
  ZERO_VECTOR_FACTOR,
} from './mode-limits.js';
import type { OpenMacroblock } from './open-macroblock.js';
import { codeIntra, codeSkipped, finish, isCheaperWithResidual, tryIntra } from './trial-coder.js';

/** Leaves the best mode of a macroblock in its best trial. */
export function choosePredictiveMode(macroblock: OpenMacroblock): void {
  if (trySkipped(macroblock)) {
    macroblock.offer();
    return;
  }
  if (macroblock.mustBeIntra) codeOnlyIntra(macroblock);
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
function trySkipped(macroblock: OpenMacroblock): boolean {
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
  const predictions = new CodedPredictions(macroblock);
  const tryVector = (dx: number, dy: number) => predictions.code(motionOf(dx, dy), isOnlyMode);
  if (isOnlyMode) {
    tryVector(dxHalfPels, dyHalfPels);
    return;
  }
  if (triesZero) {
    if (maySkip) macroblock.offer(); // the spare trial is still that of trySkipped
    tryVector(0, 0);
  }
  if (!isZero) tryVector(dxHalfPels, dyHalfPels);
  for (const { flags, vectors } of macroblock.knownAround()) {
    const [dx, dy] = vectors;
    const isVector = (flags & MACROBLOCK_MOTION_FORWARD) !== 0;
    if (isVector && macroblock.allows(forward, dx, dy)) tryVector(dx, dy);
  }
  for (const index of nextBest(forward, rdVectorCandidates - 1)) {
    tryVector(forward.tried[2 * index]!, forward.tried[2 * index + 1]!);
  }
  if (fullRefinementRounds > 0 && macroblock.best.flags !== 0) {
    predictions.refineBest();
    predictions.refineStarts(MAX_STARTS_P);
  }
  if (mayBeIntra && macroblock.best.bits > MIN_INTRA_BITS) tryIntra(macroblock);
}

function chooseBySad(macroblock: OpenMacroblock): void {
  const { dxHalfPels, dyHalfPels, sad } = macroblock.forward;
  if (macroblock.sourceDeviation() + INTRA_BIAS_SAD < sad) codeOnlyIntra(macroblock);
  else new CodedPredictions(macroblock).code(motionOf(dxHalfPels, dyHalfPels), true);
}

function motionOf(dxHalfPels: number, dyHalfPels: number): Motion {
  return { direction: MACROBLOCK_MOTION_FORWARD, vectors: [dxHalfPels, dyHalfPels, 0, 0] };
}

function codeOnlyIntra(macroblock: OpenMacroblock): void {
  codeIntra(macroblock, macroblock.spare, true);
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
