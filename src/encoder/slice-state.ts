import { dcBits } from '../bitstream/block.js';
import { DC_PREDICTION_RESET } from '../bitstream/slice.js';

/** What a macroblock's bits depend on from those before it in the slice; ISO/IEC 11172-2 §2.4.4. */
export class SliceState {
  readonly #dc = [DC_PREDICTION_RESET, DC_PREDICTION_RESET, DC_PREDICTION_RESET];
  /** The predicted forward vector in half-pels. */
  forwardX = 0;
  forwardY = 0;

  /** A slice starts. */
  reset(): void {
    this.forwardX = 0;
    this.forwardY = 0;
    this.#resetDc();
  }

  /** A predicted macroblock with this vector was coded; without motion compensation (or skipped) it is the zero vector. */
  afterPredicted(forwardX: number, forwardY: number): void {
    this.forwardX = forwardX;
    this.forwardY = forwardY;
    this.#resetDc();
  }

  /** An intra macroblock was coded; `dcAt(block)` gives its quantised DC. */
  afterIntra(dcAt: (block: number) => number): void {
    this.forwardX = 0;
    this.forwardY = 0;
    this.#dc[0] = dcAt(3);
    this.#dc[1] = dcAt(4);
    this.#dc[2] = dcAt(5);
  }

  /** Bits of the six DC differentials of an intra macroblock. */
  intraDcBits(dcAt: (block: number) => number): number {
    let bits = 0;
    let predicted = this.#dc[0]!;
    for (let block = 0; block < 4; block++) {
      const dc = dcAt(block);
      bits += dcBits(dc - predicted, true);
      predicted = dc;
    }
    return bits + dcBits(dcAt(4) - this.#dc[1]!, false) + dcBits(dcAt(5) - this.#dc[2]!, false);
  }

  #resetDc(): void {
    this.#dc.fill(DC_PREDICTION_RESET);
  }
}
