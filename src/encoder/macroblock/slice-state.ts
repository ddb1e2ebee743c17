import { dcBits } from '../../bitstream/syntax/block.js';
import { DC_PREDICTION_RESET } from '../../bitstream/syntax/slice.js';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
  MACROBLOCK_PATTERN,
  type PictureType,
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
  forwardX = 0;
  forwardY = 0;
  backwardX = 0;
  backwardY = 0;
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
      this.forwardX = moves ? trial.forwardX : 0;
      this.forwardY = moves ? trial.forwardY : 0;
      return;
    }
    this.direction = trial.direction;
    if (trial.direction & MACROBLOCK_MOTION_FORWARD) {
      this.forwardX = trial.forwardX;
      this.forwardY = trial.forwardY;
    }
    if (trial.direction & MACROBLOCK_MOTION_BACKWARD) {
      this.backwardX = trial.backwardX;
      this.backwardY = trial.backwardY;
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
    this.forwardX = 0;
    this.forwardY = 0;
    this.backwardX = 0;
    this.backwardY = 0;
    this.direction = 0;
  }

  #resetDc(): void {
    this.#dcY = DC_PREDICTION_RESET;
    this.#dcU = DC_PREDICTION_RESET;
    this.#dcV = DC_PREDICTION_RESET;
  }
}
