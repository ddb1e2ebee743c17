// How the bits of a picture spread over its macroblock rows.
import type { PictureType } from '../../bitstream/picture-type.js';

/** Weight of the newest picture in the running mean; not measured. */
const NEWEST_WEIGHT = 0.5;

/** Each row's share of the complexity, by picture type: a running mean over the coded pictures. */
export class RowProfile {
  readonly #shares = new Map<PictureType, Float64Array>();

  /** The share of the rows above `row`; undefined before the first picture of the type. */
  shareAbove(type: PictureType, row: number): number | undefined {
    const shares = this.#shares.get(type);
    if (!shares) return undefined;
    let sum = 0;
    for (let above = 0; above < row; above++) sum += shares[above]!;
    return sum;
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
