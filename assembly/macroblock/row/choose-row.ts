// Chooses how the macroblocks of a row are predicted, all together; see src/macroblock/row.
import { MacroblockChoices, MacroblockCoding } from '../../generated/records';
import {
  BLOCKS_PER_MACROBLOCK,
  DC_RESET,
  INCREMENT_BITS,
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
  MAX_ROW_WAYS,
  MAX_WAY_BITS,
} from '../../generated/tables';
import { scratch } from '../../scratch';
import { addressIncrementBits } from '../following-bits';
import { intraDcBits, typeBits } from '../header-bits';
import { dcsOf } from '../known-macroblock';
import { coding, isB, isP, openMacroblock, predictors } from '../open-macroblock';
import { choicesAt, component, packed, usedBits } from './coded-predictions';

/** Ways of a macroblock that are not one of its coded predictions: the present symbols, and intra. */
const AS_BEFORE = -1;
const AS_INTRA = -2;
/** How a way is coded. */
const EMPTY = 0;
const SKIPPED = 1;
const CODED = 2;
const WITHOUT_VECTOR = 3;

/**
 * The state of a row after a macroblock coded in one of its ways, 40 bytes: the cost so far, what the next macroblock
 * is predicted from (vectors, direction, DCs), how many macroblocks are skipped right before it, and the bits of its
 * macroblock_address_increment.
 */
const END_BYTES: usize = 40;
const END_VECTORS: usize = 8;
const END_DIRECTION: usize = 16;
const END_SKIPPED: usize = 20;
const END_DCS: usize = 24;
const END_INCREMENT: usize = 36;
const ends: usize = scratch(2 * <i32>END_BYTES * MAX_ROW_WAYS);

/** The macroblock whose ways are compared. */
let choices: MacroblockChoices = changetype<MacroblockChoices>(0);
let address: usize = 0;
let column: i32 = 0;

// @ts-ignore: decorator
@inline
function symbolVectors(): u64 {
  const symbols = coding.symbols;
  const at = address << 1;
  return packed(
    <i32>load<i16>(symbols.forwardDx + at),
    <i32>load<i16>(symbols.forwardDy + at),
    <i32>load<i16>(symbols.backwardDx + at),
    <i32>load<i16>(symbols.backwardDy + at),
  );
}

/** Lists the ways of the macroblock: its cheapest predictions, the cheapest first, and intra. Returns how many. */
function listWays(): i32 {
  const count = choices.count;
  const list = choices.wayPrediction;
  let ways = 0;
  let limit = Infinity;
  for (let i = 0; i < count; i++) limit = min(limit, load<f64>(choices.cost + (<usize>i << 3)));
  limit += choices.lambda * MAX_WAY_BITS;
  for (let i = 0; i < count; i++) {
    const cost = load<f64>(choices.cost + (<usize>i << 3));
    if (cost > limit) continue;
    let at = ways;
    for (; at > 0; at--) {
      const other = <i32>load<i16>(list + (<usize>(at - 1) << 1));
      if (load<f64>(choices.cost + (<usize>other << 3)) <= cost) break;
      if (at < MAX_ROW_WAYS - 1) store<i16>(list + (<usize>at << 1), <i16>other);
    }
    if (at == MAX_ROW_WAYS - 1) continue;
    store<i16>(list + (<usize>at << 1), <i16>i);
    if (ways < MAX_ROW_WAYS - 1) ways++;
  }
  if (ways == 0) store<i16>(list, AS_BEFORE);
  else if (choices.intraScale != 0) store<i16>(list + (<usize>ways << 1), AS_INTRA);
  else return ways;
  return ways + 1;
}

/** Bits of the vectors of a direction. */
function vectorBits(from: u64, to: u64, direction: i32): i32 {
  let bits = 0;
  if (direction & MACROBLOCK_MOTION_FORWARD) {
    const table = coding.forward.differenceBits;
    bits += <i32>load<u8>(table + <usize>(component(to, 0) - component(from, 0)));
    bits += <i32>load<u8>(table + <usize>(component(to, 1) - component(from, 1)));
  }
  if (direction & MACROBLOCK_MOTION_BACKWARD) {
    const table = coding.backward.differenceBits;
    bits += <i32>load<u8>(table + <usize>(component(to, 2) - component(from, 2)));
    bits += <i32>load<u8>(table + <usize>(component(to, 3) - component(from, 3)));
  }
  return bits;
}

/** Bits of the DCs of the macroblock as intra, after the end of a row. */
// @ts-ignore: decorator
@inline
function dcBitsAfter(end: usize): i32 {
  const dcs = end + END_DCS;
  return intraDcBits(choices.intraDcs, 2, load<i32>(dcs), load<i32>(dcs, 4), load<i32>(dcs, 8));
}

