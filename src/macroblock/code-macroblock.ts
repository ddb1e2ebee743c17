// Codes a macroblock in one call: its vector, its mode, its levels and its reconstruction.
import { COEFFICIENTS_PER_BLOCK, COEFFICIENTS_PER_MACROBLOCK, isBlockCoded } from '../bitstream/macroblock-layout.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
} from '../bitstream/tables/macroblock-codes.js';
import { SAFE_MAGNITUDE } from '../dct/decoder-range.js';
import { referenceMacroblockQuantization } from '../dct/quantize-macroblock.js';
import { referenceMacroblockReconstruction } from '../dct/reconstruct-macroblock.js';
import { referenceMacroblockTransform } from '../dct/transform-macroblock.js';
import type { MacroblockKernels } from '../kernels/contracts/macroblock-kernels.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import { CANDIDATE_SEARCH } from '../kernels/records/candidate-search.js';
import {
  EMPTY_BLOCK_SAD,
  INTRA_BIAS_SAD,
  MACROBLOCK_CODING,
  type MacroblockCoding,
} from '../kernels/records/macroblock-coding.js';
import { MACROBLOCK_TRIAL, type MacroblockTrialRecord } from '../kernels/records/macroblock-trial.js';
import { PICTURE_PLANES } from '../kernels/records/picture-planes.js';
import { SYMBOL_ARRAYS } from '../kernels/records/symbol-arrays.js';
import { referenceCandidateSearch } from '../motion/search/candidate-search.js';
import { referenceBlockDifferences } from '../picture/block-differences.js';
import { blockInPicture, PREDICTION_OFFSETS, PREDICTION_STRIDES } from '../picture/macroblock-blocks.js';
import { referenceMacroblockPrediction } from '../picture/macroblock-prediction.js';

/** The blocks of a macroblock. */
const BLOCKS = [0, 1, 2, 3, 4, 5] as const;

/** A vector, in half-pels. */
type Vector = readonly [dx: number, dy: number];

/** How a macroblock is coded; without a vector it is intra. */
interface Decision {
  readonly vector: Vector | undefined;
  readonly flags: number;
}

/** The definition of the kernel that codes macroblocks. */
export function referenceMacroblockCoding(memory: KernelMemory): MacroblockKernels {
  const { searchCandidates } = referenceCandidateSearch(memory);
  const { deviation16x16 } = referenceBlockDifferences(memory);
  const { predictMacroblock } = referenceMacroblockPrediction(memory);
  const { transformMacroblock } = referenceMacroblockTransform(memory);
  const { quantizeMacroblock, quantizeMacroblockByTrellis } = referenceMacroblockQuantization(memory);
  const { reconstructMacroblock } = referenceMacroblockReconstruction(memory);

  /** The best vector, or undefined where intra is better. */
  const chooseVector = (
    coding: MacroblockCoding,
    mbX: number,
    mbY: number,
    [predictedDx, predictedDy]: Vector,
  ): Vector | undefined => {
    searchCandidates(coding.search, mbX, mbY, predictedDx, predictedDy);
    const { sad, dxHalfPels, dyHalfPels } = CANDIDATE_SEARCH.at(memory, coding.search);
    const { y, lumaStride } = PICTURE_PLANES.at(memory, coding.source);
    const deviation = deviation16x16(y + (mbY * lumaStride + mbX) * 16, lumaStride);
    return deviation + INTRA_BIAS_SAD < sad ? undefined : [dxHalfPels, dyHalfPels];
  };

  return {
    codeMacroblock(pointer, mbX, mbY, predictedDx, predictedDy, mustBeIntra, maySkip) {
      const coding = MACROBLOCK_CODING.at(memory, pointer);
      const { trial: trialPointer, source, target } = coding;
      const vector = mustBeIntra === 1 ? undefined : chooseVector(coding, mbX, mbY, [predictedDx, predictedDy]);
      const intra = vector ? 0 : 1;
      const quantizer = vector ? coding.quantizer : coding.intraQuantizer;
      if (vector)
        predictMacroblock(trialPointer, CANDIDATE_SEARCH.at(memory, coding.search).reference, mbX, mbY, ...vector);
      transformMacroblock(trialPointer, source, mbX, mbY, intra);
      const quantize = coding.usesTrellis === 1 ? quantizeMacroblockByTrellis : quantizeMacroblock;
      quantize(trialPointer, quantizer, coding.lengths, intra, coding.lambda);
      const trial = MACROBLOCK_TRIAL.at(memory, trialPointer);
      const empty = BLOCKS.map(
        block => intra === 0 && coding.usesTrellis === 0 && isEmpty(memory, coding, mbX, mbY, block),
      );
      for (const block of BLOCKS.filter(block => empty[block])) {
        trial.levelEnd[block] = 0;
        trial.codedBlockPattern &= ~(32 >> block);
      }
      const { codedBlockPattern: pattern, magnitude } = trial;
      if (magnitude.some((sum, block) => isBlockCoded(pattern, block) && sum > SAFE_MAGNITUDE)) return -1;
      const decision = { vector, flags: flagsOf(vector, pattern, maySkip === 1) };
      record(memory, coding, mbY * coding.mbWidth + mbX, decision, trial, empty);
      reconstructMacroblock(target, mbX, mbY, trialPointer, pattern, intra);
      return intra;
    },
  };
}

