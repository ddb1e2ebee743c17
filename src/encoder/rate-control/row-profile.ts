// How the bits of a picture spread over its macroblock rows.
import type { PictureType } from '../../bitstream/picture-type.js';

/** Weight of the newest picture in the running mean; not measured. */
const NEWEST_WEIGHT = 0.5;

/** Each row's share of the complexity, by picture type: a running mean over the coded pictures. */
export class RowProfile {
  readonly #shares = new Map<PictureType, Float64Array>();

  /** For each row, the share of the rows above it; undefined before the first picture of the type. */
  sharesAbove(type: PictureType): Float64Array | undefined {
    let sum = 0;
    return this.#shares.get(type)?.map(share => {
      const above = sum;
      sum += share;
      return above;
    });
  }

  /** Takes note of the complexities of a coded picture's rows. */
  learn(type: PictureType, complexities: Float64Array): void {
    const sum = complexities.reduce((total, complexity) => total + complexity, 0);
    if (sum <= 0) return;
    const newest = complexities.map(complexity => complexity / sum);
    const known = this.#shares.get(type);
    this.#shares.set(type, known ? known.map((share, row) => share + NEWEST_WEIGHT * (newest[row]! - share)) : newest);
  }
}
