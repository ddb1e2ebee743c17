// Codes trials of a macroblock in full, so that their bits, distortion and cost are known.
import { MAX_QUANTIZER_SCALE } from '../bitstream/limits.js';
import { BLOCKS_PER_MACROBLOCK } from '../bitstream/macroblock-layout.js';
import { intraDcBits } from '../bitstream/syntax/block.js';
import { codedBlockPatternBits, macroblockTypeBits } from '../bitstream/syntax/macroblock.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
} from '../bitstream/tables/macroblock-codes.js';
import { SQUARED_ERROR_SCALE } from '../dct/forward-dct.js';
import {
  JOINT_ALL,
  JOINT_NONE,
  NEAREST_QUANTIZERS,
  PLAIN_QUANTIZERS,
  QUANTIZERS_OF_A_KIND,
  TRELLIS_ALL,
  TRELLIS_CHOSEN,
  TRELLIS_NONE,
} from '../kernels/records/macroblock-coding.js';
import { MACROBLOCK_TRIAL } from '../kernels/records/macroblock-trial.js';
import { followingBits } from './following-bits.js';
import { headerBits, scaleBits } from './header-bits.js';
import { chooseCodedBlocks, chooseDcs } from './joint-symbols.js';
import { type MacroblockTrial, setMotion } from './macroblock-trial.js';
import { CLIPPED_DISTORTION, INCREMENT_BITS, MAX_KEPT_PART, MIN_BITS_FOR_SCALES } from './mode-limits.js';
import type { OpenMacroblock } from './open-macroblock.js';
import { keepIntra, recallIntra } from './row/coded-predictions.js';

/** How levels are chosen: by rounding, or by rate and distortion. */
export type LevelChoice = 'plain' | 'trellis';

/**
 * Codes the macroblock as predicted by the trial's direction and vectors. `isOnlyMode`: no other mode is compared with
 * it, so that its levels are chosen for good at once.
 */
export function codePredicted(macroblock: OpenMacroblock, trial: MacroblockTrial, isOnlyMode = false): void {
  transformPredicted(macroblock, trial);
  codeTransformed(macroblock, trial, isOnlyMode);
}

/** Predicts the macroblock by the trial's direction and vectors, and transforms what is left. */
export function transformPredicted(macroblock: OpenMacroblock, trial: MacroblockTrial): void {
  const { kernels, coding, mbX, mbY } = macroblock;
  predict(macroblock, trial);
  kernels.transformMacroblock(trial.pointer, coding.source, mbX, mbY, 0);
}

/** Codes a trial that is transformed; `isOnlyMode` as above. */
export function codeTransformed(macroblock: OpenMacroblock, trial: MacroblockTrial, isOnlyMode = false): void {
  const choice = choiceOf(macroblock, trial, isOnlyMode);
  quantize(macroblock, trial, { scale: macroblock.wantedScale, intra: 0, choice });
  countPredictedBits(macroblock, trial);
  trial.isRecalled = 0;
}

/** Codes the macroblock as skipped, from the trial's direction and vectors; ISO/IEC 11172-2 §2.4.4.4. */
export function codeSkipped(macroblock: OpenMacroblock, trial: MacroblockTrial): void {
  const { kernels, coding, mbX, mbY, wantedScale } = macroblock;
  trial.quantizerScale = wantedScale;
  predict(macroblock, trial);
  trial.flags = 0;
  trial.codedBlockPattern = 0;
  trial.bits = 0;
  const error = kernels.predictionError(coding.source, mbX, mbY, predictionOf(trial));
  trial.distortion = SQUARED_ERROR_SCALE * error;
  setCost(macroblock, trial);
  trial.isRecalled = 0;
}

/**
 * Whether a skipped trial would be cheaper with its residual coded. Overwrites the blocks of the trial, nothing else of
 * it.
 */
export function isCheaperWithResidual(macroblock: OpenMacroblock, trial: MacroblockTrial): boolean {
  const { kernels, coding, mbX, mbY, wantedScale } = macroblock;
  const { distortion } = trial;
  kernels.transformMacroblock(trial.pointer, coding.source, mbX, mbY, 0);
  const choice = coding.trellis === TRELLIS_ALL ? 'trellis' : 'plain';
  quantize(macroblock, trial, { scale: wantedScale, intra: 0, choice });
  const isCheaper = trial.codedBlockPattern !== 0;
  trial.distortion = distortion;
  trial.bits = 0;
  trial.codedBlockPattern = 0;
  return isCheaper;
}

/** Codes the macroblock as intra; `isOnlyMode` as above. */
export function codeIntra(macroblock: OpenMacroblock, trial: MacroblockTrial, isOnlyMode = false): void {
  const { kernels, coding, mbX, mbY, wantedScale } = macroblock;
  setMotion(trial, 0, [0, 0, 0, 0]);
  trial.flags = MACROBLOCK_INTRA;
  kernels.transformMacroblock(trial.pointer, coding.source, mbX, mbY, 1);
  quantize(macroblock, trial, { scale: wantedScale, intra: 1, choice: choiceOf(macroblock, trial, isOnlyMode) });
  const acBits = trial.bits;
  countIntraBits(macroblock, trial);
  trial.isRecalled = 0;
  keepIntra(macroblock.choices, trial, acBits);
}

