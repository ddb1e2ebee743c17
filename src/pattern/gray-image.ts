// Finds out whether an image is gray.
import type { PelImage } from './pel-image.js';

/**
 * The same image with one component, if the three of all its pels are equal; else the image itself. Gray in gray takes
 * a third of the comparisons, and the errors are the same.
 */
export function asGray(image: PelImage): PelImage {
  const { width, height, channels, pels } = image;
  if (channels <= 2) return image;
  for (let at = 0; at < pels.length; at += channels) {
    if (pels[at] !== pels[at + 1] || pels[at] !== pels[at + 2]) return image;
  }
  const kept = channels === 4 ? 2 : 1;
  const gray = new Uint8Array(width * height * kept);
  for (let from = 0, to = 0; to < gray.length; from += channels, to += kept) {
    gray[to] = pels[from]!;
    if (kept === 2) gray[to + 1] = pels[from + 3]!;
  }
  return { ...image, channels: kept, pels: gray };
}
