// Draws the residual of a prediction about mid-gray.
import { chromaLength, type Frame } from '../../picture/frame.js';
import type { Canvas } from './canvas.js';
import { canvasOfFrame, type FramePaint } from './frame-canvas.js';

/** Luma of a difference of 0: the middle of 16..235, rounded down. */
const MIDDLE_LUMA = 125;
/** Chroma of a difference of 0. */
const MIDDLE_CHROMA = 128;

/** Draws `current - predicted`: mid-gray for no difference, lighter if the frame is lighter than its prediction. */
export function drawResidual(current: Frame, predicted: Frame, paint: Pick<FramePaint, 'scale' | 'gray'> = {}): Canvas {
  const { width, height } = current;
  const chromaPels = chromaLength(width) * chromaLength(height);
  return canvasOfFrame(
    {
      width,
      height,
      y: difference(current.y, predicted.y, width * height, MIDDLE_LUMA),
      u: difference(current.u, predicted.u, chromaPels, MIDDLE_CHROMA),
      v: difference(current.v, predicted.v, chromaPels, MIDDLE_CHROMA),
    },
    paint,
  );
}

function difference(a: Uint8Array, b: Uint8Array, length: number, middle: number): Uint8Array {
  const result = new Uint8Array(length);
  for (let i = 0; i < length; i++) result[i] = Math.max(0, Math.min(255, a[i]! - b[i]! + middle));
  return result;
}
