// Codes a row of macroblocks, each with the scale, the lambda and the rules that are wanted of it.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import { PICTURE_TYPES } from '../../bitstream/picture-type.js';
import { SlicePredictors } from '../../bitstream/slice-predictors.js';
import { SQUARED_ERROR_SCALE } from '../../dct/forward-dct.js';
import type { MacroblockKernels } from '../../kernels/contracts/macroblock-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { CANDIDATE_SEARCH, type CandidateSearch } from '../../kernels/records/candidate-search.js';
import {
  B_PICTURE,
  I_PICTURE,
  KNOWS_NEXT,
  MACROBLOCK_CODING,
  MAY_CHANGE_SCALE,
  MAY_SKIP,
  type MacroblockCoding,
  MUST_BE_INTRA,
  MUST_BE_SPARSE,
  P_PICTURE,
  WAS_CODED,
} from '../../kernels/records/macroblock-coding.js';
import {
  ANCHOR_ROWS,
  type AnchorRows,
  ROW_CODING,
  ROW_ENDS_SLICE,
  ROW_MAY_CHANGE_SCALES,
  ROW_STARTS_SLICE,
  ROW_WAS_CODED,
  type RowCoding,
  SPARSE_ALWAYS,
  SPARSE_NEVER,
} from '../../kernels/records/row-coding.js';
import { SLICE_PREDICTORS, type SlicePredictorsRecord } from '../../kernels/records/slice-predictors.js';
import { SLICE_WRITING } from '../../kernels/records/slice-writing.js';
import { referenceMacroblockCoding } from '../code-macroblock.js';
import { copyPredictors } from '../open-macroblock.js';
import { waitForAnchor } from './anchor-rows.js';
import { isRefreshDue } from './intra-refresh.js';
import { lambdaForSquaredError } from './lagrangian.js';
import { keepsScale, wholeScale } from './macroblock-scales.js';

/** A picture of which a row is coded. */
interface OpenRow {
  readonly memory: KernelMemory;
  readonly row: RowCoding;
  readonly coding: MacroblockCoding;
  readonly predictors: SlicePredictorsRecord;
  readonly forward: CandidateSearch;
  readonly backward: CandidateSearch;
  readonly past: AnchorRows;
  readonly future: AnchorRows;
  readonly mbY: number;
  readonly scale: number;
  readonly factorPart: number;
  readonly rules: number;
}

/** The definition of the kernel that codes rows; `codeMacroblock` is what it calls. */
export function referenceRowCoding(
  memory: KernelMemory,
  { codeMacroblock } = referenceMacroblockCoding(memory),
): Pick<MacroblockKernels, 'codeRow'> {
  return {
    codeRow(pointer, mbY, scale, factorPart, rules) {
      const row = ROW_CODING.at(memory, pointer);
      const coding = MACROBLOCK_CODING.at(memory, row.coding);
      const open: OpenRow = {
        memory,
        row,
        coding,
        predictors: SLICE_PREDICTORS.at(memory, coding.predictors),
        forward: CANDIDATE_SEARCH.at(memory, coding.forward),
        backward: CANDIDATE_SEARCH.at(memory, coding.backward),
        past: ANCHOR_ROWS.at(memory, row.pastRows),
        future: ANCHOR_ROWS.at(memory, row.futureRows),
        mbY,
        scale,
        factorPart,
        rules,
      };
      const writing = SLICE_WRITING.at(memory, coding.writing);
      writing.blocksEnd = writing.blocks;
      for (let mbX = 0; mbX < coding.mbWidth; mbX++) {
        const factor = factorAt(open, row.scaleFactors, mbX);
        const quantizerScale = chooseScale(open, mbX, factor);
        if (mbX === 0 && rules & ROW_STARTS_SLICE) startSlice(open, quantizerScale);
        waitForAnchors(open, mbX);
        limitVectors(open, mbX);
        const lambda = SQUARED_ERROR_SCALE * lambdaOf(open, factor * factorAt(open, row.lambdaFactors, mbX));
        const isIntra = codeMacroblock(coding.pointer, mbX, mbY, quantizerScale, lambda, rulesOf(open, mbX));
        countPredictions(open, mbX, isIntra === 1);
        row.bits += coding.bits;
      }
    },
  };
}

function addressOf({ coding, mbY }: OpenRow, mbX: number): number {
  return mbY * coding.mbWidth + mbX;
}

/** The factor of a macroblock: 1, if `pointer` is 0. */
function factorAt(open: OpenRow, pointer: number, mbX: number): number {
  return pointer === 0 ? 1 : open.memory.f64[(pointer >> 3) + addressOf(open, mbX)]!;
}

