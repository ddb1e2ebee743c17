// Chooses how the macroblocks of a row are predicted, all together, by dynamic programming over what has been coded.
import { BLOCKS_PER_MACROBLOCK } from '../../bitstream/macroblock-layout.js';
import { PICTURE_TYPES, type PictureType } from '../../bitstream/picture-type.js';
import { hasPredictedMotion, SlicePredictors } from '../../bitstream/slice-predictors.js';
import { intraDcBits } from '../../bitstream/syntax/block.js';
import { addressIncrementBits, macroblockTypeBits, motionVectorBits } from '../../bitstream/syntax/macroblock.js';
import { MACROBLOCK_INTRA, MACROBLOCK_PATTERN } from '../../bitstream/tables/macroblock-codes.js';
import type { MacroblockKernels } from '../../kernels/contracts/macroblock-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { CANDIDATE_SEARCH } from '../../kernels/records/candidate-search.js';
import { MAX_ROW_WAYS, type MacroblockChoices } from '../../kernels/records/macroblock-choices.js';
import { MACROBLOCK_CODING, type MacroblockCoding } from '../../kernels/records/macroblock-coding.js';
import { SLICE_PREDICTORS } from '../../kernels/records/slice-predictors.js';
import { SYMBOL_ARRAYS, type SymbolArrays } from '../../kernels/records/symbol-arrays.js';
import { type KnownMacroblock, knownMacroblock } from '../known-macroblock.js';
import type { VectorPair } from '../macroblock-trial.js';
import { MAX_WAY_BITS } from '../mode-limits.js';
import { copyPredictors, fCodeOf } from '../open-macroblock.js';
import { choicesAt } from './coded-predictions.js';

/** Ways that are not a coded prediction: the macroblock as it is, where none was coded; and intra. */
const AS_BEFORE = -1;
const AS_INTRA = -2;
/** How a way is coded. */
const EMPTY = 0;
const SKIPPED = 1;
const CODED = 2;
const WITHOUT_VECTOR = 3;

/** A way to code a macroblock, as a decoder would see it, and what it takes without its header. */
interface Way {
  readonly prediction: number;
  /** Its flags are those of a macroblock without coefficients; its scale is not compared. */
  readonly macroblock: KnownMacroblock;
  /** Whether it may be skipped, if its motion is that of a skipped one. */
  readonly maySkip: boolean;
  readonly emptyDistortion: number;
  readonly codedDistortion: number;
  /** Bits of its blocks, of intra the AC coefficients. */
  readonly codedBits: number;
}

/** What a row has come to after one way of a macroblock: its cost, and what the next one is predicted from. */
interface End {
  readonly cost: number;
  readonly predictors: SlicePredictors;
  /** Macroblocks that are skipped at the end. */
  readonly skipped: number;
}

/** What the macroblocks of the row have in common. */
interface Row {
  readonly memory: KernelMemory;
  readonly coding: MacroblockCoding;
  readonly type: PictureType;
  readonly symbols: SymbolArrays;
  readonly typeBits: Uint8Array;
  readonly forwardFCode: number;
  readonly backwardFCode: number;
}

/** The definition of the kernel that chooses rows. */
export function referenceRowChoice(memory: KernelMemory): Pick<MacroblockKernels, 'chooseRow'> {
  return { chooseRow: (pointer, mbY, startsSlice) => chooseRow(memory, pointer, mbY, startsSlice === 1) };
}

/**
 * Chooses the motion of the macroblocks of row `mbY`, which has been coded, by distortion + lambda * bits of the whole
 * row, among what was coded in full of each: at most MAX_ROW_WAYS. Each way keeps the cheapest row that ends with it;
 * what a scale takes is left out. Writes symbols but for scales and levels other than DCs, which the next coding of
 * the row knows. Of ways that cost the same, the first is chosen.
 */
