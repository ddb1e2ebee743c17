import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import type { PictureType } from '../../bitstream/picture-type.js';
import { codedBlockPatternBits, macroblockTypeBits } from '../../bitstream/syntax/macroblock.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
  MACROBLOCK_QUANT,
} from '../../bitstream/tables/macroblock-codes.js';
import { MACROBLOCK_TRIAL } from '../../kernels/records/macroblock-trial.js';
import type { VectorCost } from '../motion/vector-cost.js';
import type { Workspace } from '../picture/workspace.js';
import type { CodingTools } from '../settings/presets.js';
import type { BlockTransform, LevelChoice } from './block-transform.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import { type Anchors, type MacroblockPosition, predict } from './prediction.js';
import type { SliceState } from './slice-state.js';

/** Length of quantizer_scale in a macroblock. */
const QUANTIZER_SCALE_BITS = 5;
/** How far the scale of the macroblock before may be from the wanted one to be tried, as a part of that. */
const MAX_KEPT_PART = 0.5;
/** With fewer bits a macroblock gains nothing from another scale: the change alone takes 5 to 8. */
const MIN_BITS_FOR_SCALES = 24;

/** What stays the same for all macroblocks of a picture. */
export interface TrialSettings {
  readonly type: PictureType;
  readonly workspace: Workspace;
  readonly transform: BlockTransform;
  readonly anchors: Anchors;
  readonly forwardVectors: VectorCost;
  readonly backwardVectors: VectorCost;
  readonly tools: CodingTools;
}

/** What is asked of one macroblock. */
export interface MacroblockQuestion {
  readonly at: MacroblockPosition;
  readonly state: SliceState;
  readonly quantizerScale: number;
  /** 64 times lambda for squared error: the unit of a trial's distortion is 1/64 of a squared pel. */
  readonly lambda64: number;
  /** False for the first and last macroblock of a slice, which may not be skipped. */
  readonly maySkip: boolean;
  /** True when the refresh rule wants an intra macroblock. */
  readonly mustBeIntra: boolean;
  /** Whether another quantizer_scale than the one given may be chosen. */
  readonly mayChangeScale: boolean;
}

/** Works out ways to code a macroblock: fills trials with levels, bits, distortion and cost. */
export class TrialCoder {
  readonly #settings: TrialSettings;
  readonly #levelChoice: LevelChoice;
  /** Bits of macroblock_type by its flags. */
  readonly #typeBits: Uint8Array;

  constructor(settings: TrialSettings) {
    this.#settings = settings;
    this.#typeBits = macroblockTypeBits(settings.type);
    this.#levelChoice = settings.tools.trellis === 'all' ? 'trellis' : 'plain';
  }

