import type { PictureSymbols } from '../../bitstream/picture-symbols.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
} from '../../bitstream/tables/macroblock-codes.js';
import { smallestFCode } from '../../bitstream/tables/motion-vector-codes.js';
import type { MotionField } from '../../motion/estimator.js';
import type { Picture } from '../../picture/picture.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import { BestTrial } from '../macroblock/best-trial.js';
import { BlockTransform } from '../macroblock/block-transform.js';
import { IntraRefresh } from '../macroblock/intra-refresh.js';
import { type DeciderSettings, type MacroblockDecider, macroblockDecider } from '../macroblock/macroblock-decider.js';
import type { Anchors, MacroblockPosition } from '../macroblock/prediction.js';
import { SliceState } from '../macroblock/slice-state.js';
import type { MacroblockQuestion } from '../macroblock/trial-coder.js';
import { lambdaForSquaredError } from '../quantizer/lagrangian.js';
import { MacroblockScales } from '../quantizer/macroblock-scales.js';
import { loadQuantizers, type QuantizerMatrices } from '../quantizer/quantizer-set.js';
import type { PictureBudget } from '../rate-control/picture-budget.js';
import { sparseDecider } from '../rate-control/sparse-decider.js';
import type { CodingTools } from '../settings/presets.js';
import { PictureDecisions } from './picture-decisions.js';
import { loadPicture, type PlanePointers, type Workspace } from './workspace.js';

/** What a coder is made for. */
export interface PictureCoderSettings {
  readonly workspace: Workspace;
  readonly tools: CodingTools;
  readonly matrices: QuantizerMatrices;
  /** Macroblock rows at which slices start, ascending from 0. */
  readonly sliceRows: readonly number[];
  /** Pictures from one I picture to the next. */
  readonly gop: number;
}

/** One picture to code. */
export interface PictureJob {
  readonly picture: Picture;
  readonly plan: PlannedPicture;
  /** What is aimed at in the mean of the macroblocks, 1..31, not necessarily whole. */
  readonly quantizerScale: number;
  /** What each macroblock's scale is to be by that of the whole picture or, with a budget, of its row; none: all 1. */
  readonly scaleFactors?: Float64Array | undefined;
  /** What the scale that each macroblock's lambda goes by is to be, by the macroblock's own; none: all 1. */
  readonly lambdaFactors?: Float64Array | undefined;
  /** Whether a macroblock may be given another scale than is wanted of it. */
  readonly mayChangeScales?: boolean | undefined;
  /** Where the picture has to keep to a rate: chooses the scale of each row. */
  readonly budget?: PictureBudget;
  /** Motion of the macroblocks from the past anchor (P, B) and from the future one (B). */
  readonly forwardField: MotionField | undefined;
  readonly backwardField: MotionField | undefined;
}

/** What a macroblock is coded with. */
interface MacroblockCoding {
  readonly job: PictureJob;
  readonly state: SliceState;
  scales: MacroblockScales;
  /** What the row's macroblocks are to have in the mean. */
  rowScale: number;
  /** What is asked of the decider: one object for all macroblocks. */
  readonly question: Changeable<Omit<MacroblockQuestion, 'at'>> & { readonly at: Changeable<MacroblockPosition> };
}

/** An interface whose fields may be written. */
type Changeable<T> = { -readonly [Field in keyof T]: T[Field] };

/**
 * Codes pictures one after another: decides every macroblock in raster order and reconstructs it. It keeps no state but
 * the two anchors and the refresh counters.
 */
export class PictureCoder {
  readonly #settings: PictureCoderSettings;
  readonly #transform: BlockTransform;
  readonly #decisions: PictureDecisions;
  readonly #refresh: IntraRefresh;
  readonly #trials: BestTrial;
  /** The two last I or P pictures, and where the next picture goes. */
  #past: PlanePointers;
  #future: PlanePointers;
  #target: PlanePointers;
  #last: PlanePointers;

