// The state that a decoder keeps from macroblock to macroblock within a slice.

import { LUMA_BLOCKS_PER_MACROBLOCK } from './macroblock-layout.js';
import type { CodedMacroblock, MacroblockHeader } from './picture-symbols.js';
import type { PictureType } from './picture-type.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
} from './tables/macroblock-codes.js';

/** The quantized DC that a prediction starts from: 1024 / 8; ISO/IEC 11172-2 §2.4.4.1. */
export const DC_RESET = 128;

/**
 * What the macroblocks before a macroblock in its slice predict of it: DC coefficients, vectors and quantizer_scale.
 * The coder, the writer and the report update it after each macroblock, as a decoder does; ISO/IEC 11172-2 §2.4.4.
 */
export class SlicePredictors {
  /** The predicted vectors. */
  forwardDxHalfPels = 0;
  forwardDyHalfPels = 0;
  backwardDxHalfPels = 0;
  backwardDyHalfPels = 0;
  /**
   * The MACROBLOCK_MOTION flags of the macroblock before, which a skipped macroblock of a B picture takes over; 0 after
   * an intra one and at the start of a slice. 0 in other pictures.
   */
  direction = 0;
  /** The quantizer_scale of a macroblock that does not change it. */
  quantizerScale = 1;
  /** The predicted quantized DCs. */
  dcY = DC_RESET;
  dcCb = DC_RESET;
  dcCr = DC_RESET;
  readonly #type: PictureType;

  constructor(type: PictureType) {
    this.#type = type;
  }

  /** A slice starts, `quantizerScale` in its header. */
  startSlice(quantizerScale: number): void {
    this.quantizerScale = quantizerScale;
    this.#resetDc(); // §2.4.4.1
    this.#resetVectors(); // §2.4.4.2, §2.4.4.3
  }

  /** A macroblock has been coded or skipped. */
  update(macroblock: CodedMacroblock): void {
    this.updateDcs(macroblock);
    this.updateHeader(macroblock);
  }

  /** Updates what the blocks of a macroblock predict. */
  updateDcs(macroblock: CodedMacroblock): void {
    if (macroblock.flags & MACROBLOCK_INTRA) {
      this.dcY = macroblock.dc(LUMA_BLOCKS_PER_MACROBLOCK - 1); // §2.4.4.1
      this.dcCb = macroblock.dc(4);
      this.dcCr = macroblock.dc(5);
    } else this.#resetDc(); // §2.4.4.1
  }

  /** Updates what the header of a macroblock predicts: all but DCs. */
  updateHeader(macroblock: MacroblockHeader): void {
    const { flags } = macroblock;
    if (flags & (MACROBLOCK_INTRA | MACROBLOCK_PATTERN)) this.quantizerScale = macroblock.quantizerScale; // §2.4.3.6
    if (flags & MACROBLOCK_INTRA) {
      this.#resetVectors(); // §2.4.4.2, §2.4.4.3
      return;
    }
    if (this.#type === 'P') {
      // A macroblock without a vector, a skipped one too, resets the prediction: §2.4.4.2, §2.4.4.4.
      const hasVector = (flags & MACROBLOCK_MOTION_FORWARD) !== 0;
      this.forwardDxHalfPels = hasVector ? macroblock.forwardDxHalfPels : 0;
      this.forwardDyHalfPels = hasVector ? macroblock.forwardDyHalfPels : 0;
      return;
    }
    if (flags === 0) return; // A skipped macroblock has the direction and the vectors of the one before: §2.4.4.4.
    this.direction = flags & (MACROBLOCK_MOTION_FORWARD | MACROBLOCK_MOTION_BACKWARD);
    // The vector of a direction that is not used stays predicted: §2.4.4.3.
    if (flags & MACROBLOCK_MOTION_FORWARD) {
      this.forwardDxHalfPels = macroblock.forwardDxHalfPels;
      this.forwardDyHalfPels = macroblock.forwardDyHalfPels;
    }
    if (flags & MACROBLOCK_MOTION_BACKWARD) {
      this.backwardDxHalfPels = macroblock.backwardDxHalfPels;
      this.backwardDyHalfPels = macroblock.backwardDyHalfPels;
    }
  }

  /**
   * The differential of a block's quantized DC, -255..255, in an intra macroblock that is not yet coded; §2.4.4.1. A
   * luma block is predicted from the luma block before it, which may be in the same macroblock.
   */
  dcDifferential(macroblock: CodedMacroblock, block: number): number {
    const dc = macroblock.dc(block);
    if (block === 0) return dc - this.dcY;
    if (block < LUMA_BLOCKS_PER_MACROBLOCK) return dc - macroblock.dc(block - 1);
    return dc - (block === 4 ? this.dcCb : this.dcCr);
  }

  #resetDc(): void {
    this.dcY = DC_RESET;
    this.dcCb = DC_RESET;
    this.dcCr = DC_RESET;
  }

  #resetVectors(): void {
    this.forwardDxHalfPels = 0;
    this.forwardDyHalfPels = 0;
    this.backwardDxHalfPels = 0;
    this.backwardDyHalfPels = 0;
    this.direction = 0;
  }
}

/** The MACROBLOCK_MOTION flags of what a macroblock is predicted from, and its vectors. */
type Motion = Omit<MacroblockHeader, 'flags' | 'quantizerScale'> & { readonly direction: number };

/** Whether a macroblock of a B picture has the motion that a skipped one would have; ISO/IEC 11172-2 §2.4.4.4. */
export function hasPredictedMotion(motion: Motion, predicted: Motion): boolean {
  const { direction } = motion;
  if (direction !== predicted.direction) return false;
  const isSame = (vector: number, other: number, flag: number) => (direction & flag) === 0 || vector === other;
  return (
    isSame(motion.forwardDxHalfPels, predicted.forwardDxHalfPels, MACROBLOCK_MOTION_FORWARD) &&
    isSame(motion.forwardDyHalfPels, predicted.forwardDyHalfPels, MACROBLOCK_MOTION_FORWARD) &&
    isSame(motion.backwardDxHalfPels, predicted.backwardDxHalfPels, MACROBLOCK_MOTION_BACKWARD) &&
    isSame(motion.backwardDyHalfPels, predicted.backwardDyHalfPels, MACROBLOCK_MOTION_BACKWARD)
  );
}
