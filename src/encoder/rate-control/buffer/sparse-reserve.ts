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
  readonly #part: number;
  #state: ReserveState;

  /**
   * `bFrames`: at most so many B pictures come later in coded order than the I picture that is shown after them.
   * `part`: of what comes in beyond a sparse picture, so much is kept.
   */
  constructor(buffer: BufferSettings, shape: PictureShape, bFrames: number, part = 1) {
    const gainedBits = Math.max(0, buffer.fillBits - sparsePictureBits('P', shape));
    this.#buffer = buffer;
    this.#shape = shape;
    this.#part = part;
    this.#maxBits = Math.min(
      buffer.startBits - SEQUENCE_END_BITS,
      sparsePictureBits('I', shape) + bFrames * gainedBits,
    );
    this.#state = { bits: this.#maxBits, sinceIntra: 0 };
  }

  /** Whether the next picture in coded order may be an I picture. */
  get holdsIntra(): boolean {
    return this.#state.bits >= sparsePictureBits('I', this.#shape);
  }

  /** Takes out the next picture in coded order. */
  take(type: PictureType): void {
    this.#state = this.#after(this.#state, type);
  }

  /** The bits that will be left after these pictures, the next ones in coded order. */
  bitsAfter(types: readonly PictureType[]): number {
    return types.reduce((state, type) => this.#after(state, type), this.#state).bits;
  }

  #after({ bits, sinceIntra }: ReserveState, type: PictureType): ReserveState {
    const age = type === 'I' ? 0 : sinceIntra + 1;
    const left = this.#buffer.fillBits - sparsePictureBits(type, this.#shape, age);
    const kept = left > 0 ? this.#part * left : left;
    return { bits: Math.min(this.#maxBits, bits + kept), sinceIntra: age };
  }
}

interface ReserveState {
  readonly bits: number;
  /** Pictures since the last I picture. */
  readonly sinceIntra: number;
}
