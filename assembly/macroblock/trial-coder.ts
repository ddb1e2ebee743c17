// Codes trials of a macroblock in full, so that their bits, distortion and cost are known; see src/macroblock.
import { MacroblockTrial, Quantizer } from '../generated/records';
import {
  BLOCK_BYTES,
  CLIPPED_DISTORTION,
  INCREMENT_BITS,
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MAX_KEPT_PART,
  MAX_QUANTIZER_SCALE,
  MIN_BITS_FOR_SCALES,
  NEAREST_QUANTIZERS,
  PLAIN_QUANTIZERS,
  QUANTIZERS_OF_A_KIND,
  JOINT_ALL,
  JOINT_NONE,
  SQUARED_ERROR_SCALE,
  TRELLIS_ALL,
  TRELLIS_CHOSEN,
  TRELLIS_NONE,
} from '../generated/tables';
import { quantizeMacroblock, quantizeMacroblockByTrellis } from '../dct/quantize-macroblock';
import { transformMacroblock } from '../dct/transform-macroblock';
import { averagePredictions, predictionError, predictMacroblock } from '../picture/macroblock-prediction';
import { followingBits } from './following-bits';
import { headerBits, intraDcBits, patternBits, scaleBits, typeBits } from './header-bits';
import { chooseCodedBlocks, chooseDcs } from './joint-symbols';
import {
  coding,
  isP,
  lambda,
  mayChangeScale,
  maySkip,
  mbX,
  mbY,
  offer,
  predictors,
  setMotion,
  spare,
  wantedScale,
} from './open-macroblock';
import { choices, keepIntra, recallIntra } from './row/coded-predictions';

/** Writes a trial's prediction by its direction and vectors. */
export function predict(trial: MacroblockTrial): void {
  const prediction = trial.prediction;
  const direction = trial.direction;
  const backwardDx = trial.backwardDxHalfPels;
  const backwardDy = trial.backwardDyHalfPels;
  if (direction == MACROBLOCK_MOTION_BACKWARD) {
    predictMacroblock(prediction, coding.backward.reference, mbX, mbY, backwardDx, backwardDy);
    return;
  }
  const forwardDx = trial.forwardDxHalfPels;
  predictMacroblock(prediction, coding.forward.reference, mbX, mbY, forwardDx, trial.forwardDyHalfPels);
  if (direction == MACROBLOCK_MOTION_FORWARD) return;
  predictMacroblock(coding.scratch, coding.backward.reference, mbX, mbY, backwardDx, backwardDy);
  averagePredictions(prediction, coding.scratch);
}

/** The quantizer from which the trellis starts, or that rounds. */
export function quantizerOf(scale: i32, intra: bool, byTrellis: bool): Quantizer {
  const kind = (byTrellis ? NEAREST_QUANTIZERS : PLAIN_QUANTIZERS) + <i32>intra;
  const at = coding.quantizers + (<usize>(kind * QUANTIZERS_OF_A_KIND + scale) << 2);
  return changetype<Quantizer>(load<usize>(at));
}

/** Quantizes a trial's coefficients: by the trellis, or by rounding. */
export function quantize(trial: MacroblockTrial, scale: i32, intra: bool, bitCost: f64, byTrellis: bool): void {
  const quantizer = quantizerOf(scale, intra, byTrellis);
  if (byTrellis) quantizeMacroblockByTrellis(trial, quantizer, coding.lengths, intra, bitCost);
  else quantizeMacroblock(trial, quantizer, coding.lengths, intra, bitCost);
  trial.quantizerScale = scale;
}

/** Whether the levels of a mode are chosen by the trellis, and whether that is for good. */
// @ts-ignore: decorator
@inline
function usesTrellis(trial: MacroblockTrial, isOnlyMode: bool): bool {
  const trellis = coding.trellis;
  trial.hasFinalLevels = isOnlyMode || trellis != TRELLIS_CHOSEN ? 1 : 0;
  return trellis == TRELLIS_ALL || (isOnlyMode && trellis != TRELLIS_NONE);
}