/** What the macroblock takes as intra after the end of a row; `headerBits` are those but for the DCs. */
// @ts-ignore: decorator
@inline
function intraCost(end: usize, headerBits: i32, isKept: bool): f64 {
  const ofDcs = isKept ? 0 : dcBitsAfter(end);
  const ofBits = choices.lambda * <f64>(headerBits + ofDcs);
  return isKept ? ofBits : ofBits + choices.intraDistortion;
}

/** Writes how many macroblocks are skipped at an end, and what the next address takes. */
// @ts-ignore: decorator
@inline
function storeSkipped(end: usize, skipped: i32): void {
  store<i32>(end, skipped, END_SKIPPED);
  store<i32>(end, addressIncrementBits(skipped + 1), END_INCREMENT);
}

/** Writes the DCs that the next macroblock is predicted from. */
// @ts-ignore: decorator
@inline
function storeDcs(end: usize, isIntra: bool, isKept: bool): void {
  for (let i: usize = 0; i < 3; i++) {
    let dc = DC_RESET;
    if (isKept && isIntra) dc = <i32>load<i16>(dcsOf(column) + ((3 + i) << 1));
    else if (isIntra) dc = <i32>load<i16>(choices.intraDcs + ((3 + i) << 1));
    store<i32>(end + (i << 2), dc, END_DCS);
  }
}

/** Writes the state of the row after a way, with the cheapest way before it. */
function endWith(way: i32, from: usize, fromCount: i32, to: usize): void {
  const prediction = <i32>load<i16>(choices.wayPrediction + (<usize>way << 1));
  const at = <usize>prediction;
  const lambda = choices.lambda;
  const symbols = coding.symbols;
  const isKept = prediction == AS_BEFORE;
  const isIntra = isKept ? (load<u8>(symbols.flags + address) & MACROBLOCK_INTRA) != 0 : prediction == AS_INTRA;
  let direction = 0;
  let vectors: u64 = 0;
  let emptyDistortion: f64 = 0;
  let pattern = 0;
  let maySkip = choices.maySkip != 0;
  if (isKept) {
    direction = <i32>load<u8>(symbols.direction + address);
    vectors = symbolVectors();
    maySkip = load<u8>(symbols.flags + address) == 0;
  } else if (!isIntra) {
    direction = <i32>load<u8>(choices.direction + at);
    vectors = load<u64>(choices.vectors + (at << 3));
    emptyDistortion = load<f64>(choices.emptyDistortion + (at << 3));
    pattern = <i32>load<u8>(choices.codedPattern + at);
  }
  const used = usedBits(direction);
  const isZero = isP && vectors == 0;
  const ofDirection = typeBits(direction);
  const ofPattern = typeBits(direction | MACROBLOCK_PATTERN);
  const ofPatternAlone = isZero ? typeBits(MACROBLOCK_PATTERN) : i32.MAX_VALUE;
  const ofIntra = typeBits(MACROBLOCK_INTRA) + (isKept ? 0 : choices.intraBits);
  const codedBits = pattern == 0 ? 0 : <i32>load<i16>(choices.codedBits + (at << 1));
  const codedDistortion: f64 = pattern == 0 ? 0 : load<f64>(choices.codedDistortion + (at << 3));
  // What the way takes at least, after any end.
  let least = emptyDistortion;
  if (pattern != 0) {
    const header = min(ofPattern, ofPatternAlone);
    least = min(least, codedDistortion + lambda * <f64>(INCREMENT_BITS + header + codedBits));
  }
  let minCost = Infinity;
  let before = 0;
  let kind = EMPTY;
  for (let i = 0; i < fromCount; i++) {
    const end = from + END_BYTES * <usize>i;
    if (load<f64>(end) + least >= minCost) continue;
    const predicted = load<u64>(end, END_VECTORS);
    const ofIncrement = load<i32>(end, END_INCREMENT);
    let ownKind = EMPTY;
    let cost: f64 = 0;
    if (isIntra) {
      cost = intraCost(end, ofIncrement + ofIntra, isKept);
    } else {
      const ofVectors = vectorBits(predicted, vectors, direction);
      const isSame = load<i32>(end, END_DIRECTION) == direction && ((predicted ^ vectors) & used) == 0;
      cost = emptyDistortion;
      if (maySkip && (isP ? isZero : isSame)) ownKind = SKIPPED;
      else cost += lambda * <f64>(ofIncrement + ofDirection + ofVectors);
      if (pattern != 0) {
        const header = ofPattern + ofVectors;
        const isShorter = ofPatternAlone < header;
        const bits = ofIncrement + min(ofPatternAlone, header) + codedBits;
        const codedCost = codedDistortion + lambda * <f64>bits;
        if (codedCost < cost) {
          cost = codedCost;
          ownKind = isShorter ? WITHOUT_VECTOR : CODED;
        }
      }
    }
    cost += load<f64>(end);
    if (cost >= minCost) continue;
    minCost = cost;
    before = i;
    kind = ownKind;
  }
  store<u8>(choices.wayBefore + <usize>way, <u8>before);
  store<u8>(choices.wayKind + <usize>way, <u8>kind);
  const last = from + END_BYTES * <usize>before;
  const end = to + END_BYTES * <usize>way;
  store<f64>(end, minCost);
  store<u64>(end, isP || isIntra ? vectors : (vectors & used) | (load<u64>(last, END_VECTORS) & ~used), END_VECTORS);
  store<i32>(end, direction, END_DIRECTION);
  storeSkipped(end, kind == SKIPPED ? load<i32>(last, END_SKIPPED) + 1 : 0);
  storeDcs(end, isIntra, isKept);
}