function chooseRow(memory: KernelMemory, pointer: number, mbY: number, startsSlice: boolean): void {
  const coding = MACROBLOCK_CODING.at(memory, pointer);
  const type = PICTURE_TYPES[coding.pictureType]!;
  if (type === 'I') return;
  const row: Row = {
    memory,
    coding,
    type,
    typeBits: macroblockTypeBits(type),
    symbols: SYMBOL_ARRAYS.at(memory, coding.symbols),
    forwardFCode: fCodeOf(CANDIDATE_SEARCH.at(memory, coding.forward)),
    backwardFCode: type === 'B' ? fCodeOf(CANDIDATE_SEARCH.at(memory, coding.backward)) : 1,
  };
  const predictors = new SlicePredictors(type);
  if (!startsSlice) copyPredictors(SLICE_PREDICTORS.at(memory, coding.predictors), predictors);
  let ends: readonly End[] = [{ cost: 0, predictors, skipped: 0 }];
  const first = mbY * coding.mbWidth;
  const columns = Array.from({ length: coding.mbWidth }, (_, mbX) => {
    const choices = choicesAt(memory, coding, mbX);
    const ways = listWays(row, choices, first + mbX);
    ends = ways.map((way, index) => endWith(row, choices, { way, index, ends }));
    return { choices, ways };
  });
  let chosen = ends.reduce((best, { cost }, index) => (cost < ends[best]!.cost ? index : best), 0);
  for (let mbX = coding.mbWidth - 1; mbX >= 0; mbX--) {
    const { choices, ways } = columns[mbX]!;
    recordWay(row, first + mbX, ways[chosen]!, choices.wayKind[chosen]!);
    chosen = choices.wayBefore[chosen]!;
  }
}

/** The ways of a macroblock: its cheapest predictions, the cheapest first, and intra. */
function listWays({ memory, coding, symbols }: Row, choices: MacroblockChoices, address: number): Way[] {
  const { count, cost, wayPrediction, intraScale } = choices;
  const numbers = Array.from({ length: count }, (_, number) => number);
  numbers.sort((a, b) => cost[a]! - cost[b]! || a - b);
  const limit = cost[numbers[0] ?? 0]! + choices.lambda * MAX_WAY_BITS;
  const list = numbers.filter(number => cost[number]! <= limit).slice(0, MAX_ROW_WAYS - 1);
  if (count === 0) list.push(AS_BEFORE);
  else if (intraScale !== 0) list.push(AS_INTRA);
  wayPrediction.set(list);
  return list.map(prediction => {
    if (prediction === AS_BEFORE) return wayAsBefore(knownMacroblock(memory, symbols, address, coding.mbWidth));
    return prediction === AS_INTRA ? intraWay(choices) : predictedWay(choices, prediction);
  });
}

/** A macroblock that stays as it was coded before: how is not compared. */
function wayAsBefore(macroblock: KnownMacroblock): Way {
  const { flags, direction } = macroblock;
  const isIntra = (flags & MACROBLOCK_INTRA) !== 0;
  return {
    prediction: AS_BEFORE,
    macroblock: isIntra ? macroblock : { ...macroblock, flags: direction, codedBlockPattern: 0 },
    maySkip: flags === 0,
    emptyDistortion: 0,
    codedDistortion: 0,
    codedBits: 0,
  };
}

function intraWay({ intraDcs, intraDistortion, intraBits }: MacroblockChoices): Way {
  const macroblock = {
    flags: MACROBLOCK_INTRA,
    codedBlockPattern: 63,
    dc: (block: number) => intraDcs[block]!,
    ...motionOf(0, [0, 0, 0, 0]),
  };
  return {
    prediction: AS_INTRA,
    macroblock,
    maySkip: false,
    emptyDistortion: Number.POSITIVE_INFINITY,
    codedDistortion: intraDistortion,
    codedBits: intraBits,
  };
}

function predictedWay(choices: MacroblockChoices, prediction: number): Way {
  const { vectors, maySkip, emptyDistortion, codedDistortion, codedBits } = choices;
  const [forwardDx, forwardDy, backwardDx, backwardDy] = vectors.subarray(4 * prediction, 4 * prediction + 4);
  const direction = choices.direction[prediction]!;
  const macroblock = {
    flags: direction,
    codedBlockPattern: choices.codedPattern[prediction]!,
    dc: () => 0,
    ...motionOf(direction, [forwardDx!, forwardDy!, backwardDx!, backwardDy!]),
  };
  return {
    prediction,
    macroblock,
    maySkip: maySkip === 1,
    emptyDistortion: emptyDistortion[prediction]!,
    codedDistortion: codedDistortion[prediction]!,
    codedBits: codedBits[prediction]!,
  };
}

function motionOf(direction: number, vectors: VectorPair) {
  const [forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels] = vectors;
  return {
    direction,
    vectors,
    quantizerScale: 0,
    forwardDxHalfPels,
    forwardDyHalfPels,
    backwardDxHalfPels,
    backwardDyHalfPels,
  };
}

