// How much finer the scale acts on pictures of a type than is estimated, learned from picture to picture at each scale.
import { log2 } from '../../../portable-math.js';

/** Scales from 1 to 32 for which it is kept, and how many of them are in an octave. */
const PER_OCTAVE = 4;
const SCALES = 5 * PER_OCTAVE + 1;
/**
 * What pictures showed at a scale counts half at one so many octaves from it, a tenth three times as far away.
 * docs/decisions/bit-rate.md has these three.
 */
const NEAR_OCTAVES = 0.07;
/** Trust in what is known of a scale that no picture had, and the part of it that a picture of other scales takes. */
const MIN_TRUST = 0.05;
const FORGOTTEN_PART = 0.005;
/** By how many scales two are apart, what one counts at the other. */
const NEARNESS = Array.from(
  { length: SCALES },
  (_, distance) => 1 / ((distance / PER_OCTAVE) ** 2 + NEAR_OCTAVES ** 2),
);

/**
 * Means in octaves, one for each scale, of what pictures showed at scales around it. Bits of noise fall to nothing
 * within half an octave: if that counted for all scales, hardly any bits would be expected at finer ones, and if it was
 * forgotten while all pictures have a coarser scale, budgets would swing to and fro.
 */
export class FinenessByScale {
  /** By scale, a running mean of what its pictures showed, and how far that is trusted, 0..1. */
  readonly #shown: readonly number[];
  readonly #trust: readonly number[];
  /** By scale, the mean of what was shown around it. */
  readonly #means: readonly number[];

  private constructor(shown: readonly number[], trust: readonly number[], means: readonly number[]) {
    this.#shown = shown;
    this.#trust = trust;
    this.#means = means;
  }

  /** The same at all scales. */
  static of(fineness: number): FinenessByScale {
    const same = new Array<number>(SCALES).fill(fineness);
    return new FinenessByScale(same, new Array<number>(SCALES).fill(MIN_TRUST), same);
  }

  /** The same at all scales, moved by `weight` to what one more picture showed. */
  movedEverywhere(fineness: number, weight: number): FinenessByScale {
    const [mean] = this.#means as [number];
    return FinenessByScale.of(mean + weight * (fineness - mean));
  }

  /** Moved to what one more picture showed at its scale: there by `weight`, or by more where little was known. */
  movedTo(fineness: number, scale: number, weight: number): FinenessByScale {
    const place = placeOf(scale);
    const trust: number[] = [];
    const shown = this.#shown.map((mean, index) => {
      const part = Math.max(0, 1 - Math.abs(index - place));
      const known = this.#trust[index]!;
      const more = known + part * weight * (1 - known);
      trust.push(part > 0 ? more : Math.max(MIN_TRUST, known * (1 - FORGOTTEN_PART)));
      return mean + part * Math.max(weight, weight / (known + weight)) * (fineness - mean);
    });
    const means = shown.map((_, index) => meanAround(index, shown, trust));
    // The scale that they give rises with the scale: a coarser one never takes more bits.
    const nearest = Math.round(place);
    for (let i = nearest + 1; i < SCALES; i++) means[i] = Math.min(means[i]!, means[i - 1]! + 1 / PER_OCTAVE);
    for (let i = nearest - 1; i >= 0; i--) means[i] = Math.max(means[i]!, means[i + 1]! - 1 / PER_OCTAVE);
    return new FinenessByScale(shown, trust, means);
  }

  /** So many times as much at all scales. */
  times(factor: number): FinenessByScale {
    const scaled = (means: readonly number[]) => means.map(mean => factor * mean);
    return new FinenessByScale(scaled(this.#shown), this.#trust, scaled(this.#means));
  }

  /** The mean at a scale. */
  at(scale: number): number {
    const place = placeOf(scale);
    const index = Math.min(Math.floor(place), SCALES - 2);
    const [finer, coarser] = [this.#means[index]!, this.#means[index + 1]!];
    return finer + (place - index) * (coarser - finer);
  }
}

/** The mean of what was shown, each counting by how near its scale is and how far it is trusted. */
function meanAround(index: number, shown: readonly number[], trust: readonly number[]): number {
  let [sum, weights] = [0, 0];
  for (let other = 0; other < SCALES; other++) {
    const weight = trust[other]! * NEARNESS[Math.abs(index - other)]!;
    sum += weight * shown[other]!;
    weights += weight;
  }
  return sum / weights;
}

/** Where a scale lies among those that are kept. */
function placeOf(scale: number): number {
  return Math.max(0, Math.min(SCALES - 1, log2(scale) * PER_OCTAVE));
}
