import type { PictureType } from '../../bitstream/picture-type.js';

/** Bits fall with the quantizer_scale to this power: between 1 (bits follow the step) and what sparse pictures show. */
const SCALE_EXPONENT = 1.15;
/** Weight of the newest picture in the blurred complexity. */
const NEWEST_WEIGHT = 0.5;
/** Complexity per pel before anything is known of a clip: an I picture of a natural scene, and the others as parts of it. */
const FIRST_INTRA_COMPLEXITY = 8;
const FIRST_SHARES: Readonly<Record<PictureType, number>> = { I: 1, P: 0.4, B: 0.25 };

/** Bits times quantizer_scale^1.15: what a picture needs, whatever it is quantized by. */
export function complexityOf(bits: number, scale: number): number {
  return bits * scale ** SCALE_EXPONENT;
}

/** Bits of a picture of a complexity at a scale. */
export function bitsAt(complexity: number, scale: number): number {
  return complexity / scale ** SCALE_EXPONENT;
}

/** How much coarser the scale must be for bits to shrink by `factor`. */
export function scaleFactorFor(factor: number): number {
  return factor ** (1 / SCALE_EXPONENT);
}

/** Complexity of each picture type, blurred over the pictures coded so far. */
export class TypeComplexity {
  readonly #known = new Map<PictureType, number>();
  readonly #firstIntra: number;

  constructor(pels: number) {
    this.#firstIntra = FIRST_INTRA_COMPLEXITY * pels;
  }

  /** Whether a picture of the type has been seen. */
  knows(type: PictureType): boolean {
    return this.#known.has(type);
  }

  /** What the next picture of the type is expected to need; guessed from the other types before the first one. */
  of(type: PictureType): number {
    const known = this.#known.get(type);
    if (known !== undefined) return known;
    for (const other of ['P', 'I', 'B'] as const) {
      const complexity = this.#known.get(other);
      if (complexity !== undefined) return (complexity * FIRST_SHARES[type]) / FIRST_SHARES[other];
    }
    return this.#firstIntra * FIRST_SHARES[type];
  }

  /** Takes note of a coded picture. */
  learn(type: PictureType, complexity: number): void {
    const known = this.#known.get(type) ?? complexity;
    this.#known.set(type, known + NEWEST_WEIGHT * (complexity - known));
  }
}