/** A way of a macroblock, its index, and how the row may end before it. */
interface Step {
  readonly way: Way;
  readonly index: number;
  readonly ends: readonly End[];
}

/** The cheapest row that ends with a way; notes where it comes from. */
function endWith(row: Row, choices: MacroblockChoices, { way, index, ends }: Step): End {
  let minCost = Number.POSITIVE_INFINITY;
  let before = 0;
  let kind = EMPTY;
  ends.forEach((end, i) => {
    const added = costAfter(row, choices.lambda, way, end);
    if (added.cost + end.cost >= minCost) return;
    minCost = added.cost + end.cost;
    before = i;
    kind = added.kind;
  });
  choices.wayBefore[index] = before;
  choices.wayKind[index] = kind;
  const last = ends[before]!;
  const predictors = new SlicePredictors(row.type);
  copyPredictors(last.predictors, predictors);
  predictors.update(way.macroblock);
  return { cost: minCost, predictors, skipped: kind === SKIPPED ? last.skipped + 1 : 0 };
}

/** What a way takes after the end of a row, and how it is coded then. */
function costAfter(row: Row, lambda: number, way: Way, { predictors, skipped }: End): { cost: number; kind: number } {
  const { typeBits } = row;
  const { macroblock, prediction, emptyDistortion, codedDistortion, codedBits } = way;
  const { flags, direction, codedBlockPattern } = macroblock;
  const ofIncrement = addressIncrementBits(skipped + 1);
  if ((flags & MACROBLOCK_INTRA) !== 0) {
    const bits = prediction === AS_INTRA ? codedBits + intraDcBits(macroblock, predictors) : 0;
    return { cost: lambda * (ofIncrement + typeBits[MACROBLOCK_INTRA]! + bits) + codedDistortion, kind: EMPTY };
  }
  const own = { ...macroblock, flags: direction };
  const ofVectors = motionVectorBits(own, predictors, row.forwardFCode, row.backwardFCode);
  const isSkipped = way.maySkip && (row.type === 'P' ? isZero(macroblock) : hasPredictedMotion(macroblock, predictors));
  const emptyBits = isSkipped ? 0 : ofIncrement + typeBits[direction]! + ofVectors;
  const empty = { cost: emptyDistortion + lambda * emptyBits, kind: isSkipped ? SKIPPED : EMPTY };
  if (codedBlockPattern === 0) return empty;
  const header = typeBits[direction | MACROBLOCK_PATTERN]! + ofVectors;
  const isShorter = row.type === 'P' && isZero(macroblock) && typeBits[MACROBLOCK_PATTERN]! < header;
  const bits = ofIncrement + (isShorter ? typeBits[MACROBLOCK_PATTERN]! : header) + codedBits;
  const cost = codedDistortion + lambda * bits;
  return cost < empty.cost ? { cost, kind: isShorter ? WITHOUT_VECTOR : CODED } : empty;
}

function isZero({ vectors }: Way['macroblock']): boolean {
  return vectors.every(component => component === 0);
}

/** Writes the way that is chosen for a macroblock into its symbols. */
function recordWay(row: Row, address: number, { prediction, macroblock }: Way, kind: number): void {
  const { memory, coding, symbols } = row;
  if (prediction === AS_BEFORE) return;
  const { u8, i16 } = memory;
  const isIntra = prediction === AS_INTRA;
  const isCoded = kind === CODED || kind === WITHOUT_VECTOR;
  const ofMotion = kind === EMPTY || kind === CODED ? macroblock.flags : 0;
  u8[symbols.flags + address] = ofMotion | (isCoded ? MACROBLOCK_PATTERN : 0);
  u8[symbols.direction + address] = macroblock.direction;
  u8[symbols.codedBlockPattern + address] = isIntra || isCoded ? macroblock.codedBlockPattern : 0;
  i16[symbols.forwardDx / 2 + address] = macroblock.forwardDxHalfPels;
  i16[symbols.forwardDy / 2 + address] = macroblock.forwardDyHalfPels;
  i16[symbols.backwardDx / 2 + address] = macroblock.backwardDxHalfPels;
  i16[symbols.backwardDy / 2 + address] = macroblock.backwardDyHalfPels;
  const dcs = symbols.quantizedDcs / 2 + (address % coding.mbWidth) * BLOCKS_PER_MACROBLOCK;
  if (!isIntra) return;
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) i16[dcs + block] = macroblock.dc(block);
}
