// Codes trials of a macroblock in full, so that their bits, distortion and cost are known.

import { MAX_QUANTIZER_SCALE, QUANTIZER_SCALE_BITS } from '../../bitstream/limits.js';
import type { PictureType } from '../../bitstream/picture-type.js';
import type { SlicePredictors } from '../../bitstream/slice-predictors.js';
import { intraDcBits } from '../../bitstream/syntax/block.js';
import { codedBlockPatternBits, macroblockTypeBits, motionVectorBits } from '../../bitstream/syntax/macroblock.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
  MACROBLOCK_QUANT,
} from '../../bitstream/tables/macroblock-codes.js';
import { MACROBLOCK_TRIAL } from '../../kernels/records/macroblock-trial.js';
import type { VectorRange } from '../motion/vector-range.js';
import type { Workspace } from '../picture/workspace.js';
import type { CodingTools } from '../settings/presets.js';
import type { BlockTransform, LevelChoice } from './block-transform.js';
import type { MacroblockJob } from './macroblock-job.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import { type Anchors, predict } from './prediction.js';

/**
 * The scale of the macroblock before is tried if it differs from the wanted one by at most this part of the wanted one.
 * Not measured.
 */
const MAX_KEPT_PART = 0.5;
/** With fewer bits a macroblock gains nothing from another scale: the change alone takes 5 to 8. */
const MIN_BITS_FOR_SCALES = 24;
/** Bits of macroblock_address_increment 1. */
const INCREMENT_BITS = 1;

/** What stays the same for all macroblocks of a picture. */
export interface TrialSettings {
  readonly type: PictureType;
  readonly workspace: Workspace;
  readonly transform: BlockTransform;
  readonly anchors: Anchors;
  readonly forwardRange: VectorRange;
  readonly backwardRange: VectorRange;
  readonly tools: CodingTools;
}

/** Codes one mode of a macroblock at a time: fills a trial with levels, bits, distortion and cost. */
export class TrialCoder {
  readonly #settings: TrialSettings;
  /** How levels are chosen before the modes are compared, and after that. */
  readonly #levelChoice: LevelChoice;
  readonly #finalLevelChoice: LevelChoice;
  /** Bits of macroblock_type, indexed by its flags. */
  readonly #typeBits: Uint8Array;

  constructor(settings: TrialSettings) {
    this.#settings = settings;
    this.#typeBits = macroblockTypeBits(settings.type);
    this.#levelChoice = settings.tools.trellis === 'all' ? 'trellis' : 'plain';
    this.#finalLevelChoice = settings.tools.trellis === 'none' ? 'plain' : 'trellis';
  }

  /**
   * Codes the macroblock as predicted by the trial's direction and vectors. `isOnlyMode`: no other mode is compared
   * with it, so that its levels are chosen for good at once.
   */
  codePredicted(job: MacroblockJob, trial: MacroblockTrial, isOnlyMode = false): void {
    const { workspace, transform, anchors } = this.#settings;
    const { at, quantizerScale, lambda64 } = job;
    predict(workspace.kernels, trial, anchors, at, workspace.scratchPrediction);
    transform.transform(trial, at, false);
    transform.quantize(trial, quantizerScale, false, lambda64, this.#choiceOf(trial, isOnlyMode));
    this.#countPredictedBits(job, trial);
  }

  /**
   * Codes the macroblock as skipped: with the zero vector in P pictures, with the direction and the vectors of the
   * macroblock before in B pictures; ISO/IEC 11172-2 §2.4.4.4.
   */
  codeSkipped({ at, predictors, quantizerScale }: MacroblockJob, trial: MacroblockTrial): void {
    const { type, workspace, anchors } = this.#settings;
    const { kernels, source, scratchPrediction } = workspace;
    if (type === 'B') {
      const { direction, forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels } = predictors;
      trial.setMotion(direction, forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels);
    } else trial.setMotion(MACROBLOCK_MOTION_FORWARD, 0, 0, 0, 0);
    trial.quantizerScale = quantizerScale;
    predict(kernels, trial, anchors, at, scratchPrediction);
    trial.flags = 0;
    trial.codedBlockPattern = 0;
    trial.bits = 0;
    const prediction = trial.pointer + MACROBLOCK_TRIAL.offsets.prediction;
    trial.distortion = 64 * kernels.predictionError(source.record, at.mbX, at.mbY, prediction);
    trial.cost = trial.distortion;
  }

  /**
   * Whether a skipped trial would be cheaper with its residual coded. Overwrites the blocks of the trial, nothing else
   * of it.
   */
  isCheaperWithResidual({ at, quantizerScale, lambda64 }: MacroblockJob, trial: MacroblockTrial): boolean {
    const { transform } = this.#settings;
    const { distortion } = trial;
    transform.transform(trial, at, false);
    transform.quantize(trial, quantizerScale, false, lambda64, this.#levelChoice);
    const isCheaper = trial.codedBlockPattern !== 0;
    trial.distortion = distortion;
    trial.bits = 0;
    trial.codedBlockPattern = 0;
    return isCheaper;
  }

  /** Codes the macroblock as intra; `isOnlyMode` as above. */
  codeIntra(job: MacroblockJob, trial: MacroblockTrial, isOnlyMode = false): void {
    const { transform } = this.#settings;
    const { at, quantizerScale, lambda64 } = job;
    trial.setMotion(0, 0, 0, 0, 0);
    trial.flags = MACROBLOCK_INTRA;
    transform.transform(trial, at, true);
    transform.quantize(trial, quantizerScale, true, lambda64, this.#choiceOf(trial, isOnlyMode));
    this.#countIntraBits(job, trial);
  }

  #choiceOf(trial: MacroblockTrial, isOnlyMode: boolean): LevelChoice {
    const choice = isOnlyMode ? this.#finalLevelChoice : this.#levelChoice;
    trial.hasFinalLevels = choice === this.#finalLevelChoice;
    return choice;
  }

  /**
   * Finishes the mode that won: chooses its levels by the trellis, if the tools ask for that here, and its
   * quantizer_scale by rate and distortion, if the job allows another. Returns the trial.
   */
  finish(job: MacroblockJob, trial: MacroblockTrial): MacroblockTrial {
    const { type } = this.#settings;
    const { quantizerScale, mayChangeScale, maySkip } = job;
    if (trial.flags !== 0 && !trial.hasFinalLevels) this.#requantize(job, trial, quantizerScale);
    if (mayChangeScale && hasCoefficients(trial) && trial.bits >= MIN_BITS_FOR_SCALES) this.#chooseScale(job, trial);
    const isEmpty = trial.codedBlockPattern === 0 && trial.forwardDxHalfPels === 0 && trial.forwardDyHalfPels === 0;
    if (isEmpty && type === 'P' && maySkip) trial.flags = 0;
    return trial;
  }

  /**
   * Tries the scale of the macroblock before, which takes no bits to keep, and the scales next to the wanted one, all
   * with the lambda of the wanted one. The bits that later macroblocks take to change the scale back do not count:
   * counting them gained nothing.
   */
  #chooseScale(job: MacroblockJob, trial: MacroblockTrial): void {
    const { quantizerScale: wanted, predictors } = job;
    const radius = this.#settings.tools.quantizerSearchRadius;
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
      this.#requantize(job, trial, scale);
      if (trial.cost >= bestCost) continue;
      bestCost = trial.cost;
      best = scale;
    }
    if (trial.quantizerScale !== best) this.#requantize(job, trial, best);
    if (!hasCoefficients(trial)) trial.quantizerScale = wanted;
  }