/** Whether a predicted block differs so little that it is not coded. */
function isEmpty(memory: KernelMemory, coding: MacroblockCoding, mbX: number, mbY: number, block: number): boolean {
  const { u8 } = memory;
  const { at, stride } = blockInPicture(PICTURE_PLANES.at(memory, coding.source), mbX, mbY, block);
  const prediction = coding.trial + MACROBLOCK_TRIAL.offsets.prediction + PREDICTION_OFFSETS[block];
  const predictionStride = PREDICTION_STRIDES[block];
  let sad = 0;
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8; x++) sad += Math.abs(u8[at + y * stride + x] - u8[prediction + y * predictionStride + x]);
  }
  return sad < EMPTY_BLOCK_SAD * coding.quantizerScale;
}

/**
 * The flags of macroblock_type in a P picture. With a zero vector and coefficients, the type without a vector takes
 * fewer bits; Table B.2b.
 */
function flagsOf(vector: Vector | undefined, pattern: number, maySkip: boolean): number {
  if (!vector) return MACROBLOCK_INTRA;
  const isZero = vector[0] === 0 && vector[1] === 0;
  if (pattern !== 0) return isZero ? MACROBLOCK_PATTERN : MACROBLOCK_MOTION_FORWARD | MACROBLOCK_PATTERN;
  return isZero && maySkip ? 0 : MACROBLOCK_MOTION_FORWARD;
}

/** Writes the entries of a macroblock. */
function record(
  memory: KernelMemory,
  coding: MacroblockCoding,
  address: number,
  { vector, flags }: Decision,
  trial: MacroblockTrialRecord,
  empty: readonly boolean[],
): void {
  const { u8, i16 } = memory;
  const symbols = SYMBOL_ARRAYS.at(memory, coding.symbols);
  u8[symbols.flags + address] = flags;
  u8[symbols.direction + address] = vector ? MACROBLOCK_MOTION_FORWARD : 0;
  u8[symbols.quantizerScale + address] = coding.quantizerScale;
  u8[symbols.codedBlockPattern + address] = trial.codedBlockPattern;
  u8.set(trial.levelEnd, symbols.levelEnd + address * trial.levelEnd.length);
  i16[symbols.forwardDx / 2 + address] = vector ? vector[0] : 0;
  i16[symbols.forwardDy / 2 + address] = vector ? vector[1] : 0;
  i16[symbols.backwardDx / 2 + address] = 0;
  i16[symbols.backwardDy / 2 + address] = 0;
  for (const block of BLOCKS.filter(block => !empty[block])) {
    const first = block * COEFFICIENTS_PER_BLOCK;
    const levels = trial.levels.subarray(first, first + COEFFICIENTS_PER_BLOCK);
    i16.set(levels, symbols.levels / 2 + address * COEFFICIENTS_PER_MACROBLOCK + first);
  }
}
