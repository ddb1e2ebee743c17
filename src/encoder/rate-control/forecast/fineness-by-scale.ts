// How much finer the scale acts on pictures of a type than is estimated, learned from picture to picture at each scale.
import { exp2, log2 } from '../../../portable-math.js';

/** Scales from 1 to 32 for which it is kept, and how many of them are in an octave. */
const PER_OCTAVE = 4;
const SCALES = 5 * PER_OCTAVE + 1;
/** A picture counts 1 / e for scales so many octaves from its own; docs/decisions/bit-rate.md. */
const NEAR_OCTAVES = 0.35;

/**
 * Running means in octaves, one for each scale: a picture moves those near its own scale most. Bits of noise fall to
 * nothing within half an octave: if that counted for all scales, hardly any bits would be expected at finer ones.
 */
export class FinenessByScale {
  readonly #means: readonly number[];

  private constructor(means: readonly number[]) {
    this.#means = means;
  }

  /** The same at all scales. */
  static of(fineness: number): FinenessByScale {
    return new FinenessByScale(new Array(SCALES).fill(fineness));
  }

  /** Moved by `weight` to what one more picture showed at its scale; by `farPart` of that at scales far from it. */
  movedTo(fineness: number, scale: number, weight: number, farPart: number): FinenessByScale {
    const place = placeOf(scale);
    const means = this.#means.map((mean, index) => {
      const octaves = (index - place) / PER_OCTAVE;
      const nearness = farPart + (1 - farPart) * exp2(-Math.LOG2E * (octaves / NEAR_OCTAVES) ** 2);
      return mean + weight * nearness * (fineness - mean);
    });
    // The scale that they give rises with the scale: a coarser one never takes more bits.
    const nearest = Math.round(place);
    for (let i = nearest + 1; i < SCALES; i++) means[i] = Math.min(means[i]!, means[i - 1]! + 1 / PER_OCTAVE);
    for (let i = nearest - 1; i >= 0; i--) means[i] = Math.max(means[i]!, means[i + 1]! - 1 / PER_OCTAVE);
    return new FinenessByScale(means);
  }

  /** So many times as much at all scales. */
  times(factor: number): FinenessByScale {
    return new FinenessByScale(this.#means.map(mean => factor * mean));
  }

  /** The mean at a scale. */
  at(scale: number): number {
    const place = placeOf(scale);
    const index = Math.min(Math.floor(place), SCALES - 2);
    const [finer, coarser] = [this.#means[index]!, this.#means[index + 1]!];
    return finer + (place - index) * (coarser - finer);
  }
}

/** Where a scale lies among those that are kept. */
function placeOf(scale: number): number {
  return Math.max(0, Math.min(SCALES - 1, log2(scale) * PER_OCTAVE));
}
