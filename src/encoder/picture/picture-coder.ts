// Codes pictures: decides every macroblock in raster order and reconstructs it.

import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import type { PictureSymbols } from '../../bitstream/picture-symbols.js';
import { SlicePredictors } from '../../bitstream/slice-predictors.js';
import { MACROBLOCK_INTRA } from '../../bitstream/tables/macroblock-codes.js';
import { BestTrial } from '../macroblock/best-trial.js';
import { BlockTransform } from '../macroblock/block-transform.js';
import { IntraRefresh } from '../macroblock/intra-refresh.js';
import type { MacroblockJob, MacroblockPosition } from '../macroblock/macroblock-job.js';
import { createModeDecider, type DeciderSettings, type ModeDecider } from '../macroblock/mode-decider.js';
import { isCodedInOneCall, OneCallCoder } from '../macroblock/one-call-coder.js';
import { sparseDecider } from '../macroblock/sparse-decider.js';
import { ReferenceRows } from '../motion/reference-rows.js';
import { proposalsPerMacroblock } from '../motion/vector-proposals.js';
import { lambdaForSquaredError } from '../quantizer/lagrangian.js';
import { factorPartAt, MacroblockScales } from '../quantizer/macroblock-scales.js';
import { loadQuantizers, type QuantizerMatrices } from '../quantizer/quantizer-set.js';
import { type CodedRows, PictureBudget } from '../rate-control/picture-budget.js';
import type { CodingTools } from '../settings/presets.js';
import { PictureDecisions } from './picture-decisions.js';
import type { PictureJob } from './picture-job.js';
import { predictionCounts, publishRows } from './reconstructed-picture.js';
import { loadPicture, type Workspace } from './workspace.js';

/** What stays the same for all pictures. */
export interface PictureCoderSettings {
  readonly workspace: Workspace;
  readonly tools: CodingTools;
  readonly matrices: QuantizerMatrices;
  /** Macroblock rows at which slices start, ascending from 0. */
  readonly sliceRows: readonly number[];
  /** Pictures from one I picture to the next. */
  readonly gop: number;
}

/** The state of a picture that is being coded. */
interface PictureState {
  readonly job: PictureJob;
  readonly budget: PictureBudget | undefined;
  readonly predictors: SlicePredictors;
  readonly refresh: IntraRefresh;
  /** The rows of the past anchor and of the future one, if the picture has them. */
  readonly pastRows: ReferenceRows | undefined;
  readonly futureRows: ReferenceRows | undefined;
  readonly decide: ModeDecider;
  /** Codes macroblocks instead of `decide`, where nothing is compared. */
  readonly oneCall: OneCallCoder | undefined;
  /** Decides for what takes the fewest bits; with a budget only. */
  readonly decideSparsely: ModeDecider | undefined;
  readonly scales: MacroblockScales;
  /** How much of the factors holds in the row, see `factorPartAt`. */
  factorPart: number;
  /** The mean scale wanted of the row's macroblocks. */
  rowScale: number;
  /** Bits of the macroblocks so far, without slice headers. */
  bits: number;
  macroblocksLeft: number;
  /** One object for all macroblocks. */
  readonly macroblock: Writable<Omit<MacroblockJob, 'at'>> & { readonly at: Writable<MacroblockPosition> };
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/** A picture whose macroblocks are decided. */
export interface DecidedPicture {
  /** Valid until the next picture is coded. */
  readonly symbols: PictureSymbols;
  /** What its rows took; of a picture with a budget. */
  readonly rows: CodedRows | undefined;
}

/** The coder of pictures. It keeps nothing from one picture to the next. */
export class PictureCoder {
  readonly #settings: PictureCoderSettings;
  readonly #transform: BlockTransform;
  readonly #decisions: PictureDecisions;
  readonly #trials: BestTrial;

