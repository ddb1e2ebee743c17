// The bits that the decoder's buffer must hold for the sparsest form of pictures whose types are not known yet.
import type { PictureType } from '../../../bitstream/picture-type.js';
import type { BufferSettings } from '../rate-settings.js';
import { type PictureShape, SEQUENCE_END_BITS, sparsePictureBits } from './sparse-picture.js';

/**
 * What the buffer would hold if all pictures were coded in their sparsest form, but never more than one I picture
 * needs. The lookahead starts a scene with an I picture only where this reserve holds one, and the rate controller
 * keeps the reserve for the pictures that it cannot see yet. So no picture is ever too large for the buffer.
 */
export class SparseReserve {
  readonly #buffer: BufferSettings;
  readonly #shape: PictureShape;
  readonly #maxBits: number;
  #bits: number;

  /** `bFrames`: at most so many B pictures come later in coded order than the I picture that is shown after them. */
  constructor(buffer: BufferSettings, shape: PictureShape, bFrames: number) {
    const gainedBits = Math.max(0, buffer.fillBits - sparsePictureBits('P', shape));
    this.#buffer = buffer;
    this.#shape = shape;
    this.#maxBits = Math.min(
      buffer.startBits - SEQUENCE_END_BITS,
      sparsePictureBits('I', shape) + bFrames * gainedBits,
    );
    this.#bits = this.#maxBits;
  }

  /** Whether the next picture in coded order may have the type. */
  holds(type: PictureType): boolean {
    return this.#bits >= sparsePictureBits(type, this.#shape);
  }

  /** Takes out the next picture in coded order. */
  take(type: PictureType): void {
    this.#bits = this.#without(this.#bits, type);
  }

  /** The bits that will be left after these pictures, the next ones in coded order. */
  bitsAfter(types: readonly PictureType[]): number {
    return types.reduce((bits, type) => this.#without(bits, type), this.#bits);
  }

  #without(bits: number, type: PictureType): number {
    return Math.min(this.#maxBits, bits - sparsePictureBits(type, this.#shape) + this.#buffer.fillBits);
  }
}
