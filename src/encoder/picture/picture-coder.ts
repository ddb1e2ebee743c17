// Codes pictures: decides every macroblock in raster order and reconstructs it.

import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import type { HeaderSymbols } from '../../bitstream/picture-symbols.js';
import type { PictureType } from '../../bitstream/picture-type.js';
import { MACROBLOCK_INTRA } from '../../bitstream/tables/macroblock-codes.js';
import {
  KNOWS_NEXT,
  MAX_MOVES_OF_A_ROUND,
  MAY_CHANGE_SCALE,
  MAY_SKIP,
  MUST_BE_INTRA,
  MUST_BE_SPARSE,
  WAS_CODED,
} from '../../kernels/records/macroblock-coding.js';
import { ColumnRefresh } from '../macroblock/column-refresh.js';
import { IntraRefresh } from '../macroblock/intra-refresh.js';
import { MacroblockCoder } from '../macroblock/macroblock-coder.js';
import { ReferenceRows } from '../motion/reference-rows.js';
import { proposalsPerMacroblock } from '../motion/vector-proposals.js';
import { setUpJointSearch, setUpVectorSearch } from '../motion/vector-searches.js';
import { lambdaForSquaredError } from '../quantizer/lagrangian.js';
import { factorPartAt, MacroblockScales } from '../quantizer/macroblock-scales.js';
import { type CodedRows, PictureBudget } from '../rate-control/picture-budget.js';
import type { CodingTools } from '../settings/presets.js';
import type { PictureBlocks } from './picture-blocks.js';
import { PictureDecisions } from './picture-decisions.js';
import type { PictureJob } from './picture-job.js';
import { predictionCounts, publishRows } from './reconstructed-picture.js';
import { loadPicture, type Workspace } from './workspace.js';

/** What stays the same for all pictures. */
export interface PictureCoderSettings {
  readonly workspace: Workspace;
  /** Where the blocks are kept until the picture is written. */
  readonly blocks: PictureBlocks;
  readonly tools: CodingTools;
  /** Macroblock rows at which slices start, ascending from 0. */
  readonly sliceRows: readonly number[];
  /** Pictures from one I picture to the next. */
  readonly gop: number;
}

/** The state of a picture that is being coded. */
interface PictureState {
  readonly job: PictureJob;
  readonly budget: PictureBudget | undefined;
  readonly refresh: IntraRefresh;
  readonly columns: ColumnRefresh | undefined;
  /** The rows of the past anchor and of the future one, if the picture has them. */
  readonly pastRows: ReferenceRows | undefined;
  readonly futureRows: ReferenceRows | undefined;
  readonly scales: MacroblockScales;
  /** How much of the factors holds in the row, see `factorPartAt`. */
  factorPart: number;
  /** The mean scale wanted of the row's macroblocks. */
  rowScale: number;
  /** MAY_CHANGE_SCALE where the row's macroblocks may have another scale than the wanted one, else 0. */
  scaleRule: number;
  /** Bits of the macroblocks so far, without slice headers; of a picture with a budget. */
  bits: number;
  /** The same when the row started. */
  bitsBeforeRow: number;
}

/** A picture whose macroblocks are decided. */
export interface DecidedPicture {
  /** Valid until the next picture is coded. */
  readonly symbols: HeaderSymbols;
  /** What its rows took; of a picture with a budget. */
  readonly rows: CodedRows | undefined;
}

/** The coder of pictures. It keeps nothing from one picture to the next. */
export class PictureCoder {
  readonly #settings: PictureCoderSettings;
  readonly #coder: MacroblockCoder;
  readonly #decisions: PictureDecisions;
  /** How many times each row is coded: another time changes nothing where modes are chosen by SAD. */
  readonly #rowPasses: number;

  constructor(settings: PictureCoderSettings) {
    const { workspace, tools } = settings;
    this.#settings = settings;
    this.#coder = new MacroblockCoder(workspace, tools);
    this.#decisions = new PictureDecisions(workspace);
    this.#rowPasses = tools.rateDistortionModes ? tools.rowPasses : 1;
    setUpJointSearch(workspace, tools);
  }

