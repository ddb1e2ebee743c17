// Codes a macroblock: decides how, keeps its symbols and reconstructs it; see src/macroblock.
import { MacroblockCoding } from '../generated/records';
import { ENOUGH_SAD, MUST_BE_SPARSE, SQUARED_ERROR_SCALE } from '../generated/tables';
import { chooseBidirectionalMode } from './bidirectional-modes';
import { findSkipped } from './known-macroblock';
import { best, isB, isP, knowsNext, offer, openMacroblock, spare } from './open-macroblock';
import { choosePredictiveMode } from './predictive-modes';
import { recordBest } from './record-macroblock';
import { openChoices } from './row/coded-predictions';
import { codeSingleMode } from './single-mode';
import { chooseSparseMode } from './sparse-modes';
import { codeIntra, finish } from './trial-coder';

function chooseIntra(): void {
  codeIntra(spare, true);
  offer();
  finish(best);
}

export function codeMacroblock(
  coding: MacroblockCoding,
  mbX: i32,
  mbY: i32,
  quantizerScale: i32,
  lambda: f64,
  rules: i32,
): bool {
  openMacroblock(coding, mbX, mbY, quantizerScale, lambda, rules);
  openChoices();
  if (knowsNext) findSkipped();
  if (isP || isB) {
    const searchLambda = Math.sqrt(lambda / SQUARED_ERROR_SCALE);
    coding.forward.lambda = searchLambda;
    coding.backward.lambda = searchLambda;
  }
  coding.forward.enoughSad = isP && coding.rateDistortionModes == 0 ? ENOUGH_SAD * quantizerScale : 0;
  if (coding.comparesNothing != 0) {
    const kind = codeSingleMode();
    if (kind >= 0) return kind != 0;
  }
  if (rules & MUST_BE_SPARSE) chooseSparseMode();
  else if (isB) chooseBidirectionalMode();
  else if (isP) choosePredictiveMode();
  else chooseIntra();
  return recordBest();
}
