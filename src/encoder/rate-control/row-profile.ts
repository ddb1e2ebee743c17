import type { PictureType } from '../../bitstream/picture-type.js';

/** Weight of the newest picture in the blurred profile. */
const NEWEST_WEIGHT = 0.5;

/** How the bits of a picture spread over its macroblock rows, by picture type, blurred over the pictures coded so far. */
export class RowProfile {
  readonly #shares = new Map<PictureType, Float64Array>();

  /** The share of a picture's bits in its first `row` rows; undefined before the first picture of the type. */
  shareBefore(type: PictureType, row: number): number | undefined {
    const shares = this.#shares.get(type);
    if (!shares) return undefined;
    let sum = 0;
    for (let above = 0; above < row; above++) sum += shares[above]!;
    return sum;
  }

  /** Takes note of a picture: the bits of each of its rows, as if all had had the same scale. */
  learn(type: PictureType, rowBits: Float64Array): void {
    const sum = rowBits.reduce((total, bits) => total + bits, 0);
    if (sum <= 0) return;
    const newest = rowBits.map(bits => bits / sum);
    const known = this.#shares.get(type);
    this.#shares.set(type, known ? known.map((share, row) => share + NEWEST_WEIGHT * (newest[row]! - share)) : newest);
  }
}
