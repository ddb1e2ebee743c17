// Complexity: how many bits a picture needs, independent of its scale.
import type { PictureType } from '../../bitstream/picture-type.js';

/**
 * Bits are proportional to scale^-SCALE_EXPONENT: between 1, where bits follow the quantizer's step, and the steeper
 * fall of sparse pictures. Not measured.
 */
const SCALE_EXPONENT = 1.15;
/** Weight of the newest picture in the running mean; not measured. */
const NEWEST_WEIGHT = 0.5;
/**
 * First guess of an I picture's complexity per pel, and of the other types' as parts of it: a natural scene; not
 * measured.
 */
const FIRST_INTRA_COMPLEXITY = 8;
const FIRST_SHARES: Readonly<Record<PictureType, number>> = { I: 1, P: 0.4, B: 0.25 };

/** The complexity of a picture that took so many bits at a picture scale: bits * scale^1.15. */
export function complexityOf(bits: number, scale: number): number {
  return bits * scale ** SCALE_EXPONENT;
}

/** The bits of a picture of a complexity at a picture scale. */
export function bitsAt(complexity: number, scale: number): number {
  return complexity / scale ** SCALE_EXPONENT;
}

/** The factor of the scale that divides the bits by `factor`. */
export function scaleFactorFor(factor: number): number {
  return factor ** (1 / SCALE_EXPONENT);
}

/** The complexity of each picture type: a running mean over the coded pictures. */
export class TypeComplexity {
  readonly #known = new Map<PictureType, number>();
  readonly #firstIntra: number;

  constructor(pels: number) {
    this.#firstIntra = FIRST_INTRA_COMPLEXITY * pels;
  }

  /** Whether a picture of the type has been coded. */
  knows(type: PictureType): boolean {
    return this.#known.has(type);
  }

  /** The expected complexity of the next picture of a type. Before the first one it is guessed from the other types. */
  of(type: PictureType): number {
    const known = this.#known.get(type);
    if (known !== undefined) return known;
    for (const other of ['P', 'I', 'B'] as const) {
      const complexity = this.#known.get(other);
      if (complexity !== undefined) return (complexity * FIRST_SHARES[type]) / FIRST_SHARES[other];
    }
    return this.#firstIntra * FIRST_SHARES[type];
  }

  /** A scene of another kind begins with an I picture of this complexity: the other types are guessed again. */
  restart(intraComplexity: number): void {
    this.#known.clear();
    this.#known.set('I', intraComplexity);
  }

  /** Takes note of a coded picture. */
  learn(type: PictureType, complexity: number): void {
    const known = this.#known.get(type) ?? complexity;
    this.#known.set(type, known + NEWEST_WEIGHT * (complexity - known));
  }
}
