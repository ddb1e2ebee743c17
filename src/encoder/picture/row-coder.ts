// Codes the macroblocks of a picture, a row with a kernel call.

import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import { PICTURE_TYPES, type PictureType } from '../../bitstream/picture-type.js';
import {
  JOINT_ALL,
  JOINT_BLOCKS,
  JOINT_NONE,
  MAX_MOVES_OF_A_ROUND,
  type MacroblockCoding,
  TRELLIS_ALL,
  TRELLIS_CHOSEN,
  TRELLIS_NONE,
} from '../../kernels/records/macroblock-coding.js';
import {
  type AnchorRows,
  ROW_CODING,
  ROW_ENDS_SLICE,
  ROW_MAY_CHANGE_SCALES,
  ROW_STARTS_SLICE,
  ROW_WAS_CODED,
  type RowCoding,
  SPARSE_ALWAYS,
  SPARSE_NEAR_LIMIT,
  SPARSE_NEVER,
} from '../../kernels/records/row-coding.js';
import { SLICE_PREDICTORS } from '../../kernels/records/slice-predictors.js';
import { bandStart } from '../../macroblock/row/macroblock-scales.js';
import { MACROBLOCK_SIZE } from '../../picture/picture.js';
import { type SparseCoding, sparseLimit } from '../rate-control/picture-budget.js';
import type { CodingTools } from '../settings/presets.js';
import type { PictureJob } from './picture-job.js';
import type { ReconstructedPicture } from './reconstructed-picture.js';
import type { Workspace } from './workspace.js';

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
const SPARSE_CODING: Readonly<Record<SparseCoding, number>> = {
  never: SPARSE_NEVER,
  'near-limit': SPARSE_NEAR_LIMIT,
  always: SPARSE_ALWAYS,
};

/** What is wanted of a row of macroblocks. */
export interface RowRequest {
  readonly mbY: number;
  /** The mean scale wanted, 1..31; need not be whole. */
  readonly scale: number;
  /** How much of the scale factors holds, 0..1. */
  readonly factorPart: number;
  readonly startsSlice: boolean;
  readonly endsSlice: boolean;
}

/** Codes the rows of pictures whose vector searches are set up; see MacroblockKernels. */
export class RowCoder {
  readonly #workspace: Workspace;
  readonly #tools: CodingTools;
  /** See `PictureCoderSettings`. */
  readonly #refreshes: boolean;
  /** How many times each row is coded: another time changes nothing where modes are chosen by SAD. */
  readonly #passes: number;
  /** The predictors of a row's first macroblock. */
  readonly #predictors = new Uint8Array(SLICE_PREDICTORS.bytes);
  /** The index of the bits of the picture. */
  readonly #bits: number;
  #hasBudget = false;
  #mayChangeScales = false;

  constructor(workspace: Workspace, tools: CodingTools, refreshes: boolean) {
    const { trellis, rateDistortionModes, earlySkips, rdVectorCandidates, fullRefinementRounds } = tools;
    const { quantizerSearchRadius, directionFactor, jointSymbols, rowPasses } = tools;
    this.#workspace = workspace;
    this.#tools = tools;
    this.#refreshes = refreshes;
    this.#bits = ROW_CODING.indexOf(workspace.rows.coding.pointer, 'bits');
    this.#passes = rateDistortionModes ? rowPasses : 1;
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
    Object.assign(workspace.coding, settings);
  }