  /**
   * Codes a picture. Waits for rows of its anchors that are not final yet, and publishes its own as they are, unless
   * the picture may be coded again. Throws InputError for a motion field of the wrong size.
   */
  code(job: PictureJob): DecidedPicture {
    const { workspace, sliceRows, blocks } = this.#settings;
    const { memory, grid } = workspace;
    loadPicture(workspace, job.picture);
    this.#decisions.begin(job.plan.type, sliceRows);
    const state = this.#begin(job);
    for (let mbY = 0; mbY < grid.mbHeight; mbY++) {
      this.#beginRow(state, mbY);
      for (let pass = 0; pass < this.#rowPasses; pass++) this.#codeRow(state, mbY, pass);
      if (!job.budget?.mayBeRepeated) publishRows(memory, job.references.target, mbY + 1);
      blocks.addRow(mbY, this.#startsSlice(0, mbY));
    }
    this.#decisions.end();
    return { symbols: this.#decisions, rows: state.budget?.rows };
  }

  #begin(job: PictureJob): PictureState {
    const { workspace } = this.#settings;
    const { picture, plan, proposals, references, quantizerScale, budget } = job;
    const { scaleFactors, lambdaFactors, mayChangeScales } = job;
    const { type, codedNumber } = plan;
    const macroblocks = workspace.grid.mbWidth * workspace.grid.mbHeight;
    this.#coder.begin(job);
    if (type !== 'I') this.#setUpSearch(job, 'forward');
    if (type === 'B') this.#setUpSearch(job, 'backward');
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
      refresh: new IntraRefresh(
        this.#settings.gop,
        predictionCounts(workspace.memory, references.past, workspace.grid),
        predictionCounts(workspace.memory, references.target, workspace.grid),
      ),
      columns: plan.refreshColumns && new ColumnRefresh(workspace, plan.refreshColumns),
      pastRows: type === 'I' ? undefined : this.#referenceRows(job, 'forward'),
      futureRows: type === 'B' ? this.#referenceRows(job, 'backward') : undefined,
      scales: new MacroblockScales(macroblocks, codedNumber, scaleFactors),
      factorPart: 1,
      rowScale: quantizerScale,
      scaleRule: 0,
      bits: 0,
      bitsBeforeRow: 0,
    };
  }

  #setUpSearch({ references, proposals }: PictureJob, direction: 'forward' | 'backward'): void {
    const { workspace, tools } = this.#settings;
    setUpVectorSearch({
      workspace,
      tools,
      places: workspace.vectors[direction],
      reference: direction === 'forward' ? references.past : references.future,
      proposals: proposals[direction],
    });
  }

