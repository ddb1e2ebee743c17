import { codedBlockPatternBits, macroblockTypeBits } from '../bitstream/macroblock.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
  type PictureType,
} from '../bitstream/macroblock-codes.js';
import type { BlockTransform } from './block-transform.js';
import { MacroblockTrial } from './macroblock-trial.js';
import type { MotionRefinement } from './motion-refinement.js';
import { type MacroblockPosition, predictForward } from './prediction.js';
import type { CodingTools } from './presets.js';
import type { SliceState } from './slice-state.js';
import type { VectorCost } from './vector-cost.js';
import type { PlanePointers, Workspace } from './workspace.js';

/** What stays the same for all macroblocks of a picture. */
export interface ModeSettings {
  readonly type: PictureType;
  readonly workspace: Workspace;
  readonly transform: BlockTransform;
  readonly reference: PlanePointers;
  readonly refinement: MotionRefinement;
  readonly vectors: VectorCost;
  readonly tools: CodingTools;
  /** 64 times lambda for squared error: the unit of a trial's distortion is 1/64 of a squared pel. */
  readonly lambda64: number;
}

/** What is asked of one macroblock. */
export interface ModeQuestion {
  readonly at: MacroblockPosition;
  readonly state: SliceState;
  readonly quantizerScale: number;
  /** False for the first and last macroblock of a slice, which may not be skipped. */
  readonly maySkip: boolean;
  /** True when the refresh rule wants an intra macroblock. */
  readonly mustBeIntra: boolean;
}

/** A macroblock is looked at as intra unless its prediction leaves less than this part of its own deviation. */
const INTRA_DEVIATION_FACTOR = 1.3;
/** The zero vector is coded in full beside a better one when its SAD is at most this times the better one's. */
const ZERO_VECTOR_FACTOR = 1.5;
/** Without rate-distortion decisions, intra needs to be better by this many units of SAD. */
const INTRA_BIAS_SAD = 512;

/** Chooses how each macroblock of a picture is coded. The trial returned stays valid until the next question. */
export class ModeDecision {
  readonly #settings: ModeSettings;
  readonly #trials: MacroblockTrial[];

  constructor(settings: ModeSettings) {
    this.#settings = settings;
    this.#trials = settings.workspace.trials.map(pointer => new MacroblockTrial(pointer));
  }

  /** The only choice of an I picture. */
  intra(question: ModeQuestion): MacroblockTrial {
    return this.#refineLevels(question, this.#tryIntra(question, this.#trials[0]!));
  }