/** Offers the macroblock as intra: recalled with the DCs that it had, where it has been coded. */
export function tryIntra(macroblock: OpenMacroblock): void {
  const { choices, spare, wantedScale } = macroblock;
  if (choices.intraScale === wantedScale) {
    recallIntra(choices, spare);
    addIntraBits(macroblock, spare);
  } else codeIntra(macroblock, spare);
  macroblock.offer();
}

/**
 * Finishes the mode that won: codes it, if it is recalled, chooses its levels by the trellis, if the tools ask for that
 * here, and its quantizer_scale by rate and distortion, if another is allowed.
 */
export function finish(macroblock: OpenMacroblock, trial: MacroblockTrial): void {
  const { type, mayChangeScale, maySkip, wantedScale } = macroblock;
  if (trial.isRecalled === 1) {
    if (isIntra(trial)) codeIntra(macroblock, trial);
    else codePredicted(macroblock, trial);
  }
  if (trial.flags !== 0 && trial.hasFinalLevels === 0) requantize(macroblock, trial, wantedScale);
  if (mayChangeScale && hasCoefficients(trial) && trial.bits >= MIN_BITS_FOR_SCALES) chooseScale(macroblock, trial);
  raiseScale(macroblock, trial);
  const isEmpty = trial.codedBlockPattern === 0 && trial.forwardDxHalfPels === 0 && trial.forwardDyHalfPels === 0;
  if (isEmpty && type === 'P' && maySkip) trial.flags = 0;
}

/**
 * Writes a trial's prediction by its direction and vectors; ISO/IEC 11172-2 §2.4.4.2 and §2.4.4.3. The vectors keep
 * the macroblock inside the picture.
 */
export function predict(
  { kernels, coding, forward, backward, mbX, mbY }: OpenMacroblock,
  trial: MacroblockTrial,
): void {
  const { direction, forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels } = trial;
  const prediction = predictionOf(trial);
  if (direction === MACROBLOCK_MOTION_BACKWARD) {
    kernels.predictMacroblock(prediction, backward.reference, mbX, mbY, backwardDxHalfPels, backwardDyHalfPels);
    return;
  }
  kernels.predictMacroblock(prediction, forward.reference, mbX, mbY, forwardDxHalfPels, forwardDyHalfPels);
  if (direction === MACROBLOCK_MOTION_FORWARD) return;
  kernels.predictMacroblock(coding.scratch, backward.reference, mbX, mbY, backwardDxHalfPels, backwardDyHalfPels);
  kernels.averagePredictions(prediction, coding.scratch);
}

/** How a trial is quantized; `lambda` is the cost of a bit, undefined: that of the macroblock. */
export interface Quantization {
  readonly scale: number;
  readonly intra: 0 | 1;
  readonly choice: LevelChoice;
  readonly lambda?: number;
}

/**
 * Quantizes the trial's coefficients: sets its levels, coded_block_pattern, distortion and the bits of its blocks
 * without DC. A block of a predicted macroblock is not coded where its bits cost more than they save.
 */
export function quantize(
  { kernels, coding, lambda }: OpenMacroblock,
  trial: MacroblockTrial,
  { scale, intra, choice, lambda: bitCost = lambda }: Quantization,
): void {
  const kind = (choice === 'trellis' ? NEAREST_QUANTIZERS : PLAIN_QUANTIZERS) + intra;
  const quantizer = coding.quantizers[kind * QUANTIZERS_OF_A_KIND + scale]!;
  const kernel = choice === 'trellis' ? kernels.quantizeMacroblockByTrellis : kernels.quantizeMacroblock;
  kernel(trial.pointer, quantizer, coding.lengths, intra, bitCost);
  trial.quantizerScale = scale;
}

/** How the levels of a mode are chosen; notes whether that is for good. */
function choiceOf({ coding }: OpenMacroblock, trial: MacroblockTrial, isOnlyMode: boolean): LevelChoice {
  const { trellis } = coding;
  trial.hasFinalLevels = isOnlyMode || trellis !== TRELLIS_CHOSEN ? 1 : 0;
  return trellis === TRELLIS_ALL || (isOnlyMode && trellis !== TRELLIS_NONE) ? 'trellis' : 'plain';
}

/**
 * Tries the scale of the macroblock before, which takes no bits to keep, and the scales next to the wanted one, all
 * with the lambda of the wanted one. The bits that later macroblocks take to change the scale back do not count:
 * counting them gained nothing.
 */
