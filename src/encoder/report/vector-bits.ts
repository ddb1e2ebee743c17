import type { PictureSymbols } from '../../bitstream/picture-symbols.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
} from '../../bitstream/tables/macroblock-codes.js';
import { motionDifferenceBits } from '../../bitstream/tables/motion-vector-codes.js';

/**
 * Bits that the motion codes of a picture take (motion_*_code and motion_*_r), by the prediction of vectors of
 * ISO/IEC 11172-2 §2.4.4.2 and §2.4.4.3: from the macroblock before; from zero at a slice's start, after an intra
 * macroblock and, in P pictures, after one without a vector.
 */
export function motionVectorBits(picture: PictureSymbols): number {
  const forward = new DirectionBits(picture.forwardDxHalfPels, picture.forwardDyHalfPels, picture.forwardFCode);
  const backward = new DirectionBits(picture.backwardDxHalfPels, picture.backwardDyHalfPels, picture.backwardFCode);
  for (let address = 0; address < picture.flags.length; address++) {
    const flags = picture.flags[address]!;
    const startsSlice = address % picture.mbWidth === 0 && picture.sliceRows.includes(address / picture.mbWidth);
    if (startsSlice) {
      forward.reset();
      backward.reset();
    }
    const isSkipped = picture.skipped[address] === 1;
    if (flags & MACROBLOCK_MOTION_FORWARD && !isSkipped) forward.add(address);
    else if (picture.type === 'P' || flags & MACROBLOCK_INTRA) forward.reset();
    if (flags & MACROBLOCK_MOTION_BACKWARD && !isSkipped) backward.add(address);
    else if (flags & MACROBLOCK_INTRA) backward.reset();
  }
  return forward.bits + backward.bits;
}

/** Adds up one direction's vectors, each as its difference from the one before. */
class DirectionBits {
  bits = 0;
  #predictedX = 0;
  #predictedY = 0;
  readonly #differenceBits: Uint8Array;
  readonly #origin: number;

  constructor(
    readonly x: Int16Array,
    readonly y: Int16Array,
    fCode: number,
  ) {
    this.#differenceBits = motionDifferenceBits(fCode);
    this.#origin = 64 << (fCode - 1);
  }

  add(address: number): void {
    const x = this.x[address]!;
    const y = this.y[address]!;
    this.bits += this.#differenceBits[this.#origin + x - this.#predictedX]!;
    this.bits += this.#differenceBits[this.#origin + y - this.#predictedY]!;
    this.#predictedX = x;
    this.#predictedY = y;
  }

  reset(): void {
    this.#predictedX = 0;
    this.#predictedY = 0;
  }
}
