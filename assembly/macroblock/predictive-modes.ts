// Mode decision in P pictures: skipped, predicted or intra; see src/macroblock.
import {
  CERTAIN_SKIP_BITS_P,
  EARLY_SKIP_BITS,
  INTRA_BIAS_SAD,
  MACROBLOCK_MOTION_FORWARD,
  MIN_INTRA_BITS,
  ZERO_VECTOR_FACTOR,
} from '../generated/tables';
import { searchCandidates } from '../motion/search/candidate-search';
import { clearPredictions, codePrediction, refineBest, refineStarts } from './full-refinement';
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
  mustBeIntra,
  offer,
  predictors,
  setMotion,
  sourceDeviation,
  spare,
  wantedScale,
  wasCoded,
} from './open-macroblock';
import { codeIntra, codeSkipped, finish, isCheaperWithResidual, tryIntra } from './trial-coder';

/** Codes the macroblock skipped in the spare trial; returns whether that is the choice. */
function trySkipped(): bool {
  if (coding.rateDistortionModes == 0 || mustBeIntra || !maySkip) return false;
  setMotion(spare, MACROBLOCK_MOTION_FORWARD, 0, 0, 0, 0);
  codeSkipped(spare);
  const bits = spare.cost / lambda;
  if (bits <= CERTAIN_SKIP_BITS_P) return true;
  return coding.earlySkips != 0 && bits <= EARLY_SKIP_BITS && !isCheaperWithResidual(spare);
}

function tryVector(dx: i32, dy: i32, isOnlyMode: bool): void {
  codePrediction(MACROBLOCK_MOTION_FORWARD, dx, dy, 0, 0, isOnlyMode);
}

/** Codes the vector of a macroblock that an earlier coding of the row has left at `address`, if it has any. */
function tryKnown(address: usize): void {
  const symbols = coding.symbols;
  if ((load<u8>(symbols.flags + address) & MACROBLOCK_MOTION_FORWARD) == 0) return;
  const dx = <i32>load<i16>(symbols.forwardDx + (address << 1));
  const dy = <i32>load<i16>(symbols.forwardDy + (address << 1));
  if (allows(coding.forward, dx, dy)) tryVector(dx, dy, false);
}

function codeOnlyIntra(): void {
  codeIntra(spare, true);
  offer();
}

/** Tries the vectors that were compared, from the second best on, without the zero vector. */
function tryNextBest(): void {
  const search = coding.forward;
  const tried = search.triedCount;
  let floor = search.cost;
  for (let rank = 1; rank < coding.rdVectorCandidates; rank++) {
    let least = Infinity;
    let found = -1;
    for (let i = 0; i < tried; i++) {
      if (load<i32>(search.tried + (<usize>i << 2)) == 0) continue;
      const cost = load<f64>(search.triedCosts + (<usize>i << 3));
      if (cost <= floor || cost >= least) continue;
      least = cost;
      found = i;
    }
    if (found < 0) return;
    const vector = search.tried + (<usize>found << 2);
    tryVector(<i32>load<i16>(vector), <i32>load<i16>(vector, 2), false);
    floor = least;
  }
}

function chooseByRateAndDistortion(): void {
  const search = coding.forward;
  const dx = search.dxHalfPels;
  const dy = search.dyHalfPels;
  const sad = search.sad;
  const isZero = (dx | dy) == 0;
  const triesZero = isZero || <f64>search.zeroSad <= <f64>sad * ZERO_VECTOR_FACTOR;
  const mayBeIntra = mayPayAsIntra(sad);
  const refines = coding.fullRefinementRounds > 0;
  if (!triesZero && !mayBeIntra && coding.rdVectorCandidates == 1 && !refines) {
    tryVector(dx, dy, true);
    return;
  }
  if (triesZero) {
    if (maySkip) offer(); // the spare trial is still that of trySkipped
    tryVector(0, 0, false);
  }
  if (!isZero) tryVector(dx, dy, false);
  if (wasCoded) {
    tryKnown(addressOf());
    if (mbX + 1 < coding.mbWidth) tryKnown(addressOf() + 1);
    if (mbX + 2 < coding.mbWidth) tryKnown(addressOf() + 2);
    if (mbX > 1) tryKnown(addressOf() - 2);
  }
  tryNextBest();
  if (refines && best.flags != 0) {
    refineBest();
    refineStarts();
  }
  if (mayBeIntra && best.bits > MIN_INTRA_BITS) tryIntra();
}

function chooseBySad(): void {
  const search = coding.forward;
  if (sourceDeviation() + INTRA_BIAS_SAD < search.sad) codeOnlyIntra();
  else tryVector(search.dxHalfPels, search.dyHalfPels, true);
}

/** Leaves the best mode in the best trial. */
export function choosePredictiveMode(): void {
  if (trySkipped()) {
    offer();
    return;
  }
  if (mustBeIntra) codeOnlyIntra();
  else {
    clearPredictions();
    searchCandidates(coding.forward, mbX, mbY, predictors.forwardDxHalfPels, predictors.forwardDyHalfPels);
    if (coding.rateDistortionModes != 0) chooseByRateAndDistortion();
    else chooseBySad();
  }
  finish(best);
}