function chooseScale(macroblock: OpenMacroblock, trial: MacroblockTrial): void {
  const { wantedScale: wanted, predictors, coding } = macroblock;
  const radius = coding.quantizerSearchRadius;
  const before = predictors.quantizerScale;
  const min = Math.max(1, wanted - radius);
  const max = Math.min(MAX_QUANTIZER_SCALE, wanted + radius);
  const isFar = before < min || before > max;
  const kept = isFar && Math.abs(before - wanted) <= wanted * MAX_KEPT_PART ? before : wanted;
  let best = wanted;
  let bestCost = trial.cost;
  for (let next = min - 1; next <= max; next++) {
    const scale = next < min ? kept : next;
    if (scale === wanted) continue;
    requantize(macroblock, trial, scale);
    if (trial.cost >= bestCost) continue;
    bestCost = trial.cost;
    best = scale;
  }
  if (trial.quantizerScale !== best) requantize(macroblock, trial, best);
  if (!hasCoefficients(trial)) trial.quantizerScale = wanted;
}

/** Makes the scale coarser, step by step, while levels are clipped and it costs less. */
function raiseScale(macroblock: OpenMacroblock, trial: MacroblockTrial): void {
  const limit = BLOCKS_PER_MACROBLOCK * CLIPPED_DISTORTION;
  while (hasCoefficients(trial) && trial.distortion > limit * trial.quantizerScale ** 2) {
    const { cost, quantizerScale } = trial;
    if (quantizerScale === MAX_QUANTIZER_SCALE) return;
    requantize(macroblock, trial, quantizerScale + 1);
    if (trial.cost < cost) continue;
    requantize(macroblock, trial, quantizerScale);
    return;
  }
}

/** Quantizes the trial again at any scale: by the trellis, unless the tools have none. */
function requantize(macroblock: OpenMacroblock, trial: MacroblockTrial, scale: number): void {
  const choice = macroblock.coding.trellis === TRELLIS_NONE ? 'plain' : 'trellis';
  quantize(macroblock, trial, { scale, intra: isIntra(trial) ? 1 : 0, choice });
  if (isIntra(trial)) countIntraBits(macroblock, trial);
  else countPredictedBits(macroblock, trial);
}

/** Sets what a predicted trial takes, whose blocks are quantized. */
function countPredictedBits(macroblock: OpenMacroblock, trial: MacroblockTrial): void {
  const { codedBlockPattern: pattern, distortion, bits } = trial;
  if (macroblock.coding.jointSymbols !== JOINT_NONE) chooseCodedBlocks(macroblock, trial);
  else {
    trial.emptyDistortion = pattern === 0 ? distortion : Number.POSITIVE_INFINITY;
    trial.codedPattern = pattern;
    trial.codedDistortion = distortion;
    trial.codedBits = pattern === 0 ? 0 : bits + codedBlockPatternBits(pattern);
  }
  countHeader(macroblock, trial);
}

/**
 * Chooses whether a predicted trial is coded, by what it takes with and without its blocks: sets its flags,
 * codedBlockPattern, distortion, bits and cost.
 */
export function countHeader(macroblock: OpenMacroblock, trial: MacroblockTrial): void {
  const { lambda } = macroblock;
  const { codedPattern, codedDistortion, emptyDistortion } = trial;
  const emptyBits = headerBits(macroblock, trial, false);
  const { flags } = trial;
  Object.assign(trial, { codedBlockPattern: 0, distortion: emptyDistortion, bits: emptyBits });
  if (codedPattern !== 0) {
    const bits = headerBits(macroblock, trial, true) + trial.codedBits;
    const isBetter = codedDistortion + lambda * bits < emptyDistortion + lambda * emptyBits;
    if (isBetter) Object.assign(trial, { codedBlockPattern: codedPattern, distortion: codedDistortion, bits });
    else trial.flags = flags;
  }
  setCost(macroblock, trial);
}

/** Adds the bits of all but the AC coefficients to those of an intra trial, and sets its cost. */
function countIntraBits(macroblock: OpenMacroblock, trial: MacroblockTrial): void {
  if (macroblock.coding.jointSymbols === JOINT_ALL) chooseDcs(macroblock, trial);
  addIntraBits(macroblock, trial);
}

function addIntraBits(macroblock: OpenMacroblock, trial: MacroblockTrial): void {
  const { type, predictors } = macroblock;
  trial.bits += INCREMENT_BITS + macroblockTypeBits(type)[MACROBLOCK_INTRA]! + intraDcBits(trial, predictors);
  trial.bits += scaleBits(type, MACROBLOCK_INTRA, trial.quantizerScale, predictors.quantizerScale);
  setCost(macroblock, trial);
}

/** Sets the cost of a trial whose flags, distortion and bits are known. */
function setCost(macroblock: OpenMacroblock, trial: MacroblockTrial): void {
  trial.cost = trial.distortion + macroblock.lambda * (trial.bits + followingBits(macroblock, trial));
}

function predictionOf({ pointer }: MacroblockTrial): number {
  return pointer + MACROBLOCK_TRIAL.offsets.prediction;
}

function isIntra({ flags }: MacroblockTrial): boolean {
  return (flags & MACROBLOCK_INTRA) !== 0;
}

function hasCoefficients(trial: MacroblockTrial): boolean {
  return trial.codedBlockPattern !== 0 || isIntra(trial);
}