/** Sets the cost of a trial whose flags, distortion and bits are known. */
// @ts-ignore: decorator
@inline
function setCost(trial: MacroblockTrial): void {
  trial.cost = trial.distortion + lambda * <f64>(trial.bits + followingBits(trial));
}

function countPredictedBits(trial: MacroblockTrial): void {
  if (coding.jointSymbols != JOINT_NONE) chooseCodedBlocks(trial);
  else {
    const pattern = trial.codedBlockPattern;
    trial.emptyDistortion = pattern == 0 ? trial.distortion : Infinity;
    trial.codedPattern = pattern;
    trial.codedDistortion = trial.distortion;
    trial.codedBits = pattern == 0 ? 0 : trial.bits + patternBits(pattern);
  }
  countHeader(trial);
}

/** Chooses whether a trial whose blocks are counted is coded. */
export function countHeader(trial: MacroblockTrial): void {
  let pattern = trial.codedPattern;
  let bits = headerBits(trial, false);
  let distortion = trial.emptyDistortion;
  if (pattern != 0) {
    const flags = trial.flags;
    const codedBits = headerBits(trial, true) + trial.codedBits;
    if (trial.codedDistortion + lambda * <f64>codedBits < distortion + lambda * <f64>bits) {
      bits = codedBits;
      distortion = trial.codedDistortion;
    } else {
      trial.flags = flags;
      pattern = 0;
    }
  }
  trial.codedBlockPattern = pattern;
  trial.distortion = distortion;
  trial.bits = bits;
  setCost(trial);
}

function countIntraBits(trial: MacroblockTrial): void {
  if (coding.jointSymbols == JOINT_ALL) chooseDcs(trial);
  addIntraBits(trial);
}

/** Adds the bits of the header and of the DCs. */
function addIntraBits(trial: MacroblockTrial): void {
  trial.bits += INCREMENT_BITS + typeBits(MACROBLOCK_INTRA);
  trial.bits += intraDcBits(trial.levels, BLOCK_BYTES, predictors.dcY, predictors.dcCb, predictors.dcCr);
  trial.bits += scaleBits(MACROBLOCK_INTRA, trial.quantizerScale, predictors.quantizerScale);
  setCost(trial);
}

/** Codes a predicted trial whose coefficients are known. */
export function codeTransformed(trial: MacroblockTrial, isOnlyMode: bool): void {
  quantize(trial, wantedScale, false, lambda, usesTrellis(trial, isOnlyMode));
  countPredictedBits(trial);
  trial.isRecalled = 0;
}

export function codePredicted(trial: MacroblockTrial, isOnlyMode: bool): void {
  predict(trial);
  transformMacroblock(trial, coding.source, mbX, mbY, false);
  codeTransformed(trial, isOnlyMode);
}

/** Codes the macroblock as skipped, from the trial's direction and vectors. */
export function codeSkipped(trial: MacroblockTrial): void {
  trial.quantizerScale = wantedScale;
  predict(trial);
  trial.flags = 0;
  trial.codedBlockPattern = 0;
  trial.bits = 0;
  trial.distortion = SQUARED_ERROR_SCALE * <f64>predictionError(coding.source, mbX, mbY, trial.prediction);
  setCost(trial);
  trial.isRecalled = 0;
}

/** Whether a skipped trial would be cheaper with its residual coded. Overwrites its blocks. */
export function isCheaperWithResidual(trial: MacroblockTrial): bool {
  const distortion = trial.distortion;
  transformMacroblock(trial, coding.source, mbX, mbY, false);
  quantize(trial, wantedScale, false, lambda, coding.trellis == TRELLIS_ALL);
  const isCheaper = trial.codedBlockPattern != 0;
  trial.distortion = distortion;
  trial.bits = 0;
  trial.codedBlockPattern = 0;
  return isCheaper;
}

