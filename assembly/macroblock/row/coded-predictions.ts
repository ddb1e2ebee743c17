// Keeps bits and distortion of the predictions of a macroblock that were coded in full; see src/macroblock/row.
import { MacroblockChoices, MacroblockTrial } from '../../generated/records';
import {
  BLOCKS_PER_MACROBLOCK,
  BLOCK_BYTES,
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
} from '../../generated/tables';
import { scratch } from '../../scratch';
import { coding, lambda, maySkip, mbX, setMotion, wantedScale, wasCoded } from '../open-macroblock';

/** What is kept of the macroblock being coded. */
export let choices: MacroblockChoices = changetype<MacroblockChoices>(0);

export function choicesAt(x: i32): MacroblockChoices {
  return changetype<MacroblockChoices>(coding.choices + <usize>x * coding.choicesStep);
}

/** A macroblock begins: the first time nothing is known. */
export function openChoices(): void {
  choices = choicesAt(mbX);
  choices.lambda = lambda;
  choices.maySkip = <i32>maySkip;
  if (wasCoded) return;
  choices.count = 0;
  choices.intraScale = 0;
  choices.leastCost = Infinity;
  choices.leastEstimate = Infinity;
}

/** Vectors in one word: forward dx, dy, backward dx, dy from its low end on. */
// @ts-ignore: decorator
@inline
export function packed(forwardDx: i32, forwardDy: i32, backwardDx: i32, backwardDy: i32): u64 {
  const forward = <u32>((forwardDx & 0xffff) | (forwardDy << 16));
  return <u64>forward | (<u64>(<u32>((backwardDx & 0xffff) | (backwardDy << 16))) << 32);
}

/** One of the four. */
// @ts-ignore: decorator
@inline
export function component(vectors: u64, index: u64): i32 {
  return <i32>(<i16>(vectors >> (16 * index)));
}

/** The bits of the word that hold the vectors of a direction. */
// @ts-ignore: decorator
@inline
export function usedBits(direction: i32): u64 {
  const forward: u64 = direction & MACROBLOCK_MOTION_FORWARD ? 0xffffffff : 0;
  return direction & MACROBLOCK_MOTION_BACKWARD ? forward | 0xffffffff00000000 : forward;
}

/** The number of the prediction at each place, plus one; 0: none. Places follow from the vectors. */
const SLOT_BITS = 10;
const SLOTS = 1 << SLOT_BITS;
const slots: usize = scratch(2 * SLOTS);
/** The place that was looked at last. */
let slot: usize = 0;

/** Puts the predictions of the macroblock that are known at the wanted scale into their places. */
export function openPredictions(): void {
  memory.fill(slots, 0, 2 * SLOTS);
  const count = choices.count;
  for (let i = 0; i < count; i++) {
    const at = <usize>i;
    if (<i32>load<u8>(choices.quantizerScale + at) != wantedScale) continue;
    findPrediction(<i32>load<u8>(choices.direction + at), load<u64>(choices.vectors + (at << 3)), i);
    store<u16>(slots + (slot << 1), <u16>(i + 1));
  }
}

/** The number of a prediction at the wanted scale among the first `count`; `count`, if it is not known. */
export function findPrediction(direction: i32, vectors: u64, count: i32): i32 {
  slot = <usize>((vectors * 0x9e3779b97f4a7c15) >> (64 - SLOT_BITS));
  while (true) {
    const number = <i32>load<u16>(slots + (slot << 1)) - 1;
    if (number < 0) return count;
    const at = <usize>number;
    const isSame = <i32>load<u8>(choices.direction + at) == direction;
    if (isSame && load<u64>(choices.vectors + (at << 3)) == vectors) return number;
    slot = (slot + 1) & (SLOTS - 1);
  }
}

/** Adds a prediction that has just been looked for, after the last one. */
export function addPrediction(direction: i32, vectors: u64): void {
  const at = <usize>choices.count;
  choices.count++;
  store<u16>(slots + (slot << 1), <u16>choices.count);
  store<u64>(choices.vectors + (at << 3), vectors);
  store<u8>(choices.direction + at, <u8>direction);
  store<u8>(choices.quantizerScale + at, <u8>wantedScale);
}

/** Keeps that a prediction is given up. */
export function giveUpPrediction(number: i32): void {
  const at = <usize>number;
  store<u8>(choices.codedPattern + at, 0);
  store<f64>(choices.emptyDistortion + (at << 3), Infinity);
}

/** Whether a prediction has been given up. */
export function wasGivenUp(number: i32): bool {
  const at = <usize>number;
  return load<u8>(choices.codedPattern + at) == 0 && load<f64>(choices.emptyDistortion + (at << 3)) == Infinity;
}

/** Keeps bits and distortion of a prediction that has just been coded. */
export function keepPrediction(trial: MacroblockTrial, number: i32): void {
  const at = <usize>number;
  store<u8>(choices.codedPattern + at, <u8>trial.codedPattern);
  store<i16>(choices.codedBits + (at << 1), <i16>trial.codedBits);
  store<f64>(choices.codedDistortion + (at << 3), trial.codedDistortion);
  store<f64>(choices.emptyDistortion + (at << 3), trial.emptyDistortion);
}

/** Sets bits and distortion of a trial to those of a known prediction. */
export function recallPrediction(trial: MacroblockTrial, number: i32): void {
  const at = <usize>number;
  trial.isRecalled = 1;
  trial.quantizerScale = wantedScale;
  trial.codedPattern = <i32>load<u8>(choices.codedPattern + at);
  trial.codedBits = <i32>load<i16>(choices.codedBits + (at << 1));
  trial.codedDistortion = load<f64>(choices.codedDistortion + (at << 3));
  trial.emptyDistortion = load<f64>(choices.emptyDistortion + (at << 3));
}

/** Keeps an intra trial, whose AC coefficients take `acBits`. */
export function keepIntra(trial: MacroblockTrial, acBits: i32): void {
  choices.intraScale = wantedScale;
  choices.intraBits = acBits;
  choices.intraDistortion = trial.distortion;
  for (let block: usize = 0; block < <usize>BLOCKS_PER_MACROBLOCK; block++) {
    store<i16>(choices.intraDcs + (block << 1), load<i16>(trial.levels + block * BLOCK_BYTES));
  }
}

/** Sets a trial to intra as it is known, but for its bits. */
export function recallIntra(trial: MacroblockTrial): void {
  setMotion(trial, 0, 0, 0, 0, 0);
  trial.isRecalled = 1;
  trial.flags = MACROBLOCK_INTRA;
  trial.quantizerScale = wantedScale;
  trial.bits = choices.intraBits;
  trial.distortion = choices.intraDistortion;
  for (let block: usize = 0; block < <usize>BLOCKS_PER_MACROBLOCK; block++) {
    store<i16>(trial.levels + block * BLOCK_BYTES, load<i16>(choices.intraDcs + (block << 1)));
  }
}