  /** The choice among skipped, predicted and intra in a P picture; the refinement has found its vectors. */
  predictive(question: ModeQuestion): MacroblockTrial {
    if (question.mustBeIntra) return this.intra(question);
    const { rateDistortionModes } = this.#settings.tools;
    return this.#refineLevels(
      question,
      rateDistortionModes ? this.#byRateAndDistortion(question) : this.#bySad(question),
    );
  }

  #byRateAndDistortion(question: ModeQuestion): MacroblockTrial {
    const { refinement, tools } = this.#settings;
    let best = this.#trials[0]!;
    let spare = this.#trials[1]!;
    const keepBetter = (trial: MacroblockTrial) => {
      if (trial.cost >= best.cost) return;
      spare = best;
      best = trial;
    };
    best.cost = Number.POSITIVE_INFINITY;
    const { x, y, sad, zeroSad } = refinement;
    const tryZero = x !== 0 || y !== 0 ? zeroSad >= 0 && zeroSad <= sad * ZERO_VECTOR_FACTOR : true;
    if (tryZero) {
      if (question.maySkip) keepBetter(this.#trySkipped(question, spare));
      keepBetter(this.#tryPredicted(question, spare, 0, 0));
    }
    if (x !== 0 || y !== 0) keepBetter(this.#tryPredicted(question, spare, x, y));
    for (let nth = 1; nth < tools.codedVectors; nth++) {
      const index = this.#nthBestVector(nth);
      if (index >= 0)
        keepBetter(this.#tryPredicted(question, spare, refinement.triedX[index]!, refinement.triedY[index]!));
    }
    if (this.#deviation(question.at) * INTRA_DEVIATION_FACTOR < sad + 256 * question.quantizerScale) {
      if (best.bits > 24) keepBetter(this.#tryIntra(question, spare));
    }
    return best;
  }

  #bySad(question: ModeQuestion): MacroblockTrial {
    const { x, y, sad } = this.#settings.refinement;
    const trial = this.#trials[0]!;
    if (this.#deviation(question.at) + INTRA_BIAS_SAD < sad) return this.#tryIntra(question, trial);
    this.#tryPredicted(question, trial, x, y);
    if (question.maySkip) skipIfEmpty(trial);
    return trial;
  }

  /** Index among the refinement's tried vectors of the n-th best, the zero vector left out, or -1. */
  #nthBestVector(nth: number): number {
    const { tried, triedCost, triedX, triedY, cost } = this.#settings.refinement;
    let floor = cost;
    let found = -1;
    for (let rank = 0; rank < nth; rank++) {
      let least = Number.POSITIVE_INFINITY;
      found = -1;
      for (let i = 0; i < tried; i++) {
        if (triedX[i] === 0 && triedY[i] === 0) continue;
        if (triedCost[i]! > floor && triedCost[i]! < least) {
          least = triedCost[i]!;
          found = i;
        }
      }
      if (found < 0) return -1;
      floor = least;
    }
    return found;
  }

  #deviation({ mbX, mbY }: MacroblockPosition): number {
    const { kernels, source } = this.#settings.workspace;
    return kernels.deviation16x16(source.y + mbY * 16 * source.lumaStride + mbX * 16, source.lumaStride);
  }

  #trySkipped({ at }: ModeQuestion, trial: MacroblockTrial): MacroblockTrial {
    const { workspace, reference } = this.#settings;
    const { kernels, source } = workspace;
    trial.forwardX = 0;
    trial.forwardY = 0;
    predictForward(kernels, trial, reference, at);
    const luma = source.y + at.mbY * 16 * source.lumaStride + at.mbX * 16;
    const chroma = at.mbY * 8 * source.chromaStride + at.mbX * 8;
    const error =
      kernels.sse16x16(luma, source.lumaStride, trial.prediction, 16) +
      kernels.sse8x8(source.u + chroma, source.chromaStride, trial.prediction + 256, 8) +
      kernels.sse8x8(source.v + chroma, source.chromaStride, trial.prediction + 320, 8);
    trial.flags = 0;
    trial.skipped = true;
    trial.codedBlockPattern = 0;
    trial.bits = 0;
    trial.distortion = error * 64;
    trial.cost = trial.distortion;
    return trial;
  }

  #tryPredicted(question: ModeQuestion, trial: MacroblockTrial, x: number, y: number): MacroblockTrial {
    const { workspace, transform, reference, lambda64, tools } = this.#settings;
    const { at, quantizerScale } = question;
    trial.forwardX = x;
    trial.forwardY = y;
    trial.skipped = false;
    predictForward(workspace.kernels, trial, reference, at);
    transform.transform(trial, at, false);
    transform.quantize(trial, quantizerScale, false, lambda64, tools.trellis === 'all' ? 'trellis' : 'plain');
    this.#countPredictedBits(question, trial);
    return trial;
  }

  /** Adds everything but the blocks to the bits of a predicted trial, and works out its flags and cost. */
  #countPredictedBits({ state }: ModeQuestion, trial: MacroblockTrial): void {
    const { type, vectors, lambda64 } = this.#settings;
    const { forwardX: x, forwardY: y } = trial;
    const pattern = trial.codedBlockPattern;
    const patternFlag = pattern === 0 ? 0 : MACROBLOCK_PATTERN;
    const patternBits = pattern === 0 ? 0 : codedBlockPatternBits(pattern);
    const vectorBits = vectors.componentBits(x - state.forwardX) + vectors.componentBits(y - state.forwardY);
    let flags = MACROBLOCK_MOTION_FORWARD | patternFlag;
    let headerBits = macroblockTypeBits(type, flags) + vectorBits;
    if (x === 0 && y === 0 && pattern !== 0) {
      const bits = macroblockTypeBits(type, MACROBLOCK_PATTERN);
      if (bits < headerBits) {
        flags = MACROBLOCK_PATTERN; // no motion compensation
        headerBits = bits;
      }
    }
    trial.flags = flags;
    trial.bits += 1 + headerBits + patternBits; // 1: macroblock_address_increment of a neighbour
    trial.cost = trial.distortion + lambda64 * trial.bits;
  }

  #tryIntra(question: ModeQuestion, trial: MacroblockTrial): MacroblockTrial {
    const { transform, lambda64, tools } = this.#settings;
    trial.forwardX = 0;
    trial.forwardY = 0;
    trial.skipped = false;
    trial.flags = MACROBLOCK_INTRA;
    transform.transform(trial, question.at, true);
    transform.quantize(trial, question.quantizerScale, true, lambda64, tools.trellis === 'all' ? 'trellis' : 'plain');
    this.#countIntraBits(question, trial);
    return trial;
  }

  /** Adds everything but the AC coefficients to the bits of an intra trial, and works out its cost. */
  #countIntraBits({ state }: ModeQuestion, trial: MacroblockTrial): void {
    const { type, workspace, lambda64 } = this.#settings;
    const { i16 } = workspace.memory;
    const dcBits = state.intraDcBits(block => i16[trial.blockLevels(block) >> 1]!);
    trial.bits += 1 + macroblockTypeBits(type, MACROBLOCK_INTRA) + dcBits;
    trial.cost = trial.distortion + lambda64 * trial.bits;
  }

  /** Chooses the levels of the mode that won once more, with the trellis. */
  #refineLevels(question: ModeQuestion, trial: MacroblockTrial): MacroblockTrial {
    const { transform, lambda64, tools } = this.#settings;
    if (tools.trellis !== 'chosen' || trial.skipped) return trial;
    const intra = (trial.flags & MACROBLOCK_INTRA) !== 0;
    transform.quantize(trial, question.quantizerScale, intra, lambda64, 'trellis');
    if (intra) this.#countIntraBits(question, trial);
    else {
      this.#countPredictedBits(question, trial);
      if (question.maySkip) skipIfEmpty(trial);
    }
    return trial;
  }
}

/** A macroblock without vector and coefficients is skipped. */
function skipIfEmpty(trial: MacroblockTrial): void {
  if (trial.forwardX !== 0 || trial.forwardY !== 0 || trial.codedBlockPattern !== 0) return;
  trial.skipped = true;
  trial.flags = 0;
}
