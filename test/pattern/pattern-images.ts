// Patterns and pictures for the tests, and the search as short as it can be said.
import type { Place } from '../../src/pattern/best-places.js';
import type { PelImage } from '../../src/pattern/pel-image.js';
import { seededRandom } from '../kernels/kernel-pair.js';

/** An image of noise; its pels are not opaque where alpha is below 128. */
export function noiseImage(
  { width, height, channels }: Pick<PelImage, 'width' | 'height' | 'channels'>,
  seed: number,
): PelImage & { readonly pels: Uint8Array } {
  const random = seededRandom(seed);
  const pels = Uint8Array.from({ length: width * height * channels }, () => random() & 255);
  if (channels % 2 === 0) pels[channels - 1] = 255; // at least one pel counts
  return { width, height, channels, pels };
}

/** The components of a pel beside its alpha, gray as three equal ones. */
function colourAt({ width, channels, pels }: PelImage, x: number, y: number): readonly number[] {
  const at = channels * (y * width + x);
  return channels <= 2 ? [pels[at], pels[at], pels[at]] : [pels[at], pels[at + 1], pels[at + 2]];
}

/** Writes the pels of a pattern that are opaque into a picture of as many components. */
export function plant(pattern: PelImage, picture: PelImage & { readonly pels: Uint8Array }, x: number, y: number) {
  for (let row = 0; row < pattern.height; row++) {
    for (let column = 0; column < pattern.width; column++) {
      const from = pattern.channels * (row * pattern.width + column);
      if (pattern.channels % 2 === 0 && pattern.pels[from + pattern.channels - 1] < 128) continue;
      const to = picture.channels * ((y + row) * picture.width + x + column);
      const components = pattern.channels <= 2 ? 1 : 3;
      for (let i = 0; i < components; i++) picture.pels[to + i] = pattern.pels[from + i];
    }
  }
}

/** Every place of a picture with its error, from the top left on. */
export function allPlaces(pattern: PelImage, picture: PelImage): Place[] {
  const places: Place[] = [];
  for (let y = 0; y + pattern.height <= picture.height; y++) {
    for (let x = 0; x + pattern.width <= picture.width; x++) {
      let sum = 0;
      let samples = 0;
      for (let row = 0; row < pattern.height; row++) {
        for (let column = 0; column < pattern.width; column++) {
          const alphaAt = pattern.channels * (row * pattern.width + column + 1) - 1;
          if (pattern.channels % 2 === 0 && pattern.pels[alphaAt] < 128) continue;
          const a = colourAt(pattern, column, row);
          const b = colourAt(picture, x + column, y + row);
          sum += Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]);
          samples += 3;
        }
      }
      places.push({ x, y, error: sum / samples });
    }
  }
  return places;
}

/** The best of these places, by the words of `bestPlaces`. */
export function bestOf(places: readonly Place[], { width, height }: PelImage): Place[] {
  const kept: Place[] = [];
  const ranked = [...places].sort((a, b) => a.error - b.error || a.y - b.y || a.x - b.x);
  for (const place of ranked) {
    const isNear = kept.some(({ x, y }) => Math.abs(x - place.x) < width / 2 && Math.abs(y - place.y) < height / 2);
    if (!isNear) kept.push(place);
  }
  return kept.sort((a, b) => a.y - b.y || a.x - b.x);
}