export function codeIntra(trial: MacroblockTrial, isOnlyMode: bool): void {
  setMotion(trial, 0, 0, 0, 0, 0);
  trial.isRecalled = 0;
  trial.flags = MACROBLOCK_INTRA;
  transformMacroblock(trial, coding.source, mbX, mbY, true);
  quantize(trial, wantedScale, true, lambda, usesTrellis(trial, isOnlyMode));
  const acBits = trial.bits;
  countIntraBits(trial);
  keepIntra(trial, acBits);
}

/** Offers the macroblock as intra: recalled, where it has been coded. */
export function tryIntra(): void {
  if (choices.intraScale == wantedScale) {
    recallIntra(spare);
    addIntraBits(spare);
  } else codeIntra(spare, false);
  offer();
}

/** Quantizes a trial again at any scale: by the trellis, unless the tools have none. */
function requantize(trial: MacroblockTrial, scale: i32): void {
  const intra = (trial.flags & MACROBLOCK_INTRA) != 0;
  quantize(trial, scale, intra, lambda, coding.trellis != TRELLIS_NONE);
  if (intra) countIntraBits(trial);
  else countPredictedBits(trial);
}

// @ts-ignore: decorator
@inline
function hasCoefficients(trial: MacroblockTrial): bool {
  return trial.codedBlockPattern != 0 || (trial.flags & MACROBLOCK_INTRA) != 0;
}

/** Tries the scale of the macroblock before and those next to the wanted one. */
function chooseScale(trial: MacroblockTrial): void {
  const wanted = wantedScale;
  const radius = coding.quantizerSearchRadius;
  const before = predictors.quantizerScale;
  const first = max(1, wanted - radius);
  const last = min(MAX_QUANTIZER_SCALE, wanted + radius);
  const isFar = before < first || before > last;
  const kept = isFar && <f64>abs<i32>(before - wanted) <= <f64>wanted * MAX_KEPT_PART ? before : wanted;
  let bestScale = wanted;
  let bestCost = trial.cost;
  for (let next = first - 1; next <= last; next++) {
    const scale = next < first ? kept : next;
    if (scale == wanted) continue;
    requantize(trial, scale);
    if (trial.cost >= bestCost) continue;
    bestCost = trial.cost;
    bestScale = scale;
  }
  if (trial.quantizerScale != bestScale) requantize(trial, bestScale);
  if (!hasCoefficients(trial)) trial.quantizerScale = wanted;
}

/** Makes the scale coarser, step by step, while levels are clipped and it costs less. */
function raiseScale(trial: MacroblockTrial): void {
  for (;;) {
    const scale = trial.quantizerScale;
    const cost = trial.cost;
    if (!hasCoefficients(trial) || scale == MAX_QUANTIZER_SCALE) return;
    if (trial.distortion <= 6 * CLIPPED_DISTORTION * <f64>(scale * scale)) return;
    requantize(trial, scale + 1);
    if (trial.cost < cost) continue;
    requantize(trial, scale);
    return;
  }
}

/** Finishes the mode that won: its levels, its scale, and whether it is skipped. */
export function finish(trial: MacroblockTrial): void {
  if (trial.isRecalled) {
    if (trial.flags & MACROBLOCK_INTRA) codeIntra(trial, false);
    else codePredicted(trial, false);
  }
  if (trial.flags != 0 && trial.hasFinalLevels == 0) requantize(trial, wantedScale);
  if (mayChangeScale && hasCoefficients(trial) && trial.bits >= MIN_BITS_FOR_SCALES) chooseScale(trial);
  raiseScale(trial);
  const isEmpty =
    trial.codedBlockPattern == 0 && (trial.forwardDxHalfPels | trial.forwardDyHalfPels) == 0;
  if (isEmpty && isP && maySkip) trial.flags = 0;
}
