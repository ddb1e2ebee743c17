// The macroblock that is being coded: where it is, what is wanted of it, and two ways to code it.
import { PICTURE_TYPES, type PictureType } from '../bitstream/picture-type.js';
import { SlicePredictors } from '../bitstream/slice-predictors.js';
import { smallestFCode } from '../bitstream/tables/motion-vector-codes.js';
import type { BitstreamKernels } from '../kernels/contracts/bitstream-kernels.js';
import type { CandidateKernels } from '../kernels/contracts/candidate-kernels.js';
import type { DctKernels } from '../kernels/contracts/dct-kernels.js';
import type { PictureKernels } from '../kernels/contracts/picture-kernels.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import {
  CANDIDATE_SEARCH,
  type CandidateSearch,
  JOINT_SEARCH,
  type JointSearch,
} from '../kernels/records/candidate-search.js';
import type { MacroblockChoices } from '../kernels/records/macroblock-choices.js';
import {
  KNOWS_NEXT,
  MACROBLOCK_CODING,
  MAY_CHANGE_SCALE,
  MAY_SKIP,
  type MacroblockCoding,
  MUST_BE_INTRA,
  MUST_BE_SPARSE,
  WAS_CODED,
} from '../kernels/records/macroblock-coding.js';
import { PICTURE_PLANES } from '../kernels/records/picture-planes.js';
import { SLICE_PREDICTORS, type SlicePredictorsRecord } from '../kernels/records/slice-predictors.js';
import { SYMBOL_ARRAYS, type SymbolArrays } from '../kernels/records/symbol-arrays.js';
import { type KnownMacroblock, knownMacroblock, skippedFrom } from './known-macroblock.js';
import { type MacroblockTrial, trialAt } from './macroblock-trial.js';
import { choicesAt } from './row/coded-predictions.js';

/** The readable kernels that a macroblock is coded with. */
export type TrialKernels = Pick<
  PictureKernels & DctKernels & CandidateKernels & BitstreamKernels,
  | 'averagePredictions'
  | 'deviation16x16'
  | 'predictMacroblock'
  | 'predictionError'
  | 'quantizeMacroblock'
  | 'quantizeMacroblockByTrellis'
  | 'reconstructMacroblock'
  | 'refineJointly'
  | 'searchCandidates'
  | 'transformMacroblock'
  | 'writeBlocks'
>;

/** What is wanted of a macroblock: the arguments of codeMacroblock. */
export interface MacroblockRequest {
  readonly mbX: number;
  readonly mbY: number;
  readonly quantizerScale: number;
  readonly lambda: number;
  readonly rules: number;
}

/** What is known of a macroblock before it is coded the first time. */
const NOTHING_KNOWN: Partial<MacroblockChoices> = {
  count: 0,
  intraScale: 0,
  leastCost: Number.POSITIVE_INFINITY,
  leastEstimate: Number.POSITIVE_INFINITY,
};

/** A macroblock that is being coded. */
export class OpenMacroblock {
  readonly memory: KernelMemory;
  readonly kernels: TrialKernels;
  readonly coding: MacroblockCoding;
  readonly type: PictureType;
  readonly mbX: number;
  readonly mbY: number;
  readonly wantedScale: number;
  /** What a bit costs, in squared errors of coefficients. */
  readonly lambda: number;
  readonly maySkip: boolean;
  readonly mustBeIntra: boolean;
  readonly mayChangeScale: boolean;
  readonly mustBeSparse: boolean;
  readonly wasCoded: boolean;
  readonly predictors: SlicePredictors;
  readonly forward: CandidateSearch;
  readonly backward: CandidateSearch;
  readonly joint: JointSearch;
  readonly symbols: SymbolArrays;
  /** The row from the macroblock on, as an earlier coding left it; empty where it is not known. */
  readonly known: readonly KnownMacroblock[];
  /** Skipped macroblocks of the row right before this one and right after it; 0 where the next one is not known. */
  readonly skippedBefore: number;
  readonly skippedAfter: number;
  /** The ways to code the macroblock that are known. */
  readonly choices: MacroblockChoices;
  #best: MacroblockTrial;
  #spare: MacroblockTrial;
  readonly #predictorsRecord: SlicePredictorsRecord;