/** The whole quantizer_scale wanted of a macroblock with this scale factor. */
function chooseScale(open: OpenRow, mbX: number, factor: number): number {
  const { row, coding, predictors, factorPart } = open;
  const wanted = open.scale * (1 + factorPart * (factor - 1));
  const hasOneBefore = mbX > 0 || (row.startsScales === 0 && !(open.rules & ROW_STARTS_SLICE));
  const mayKeep = hasOneBefore && row.scaleFactors !== 0 && factorPart > 0;
  if (mayKeep && keepsScale(predictors.quantizerScale, wanted)) return predictors.quantizerScale;
  return wholeScale(wanted, addressOf(open, mbX), row.bandStart, coding.mbWidth * row.mbHeight);
}

/** A slice starts, `quantizerScale` in its header. */
function startSlice({ coding, predictors }: OpenRow, quantizerScale: number): void {
  const start = new SlicePredictors(PICTURE_TYPES[coding.pictureType]!);
  start.startSlice(quantizerScale);
  copyPredictors(start, predictors);
}

/** Waits for the rows of the anchors that a macroblock needs. */
function waitForAnchors({ memory, row, coding, predictors, mbY, rules, ...open }: OpenRow, mbX: number): void {
  const wasCoded = (rules & ROW_WAS_CODED) !== 0;
  const macroblock = { mbX, mbY, mbHeight: row.mbHeight, wasCoded };
  if (coding.pictureType !== I_PICTURE) {
    const predictedDyHalfPels = predictors.forwardDyHalfPels;
    waitForAnchor(memory, { rows: open.past, search: open.forward, predictedDyHalfPels, ...macroblock });
  }
  if (coding.pictureType === B_PICTURE) {
    const predictedDyHalfPels = predictors.backwardDyHalfPels;
    waitForAnchor(memory, { rows: open.future, search: open.backward, predictedDyHalfPels, ...macroblock });
  }
}

/** Columns that have been refreshed are predicted from each other alone; the intra ones lie after them. */
function limitVectors({ row, forward }: OpenRow, mbX: number): void {
  if (mbX === 0 && row.firstColumn > 0) forward.maxXHalfPels = row.maxCleanXHalfPels;
  if (mbX === row.firstColumn) forward.maxXHalfPels = row.maxXHalfPels;
}

/** What may be done with a macroblock: see codeMacroblock. */
function rulesOf(open: OpenRow, mbX: number): number {
  const { coding } = open;
  const isLast = mbX + 1 === coding.mbWidth;
  const startsSlice = mbX === 0 && open.rules & ROW_STARTS_SLICE;
  const endsSlice = isLast && open.rules & ROW_ENDS_SLICE;
  let rules = open.rules & ROW_MAY_CHANGE_SCALES ? MAY_CHANGE_SCALE : 0;
  if (open.rules & ROW_WAS_CODED) rules |= isLast ? WAS_CODED : WAS_CODED | KNOWS_NEXT;
  if (coding.pictureType !== I_PICTURE && !startsSlice && !endsSlice) rules |= MAY_SKIP;
  if (coding.pictureType === P_PICTURE && mustBeIntra(open, mbX)) rules |= MUST_BE_INTRA;
  return mustBeSparse(open, mbX) ? rules | MUST_BE_SPARSE : rules;
}

function mustBeIntra(open: OpenRow, mbX: number): boolean {
  const { memory, row } = open;
  if (mbX >= row.firstColumn && mbX < row.endColumn) return true;
  if (row.predictions === 0) return false;
  const address = addressOf(open, mbX);
  return isRefreshDue(memory.u8[row.predictionsBefore + address]!, address, row.anchorNumber);
}

function mustBeSparse(open: OpenRow, mbX: number): boolean {
  const { row, coding } = open;
  if (row.sparseCoding === SPARSE_NEVER || row.sparseCoding === SPARSE_ALWAYS)
    return row.sparseCoding === SPARSE_ALWAYS;
  const left = coding.mbWidth * row.mbHeight - addressOf(open, mbX);
  return row.bits + left * row.sparseBits > row.maxBits;
}

/** Lambda follows the scale before it is rounded; the trellis takes the lambda of 1..31. */
function lambdaOf({ row }: OpenRow, factor: number): number {
  return lambdaForSquaredError(Math.max(1, Math.min(MAX_QUANTIZER_SCALE, row.pictureScale * factor)));
}

function countPredictions(open: OpenRow, mbX: number, isIntra: boolean): void {
  const { memory, row, coding } = open;
  if (row.predictions === 0 || coding.pictureType === B_PICTURE) return;
  const address = addressOf(open, mbX);
  memory.u8[row.predictions + address] = isIntra ? 0 : memory.u8[row.predictionsBefore + address]! + 1;
}
