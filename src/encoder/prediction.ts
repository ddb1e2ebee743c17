import { MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_FORWARD } from '../bitstream/macroblock-codes.js';
import type { Kernels } from '../kernels/kernels.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import type { PlanePointers } from './workspace.js';

/** Where a macroblock lies: its column and row in the macroblock grid. */
export interface MacroblockPosition {
  readonly mbX: number;
  readonly mbY: number;
}

/** The anchors that a picture is predicted from; a P picture has only the past one. */
export interface Anchors {
  readonly past: PlanePointers;
  readonly future: PlanePointers;
}

/** A chroma vector component in chroma half-pels from a luma one in luma half-pels: halved, truncated toward zero; §2.4.4.2. */
export function chromaVector(lumaHalfPels: number): number {
  return Math.trunc(lumaHalfPels / 2);
}

/**
 * Forms the prediction of a macroblock in the trial's direction(s) with its vectors into its prediction; ISO/IEC 11172-2 §2.4.4.2 and
 * §2.4.4.3. `scratch` has room for a second prediction. The vectors keep the block inside the picture.
 */
export function predict(
  kernels: Kernels,
  trial: MacroblockTrial,
  anchors: Anchors,
  at: MacroblockPosition,
  scratch: number,
): void {
  const { direction, prediction, forwardX, forwardY, backwardX, backwardY } = trial;
  if (direction === MACROBLOCK_MOTION_BACKWARD) {
    predictFrom(kernels, prediction, anchors.future, at, backwardX, backwardY);
    return;
  }
  predictFrom(kernels, prediction, anchors.past, at, forwardX, forwardY);
  if (direction === MACROBLOCK_MOTION_FORWARD) return;
  predictFrom(kernels, scratch, anchors.future, at, backwardX, backwardY);
  kernels.average(prediction, 16, prediction, 16, scratch, 16, 16);
  kernels.average(prediction + 256, 8, prediction + 256, 8, scratch + 256, 8, 8);
  kernels.average(prediction + 320, 8, prediction + 320, 8, scratch + 320, 8, 8);
}

/** Prediction of a macroblock from one anchor with the vector (x, y) in half-pels. */
function predictFrom(
  kernels: Kernels,
  target: number,
  anchor: PlanePointers,
  { mbX, mbY }: MacroblockPosition,
  x: number,
  y: number,
): void {
  const { lumaStride, chromaStride } = anchor;
  const luma = anchor.y + (mbY * 16 + (y >> 1)) * lumaStride + mbX * 16 + (x >> 1);
  kernels.interpolate(target, 16, luma, lumaStride, 16, x & 1, y & 1);
  const chromaX = chromaVector(x);
  const chromaY = chromaVector(y);
  const chroma = (mbY * 8 + (chromaY >> 1)) * chromaStride + mbX * 8 + (chromaX >> 1);
  kernels.interpolate(target + 256, 8, anchor.u + chroma, chromaStride, 8, chromaX & 1, chromaY & 1);
  kernels.interpolate(target + 320, 8, anchor.v + chroma, chromaStride, 8, chromaX & 1, chromaY & 1);
}