  constructor(settings: PictureCoderSettings) {
    const { workspace } = settings;
    this.#settings = settings;
    this.#transform = new BlockTransform(workspace);
    this.#decisions = new PictureDecisions(workspace);
    this.#refresh = new IntraRefresh(workspace.grid.mbWidth * workspace.grid.mbHeight, settings.gop);
    this.#trials = new BestTrial(workspace.memory, workspace.trials);
    [this.#past, this.#future, this.#target] = workspace.reconstructions;
    this.#last = this.#future;
    loadQuantizers(workspace, settings.matrices);
  }

  /** The last picture coded, as a decoder shows it. */
  get reconstruction(): PlanePointers {
    return this.#last;
  }

  /** The last I or P picture coded. */
  get lastAnchor(): PlanePointers {
    return this.#future;
  }

  /** The anchor before it. */
  get anchorBefore(): PlanePointers {
    return this.#past;
  }

  /** Codes a picture; the symbols are valid until the next call. */
  code(job: PictureJob): PictureSymbols {
    const { workspace, sliceRows, tools } = this.#settings;
    const { type } = job.plan;
    const decisions = this.#decisions;
    loadPicture(workspace.memory, workspace.source, job.picture);
    decisions.type = type;
    decisions.sliceRows = sliceRows;
    const anchors: Anchors =
      type === 'B' ? { past: this.#past, future: this.#future } : { past: this.#future, future: this.#future };
    const state = new SliceState(type);
    const settings: DeciderSettings = {
      workspace,
      tools,
      job,
      anchors,
      decisions,
      transform: this.#transform,
      trials: this.#trials,
    };
    const decider = macroblockDecider(settings);
    const sparse = job.budget && sparseDecider(settings);
    this.#refresh.beginPicture();
    let left = workspace.grid.mbWidth * workspace.grid.mbHeight;
    const scales = new MacroblockScales(left, job.plan.codedNumber, job.scaleFactors);
    const evenScales = new MacroblockScales(left, job.plan.codedNumber, undefined);
    const question = {
      at: { mbX: 0, mbY: 0 },
      state,
      quantizerScale: 1,
      lambda64: 0,
      maySkip: false,
      mustBeIntra: false,
      mayChangeScale: false,
    };
    const mayChangeScale = tools.quantizerSearchRadius > 0 && job.mayChangeScales === true;
    const coding: MacroblockCoding = { job, state, scales, rowScale: job.quantizerScale, question };
    let bits = 0;
    for (let row = 0; row < workspace.grid.mbHeight; row++) {
      if (sliceRows.includes(row)) state.reset();
      if (job.budget) {
        coding.rowScale = job.budget.rowScale(row, bits);
        // A rate that takes the coarsest scale, or the finest, takes it everywhere.
        coding.scales = coding.rowScale >= 31 || coding.rowScale <= 1 ? evenScales : scales;
      }
      question.mayChangeScale = mayChangeScale && coding.rowScale < 31 && coding.rowScale > 1;
      for (let column = 0; column < workspace.grid.mbWidth; column++) {
        const mustSave = job.budget?.mustSave(bits, left--) ?? false;
        bits += this.#codeMacroblock(coding, mustSave && sparse ? sparse : decider, column, row);
      }
    }
    decisions.forwardFCode = usedFCode(
      decisions,
      MACROBLOCK_MOTION_FORWARD,
      decisions.forwardDxHalfPels,
      decisions.forwardDyHalfPels,
    );
    decisions.backwardFCode = usedFCode(
      decisions,
      MACROBLOCK_MOTION_BACKWARD,
      decisions.backwardDxHalfPels,
      decisions.backwardDyHalfPels,
    );
    this.#rotate(type !== 'B');
    return decisions;
  }

  /** Takes back the picture coded last, so that it can be coded in another way. */
  discard(): void {
    if (this.#last === this.#future)
      [this.#past, this.#future, this.#target] = [this.#target, this.#past, this.#future];
    this.#refresh.discardPicture();
  }

  /** Codes a macroblock; returns what it costs in bits, headers of slices left out. */
  #codeMacroblock(coding: MacroblockCoding, decider: MacroblockDecider, mbX: number, mbY: number): number {
    const { job, state, scales, rowScale, question } = coding;
    const { workspace, sliceRows } = this.#settings;
    const { grid } = workspace;
    const { type, temporalReference } = job.plan;
    const address = mbY * grid.mbWidth + mbX;
    const startsSlice = mbX === 0 && sliceRows.includes(mbY);
    const quantizerScale = scales.whole(address, rowScale, startsSlice ? undefined : state.quantizerScale);
    // Lambda follows what is wanted of the macroblock, not what rounding makes of it; the trellis takes that of 1..31.
    const factor = scales.factor(address) * (job.lambdaFactors ? job.lambdaFactors[address]! : 1);
    const wantedScale = Math.max(1, Math.min(31, job.quantizerScale * factor));
    if (startsSlice) state.quantizerScale = quantizerScale;
    question.at.mbX = mbX;
    question.at.mbY = mbY;
    question.quantizerScale = quantizerScale;
    question.lambda64 = 64 * lambdaForSquaredError(wantedScale);
    question.maySkip = type !== 'I' && !this.#bordersSlice(mbX, mbY);
    question.mustBeIntra = type === 'P' && this.#refresh.isDue(address, temporalReference);
    const trial = decider(question);
    const intra = (trial.flags & MACROBLOCK_INTRA) !== 0;
    this.#decisions.record(address, trial, intra);
    this.#transform.reconstruct(trial, question.at, this.#target, intra);
    if (type !== 'B') this.#refresh.note(address, intra);
    state.after(trial);
    return trial.bits;
  }

  /** An anchor becomes the future one and the future one past; the buffer that is free then is the next target. */
  #rotate(isAnchor: boolean): void {
    this.#last = this.#target;
    if (isAnchor) [this.#past, this.#future, this.#target] = [this.#future, this.#target, this.#past];
  }

  /** Whether the macroblock is the first or last of its slice. */
  #bordersSlice(mbX: number, mbY: number): boolean {
    const { sliceRows, workspace } = this.#settings;
    const { mbWidth, mbHeight } = workspace.grid;
    if (mbX === 0 && sliceRows.includes(mbY)) return true;
    return mbX === mbWidth - 1 && (mbY === mbHeight - 1 || sliceRows.includes(mbY + 1));
  }
}

/** The smallest f_code that holds every vector a picture uses in one direction. */
function usedFCode({ flags }: PictureSymbols, direction: number, x: Int16Array, y: Int16Array): number {
  let least = 0;
  let greatest = 0;
  for (let address = 0; address < flags.length; address++) {
    if ((flags[address]! & direction) === 0) continue;
    least = Math.min(least, x[address]!, y[address]!);
    greatest = Math.max(greatest, x[address]!, y[address]!);
  }
  return smallestFCode(least, greatest);
}
