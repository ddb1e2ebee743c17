// Keeps what the predictions of a macroblock take that have been coded in full, and what intra takes.
import { BLOCKS_PER_MACROBLOCK, COEFFICIENTS_PER_BLOCK } from '../../bitstream/macroblock-layout.js';
import { MACROBLOCK_INTRA } from '../../bitstream/tables/macroblock-codes.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { MACROBLOCK_CHOICES, type MacroblockChoices } from '../../kernels/records/macroblock-choices.js';
import type { MacroblockCoding } from '../../kernels/records/macroblock-coding.js';
import { type MacroblockTrial, type Motion, setMotion } from '../macroblock-trial.js';

/** The choices of the macroblock in column `mbX` of the row. */
export function choicesAt(
  memory: KernelMemory,
  { choices, choicesStep }: MacroblockCoding,
  mbX: number,
): MacroblockChoices {
  return MACROBLOCK_CHOICES.at(memory, choices + mbX * choicesStep);
}

/** The number of a prediction that was coded at a scale; the number after the last one if it was not. */
export function findPrediction(choices: MacroblockChoices, motion: Motion, scale: number): number {
  const { count, direction, quantizerScale, vectors } = choices;
  for (let i = 0; i < count; i++) {
    const isSame = motion.vectors.every((component, part) => component === vectors[4 * i + part]);
    if (isSame && direction[i] === motion.direction && quantizerScale[i] === scale) return i;
  }
  return count;
}

/** Adds a prediction at a scale after the last one. */
export function addPrediction(choices: MacroblockChoices, { direction, vectors }: Motion, scale: number): void {
  const number = choices.count;
  choices.count = number + 1;
  choices.vectors.set(vectors, 4 * number);
  choices.direction[number] = direction;
  choices.quantizerScale[number] = scale;
}

/** Keeps that a prediction is given up: it is never the best, and no choice of the row. */
export function giveUpPrediction(choices: MacroblockChoices, number: number): void {
  choices.codedPattern[number] = 0;
  choices.emptyDistortion[number] = Number.POSITIVE_INFINITY;
}

/** Whether a prediction that is known has been given up. */
export function wasGivenUp({ codedPattern, emptyDistortion }: MacroblockChoices, number: number): boolean {
  return codedPattern[number] === 0 && emptyDistortion[number] === Number.POSITIVE_INFINITY;
}

/** Keeps what a prediction takes that has just been coded. */
export function keepPrediction(choices: MacroblockChoices, trial: MacroblockTrial, number: number): void {
  choices.codedPattern[number] = trial.codedPattern;
  choices.codedBits[number] = trial.codedBits;
  choices.codedDistortion[number] = trial.codedDistortion;
  choices.emptyDistortion[number] = trial.emptyDistortion;
}

/** Sets what a trial of a known prediction takes. Its blocks are not in it. */
export function recallPrediction(choices: MacroblockChoices, trial: MacroblockTrial, number: number): void {
  trial.isRecalled = 1;
  trial.quantizerScale = choices.quantizerScale[number]!;
  trial.codedPattern = choices.codedPattern[number]!;
  trial.codedBits = choices.codedBits[number]!;
  trial.codedDistortion = choices.codedDistortion[number]!;
  trial.emptyDistortion = choices.emptyDistortion[number]!;
}

/** Keeps an intra trial, whose AC coefficients take `acBits`. */
export function keepIntra(choices: MacroblockChoices, trial: MacroblockTrial, acBits: number): void {
  choices.intraScale = trial.quantizerScale;
  choices.intraBits = acBits;
  choices.intraDistortion = trial.distortion;
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) choices.intraDcs[block] = trial.dc(block);
}

/** Sets a trial to intra as it is known, without the bits of its header and its DCs. Its other levels are not in it. */
export function recallIntra(choices: MacroblockChoices, trial: MacroblockTrial): void {
  const { intraScale, intraBits, intraDistortion, intraDcs } = choices;
  setMotion(trial, 0, [0, 0, 0, 0]);
  Object.assign(trial, { isRecalled: 1, flags: MACROBLOCK_INTRA, quantizerScale: intraScale });
  Object.assign(trial, { bits: intraBits, distortion: intraDistortion });
  for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
    trial.levels[block * COEFFICIENTS_PER_BLOCK] = intraDcs[block]!;
  }
}