  /** The trial predicted with the vectors and direction it holds. */
  predicted(question: MacroblockQuestion, trial: MacroblockTrial): MacroblockTrial {
    const { workspace, transform, anchors } = this.#settings;
    const { lambda64 } = question;
    trial.skipped = false;
    predict(workspace.kernels, trial, anchors, question.at, workspace.scratchPrediction);
    transform.transform(trial, question.at, false);
    transform.quantize(trial, question.quantizerScale, false, lambda64, this.#levelChoice);
    this.#countPredictedBits(question, trial);
    return trial;
  }

  /** The trial skipped: zero vector in P pictures, the macroblock before's direction and vectors in B pictures; §2.4.4. */
  skipped(question: MacroblockQuestion, trial: MacroblockTrial): MacroblockTrial {
    const { type, workspace, anchors } = this.#settings;
    const { at, state, quantizerScale } = question;
    const bidirectional = type === 'B';
    setVectors(
      trial,
      bidirectional ? state.direction : MACROBLOCK_MOTION_FORWARD,
      bidirectional ? state.forwardDxHalfPels : 0,
      bidirectional ? state.forwardDyHalfPels : 0,
      bidirectional ? state.backwardDxHalfPels : 0,
      bidirectional ? state.backwardDyHalfPels : 0,
    );
    trial.quantizerScale = quantizerScale;
    const { kernels, source } = workspace;
    predict(kernels, trial, anchors, at, workspace.scratchPrediction);
    const prediction = trial.pointer + MACROBLOCK_TRIAL.offsets.prediction;
    const error = kernels.predictionError(source.record, at.mbX, at.mbY, prediction);
    markSkipped(trial);
    trial.codedBlockPattern = 0;
    trial.bits = 0;
    trial.distortion = error * 64;
    trial.cost = trial.distortion;
    return trial;
  }

  /** Whether a skipped trial would be cheaper with its residual coded. The trial stays as it is, but for its blocks. */
  paysWithResidual({ at, quantizerScale, lambda64 }: MacroblockQuestion, trial: MacroblockTrial): boolean {
    const { transform } = this.#settings;
    const { distortion } = trial;
    transform.transform(trial, at, false);
    transform.quantize(trial, quantizerScale, false, lambda64, this.#levelChoice);
    const pays = trial.codedBlockPattern !== 0;
    trial.distortion = distortion;
    trial.bits = 0;
    trial.codedBlockPattern = 0;
    return pays;
  }

  /** The trial coded without a prediction. */
  intra(question: MacroblockQuestion, trial: MacroblockTrial): MacroblockTrial {
    const { transform } = this.#settings;
    const { lambda64 } = question;
    setVectors(trial, 0, 0, 0, 0, 0);
    trial.skipped = false;
    trial.flags = MACROBLOCK_INTRA;
    transform.transform(trial, question.at, true);
    transform.quantize(trial, question.quantizerScale, true, lambda64, this.#levelChoice);
    this.#countIntraBits(question, trial);
    return trial;
  }

  /**
   * Finishes the mode that won: chooses its levels once more with the trellis, where the tools say so, and its
   * quantizer_scale by rate and distortion, where it may be another.
   */
  refine(question: MacroblockQuestion, trial: MacroblockTrial): MacroblockTrial {
    const { tools, type } = this.#settings;
    const { quantizerScale, mayChangeScale, maySkip } = question;
    if (tools.trellis === 'chosen' && !trial.skipped) this.#requantize(question, trial, quantizerScale);
    if (mayChangeScale && hasCoefficients(trial) && trial.bits >= MIN_BITS_FOR_SCALES)
      this.#chooseScale(question, trial);
    const empty = trial.codedBlockPattern === 0 && trial.forwardDxHalfPels === 0 && trial.forwardDyHalfPels === 0;
    if (empty && type === 'P' && maySkip) markSkipped(trial);
    return trial;
  }

  /**
   * Tries the scale of the macroblock before, which takes no bits to keep, and those next to the wanted one, all at the wanted
   * one's lambda. What later macroblocks pay for a change back is left out: charging for it gained nothing.
   */
  #chooseScale(question: MacroblockQuestion, trial: MacroblockTrial): void {
    const { quantizerScale: wanted, state } = question;
    const steps = this.#settings.tools.quantizerSearchRadius;
    const before = state.quantizerScale;
    const least = Math.max(1, wanted - steps);
    const most = Math.min(MAX_QUANTIZER_SCALE, wanted + steps);
    const isFar = before < least || before > most;
    const kept = isFar && Math.abs(before - wanted) <= wanted * MAX_KEPT_PART ? before : wanted;
    let best = wanted;
    let bestCost = trial.cost;
    for (let next = least - 1; next <= most; next++) {
      const scale = next < least ? kept : next;
      if (scale === wanted) continue;
      this.#requantize(question, trial, scale);
      if (trial.cost >= bestCost) continue;
      bestCost = trial.cost;
      best = scale;
    }
    if (trial.quantizerScale !== best) this.#requantize(question, trial, best);
    if (!hasCoefficients(trial)) trial.quantizerScale = wanted;
  }

  /** Quantizes the trial anew at any scale, with the trellis unless the tools have none. */
  #requantize(question: MacroblockQuestion, trial: MacroblockTrial, quantizerScale: number): void {
    const intra = (trial.flags & MACROBLOCK_INTRA) !== 0;
    const { transform, tools } = this.#settings;
    const choice = tools.trellis === 'none' ? 'plain' : 'trellis';
    transform.quantize(trial, quantizerScale, intra, question.lambda64, choice);
    if (intra) this.#countIntraBits(question, trial);
    else this.#countPredictedBits(question, trial);
  }

  /** Adds everything but the blocks to the bits of a predicted trial, and works out its flags and cost. */
  #countPredictedBits({ state, lambda64 }: MacroblockQuestion, trial: MacroblockTrial): void {
    const { type, forwardVectors, backwardVectors } = this.#settings;
    const {
      direction,
      forwardDxHalfPels,
      forwardDyHalfPels,
      backwardDxHalfPels,
      backwardDyHalfPels,
      codedBlockPattern,
    } = trial;
    const patternFlag = codedBlockPattern === 0 ? 0 : MACROBLOCK_PATTERN;
    let flags = direction | patternFlag;
    let headerBits = this.#typeBits[flags]!;
    if (direction & MACROBLOCK_MOTION_FORWARD) {
      headerBits += forwardVectors.componentBits(forwardDxHalfPels - state.forwardDxHalfPels);
      headerBits += forwardVectors.componentBits(forwardDyHalfPels - state.forwardDyHalfPels);
    }
    if (direction & MACROBLOCK_MOTION_BACKWARD) {
      headerBits += backwardVectors.componentBits(backwardDxHalfPels - state.backwardDxHalfPels);
      headerBits += backwardVectors.componentBits(backwardDyHalfPels - state.backwardDyHalfPels);
    }
    if (type === 'P' && forwardDxHalfPels === 0 && forwardDyHalfPels === 0 && patternFlag !== 0) {
      const bits = this.#typeBits[MACROBLOCK_PATTERN]!;
      if (bits < headerBits) {
        flags = MACROBLOCK_PATTERN; // no motion compensation
        headerBits = bits;
      }
    }
    if (patternFlag !== 0) {
      headerBits +=
        codedBlockPatternBits(codedBlockPattern) + scaleChangeBits(this.#typeBits, flags, state, trial.quantizerScale);
    }
    trial.flags = flags;
    trial.bits += 1 + headerBits; // 1: macroblock_address_increment of a neighbour
    trial.cost = trial.distortion + lambda64 * trial.bits;
  }

  /** Adds everything but the AC coefficients to the bits of an intra trial, and works out its cost. */
  #countIntraBits({ state, lambda64 }: MacroblockQuestion, trial: MacroblockTrial): void {
    const dcBits = state.intraDcBits(trial);
    trial.bits += 1 + this.#typeBits[MACROBLOCK_INTRA]! + dcBits;
    trial.bits += scaleChangeBits(this.#typeBits, MACROBLOCK_INTRA, state, trial.quantizerScale);
    trial.cost = trial.distortion + lambda64 * trial.bits;
  }
}

/** Bits that a macroblock with coefficients takes more where its scale is not that of the one before; ISO/IEC 11172-2 §2.4.2.7. */
function scaleChangeBits(typeBits: Uint8Array, flags: number, state: SliceState, quantizerScale: number): number {
  if (quantizerScale === state.quantizerScale) return 0;
  return QUANTIZER_SCALE_BITS + typeBits[flags | MACROBLOCK_QUANT]! - typeBits[flags]!;
}

/** Sets what a trial is predicted from; vectors in half-pels. */
export function setVectors(
  trial: MacroblockTrial,
  direction: number,
  forwardDxHalfPels: number,
  forwardDyHalfPels: number,
  backwardDxHalfPels: number,
  backwardDyHalfPels: number,
): MacroblockTrial {
  trial.direction = direction;
  trial.forwardDxHalfPels = direction & MACROBLOCK_MOTION_FORWARD ? forwardDxHalfPels : 0;
  trial.forwardDyHalfPels = direction & MACROBLOCK_MOTION_FORWARD ? forwardDyHalfPels : 0;
  trial.backwardDxHalfPels = direction & MACROBLOCK_MOTION_BACKWARD ? backwardDxHalfPels : 0;
  trial.backwardDyHalfPels = direction & MACROBLOCK_MOTION_BACKWARD ? backwardDyHalfPels : 0;
  return trial;
}

function hasCoefficients({ flags, codedBlockPattern }: MacroblockTrial): boolean {
  return codedBlockPattern !== 0 || (flags & MACROBLOCK_INTRA) !== 0;
}

function markSkipped(trial: MacroblockTrial): void {
  trial.skipped = true;
  trial.flags = 0;
}
