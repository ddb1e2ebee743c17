import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { BLOCK_BYTES, MACROBLOCK_TRIAL, type MacroblockTrialRecord } from '../../kernels/records/macroblock-trial.js';

/**
 * One way to code a macroblock, worked out far enough to know its rate and distortion: its prediction, coefficients, levels and
 * dequantized coefficients lie in kernel memory as MACROBLOCK_TRIAL says, the rest here.
 */
export class MacroblockTrial {
  /** The MACROBLOCK_TRIAL in kernel memory, and pointers to it and to its levels. */
  readonly record: MacroblockTrialRecord;
  readonly pointer: number;
  readonly levels: number;
  /** Scan position after the last non-zero level of each block. */
  readonly levelEnd: Uint8Array;
  /** Sum of |reconstruction| of each block: large ones need a look at the decoder's number range. */
  readonly magnitude: Int32Array;
  /** Flags of macroblock_type, without MACROBLOCK_QUANT. */
  flags = 0;
  skipped = false;
  /** MACROBLOCK_MOTION_FORWARD, MACROBLOCK_MOTION_BACKWARD or both: what it is predicted from; 0 for intra. */
  direction = 0;
  /** Vectors in half-pels; zero in a direction that is not used. */
  forwardDxHalfPels = 0;
  forwardDyHalfPels = 0;
  backwardDxHalfPels = 0;
  backwardDyHalfPels = 0;
  codedBlockPattern = 0;
  /** What its coefficients are quantized with; that wanted where there are none. */
  quantizerScale = 1;
  bits = 0;
  /** Squared error in forward coefficients: 64 times that in pels. */
  distortion = 0;
  /** distortion + 64 * lambda * bits. */
  cost = Number.POSITIVE_INFINITY;
  readonly #i16: Int16Array;

  constructor(memory: KernelMemory, pointer: number) {
    this.record = MACROBLOCK_TRIAL.at(memory, pointer);
    this.pointer = pointer;
    this.levels = pointer + MACROBLOCK_TRIAL.offsets.levels;
    this.levelEnd = this.record.levelEnd;
    this.magnitude = this.record.magnitude;
    this.#i16 = memory.i16;
  }

  /** Pointers to one block's levels and dequantized coefficients. */
  blockLevels(block: number): number {
    return this.levels + block * BLOCK_BYTES;
  }
  blockReconstruction(block: number): number {
    return this.pointer + MACROBLOCK_TRIAL.offsets.reconstruction + block * BLOCK_BYTES;
  }

  /** The quantized DC of a block of an intra macroblock. */
  dc(block: number): number {
    return this.#i16[this.blockLevels(block) >> 1]!;
  }
}
