// Pictures that show where a pattern occurs: outlined, or all else white.
import { OptionError } from '../errors.js';
import { inWords } from '../given-options.js';
import type { Place } from './best-places.js';
import { readPattern } from './pattern.js';
import { checkPelImage, type PelImage, pelsWithoutAlpha } from './pel-image.js';

/** An RGB picture: 3 bytes a pel, row by row. */
export interface RgbPicture extends PelImage {
  readonly channels: 3;
  readonly pels: Uint8Array;
}

const RED = [255, 0, 0] as const;
const WHITE = 255;
/** A line is one pel wide for each of these many pels of the picture's longer side, and one pel at the least. */
const PELS_PER_LINE = 1000;

/**
 * The picture with a red line around each place. It lies outside of the pattern, at the edges of the picture within.
 * Throws an OptionError for what is no picture, and for places that are not those of the pattern in it.
 */
export function outlinePlaces(picture: PelImage, places: readonly Place[], pattern: PelImage): RgbPicture {
  requirePlaces(picture, places, pattern);
  const { width, height } = picture;
  const pels = pelsWithoutAlpha(picture, 3).slice();
  const line = Math.max(1, Math.round(Math.max(width, height) / PELS_PER_LINE));
  const fill = (left: number, top: number, right: number, bottom: number): void => {
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) pels.set(RED, 3 * (y * width + x));
  };
  for (const place of places) {
    const left = Math.max(0, place.x - line);
    const top = Math.max(0, place.y - line);
    const right = Math.min(width, place.x + pattern.width + line);
    const bottom = Math.min(height, place.y + pattern.height + line);
    const inner = { left: left + line, top: top + line, right: right - line, bottom: bottom - line };
    fill(left, top, right, Math.min(inner.top, bottom));
    fill(left, Math.max(inner.bottom, top), right, bottom);
    fill(left, top, Math.min(inner.left, right), bottom);
    fill(Math.max(inner.right, left), top, right, bottom);
  }
  return { width, height, channels: 3, pels };
}

/**
 * A white picture that shows, at each place, the pels of the picture that the pattern was compared with. Throws as
 * {@link outlinePlaces} does, and an InputError for a pattern that cannot be searched.
 */
export function whiteOutPlaces(picture: PelImage, places: readonly Place[], pattern: PelImage): RgbPicture {
  requirePlaces(picture, places, pattern);
  const { width, height, channels, pels: shown } = picture;
  const pels = new Uint8Array(3 * width * height).fill(WHITE);
  const { mask } = readPattern(pattern);
  const [green, blue] = channels <= 2 ? [0, 0] : [1, 2];
  for (const place of places) {
    for (let pel = 0; pel < mask.length; pel++) {
      if (mask[pel] === 0) continue;
      const x = place.x + (pel % pattern.width);
      const y = place.y + Math.floor(pel / pattern.width);
      const from = channels * (y * width + x);
      const to = 3 * (y * width + x);
      pels[to] = shown[from]!;
      pels[to + 1] = shown[from + green]!;
      pels[to + 2] = shown[from + blue]!;
    }
  }
  return { width, height, channels: 3, pels };
}

/** Throws an OptionError unless both are images, and the pattern lies within the picture at each place. */
function requirePlaces(picture: PelImage, places: readonly Place[], pattern: PelImage): void {
  checkPelImage('picture', picture);
  checkPelImage('pattern', pattern);
  const most = { x: picture.width - pattern.width, y: picture.height - pattern.height };
  const isPlace = (place: Place) =>
    (['x', 'y'] as const).every(
      axis => Number.isInteger(place?.[axis]) && place[axis] >= 0 && place[axis] <= most[axis],
    );
  if (Array.isArray(places) && places.every(isPlace)) return;
  const legal = `an array of places with x 0..${most.x} and y 0..${most.y}, such as locatePattern finds`;
  throw new OptionError('places', `places are ${inWords(places)}; legal: ${legal}`);
}
