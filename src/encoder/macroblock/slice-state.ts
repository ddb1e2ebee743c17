import type { PictureType } from '../../bitstream/picture-type.js';
import { dcBits } from '../../bitstream/syntax/block.js';
import { DC_PREDICTION_RESET } from '../../bitstream/syntax/slice.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
} from '../../bitstream/tables/macroblock-codes.js';
import type { MacroblockTrial } from './macroblock-trial.js';

/** What a macroblock's bits depend on from those before it in the slice; ISO/IEC 11172-2 §2.4.4. */
export class SliceState {
  readonly #type: PictureType;
  /** The predicted DCs. */
  #dcY = DC_PREDICTION_RESET;
  #dcU = DC_PREDICTION_RESET;
  #dcV = DC_PREDICTION_RESET;
  /** The predicted vectors in half-pels. */
  forwardDxHalfPels = 0;
  forwardDyHalfPels = 0;
  backwardDxHalfPels = 0;
  backwardDyHalfPels = 0;
  /** Direction of the macroblock before, which a skipped one in a B picture takes over; 0 after intra and at the start. */
  direction = 0;
  /** The scale that a decoder has: of the slice header, then of the last macroblock that changed it. */
  quantizerScale = 1;

  constructor(type: PictureType) {
    this.#type = type;
  }

  /** A slice starts. */
  reset(): void {
    this.#resetVectors();
    this.#resetDc();
  }

  /** A macroblock was coded or skipped. */
  after(trial: MacroblockTrial): void {
    if (trial.flags & (MACROBLOCK_INTRA | MACROBLOCK_PATTERN)) this.quantizerScale = trial.quantizerScale;
    if (trial.flags & MACROBLOCK_INTRA) {
      this.#resetVectors();
      this.#dcY = trial.dc(3);
      this.#dcU = trial.dc(4);
      this.#dcV = trial.dc(5);
      return;
    }
    this.#resetDc();
    if (this.#type === 'P') {
      const moves = (trial.flags & MACROBLOCK_MOTION_FORWARD) !== 0;
      this.forwardDxHalfPels = moves ? trial.forwardDxHalfPels : 0;
      this.forwardDyHalfPels = moves ? trial.forwardDyHalfPels : 0;
      return;
    }
    this.direction = trial.direction;
    if (trial.direction & MACROBLOCK_MOTION_FORWARD) {
      this.forwardDxHalfPels = trial.forwardDxHalfPels;
      this.forwardDyHalfPels = trial.forwardDyHalfPels;
    }
    if (trial.direction & MACROBLOCK_MOTION_BACKWARD) {
      this.backwardDxHalfPels = trial.backwardDxHalfPels;
      this.backwardDyHalfPels = trial.backwardDyHalfPels;
    }
  }

  /** Bits of the six DC differentials of an intra macroblock. */
  intraDcBits(trial: MacroblockTrial): number {
    let bits = 0;
    let predicted = this.#dcY;
    for (let block = 0; block < 4; block++) {
      const dc = trial.dc(block);
      bits += dcBits(dc - predicted, true);
      predicted = dc;
    }
    return bits + dcBits(trial.dc(4) - this.#dcU, false) + dcBits(trial.dc(5) - this.#dcV, false);
  }

  #resetVectors(): void {
    this.forwardDxHalfPels = 0;
    this.forwardDyHalfPels = 0;
    this.backwardDxHalfPels = 0;
    this.backwardDyHalfPels = 0;
    this.direction = 0;
  }

  #resetDc(): void {
    this.#dcY = DC_PREDICTION_RESET;
    this.#dcU = DC_PREDICTION_RESET;
    this.#dcV = DC_PREDICTION_RESET;
  }
}
