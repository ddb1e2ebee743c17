// Codes a row of macroblocks; see src/macroblock/row.
import { MacroblockCoding, RowCoding, SlicePredictors } from '../../generated/records';
import {
  B_PICTURE,
  DC_RESET,
  I_PICTURE,
  KNOWS_NEXT,
  MAX_QUANTIZER_SCALE,
  MAY_CHANGE_SCALE,
  MAY_SKIP,
  MUST_BE_INTRA,
  MUST_BE_SPARSE,
  P_PICTURE,
  ROW_ENDS_SLICE,
  ROW_MAY_CHANGE_SCALES,
  ROW_STARTS_SLICE,
  ROW_WAS_CODED,
  SPARSE_ALWAYS,
  SPARSE_NEVER,
  SQUARED_ERROR_SCALE,
  WAS_CODED,
} from '../../generated/tables';
import { codeMacroblock } from '../code-macroblock';
import { lambdaForSquaredError } from './lagrangian';
import { waitForAnchor } from './anchor-rows';
import { isRefreshDue } from './intra-refresh';
import { keepsScale, wholeScale } from './macroblock-scales';

/** The mean scale wanted of the row, how much of the scale factors holds, and what is true of the row. */
let rowScale: f64 = 0;
let factorPart: f64 = 0;
let rowRules: i32 = 0;

export function codeRow(row: RowCoding, mbY: i32, scale: f64, part: f64, rules: i32): void {
  rowScale = scale;
  factorPart = part;
  rowRules = rules;
  const coding = row.coding;
  const predictors = coding.predictors;
  const mbWidth = coding.mbWidth;
  const writing = coding.writing;
  writing.blocksEnd = writing.blocks;
  const type = coding.pictureType;
  const wasCoded = (rules & ROW_WAS_CODED) != 0;
  let lambdaFactor: f64 = NaN;
  let lambda: f64 = 0;
  for (let mbX = 0; mbX < mbWidth; mbX++) {
    const address = mbY * mbWidth + mbX;
    const factor = factorAt(row.scaleFactors, address);
    const quantizerScale = chooseScale(row, coding, mbX, address, factor);
    if (mbX == 0 && rules & ROW_STARTS_SLICE) startSlice(predictors, quantizerScale);
    if (type != I_PICTURE) {
      const dy = predictors.forwardDyHalfPels;
      waitForAnchor(row.pastRows, coding.forward, mbX, mbY, row.mbHeight, dy, wasCoded);
    }
    if (type == B_PICTURE) {
      const dy = predictors.backwardDyHalfPels;
      waitForAnchor(row.futureRows, coding.backward, mbX, mbY, row.mbHeight, dy, wasCoded);
    }
    if (mbX == 0 && row.firstColumn > 0) coding.forward.maxXHalfPels = row.maxCleanXHalfPels;
    if (mbX == row.firstColumn) coding.forward.maxXHalfPels = row.maxXHalfPels;
    const weight = factor * factorAt(row.lambdaFactors, address);
    if (weight != lambdaFactor) {
      lambdaFactor = weight;
      lambda = SQUARED_ERROR_SCALE * lambdaOf(row, weight);
    }
    const isIntra = codeMacroblock(coding, mbX, mbY, quantizerScale, lambda, rulesOf(row, coding, mbX, address));
    if (row.predictions != 0 && type != B_PICTURE) countPredictions(row, address, isIntra);
    row.bits += coding.bits;
  }
}

// @ts-ignore: decorator
@inline
function factorAt(factors: usize, address: i32): f64 {
  return factors == 0 ? 1 : load<f64>(factors + (<usize>address << 3));
}

// @ts-ignore: decorator
@inline
function chooseScale(row: RowCoding, coding: MacroblockCoding, mbX: i32, address: i32, factor: f64): i32 {
  const wanted = rowScale * (1 + factorPart * (factor - 1));
  const hasOneBefore = mbX > 0 || (row.startsScales == 0 && !(rowRules & ROW_STARTS_SLICE));
  const mayKeep = hasOneBefore && row.scaleFactors != 0 && factorPart > 0;
  const previous = coding.predictors.quantizerScale;
  if (mayKeep && keepsScale(previous, wanted)) return previous;
  return wholeScale(wanted, address, row.bandStart, coding.mbWidth * row.mbHeight);
}

function startSlice(predictors: SlicePredictors, quantizerScale: i32): void {
  predictors.quantizerScale = quantizerScale;
  predictors.direction = 0;
  predictors.dcY = DC_RESET;
  predictors.dcCb = DC_RESET;
  predictors.dcCr = DC_RESET;
  predictors.forwardDxHalfPels = 0;
  predictors.forwardDyHalfPels = 0;
  predictors.backwardDxHalfPels = 0;
  predictors.backwardDyHalfPels = 0;
}

// @ts-ignore: decorator
@inline
function lambdaOf(row: RowCoding, factor: f64): f64 {
  return lambdaForSquaredError(max<f64>(1, min<f64>(MAX_QUANTIZER_SCALE, row.pictureScale * factor)));
}

// @ts-ignore: decorator
@inline
function rulesOf(row: RowCoding, coding: MacroblockCoding, mbX: i32, address: i32): i32 {
  const isLast = mbX + 1 == coding.mbWidth;
  const startsSlice = mbX == 0 && (rowRules & ROW_STARTS_SLICE) != 0;
  const endsSlice = isLast && (rowRules & ROW_ENDS_SLICE) != 0;
  let rules = rowRules & ROW_MAY_CHANGE_SCALES ? MAY_CHANGE_SCALE : 0;
  if (rowRules & ROW_WAS_CODED) rules |= isLast ? WAS_CODED : WAS_CODED | KNOWS_NEXT;
  if (coding.pictureType != I_PICTURE && !startsSlice && !endsSlice) rules |= MAY_SKIP;
  if (coding.pictureType == P_PICTURE && mustBeIntra(row, mbX, address)) rules |= MUST_BE_INTRA;
  return mustBeSparse(row, coding, address) ? rules | MUST_BE_SPARSE : rules;
}

// @ts-ignore: decorator
@inline
function mustBeIntra(row: RowCoding, mbX: i32, address: i32): bool {
  if (mbX >= row.firstColumn && mbX < row.endColumn) return true;
  if (row.predictions == 0) return false;
  return isRefreshDue(<i32>load<u8>(row.predictionsBefore + address), address, row.anchorNumber);
}

// @ts-ignore: decorator
@inline
function mustBeSparse(row: RowCoding, coding: MacroblockCoding, address: i32): bool {
  if (row.sparseCoding == SPARSE_NEVER) return false;
  if (row.sparseCoding == SPARSE_ALWAYS) return true;
  const left = coding.mbWidth * row.mbHeight - address;
  return <f64>(row.bits + left * row.sparseBits) > row.maxBits;
}

function countPredictions(row: RowCoding, address: i32, isIntra: bool): void {
  store<u8>(row.predictions + address, isIntra ? 0 : load<u8>(row.predictionsBefore + address) + 1);
}