/** Writes the way that is chosen for the macroblock into its symbols. */
function recordWay(way: i32): void {
  const prediction = <i32>load<i16>(choices.wayPrediction + (<usize>way << 1));
  if (prediction == AS_BEFORE) return;
  const symbols = coding.symbols;
  const isIntra = prediction == AS_INTRA;
  const number = <usize>prediction;
  const kind = <i32>load<u8>(choices.wayKind + <usize>way);
  const direction = isIntra ? 0 : <i32>load<u8>(choices.direction + number);
  const vectors = isIntra ? 0 : load<u64>(choices.vectors + (number << 3));
  let flags = kind == EMPTY || kind == CODED ? direction : 0;
  let pattern = 0;
  if (isIntra) {
    flags = MACROBLOCK_INTRA;
    pattern = 63;
    memory.copy(dcsOf(column), choices.intraDcs, 2 * BLOCKS_PER_MACROBLOCK);
  } else if (kind >= CODED) {
    flags |= MACROBLOCK_PATTERN;
    pattern = <i32>load<u8>(choices.codedPattern + number);
  }
  const at = address << 1;
  store<u8>(symbols.flags + address, <u8>flags);
  store<u8>(symbols.direction + address, <u8>direction);
  store<u8>(symbols.codedBlockPattern + address, <u8>pattern);
  store<i16>(symbols.forwardDx + at, <i16>component(vectors, 0));
  store<i16>(symbols.forwardDy + at, <i16>component(vectors, 1));
  store<i16>(symbols.backwardDx + at, <i16>component(vectors, 2));
  store<i16>(symbols.backwardDy + at, <i16>component(vectors, 3));
}

/** Writes the state before the first macroblock. */
function startRow(end: usize, startsSlice: bool): void {
  const before = predictors;
  const forward = packed(before.forwardDxHalfPels, before.forwardDyHalfPels, 0, 0);
  const backward = packed(0, 0, before.backwardDxHalfPels, before.backwardDyHalfPels);
  store<f64>(end, 0);
  store<u64>(end, startsSlice ? 0 : forward | backward, END_VECTORS);
  store<i32>(end, startsSlice ? 0 : before.direction, END_DIRECTION);
  store<i32>(end, 0, END_SKIPPED);
  store<i32>(end, INCREMENT_BITS, END_INCREMENT);
  store<i32>(end, startsSlice ? DC_RESET : before.dcY, END_DCS);
  store<i32>(end, startsSlice ? DC_RESET : before.dcCb, END_DCS + 4);
  store<i32>(end, startsSlice ? DC_RESET : before.dcCr, END_DCS + 8);
}

export function chooseRow(ofPicture: MacroblockCoding, mbY: i32, startsSlice: bool): void {
  openMacroblock(ofPicture, 0, mbY, 0, 0, 0);
  if (!isP && !isB) return;
  const width = coding.mbWidth;
  const first = <usize>(mbY * width);
  let from = ends;
  let to = ends + END_BYTES * MAX_ROW_WAYS;
  let fromCount = 1;
  startRow(from, startsSlice);
  for (let x = 0; x < width; x++) {
    choices = choicesAt(x);
    column = x;
    address = first + <usize>column;
    const ways = listWays();
    for (let way = 0; way < ways; way++) endWith(way, from, fromCount, to);
    fromCount = ways;
    const free = from;
    from = to;
    to = free;
  }
  let way = 0;
  for (let i = 1; i < fromCount; i++) {
    if (load<f64>(from + END_BYTES * <usize>i) < load<f64>(from + END_BYTES * <usize>way)) way = i;
  }
  for (let x = width - 1; x >= 0; x--) {
    choices = choicesAt(x);
    column = x;
    address = first + <usize>column;
    recordWay(way);
    way = <i32>load<u8>(choices.wayBefore + <usize>way);
  }
}