  /** A picture begins. */
  begin(job: PictureJob): void {
    const { coding, rows, grid, nonReference } = this.#workspace;
    const { plan, references, budget, quantizerScale } = job;
    const { type, anchorNumber, codedNumber } = plan;
    this.#hasBudget = budget !== undefined;
    this.#mayChangeScales = job.mayChangeScales === true && this.#tools.quantizerSearchRadius > 0;
    coding.target = (references.target ?? nonReference).record;
    coding.pictureType = PICTURE_TYPES.indexOf(type);
    coding.comparesNothing = this.#comparesNothing(type) ? 1 : 0;
    this.#setAnchor(rows.past, references.past, type);
    this.#setAnchor(rows.future, references.future, type);
    const columns = plan.refreshColumns ?? { first: -1, end: -1 };
    const limit = budget && sparseLimit(budget);
    const settings: Partial<RowCoding> = {
      scaleFactors: this.#load(job.scaleFactors, rows.scaleFactors),
      lambdaFactors: this.#load(job.lambdaFactors, rows.lambdaFactors),
      predictionsBefore: this.#refreshes ? references.past.predictions : 0,
      predictions: (this.#refreshes && references.target?.predictions) || 0,
      anchorNumber,
      bandStart: bandStart(codedNumber, grid.mbWidth * grid.mbHeight),
      firstColumn: columns.first,
      endColumn: columns.end,
      maxXHalfPels: 2 * (grid.codedWidth - MACROBLOCK_SIZE),
      // At a bit rate the scale is found anew in each row, so that the mean of all is the wanted one.
      startsScales: this.#hasBudget ? 1 : 0,
      maxCleanXHalfPels: 2 * MACROBLOCK_SIZE * (columns.first - 1),
      sparseCoding: SPARSE_CODING[limit?.coding ?? 'never'],
      sparseBits: limit?.macroblockBits ?? 0,
      maxBits: limit?.maxBits ?? 0,
      pictureScale: quantizerScale,
      bits: 0,
    };
    Object.assign(rows.coding, settings);
  }

  /** Bits of the macroblocks so far, without slice headers; 0 where nothing is compared and there is no budget. */
  get bits(): number {
    return this.#workspace.memory.i32[this.#bits]!;
  }

  /** Codes and reconstructs the next row, and keeps its symbols. Waits for rows of the anchors that are not final. */
  code({ mbY, scale, factorPart, startsSlice, endsSlice }: RowRequest): void {
    const { kernels, coding, rows } = this.#workspace;
    const mayChangeScales = this.#mayChangeScales && scale > 1 && scale < MAX_QUANTIZER_SCALE;
    const slice = (startsSlice ? ROW_STARTS_SLICE : 0) | (endsSlice ? ROW_ENDS_SLICE : 0);
    const rules = mayChangeScales ? slice | ROW_MAY_CHANGE_SCALES : slice;
    const { bits } = this;
    if (this.#passes > 1) this.#keepPredictors();
    kernels.codeRow(rows.coding.pointer, mbY, scale, factorPart, rules);
    for (let pass = 1; pass < this.#passes; pass++) {
      this.#restorePredictors();
      rows.coding.bits = bits;
      kernels.chooseRow(coding.pointer, mbY, startsSlice ? 1 : 0);
      kernels.codeRow(rows.coding.pointer, mbY, scale, factorPart, rules | ROW_WAS_CODED);
    }
  }

  /** Keeps the predictors that the row starts with, for when it is coded again. */
  #keepPredictors(): void {
    const { memory, coding } = this.#workspace;
    const { predictors } = coding;
    this.#predictors.set(memory.u8.subarray(predictors, predictors + SLICE_PREDICTORS.bytes));
  }

  #restorePredictors(): void {
    const { memory, coding } = this.#workspace;
    memory.u8.set(this.#predictors, coding.predictors);
  }

  /**
   * Whether nothing of a picture's macroblocks is compared in full. I pictures have one mode anyway. Others choose it
   * by SAD; B pictures also code only the best direction, without the trellis. No budget, no other scales and no joint
   * symbols are asked for.
   */
  #comparesNothing(type: PictureType): boolean {
    const { rateDistortionModes, jointSymbols, trellis, directionFactor } = this.#tools;
    const hasOneDirection = type === 'P' || (trellis === 'none' && directionFactor === 1);
    const hasOneMode = type === 'I' || (!rateDistortionModes && hasOneDirection);
    const choosesSymbols = jointSymbols === 'all' || (jointSymbols === 'blocks' && type !== 'I');
    return hasOneMode && !choosesSymbols && !this.#mayChangeScales && !this.#hasBudget;
  }

  #setAnchor(rows: AnchorRows, { finalRows }: ReconstructedPicture, type: PictureType): void {
    const { neighbourVectors, fullRefinementRounds } = this.#tools;
    const usesNeighbours = neighbourVectors || fullRefinementRounds > 0 ? 1 : 0;
    const furthestHalfPels = furthestRefinement(type, this.#tools);
    Object.assign(rows, { finalRows, knownRows: 0, neededRows: 0, usesNeighbours, furthestHalfPels });
  }

  /** Copies factors to where the kernels read them. Returns the pointer to them, 0 if there are none. */
  #load(factors: Float64Array | undefined, place: number): number {
    if (!factors) return 0;
    this.#workspace.memory.f64.set(factors, place >> 3);
    return place;
  }
}

/** How far the search of a macroblock and its refinements in full may move a component of a vector, in half-pels. */
function furthestRefinement(type: PictureType, tools: CodingTools): number {
  const { refinementRounds, jointRounds, fullRefinementRounds } = tools;
  const searched = refinementRounds + (type === 'B' ? jointRounds : 0);
  return searched + (type === 'B' ? MAX_MOVES_OF_A_ROUND : 1) * fullRefinementRounds;
}
