// Keeps the best of places that overlap: non-maximum suppression.
import { InputError } from '../errors.js';
import { MAX_PELS } from './pel-image.js';
import type { FoundPlaces } from './place-finder.js';

/** A place where the pattern occurs. */
export interface Place {
  /** The pattern's corner at the top left, in pels. */
  readonly x: number;
  readonly y: number;
  /** Mean absolute difference of the picture and the pattern, per pel that counts and component: 0..255. */
  readonly error: number;
}

/** What the places were found of, and in. */
export interface PlaceSizes {
  /** Width of the picture and size of the pattern, in pels. */
  readonly pictureWidth: number;
  readonly patternWidth: number;
  readonly patternHeight: number;
  /** Samples of a sum. */
  readonly samples: number;
}

/** Most places of a picture: more, as of one pel in a large flat picture, could take all memory. */
const MAX_PLACES = 1_000_000;

/**
 * The best places, ordered by y, then by x. Places are taken from the best to the worst, equal ones by y, then by x. A
 * place is left out if one that was taken before is nearer than half of the pattern's width and nearer than half of its
 * height. Throws an InputError if there are more than a million.
 */
export function bestPlaces({ positions, sums }: FoundPlaces, sizes: PlaceSizes): Place[] {
  const { pictureWidth, patternWidth, patternHeight, samples } = sizes;
  const ranked = Float64Array.from(positions, (position, i) => sums[i]! * MAX_PELS + position).sort();
  const taken = new TakenPlaces(sizes, positions);
  const places: { readonly position: number; readonly place: Place }[] = [];
  for (const rank of ranked) {
    const position = rank % MAX_PELS;
    const x = position % pictureWidth;
    const y = (position - x) / pictureWidth;
    if (taken.hasNear(x, y, patternWidth, patternHeight)) continue;
    if (places.length === MAX_PLACES) {
      const found = `the pattern occurs at more than ${MAX_PLACES} places of a picture`;
      throw new InputError(`${found}; lower the tolerance, or use a larger pattern`);
    }
    taken.add(x, y);
    places.push({ position, place: { x, y, error: (rank - position) / MAX_PELS / samples } });
  }
  return places.sort((a, b) => a.position - b.position).map(({ place }) => place);
}

/** Places in cells of half the pattern's size, rounded up: two in one cell would be too near to each other. */
class TakenPlaces {
  readonly #cellWidth: number;
  readonly #cellHeight: number;
  readonly #columns: number;
  /** For each cell of a frame of empty ones: x and y of its place, plus 1; 0 for none. */
  readonly #places: Int32Array;

  constructor({ pictureWidth, patternWidth, patternHeight }: PlaceSizes, positions: Uint32Array) {
    this.#cellWidth = Math.ceil(patternWidth / 2);
    this.#cellHeight = Math.ceil(patternHeight / 2);
    const last = positions.reduce((a, b) => Math.max(a, b), 0);
    const rows = Math.floor(last / pictureWidth / this.#cellHeight) + 3;
    this.#columns = Math.floor(pictureWidth / this.#cellWidth) + 3;
    this.#places = new Int32Array(2 * rows * this.#columns);
  }

  add(x: number, y: number): void {
    const at = 2 * this.#cellOf(x, y);
    this.#places[at] = x + 1;
    this.#places[at + 1] = y + 1;
  }

  /** Whether a place lies nearer than half of `width` and nearer than half of `height`. */
  hasNear(x: number, y: number, width: number, height: number): boolean {
    const cell = this.#cellOf(x, y);
    for (let row = -1; row <= 1; row++) {
      for (let column = -1; column <= 1; column++) {
        const at = 2 * (cell + row * this.#columns + column);
        const otherX = this.#places[at]! - 1;
        const otherY = this.#places[at + 1]! - 1;
        if (otherX < 0) continue;
        if (2 * Math.abs(otherX - x) < width && 2 * Math.abs(otherY - y) < height) return true;
      }
    }
    return false;
  }

  #cellOf(x: number, y: number): number {
    const column = Math.floor(x / this.#cellWidth) + 1;
    const row = Math.floor(y / this.#cellHeight) + 1;
    return row * this.#columns + column;
  }
}
