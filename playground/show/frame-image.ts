// Shows frames: BT.601, limited range, as pels of a canvas.
import type { Frame } from 'mpegpu';

/** The frame as pels that a canvas can draw. */
export function frameImage({ width, height, y, u, v }: Frame): ImageData {
  const image = new ImageData(width, height);
  const { data } = image;
  const chromaWidth = (width + 1) >> 1;
  for (let row = 0, at = 0; row < height; row++) {
    const chromaRow = (row >> 1) * chromaWidth;
    for (let column = 0; column < width; column++, at++) {
      const chroma = chromaRow + (column >> 1);
      const luma = 1.164 * (y[at]! - 16);
      const [cb, cr] = [u[chroma]! - 128, v[chroma]! - 128];
      // The array clamps to 0..255.
      data[4 * at] = luma + 1.596 * cr;
      data[4 * at + 1] = luma - 0.392 * cb - 0.813 * cr;
      data[4 * at + 2] = luma + 2.017 * cb;
      data[4 * at + 3] = 255;
    }
  }
  return image;
}

/** Luma alone as pels that a canvas can draw. */
export function grayImage(luma: Uint8Array, width: number, height: number): ImageData {
  const image = new ImageData(width, height);
  for (let at = 0; at < luma.length; at++) {
    image.data.fill(luma[at]!, 4 * at, 4 * at + 3);
    image.data[4 * at + 3] = 255;
  }
  return image;
}