  #referenceRows({ plan, references, proposals }: PictureJob, direction: 'forward' | 'backward'): ReferenceRows {
    const { workspace, tools } = this.#settings;
    return new ReferenceRows({
      workspace,
      places: workspace.vectors[direction],
      reference: direction === 'forward' ? references.past : references.future,
      candidates: proposalsPerMacroblock(proposals[direction]),
      neighbours: tools.neighbourVectors || tools.fullRefinementRounds > 0,
      halfPels: furthestRefinement(plan.type, tools),
    });
  }

  #beginRow(state: PictureState, mbY: number): void {
    const { job, budget } = state;
    if (budget) {
      state.rowScale = budget.rowScale(mbY, state.bits);
      const { type, anchorScale } = budget.settings;
      state.factorPart = factorPartAt(type, type === 'B' ? anchorScale : state.rowScale);
    }
    const mayChangeScales = job.mayChangeScales === true && this.#settings.tools.quantizerSearchRadius > 0;
    state.scaleRule = mayChangeScales && !isExtreme(state.rowScale) ? MAY_CHANGE_SCALE : 0;
  }

  /** Codes a row the first time, `pass` 0, or again. */
  #codeRow(state: PictureState, mbY: number, pass: number): void {
    const { mbWidth } = this.#settings.workspace.grid;
    if (pass === 0) this.#coder.startRow();
    else {
      this.#coder.restartRow();
      this.#coder.chooseRow(mbY, this.#startsSlice(0, mbY));
      state.bits = state.bitsBeforeRow;
    }
    state.bitsBeforeRow = state.bits;
    if (this.#isAlike(state)) {
      this.#codeAlike(state, mbY);
      return;
    }
    for (let mbX = 0; mbX < mbWidth; mbX++) {
      this.#codeMacroblock(state, mbX, mbY, pass > 0);
    }
  }

  /** Whether the same is wanted of all macroblocks of a row, none of which waits for another picture. */
  #isAlike({ job, refresh, columns, budget, pastRows, futureRows, rowScale }: PictureState): boolean {
    if (budget || columns || job.scaleFactors || job.lambdaFactors || this.#rowPasses > 1) return false;
    if (!Number.isInteger(rowScale) || (job.plan.type === 'P' && refresh.isNeeded)) return false;
    return (pastRows?.areFinal ?? true) && (futureRows?.areFinal ?? true);
  }

  /** Codes such a row with few calls: only the first and the last macroblock of a slice may not be skipped. */
  #codeAlike(state: PictureState, mbY: number): void {
    const { job, refresh, scaleRule } = state;
    const { type } = job.plan;
    const { mbWidth } = this.#settings.workspace.grid;
    const first = mbY * mbWidth;
    const startsSlice = this.#startsSlice(0, mbY);
    const scale = this.#chooseScale(state, first, startsSlice, true);
    const lambda64 = this.#lambda64(state, first);
    const start = startsSlice ? 1 : 0;
    const end = this.#endsSlice(mbWidth - 1, mbY) ? mbWidth - 1 : mbWidth;
    const code = (from: number, to: number, rule: number) =>
      this.#coder.codeRun(from, to, mbY, scale, lambda64, scaleRule | (type === 'I' ? 0 : rule));
    if (start > 0) code(0, start, 0);
    if (start < end) code(start, end, MAY_SKIP);
    if (Math.max(start, end) < mbWidth) code(Math.max(start, end), mbWidth, 0);
    if (type === 'B' || !refresh.isNeeded) return;
    const { flags } = this.#decisions;
    for (let address = first; address < first + mbWidth; address++) {
      refresh.count(address, (flags[address]! & MACROBLOCK_INTRA) !== 0);
    }
  }

  /** `wasCoded`: the row has been coded before. */
  #codeMacroblock(state: PictureState, mbX: number, mbY: number, wasCoded: boolean): void {
    const { job, refresh, columns, budget } = state;
    const { type, temporalReference } = job.plan;
    const { mbWidth, mbHeight } = this.#settings.workspace.grid;
    const address = mbY * mbWidth + mbX;
    const startsSlice = this.#startsSlice(mbX, mbY);
    const scale = this.#chooseScale(state, address, startsSlice, mbX === 0);
    state.pastRows?.waitFor(mbX, mbY, this.#coder.forwardDyHalfPels, wasCoded);
    state.futureRows?.waitFor(mbX, mbY, this.#coder.backwardDyHalfPels, wasCoded);
    columns?.limitVectors(mbX);
    let rules = state.scaleRule;
    if (wasCoded) rules |= WAS_CODED | (mbX + 1 < mbWidth ? KNOWS_NEXT : 0);
    if (type !== 'I' && !startsSlice && !this.#endsSlice(mbX, mbY)) rules |= MAY_SKIP;
    if (type === 'P' && (columns?.isDue(mbX) || refresh.isDue(address, temporalReference))) rules |= MUST_BE_INTRA;
    if (budget?.mustBeSparse(state.bits, mbWidth * mbHeight - address)) rules |= MUST_BE_SPARSE;
    const isIntra = this.#coder.code(mbX, mbY, scale, this.#lambda64(state, address), rules);
    if (type !== 'B') refresh.count(address, isIntra);
    if (budget) state.bits += this.#coder.bits;
  }

  /** The scale wanted of a macroblock. */
  #chooseScale(state: PictureState, address: number, startsSlice: boolean, startsRow: boolean): number {
    const { job, rowScale, scales, factorPart } = state;
    // At a bit rate the scale is found anew in each row, so that the mean of all is the wanted one.
    const isNew = startsSlice || (job.budget !== undefined && startsRow);
    const before = isNew ? undefined : this.#coder.quantizerScale;
    const scale = scales.whole(address, rowScale, before, factorPart);
    if (startsSlice) this.#coder.startSlice(scale);
    return scale;
  }

  /** Lambda follows the scale before it is rounded; the trellis takes the lambda of 1..31. */
  #lambda64({ job, scales }: PictureState, address: number): number {
    const factor = scales.factor(address) * (job.lambdaFactors ? job.lambdaFactors[address]! : 1);
    return 64 * lambdaForSquaredError(Math.max(1, Math.min(MAX_QUANTIZER_SCALE, job.quantizerScale * factor)));
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

/** How far the search of a macroblock and its refinements in full may move a component of a vector, in half-pels. */
function furthestRefinement(type: PictureType, tools: CodingTools): number {
  const { refinementRounds, jointRounds, fullRefinementRounds } = tools;
  const searched = refinementRounds + (type === 'B' ? jointRounds : 0);
  return searched + (type === 'B' ? MAX_MOVES_OF_A_ROUND : 1) * fullRefinementRounds;
}

/** Whether a scale is the finest or the coarsest. */
function isExtreme(scale: number): boolean {
  return scale <= 1 || scale >= MAX_QUANTIZER_SCALE;
}
