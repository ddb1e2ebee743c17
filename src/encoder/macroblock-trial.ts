import { BLOCKS_PER_MACROBLOCK, LEVELS_PER_MACROBLOCK } from '../bitstream/picture-symbols.js';

/** Prediction of a macroblock: luma 16x16 with stride 16, then Cb and Cr 8x8 with stride 8. */
export const PREDICTION_BYTES = 384;
const BLOCK_BYTES = 128;
/** Memory of a trial: prediction, coefficients, levels in scan order, dequantised coefficients. */
export const TRIAL_BYTES = PREDICTION_BYTES + 3 * LEVELS_PER_MACROBLOCK * 2;

/** Offsets of the six blocks within a prediction, and its stride there. */
export const PREDICTION_OFFSETS: readonly number[] = [0, 8, 128, 136, 256, 320];
export const PREDICTION_STRIDES: readonly number[] = [16, 16, 16, 16, 8, 8];

/**
 * One way to code a macroblock, worked out far enough to know its rate and distortion: its prediction, coefficients, levels and
 * dequantised coefficients lie in kernel memory, the rest here.
 */
export class MacroblockTrial {
  /** Pointers into kernel memory. */
  readonly prediction: number;
  readonly coefficients: number;
  readonly levels: number;
  readonly reconstruction: number;
  /** Scan position after the last non-zero level of each block. */
  readonly levelEnd = new Uint8Array(BLOCKS_PER_MACROBLOCK);
  /** Sum of |reconstruction| of each block: large ones need a look at the decoder's number range. */
  readonly magnitude = new Int32Array(BLOCKS_PER_MACROBLOCK);
  /** Flags of macroblock_type, without MACROBLOCK_QUANT. */
  flags = 0;
  skipped = false;
  /** MACROBLOCK_MOTION_FORWARD, MACROBLOCK_MOTION_BACKWARD or both: what it is predicted from; 0 for intra. */
  direction = 0;
  /** Vectors in half-pels; zero in a direction that is not used. */
  forwardX = 0;
  forwardY = 0;
  backwardX = 0;
  backwardY = 0;
  codedBlockPattern = 0;
  bits = 0;
  /** Squared error in forward coefficients: 64 times that in pels. */
  distortion = 0;
  /** distortion + 64 * lambda * bits. */
  cost = Number.POSITIVE_INFINITY;

  constructor(pointer: number) {
    this.prediction = pointer;
    this.coefficients = pointer + PREDICTION_BYTES;
    this.levels = this.coefficients + LEVELS_PER_MACROBLOCK * 2;
    this.reconstruction = this.levels + LEVELS_PER_MACROBLOCK * 2;
  }

  /** Pointers to one block's coefficients, levels and dequantised coefficients. */
  blockCoefficients(block: number): number {
    return this.coefficients + block * BLOCK_BYTES;
  }
  blockLevels(block: number): number {
    return this.levels + block * BLOCK_BYTES;
  }
  blockReconstruction(block: number): number {
    return this.reconstruction + block * BLOCK_BYTES;
  }
}
