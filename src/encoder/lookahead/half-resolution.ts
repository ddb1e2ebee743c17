import type { LumaPicture } from '../../motion/estimator.js';
import type { Picture } from '../../picture/picture.js';

/** Size in pels of a picture at half resolution, as a search wants it: multiples of 16. */
export function halfSize(codedLength: number): number {
  return Math.ceil(codedLength / 32) * 16;
}

/** The luma of a picture at half resolution: the mean of every 2x2 pels, the margin filled by repeating the last pel. */
export function halfResolution(picture: Picture): LumaPicture {
  const { codedWidth, codedHeight } = picture.grid;
  const width = halfSize(codedWidth);
  const height = halfSize(codedHeight);
  const pels = new Uint8Array(width * height);
  const source = picture.y;
  const filled = codedWidth >> 1;
  for (let y = 0; y < codedHeight >> 1; y++) {
    const above = 2 * y * codedWidth;
    const below = above + codedWidth;
    const row = y * width;
    for (let x = 0; x < filled; x++) {
      const at = 2 * x;
      const sum = source[above + at]! + source[above + at + 1]! + source[below + at]! + source[below + at + 1]!;
      pels[row + x] = (sum + 2) >> 2;
    }
    pels.fill(pels[row + filled - 1]!, row + filled, row + width);
  }
  const last = ((codedHeight >> 1) - 1) * width;
  for (let y = codedHeight >> 1; y < height; y++) pels.copyWithin(y * width, last, last + width);
  return { id: picture.id, width, height, pels };
}