  constructor(memory: KernelMemory, kernels: TrialKernels, pointer: number, request: MacroblockRequest) {
    const coding = MACROBLOCK_CODING.at(memory, pointer);
    const { mbX, mbY, quantizerScale, lambda, rules } = request;
    this.memory = memory;
    this.kernels = kernels;
    this.coding = coding;
    this.type = PICTURE_TYPES[coding.pictureType]!;
    this.mbX = mbX;
    this.mbY = mbY;
    this.wantedScale = quantizerScale;
    this.lambda = lambda;
    this.maySkip = (rules & MAY_SKIP) !== 0;
    this.mustBeIntra = (rules & MUST_BE_INTRA) !== 0;
    this.mayChangeScale = (rules & MAY_CHANGE_SCALE) !== 0;
    this.mustBeSparse = (rules & MUST_BE_SPARSE) !== 0;
    this.wasCoded = (rules & WAS_CODED) !== 0;
    this.forward = CANDIDATE_SEARCH.at(memory, coding.forward);
    this.backward = CANDIDATE_SEARCH.at(memory, coding.backward);
    this.joint = JOINT_SEARCH.at(memory, coding.joint);
    this.symbols = SYMBOL_ARRAYS.at(memory, coding.symbols);
    const { address } = this;
    const knowsNext = (rules & KNOWS_NEXT) !== 0;
    this.skippedBefore = knowsNext ? skippedFrom(memory, this.symbols, address - 1, -1, mbX) : 0;
    const after = coding.mbWidth - 1 - mbX;
    const row = knowsNext ? Array.from({ length: after + 1 }, (_, column) => address + column) : [];
    this.known = row.map(at => knownMacroblock(memory, this.symbols, at, coding.mbWidth));
    this.skippedAfter = knowsNext ? skippedFrom(memory, this.symbols, address + 1, 1, after) : 0;
    this.choices = choicesAt(memory, coding, mbX);
    Object.assign(this.choices, { lambda, maySkip: this.maySkip ? 1 : 0 });
    if (!this.wasCoded) Object.assign(this.choices, NOTHING_KNOWN);
    this.#predictorsRecord = SLICE_PREDICTORS.at(memory, coding.predictors);
    this.predictors = new SlicePredictors(this.type);
    copyPredictors(this.#predictorsRecord, this.predictors);
    this.#best = trialAt(memory, coding.trial);
    this.#spare = trialAt(memory, coding.otherTrial);
    this.#best.cost = Number.POSITIVE_INFINITY;
  }

  /** The cheapest trial so far. */
  get best(): MacroblockTrial {
    return this.#best;
  }

  /** The trial to make next. */
  get spare(): MacroblockTrial {
    return this.#spare;
  }

  /** The macroblock's place in raster order. */
  get address(): number {
    return this.mbY * this.coding.mbWidth + this.mbX;
  }

  /** The next macroblock, if an earlier coding of the row tells what it is. */
  get next(): KnownMacroblock | undefined {
    return this.known[1];
  }

  /** What an earlier coding left of macroblocks near this one: itself, the next two, and the one before the last. */
  knownAround(): KnownMacroblock[] {
    if (!this.wasCoded) return [];
    const { memory, symbols, address, mbX } = this;
    const { mbWidth } = this.coding;
    const places = [0, 1, 2, -2].filter(step => mbX + step >= 0 && mbX + step < mbWidth);
    return places.map(step => knownMacroblock(memory, symbols, address + step, mbWidth));
  }

  /** Keeps the spare trial if it is cheaper than the best. */
  offer(): void {
    if (this.#spare.cost >= this.#best.cost) return;
    [this.#best, this.#spare] = [this.#spare, this.#best];
  }

  /** Searches the forward vector on its reference, from the predicted vector on. */
  searchForward(): void {
    const { forwardDxHalfPels, forwardDyHalfPels } = this.predictors;
    this.kernels.searchCandidates(this.coding.forward, this.mbX, this.mbY, forwardDxHalfPels, forwardDyHalfPels);
  }

  /** Searches the backward vector on its reference, from the predicted vector on. */
  searchBackward(): void {
    const { backwardDxHalfPels, backwardDyHalfPels } = this.predictors;
    this.kernels.searchCandidates(this.coding.backward, this.mbX, this.mbY, backwardDxHalfPels, backwardDyHalfPels);
  }

  /** Whether the macroblock may have a vector: f_code allows it, and it stays inside the picture. */
  allows(search: CandidateSearch, dxHalfPels: number, dyHalfPels: number): boolean {
    const { minHalfPels, maxHalfPels, maxXHalfPels, maxYHalfPels } = search;
    if (Math.min(dxHalfPels, dyHalfPels) < minHalfPels || Math.max(dxHalfPels, dyHalfPels) > maxHalfPels) return false;
    const x = 32 * this.mbX + dxHalfPels;
    const y = 32 * this.mbY + dyHalfPels;
    return x >= 0 && y >= 0 && x <= maxXHalfPels && y <= maxYHalfPels;
  }

  /** Sum of |pel - mean| of the source macroblock's luma. */
  sourceDeviation(): number {
    const { y, lumaStride } = PICTURE_PLANES.at(this.memory, this.coding.source);
    return this.kernels.deviation16x16(y + (this.mbY * lumaStride + this.mbX) * 16, lumaStride);
  }

  /** What a trial would predict of the next macroblock. */
  predictorsAfter(trial: MacroblockTrial): SlicePredictors {
    const predictors = new SlicePredictors(this.type);
    copyPredictors(this.predictors, predictors);
    predictors.update(trial);
    return predictors;
  }

  /** The macroblock is coded: what it predicts of the next one follows. */
  updatePredictors(trial: MacroblockTrial): void {
    this.predictors.update(trial);
    copyPredictors(this.predictors, this.#predictorsRecord);
  }
}

/** The f_code that a search keeps to. */
export function fCodeOf({ minHalfPels }: CandidateSearch): number {
  return minHalfPels === 0 ? 1 : smallestFCode(minHalfPels, -minHalfPels - 1);
}

type Predicted = Omit<SlicePredictors, 'startSlice' | 'update' | 'updateDcs' | 'updateHeader' | 'dcDifferential'>;

/** Copies all that predictors hold. */
export function copyPredictors(from: Readonly<Predicted>, to: Predicted): void {
  to.forwardDxHalfPels = from.forwardDxHalfPels;
  to.forwardDyHalfPels = from.forwardDyHalfPels;
  to.backwardDxHalfPels = from.backwardDxHalfPels;
  to.backwardDyHalfPels = from.backwardDyHalfPels;
  to.direction = from.direction;
  to.quantizerScale = from.quantizerScale;
  to.dcY = from.dcY;
  to.dcCb = from.dcCb;
  to.dcCr = from.dcCr;
}
