// Draws frames on a canvas: BT.601 Y'CbCr shown as RGB.
import { chromaLength, type Frame } from '../../picture/frame.js';
import { Canvas } from './canvas.js';

/** How to draw a frame. */
export interface FramePaint {
  /** Width and height in canvas pels of one frame pel, a whole number; default 1. */
  readonly scale?: number;
  /** Draw luma only. */
  readonly gray?: boolean;
  /** Factor on the brightness, so that drawings on a darker frame are easier to see; default 1. */
  readonly brightness?: number;
}

/** A canvas of the frame's scaled size with the frame on it. Luma 16 is black, 235 is white; ITU-R BT.601. */
export function canvasOfFrame(frame: Frame, { scale = 1, ...paint }: FramePaint = {}): Canvas {
  const canvas = new Canvas(frame.width * scale, frame.height * scale);
  paintFrame(canvas, frame, { scale, ...paint });
  return canvas;
}

/** Draws the frame into the canvas's top left corner. What does not fit is cut off. */
export function paintFrame(canvas: Canvas, frame: Frame, paint: FramePaint = {}): void {
  const { scale = 1, gray = false, brightness = 1 } = paint;
  const chromaWidth = chromaLength(frame.width);
  const width = Math.min(canvas.width, frame.width * scale);
  const height = Math.min(canvas.height, frame.height * scale);
  const clamp = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / scale);
    for (let x = 0; x < width; x++) {
      const column = Math.floor(x / scale);
      const luma = ((frame.y[row * frame.width + column]! - 16) * 255) / 219;
      const chroma = (row >> 1) * chromaWidth + (column >> 1);
      const blueDifference = gray ? 0 : ((frame.u[chroma]! - 128) * 255) / 224;
      const redDifference = gray ? 0 : ((frame.v[chroma]! - 128) * 255) / 224;
      const at = 3 * (y * canvas.width + x);
      canvas.pels[at] = clamp(brightness * (luma + 1.402 * redDifference));
      canvas.pels[at + 1] = clamp(brightness * (luma - 0.344136 * blueDifference - 0.714136 * redDifference));
      canvas.pels[at + 2] = clamp(brightness * (luma + 1.772 * blueDifference));
    }
  }
}
