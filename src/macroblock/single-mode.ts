// Codes a macroblock whose modes are not compared.
import { blockBit, COEFFICIENTS_PER_BLOCK, isBlockCoded } from '../bitstream/macroblock-layout.js';
import { hasPredictedMotion } from '../bitstream/slice-predictors.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
} from '../bitstream/tables/macroblock-codes.js';
import { SAFE_MAGNITUDE } from '../dct/decoder-range.js';
import { DC_OFFSET } from '../dct/quantize.js';
import { TRELLIS_NONE } from '../kernels/records/macroblock-coding.js';
import { PICTURE_PLANES } from '../kernels/records/picture-planes.js';
import { blockInPicture, PREDICTION_OFFSETS, PREDICTION_STRIDES } from '../picture/macroblock-blocks.js';
import { predictBidirectionally } from './bidirectional-modes.js';
import { type MacroblockTrial, setMotion } from './macroblock-trial.js';
import { CLIPPED_DISTORTION, EMPTY_BLOCK_SAD, INTRA_BIAS_SAD } from './mode-limits.js';
import type { OpenMacroblock } from './open-macroblock.js';
import { completeMacroblock, recordEntries } from './record-macroblock.js';
import { predict, quantize } from './trial-coder.js';

/** The blocks of a macroblock. */
const BLOCKS = [0, 1, 2, 3, 4, 5] as const;
type Block = (typeof BLOCKS)[number];

/**
 * Returns 1 if the macroblock is intra, else 0; -1, and it is to be coded in another way, where it leaves the number
 * range of decoders or its levels are clipped.
 */
export function codeSingleMode(macroblock: OpenMacroblock): 0 | 1 | -1 {
  const { kernels, coding, best: trial, mbX, mbY, wantedScale } = macroblock;
  const intra = chooseIntra(macroblock) ? 1 : 0;
  if (intra === 1) setMotion(trial, 0, [0, 0, 0, 0]);
  else if (macroblock.type === 'P') predict(macroblock, trial);
  kernels.transformMacroblock(trial.pointer, coding.source, mbX, mbY, intra);
  const byTrellis = coding.trellis !== TRELLIS_NONE;
  quantize(macroblock, trial, { scale: wantedScale, intra, choice: byTrellis ? 'trellis' : 'plain' });
  for (const block of BLOCKS) {
    if (intra === 0 && !byTrellis && isEmpty(macroblock, trial, block)) trial.codedBlockPattern &= ~blockBit(block);
  }
  const { codedBlockPattern: pattern, magnitude } = trial;
  const coded = BLOCKS.filter(block => isBlockCoded(pattern, block));
  const maxDistortion = CLIPPED_DISTORTION * wantedScale ** 2;
  if (coded.some(block => magnitude[block]! > SAFE_MAGNITUDE || distortionOf(trial, block, intra) > maxDistortion)) {
    return -1;
  }
  trial.flags = intra === 1 ? MACROBLOCK_INTRA : flagsOf(macroblock, trial);
  coding.bits = 0;
  recordEntries(macroblock, trial);
  return completeMacroblock(macroblock, trial);
}

/**
 * Whether the macroblock is coded intra: it must be, or its deviation is smaller than the SAD of its best prediction by
 * more than INTRA_BIAS_SAD.
 */
function chooseIntra(macroblock: OpenMacroblock): boolean {
  if (macroblock.type === 'I' || macroblock.mustBeIntra) return true;
  const sad = macroblock.type === 'B' ? predictBidirectionally(macroblock) : chooseVector(macroblock);
  return macroblock.sourceDeviation() + INTRA_BIAS_SAD < sad;
}

/** Sets the best vector of a macroblock of a P picture. Returns the SAD of its luma. */
function chooseVector(macroblock: OpenMacroblock): number {
  macroblock.searchForward();
  const { dxHalfPels, dyHalfPels, sad } = macroblock.forward;
  setMotion(macroblock.best, MACROBLOCK_MOTION_FORWARD, [dxHalfPels, dyHalfPels, 0, 0]);
  return sad;
}

/** Whether a predicted block differs so little that it is not coded. */
function isEmpty({ memory, coding, mbX, mbY, wantedScale }: OpenMacroblock, trial: MacroblockTrial, block: Block) {
  const { at, stride } = blockInPicture(PICTURE_PLANES.at(memory, coding.source), mbX, mbY, block);
  const predicted = PREDICTION_OFFSETS[block];
  const predictionStride = PREDICTION_STRIDES[block];
  let sad = 0;
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8; x++) {
      sad += Math.abs(memory.u8[at + y * stride + x]! - trial.prediction[predicted + y * predictionStride + x]!);
    }
  }
  return sad < EMPTY_BLOCK_SAD * wantedScale;
}

/** The squared error of a coded block, in forward coefficients. */
function distortionOf({ coefficients, reconstruction }: MacroblockTrial, block: Block, intra: 0 | 1): number {
  const first = block * COEFFICIENTS_PER_BLOCK;
  let sum = 0;
  for (let place = first; place < first + COEFFICIENTS_PER_BLOCK; place++) {
    const offset = intra === 1 && place === first ? DC_OFFSET : 0;
    sum += (coefficients[place]! + offset - 8 * reconstruction[place]!) ** 2;
  }
  return sum;
}

/**
 * The flags of macroblock_type. With a zero vector and coefficients, the type without a vector takes fewer bits in a P
 * picture; Table B.2b.
 */
function flagsOf(macroblock: OpenMacroblock, trial: MacroblockTrial): number {
  if (trial.codedBlockPattern === 0) return macroblock.maySkip && isAsSkipped(macroblock, trial) ? 0 : trial.direction;
  const hasNoVector = macroblock.type === 'P' && isAsSkipped(macroblock, trial);
  return hasNoVector ? MACROBLOCK_PATTERN : trial.direction | MACROBLOCK_PATTERN;
}

/** Whether a macroblock is predicted as a skipped one; ISO/IEC 11172-2 §2.4.4.2, §2.4.4.3. */
function isAsSkipped({ type, predictors }: OpenMacroblock, trial: MacroblockTrial): boolean {
  if (type === 'P') return trial.forwardDxHalfPels === 0 && trial.forwardDyHalfPels === 0;
  return hasPredictedMotion(trial, predictors);
}