  constructor(settings: PictureCoderSettings) {
    const { workspace, tools } = settings;
    this.#settings = settings;
    this.#transform = new BlockTransform(workspace);
    this.#decisions = new PictureDecisions(workspace);
    this.#trials = new BestTrial(workspace.memory, workspace.trials);
    loadQuantizers(workspace, settings.matrices, tools.trellis !== 'none');
  }

  /**
   * Codes a picture. Waits for rows of its anchors that are not final yet, and publishes its own as they are, unless
   * the picture may be coded again. Throws InputError for a motion field of the wrong size.
   */
  code(job: PictureJob): DecidedPicture {
    const { workspace, sliceRows } = this.#settings;
    const { memory, grid } = workspace;
    loadPicture(memory, workspace.source, job.picture);
    this.#decisions.begin(job.plan.type, sliceRows);
    const state = this.#begin(job);
    for (let mbY = 0; mbY < grid.mbHeight; mbY++) {
      this.#beginRow(state, mbY);
      for (let mbX = 0; mbX < grid.mbWidth; mbX++) this.#codeMacroblock(state, mbX, mbY);
      if (!job.budget?.mayBeRepeated) publishRows(memory, job.references.target, mbY + 1);
    }
    this.#decisions.end();
    return { symbols: this.#decisions, rows: state.budget?.rows };
  }

  #begin(job: PictureJob): PictureState {
    const { workspace, tools } = this.#settings;
    const { picture, plan, proposals, references, quantizerScale, budget } = job;
    const { scaleFactors, lambdaFactors, mayChangeScales } = job;
    const { type, codedNumber } = plan;
    const macroblocks = workspace.grid.mbWidth * workspace.grid.mbHeight;
    const predictors = new SlicePredictors(type);
    const settings: DeciderSettings = {
      type,
      workspace,
      tools,
      anchors: references,
      proposals,
      transform: this.#transform,
      trials: this.#trials,
    };
    return {
      // An object of the same shape for every picture, whoever made the job: V8 finds its properties at once.
      job: {
        picture,
        plan,
        proposals,
        references,
        quantizerScale,
        budget,
        scaleFactors,
        lambdaFactors,
        mayChangeScales,
      },
      budget: budget && new PictureBudget(budget),
      predictors,
      refresh: new IntraRefresh(
        this.#settings.gop,
        predictionCounts(workspace.memory, references.past, workspace.grid),
        predictionCounts(workspace.memory, references.target, workspace.grid),
      ),
      pastRows: type === 'I' ? undefined : this.#referenceRows(job, 'forward'),
      futureRows: type === 'B' ? this.#referenceRows(job, 'backward') : undefined,
      decide: createModeDecider(settings),
      oneCall: isCodedInOneCall(job, tools)
        ? new OneCallCoder(workspace, this.#decisions, references.target, tools)
        : undefined,
      decideSparsely: budget && sparseDecider(settings),
      scales: new MacroblockScales(macroblocks, codedNumber, scaleFactors),
      factorPart: 1,
      rowScale: quantizerScale,
      bits: 0,
      macroblocksLeft: macroblocks,
      macroblock: {
        at: { mbX: 0, mbY: 0 },
        predictors,
        quantizerScale: 1,
        lambda64: 0,
        maySkip: false,
        mustBeIntra: false,
        mayChangeScale: false,
      },
    };
  }

  #referenceRows({ plan, references, proposals }: PictureJob, direction: 'forward' | 'backward'): ReferenceRows {
    const { workspace, tools } = this.#settings;
    return new ReferenceRows({
      workspace,
      places: workspace.vectors[direction],
      reference: direction === 'forward' ? references.past : references.future,
      candidates: proposalsPerMacroblock(proposals[direction]),
      neighbours: tools.neighbourVectors,
      rounds: tools.refinementRounds + (plan.type === 'B' ? tools.jointRounds : 0) + tools.fullRefinementRounds,
    });
  }

