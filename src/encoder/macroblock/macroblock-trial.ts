// One way to code a macroblock, with its bits, its distortion and its cost.

import type { CodedMacroblock } from '../../bitstream/picture-symbols.js';
import { MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_FORWARD } from '../../bitstream/tables/macroblock-codes.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { BLOCK_BYTES, MACROBLOCK_TRIAL } from '../../kernels/records/macroblock-trial.js';

/**
 * A trial. Its prediction, coefficients, levels and dequantized coefficients lie in kernel memory as MACROBLOCK_TRIAL
 * says, the rest lies here.
 */
export class MacroblockTrial implements CodedMacroblock {
  /** Pointer to what lies in kernel memory. */
  readonly pointer: number;
  /** Pointer to its levels. */
  readonly levels: number;
  /** Scan position after the last non-zero level of each block. */
  readonly levelEnd: Uint8Array;
  /** Sum of |reconstruction| of each block: a large one may leave the number range of decoders. */
  readonly magnitude: Int32Array;
  /** Flags of macroblock_type, without MACROBLOCK_QUANT; 0: skipped. */
  flags = 0;
  /** The MACROBLOCK_MOTION flags of what it is predicted from, also when it is skipped; 0 for intra. */
  direction = 0;
  /** Zero in a direction that is not used. */
  forwardDxHalfPels = 0;
  forwardDyHalfPels = 0;
  backwardDxHalfPels = 0;
  backwardDyHalfPels = 0;
  codedBlockPattern = 0;
  /** Whether its levels are those that the tools choose for the mode that wins. */
  hasFinalLevels = false;
  /** quantizer_scale of its coefficients; the wanted one where it has none. */
  quantizerScale = 1;
  bits = 0;
  /** Squared error of the coefficients as the forward DCT scales them: 64 times that of the pels. */
  distortion = 0;
  /** distortion + lambda64 * bits. */
  cost = Number.POSITIVE_INFINITY;
  readonly #i16: Int16Array;
  readonly #i32: Int32Array;
  readonly #f64: Float64Array;
  /** Where the kernels leave the distortion, and the bits, before codedBlockPattern. */
  readonly #distortionAt: number;
  readonly #bitsAt: number;

  constructor(memory: KernelMemory, pointer: number) {
    const record = MACROBLOCK_TRIAL.at(memory, pointer);
    this.pointer = pointer;
    this.levels = pointer + MACROBLOCK_TRIAL.offsets.levels;
    this.levelEnd = record.levelEnd;
    this.magnitude = record.magnitude;
    this.#i16 = memory.i16;
    this.#i32 = memory.i32;
    this.#f64 = memory.f64;
    this.#distortionAt = MACROBLOCK_TRIAL.indexOf(pointer, 'distortion');
    this.#bitsAt = MACROBLOCK_TRIAL.indexOf(pointer, 'bits');
  }

  /** Takes over what a quantization kernel has found. */
  readQuantized(): void {
    this.distortion = this.#f64[this.#distortionAt]!;
    this.bits = this.#i32[this.#bitsAt]!;
    this.codedBlockPattern = this.#i32[this.#bitsAt + 1]!;
  }

  /** Sets what the trial is predicted from. Vectors of a direction that is not used count as zero. */
  setMotion(
    direction: number,
    forwardDxHalfPels: number,
    forwardDyHalfPels: number,
    backwardDxHalfPels: number,
    backwardDyHalfPels: number,
  ): void {
    this.direction = direction;
    this.forwardDxHalfPels = direction & MACROBLOCK_MOTION_FORWARD ? forwardDxHalfPels : 0;
    this.forwardDyHalfPels = direction & MACROBLOCK_MOTION_FORWARD ? forwardDyHalfPels : 0;
    this.backwardDxHalfPels = direction & MACROBLOCK_MOTION_BACKWARD ? backwardDxHalfPels : 0;
    this.backwardDyHalfPels = direction & MACROBLOCK_MOTION_BACKWARD ? backwardDyHalfPels : 0;
  }

  /** Pointer to the levels of a block. */
  blockLevels(block: number): number {
    return this.levels + block * BLOCK_BYTES;
  }
  /** Pointer to the dequantized coefficients of a block. */
  blockReconstruction(block: number): number {
    return this.pointer + MACROBLOCK_TRIAL.offsets.reconstruction + block * BLOCK_BYTES;
  }

  dc(block: number): number {
    return this.#i16[this.blockLevels(block) >> 1]!;
  }
}
