// Codes the macroblocks of a picture by a kernel call each.
import type { PictureType } from '../../bitstream/picture-type.js';
import { DC_RESET } from '../../bitstream/slice-predictors.js';
import {
  JOINT_ALL,
  JOINT_BLOCKS,
  JOINT_NONE,
  MACROBLOCK_CODING,
  type MacroblockCoding,
  TRELLIS_ALL,
  TRELLIS_CHOSEN,
  TRELLIS_NONE,
} from '../../kernels/records/macroblock-coding.js';
import { SLICE_PREDICTORS, type SlicePredictorsRecord } from '../../kernels/records/slice-predictors.js';
import type { PictureJob } from '../picture/picture-job.js';
import type { Workspace } from '../picture/workspace.js';
import type { CodingTools } from '../settings/presets.js';

const TYPE_NUMBERS: Readonly<Record<PictureType, number>> = { I: 0, P: 1, B: 2 };
const TRELLIS: Readonly<Record<CodingTools['trellis'], number>> = {
  none: TRELLIS_NONE,
  chosen: TRELLIS_CHOSEN,
  all: TRELLIS_ALL,
};

const JOINT_SYMBOLS: Readonly<Record<CodingTools['jointSymbols'], number>> = {
  none: JOINT_NONE,
  blocks: JOINT_BLOCKS,
  all: JOINT_ALL,
};

/**
 * Whether nothing of a picture's macroblocks is compared: by SAD, in B pictures one direction without the trellis, and
 * where neither bits nor other scales nor joint symbols are asked for. The blocks of an I picture have one mode anyway.
 */
function comparesNothing({ plan, budget, mayChangeScales }: PictureJob, tools: CodingTools): boolean {
  const { rateDistortionModes, quantizerSearchRadius, jointSymbols, trellis, directionFactor } = tools;
  const triesScales = mayChangeScales === true && quantizerSearchRadius > 0;
  const hasOneDirection = plan.type === 'P' || (trellis === 'none' && directionFactor === 1);
  const hasOneMode = plan.type === 'I' || (!rateDistortionModes && hasOneDirection);
  const choosesSymbols = jointSymbols === 'all' || (jointSymbols === 'blocks' && plan.type !== 'I');
  return hasOneMode && !choosesSymbols && !triesScales && budget === undefined;
}

/** Codes the macroblocks of pictures whose vector searches are set up; see MacroblockKernels. */
export class MacroblockCoder {
  readonly #workspace: Workspace;
  readonly #tools: CodingTools;
  readonly #predictors: SlicePredictorsRecord;
  readonly #i32: Int32Array;
  readonly #bits: number;
  readonly #forwardDy: number;
  readonly #backwardDy: number;
  readonly #scale: number;
  /** The predictors of a row's first macroblock. */
  readonly #rowPredictors = new Uint8Array(SLICE_PREDICTORS.bytes);

  constructor(workspace: Workspace, tools: CodingTools) {
    const { memory, coding } = workspace;
    const { rateDistortionModes, earlySkips, rdVectorCandidates, fullRefinementRounds } = tools;
    const { trellis, quantizerSearchRadius, directionFactor, jointSymbols } = tools;
    this.#workspace = workspace;
    this.#tools = tools;
    this.#predictors = SLICE_PREDICTORS.at(memory, coding.predictors);
    this.#i32 = memory.i32;
    this.#bits = MACROBLOCK_CODING.indexOf(coding.pointer, 'bits');
    this.#forwardDy = SLICE_PREDICTORS.indexOf(coding.predictors, 'forwardDyHalfPels');
    this.#backwardDy = SLICE_PREDICTORS.indexOf(coding.predictors, 'backwardDyHalfPels');
    this.#scale = SLICE_PREDICTORS.indexOf(coding.predictors, 'quantizerScale');
    const settings: Partial<MacroblockCoding> = {
      trellis: TRELLIS[trellis],
      rateDistortionModes: rateDistortionModes ? 1 : 0,
      earlySkips: earlySkips ? 1 : 0,
      rdVectorCandidates,
      fullRefinementRounds,
      quantizerSearchRadius,
      directionFactor,
      jointSymbols: JOINT_SYMBOLS[jointSymbols],
    };
    Object.assign(coding, settings);
  }

  /** A picture begins. */
  begin(job: PictureJob): void {
    const { coding } = this.#workspace;
    coding.target = job.references.target.record;
    coding.pictureType = TYPE_NUMBERS[job.plan.type];
    coding.comparesNothing = comparesNothing(job, this.#tools) ? 1 : 0;
  }

  /** A slice starts, `quantizerScale` in its header; see SlicePredictors. */
  startSlice(quantizerScale: number): void {
    const dc = { dcY: DC_RESET, dcCb: DC_RESET, dcCr: DC_RESET };
    const vectors = { forwardDxHalfPels: 0, forwardDyHalfPels: 0, backwardDxHalfPels: 0, backwardDyHalfPels: 0 };
    Object.assign(this.#predictors, { quantizerScale, direction: 0, ...dc, ...vectors });
  }

  /** A row starts, which may be coded again. */
  startRow(): void {
    const { memory, coding } = this.#workspace;
    const { predictors } = coding;
    this.#rowPredictors.set(memory.u8.subarray(predictors, predictors + SLICE_PREDICTORS.bytes));
  }

  /** The row is coded again: what the macroblocks before predict is what it was when it started. */
  restartRow(): void {
    const { memory, coding } = this.#workspace;
    memory.u8.set(this.#rowPredictors, coding.predictors);
  }

  /** Chooses how the macroblocks of the row are predicted, all together; see MacroblockKernels. */
  chooseRow(mbY: number, startsSlice: boolean): void {
    const { kernels, coding } = this.#workspace;
    kernels.chooseRow(coding.pointer, mbY, startsSlice ? 1 : 0);
  }

  /** What the macroblocks before predict of the next one: vertical components in half-pels, quantizer_scale. */
  get forwardDyHalfPels(): number {
    return this.#i32[this.#forwardDy]!;
  }
  get backwardDyHalfPels(): number {
    return this.#i32[this.#backwardDy]!;
  }
  get quantizerScale(): number {
    return this.#i32[this.#scale]!;
  }

  /** Bits of the macroblock coded last; 0 where nothing is compared and the picture has no budget. */
  get bits(): number {
    return this.#i32[this.#bits]!;
  }

  /**
   * Codes and reconstructs a macroblock, and keeps its symbols. `lambda64` is the squared error that a bit is worth, in
   * 1/64 of a squared pel; `rules` are those of codeMacroblock. Returns whether it is intra.
   */
  code(mbX: number, mbY: number, quantizerScale: number, lambda64: number, rules: number): boolean {
    const { kernels, coding } = this.#workspace;
    return kernels.codeMacroblock(coding.pointer, mbX, mbY, quantizerScale, lambda64, rules) === 1;
  }

  /** The same for the macroblocks of a row from `mbX` on, and before `endX`. */
  codeRun(mbX: number, endX: number, mbY: number, quantizerScale: number, lambda64: number, rules: number): void {
    const { kernels, coding } = this.#workspace;
    kernels.codeMacroblocks(coding.pointer, mbX, mbY, endX - mbX, quantizerScale, lambda64, rules);
  }
}