  #beginRow(state: PictureState, mbY: number): void {
    const { job, budget, macroblock } = state;
    if (budget) {
      state.rowScale = budget.rowScale(mbY, state.bits);
      const { type, anchorScale } = budget.settings;
      state.factorPart = factorPartAt(type, type === 'B' ? anchorScale : state.rowScale);
    }
    const mayChangeScales = job.mayChangeScales === true && this.#settings.tools.quantizerSearchRadius > 0;
    macroblock.mayChangeScale = mayChangeScales && !isExtreme(state.rowScale);
  }

  #codeMacroblock(state: PictureState, mbX: number, mbY: number): void {
    const { job, predictors, macroblock } = state;
    const { type, temporalReference } = job.plan;
    const { grid } = this.#settings.workspace;
    const address = mbY * grid.mbWidth + mbX;
    macroblock.at.mbX = mbX;
    macroblock.at.mbY = mbY;
    this.#chooseScale(state, address, this.#startsSlice(mbX, mbY));
    macroblock.maySkip = type !== 'I' && !this.#startsSlice(mbX, mbY) && !this.#endsSlice(mbX, mbY);
    state.pastRows?.waitFor(macroblock.at, predictors.forwardDyHalfPels);
    state.futureRows?.waitFor(macroblock.at, predictors.backwardDyHalfPels);
    macroblock.mustBeIntra = type === 'P' && state.refresh.isDue(address, temporalReference);
    const coded = state.oneCall?.code(macroblock);
    if (coded === undefined) this.#decideMacroblock(state, address);
    else if (type !== 'B') state.refresh.count(address, coded);
  }

  /** Chooses how a macroblock is coded, and codes it. */
  #decideMacroblock(state: PictureState, address: number): void {
    const { job, predictors, macroblock } = state;
    const mustBeSparse = state.budget?.mustBeSparse(state.bits, state.macroblocksLeft--) ?? false;
    const trial = mustBeSparse && state.decideSparsely ? state.decideSparsely(macroblock) : state.decide(macroblock);
    const isIntra = (trial.flags & MACROBLOCK_INTRA) !== 0;
    this.#decisions.record(address, trial);
    this.#transform.reconstruct(trial, macroblock.at, job.references.target, isIntra);
    if (job.plan.type !== 'B') state.refresh.count(address, isIntra);
    predictors.update(trial);
    state.bits += trial.bits;
  }

  /** Sets the scale wanted of a macroblock, and its lambda. */
  #chooseScale(state: PictureState, address: number, startsSlice: boolean): void {
    const { job, predictors, macroblock, rowScale, scales, factorPart } = state;
    // At a bit rate the scale is found anew in each row, so that the mean of all is the wanted one.
    const isNew = startsSlice || (job.budget !== undefined && macroblock.at.mbX === 0);
    const before = isNew ? undefined : predictors.quantizerScale;
    macroblock.quantizerScale = scales.whole(address, rowScale, before, factorPart);
    if (startsSlice) predictors.startSlice(macroblock.quantizerScale);
    // Lambda follows the scale before it is rounded; the trellis takes the lambda of 1..31.
    const factor = scales.factor(address) * (job.lambdaFactors ? job.lambdaFactors[address]! : 1);
    const lambdaScale = Math.max(1, Math.min(MAX_QUANTIZER_SCALE, job.quantizerScale * factor));
    macroblock.lambda64 = 64 * lambdaForSquaredError(lambdaScale);
  }

  #startsSlice(mbX: number, mbY: number): boolean {
    return mbX === 0 && this.#settings.sliceRows.includes(mbY);
  }

  #endsSlice(mbX: number, mbY: number): boolean {
    const { sliceRows, workspace } = this.#settings;
    const { mbWidth, mbHeight } = workspace.grid;
    return mbX === mbWidth - 1 && (mbY === mbHeight - 1 || sliceRows.includes(mbY + 1));
  }
}

/** Whether a scale is the finest or the coarsest. */
function isExtreme(scale: number): boolean {
  return scale <= 1 || scale >= MAX_QUANTIZER_SCALE;
}