  /** Quantizes the trial again at any scale: by the trellis, unless the tools have none. */
  #requantize(job: MacroblockJob, trial: MacroblockTrial, quantizerScale: number): void {
    const isIntra = (trial.flags & MACROBLOCK_INTRA) !== 0;
    this.#settings.transform.quantize(trial, quantizerScale, isIntra, job.lambda64, this.#finalLevelChoice);
    if (isIntra) this.#countIntraBits(job, trial);
    else this.#countPredictedBits(job, trial);
  }

  /**
   * Sets the flags of a predicted trial whose blocks are quantized, adds the bits of all but its blocks, and sets its
   * cost.
   */
  #countPredictedBits({ predictors, lambda64 }: MacroblockJob, trial: MacroblockTrial): void {
    const { type, forwardRange, backwardRange } = this.#settings;
    const { direction, forwardDxHalfPels, forwardDyHalfPels, codedBlockPattern } = trial;
    const patternFlag = codedBlockPattern === 0 ? 0 : MACROBLOCK_PATTERN;
    trial.flags = direction | patternFlag;
    let headerBits =
      this.#typeBits[trial.flags]! + motionVectorBits(trial, predictors, forwardRange.fCode, backwardRange.fCode);
    if (type === 'P' && forwardDxHalfPels === 0 && forwardDyHalfPels === 0 && patternFlag !== 0) {
      const bitsWithoutVector = this.#typeBits[MACROBLOCK_PATTERN]!;
      if (bitsWithoutVector < headerBits) {
        trial.flags = MACROBLOCK_PATTERN;
        headerBits = bitsWithoutVector;
      }
    }
    if (patternFlag !== 0) headerBits += codedBlockPatternBits(codedBlockPattern) + this.#scaleBits(predictors, trial);
    trial.bits += INCREMENT_BITS + headerBits;
    trial.cost = trial.distortion + lambda64 * trial.bits;
  }

  /** Adds the bits of all but the AC coefficients to those of an intra trial, and sets its cost. */
  #countIntraBits({ predictors, lambda64 }: MacroblockJob, trial: MacroblockTrial): void {
    trial.bits += INCREMENT_BITS + this.#typeBits[MACROBLOCK_INTRA]! + intraDcBits(trial, predictors);
    trial.bits += this.#scaleBits(predictors, trial);
    trial.cost = trial.distortion + lambda64 * trial.bits;
  }

  /** Bits that a trial with coefficients takes to change the scale; ISO/IEC 11172-2 §2.4.2.7. */
  #scaleBits(predictors: SlicePredictors, { flags, quantizerScale }: MacroblockTrial): number {
    if (quantizerScale === predictors.quantizerScale) return 0;
    return QUANTIZER_SCALE_BITS + this.#typeBits[flags | MACROBLOCK_QUANT]! - this.#typeBits[flags]!;
  }
}

function hasCoefficients({ flags, codedBlockPattern }: MacroblockTrial): boolean {
  return codedBlockPattern !== 0 || (flags & MACROBLOCK_INTRA) !== 0;
}
