import type { Kernels } from '../kernels/kernels.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import type { PlanePointers } from './workspace.js';

/** Where a macroblock lies: its column and row in the macroblock grid. */
export interface MacroblockPosition {
  readonly mbX: number;
  readonly mbY: number;
}

/** A chroma vector component in chroma half-pels from a luma one in luma half-pels: halved, truncated toward zero; §2.4.4.2. */
export function chromaVector(lumaHalfPels: number): number {
  return Math.trunc(lumaHalfPels / 2);
}

/**
 * Forms the forward prediction of a macroblock from `reference` with the trial's vector into the trial's prediction;
 * ISO/IEC 11172-2 §2.4.4.2. The vector keeps the block inside the picture.
 */
export function predictForward(
  kernels: Kernels,
  trial: MacroblockTrial,
  reference: PlanePointers,
  { mbX, mbY }: MacroblockPosition,
): void {
  const { forwardX, forwardY, prediction } = trial;
  const { lumaStride, chromaStride } = reference;
  const luma = reference.y + (mbY * 16 + (forwardY >> 1)) * lumaStride + mbX * 16 + (forwardX >> 1);
  kernels.interpolate(prediction, 16, luma, lumaStride, 16, forwardX & 1, forwardY & 1);
  const chromaX = chromaVector(forwardX);
  const chromaY = chromaVector(forwardY);
  const chroma = (mbY * 8 + (chromaY >> 1)) * chromaStride + mbX * 8 + (chromaX >> 1);
  kernels.interpolate(prediction + 256, 8, reference.u + chroma, chromaStride, 8, chromaX & 1, chromaY & 1);
  kernels.interpolate(prediction + 320, 8, reference.v + chroma, chromaStride, 8, chromaX & 1, chromaY & 1);
}
