// Reads reconstructed pictures from kernel memory: as frames, as luma, and their error.

import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { chromaLength, type Frame } from '../../picture/frame.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import type { PlanePointers, Workspace } from './workspace.js';

/** A copy of the display area of a picture in kernel memory. */
export function frameFromPlanes(memory: KernelMemory, grid: MacroblockGrid, planes: PlanePointers): Frame {
  const { displayWidth: width, displayHeight: height } = grid;
  const chromaWidth = chromaLength(width);
  const chromaHeight = chromaLength(height);
  const pels = memory.u8;
  return {
    width,
    height,
    y: cropped(pels, planes.y, planes.lumaStride, width, height),
    u: cropped(pels, planes.u, planes.chromaStride, chromaWidth, chromaHeight),
    v: cropped(pels, planes.v, planes.chromaStride, chromaWidth, chromaHeight),
  };
}

/** Rows are cropped in a copy: V8 copies them out of shared memory byte by byte, but all of the plane by words. */
function cropped(pels: Uint8Array, at: number, stride: number, width: number, height: number): Uint8Array {
  const rows = pels.slice(at, at + stride * height);
  if (stride === width) return rows;
  const plane = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) plane.set(rows.subarray(y * stride, y * stride + width), y * width);
  return plane;
}

/**
 * Squared error of a picture in kernel memory against the source picture there: sums over the display area, a plane
 * each.
 */
export function squaredErrors(workspace: Workspace, planes: PlanePointers): { y: number; u: number; v: number } {
  const { source, grid } = workspace;
  const { displayWidth: width, displayHeight: height } = grid;
  const luma = { stride: planes.lumaStride, width, height };
  const chroma = { stride: planes.chromaStride, width: chromaLength(width), height: chromaLength(height) };
  return {
    y: planeError(workspace, source.y, planes.y, luma),
    u: planeError(workspace, source.u, planes.u, chroma),
    v: planeError(workspace, source.v, planes.v, chroma),
  };
}

function planeError(
  { kernels }: Workspace,
  a: number,
  b: number,
  { stride, width, height }: { readonly stride: number; readonly width: number; readonly height: number },
): number {
  if (stride === width) return kernels.sumSquaredDifferences(a, b, width * height);
  let sum = 0;
  for (let y = 0; y < height; y++) sum += kernels.sumSquaredDifferences(a + y * stride, b + y * stride, width);
  return sum;
}

/** A copy of the luma of a picture in kernel memory, of the coded size. */
export function lumaFromPlanes(memory: KernelMemory, grid: MacroblockGrid, planes: PlanePointers): Uint8Array {
  const { codedWidth, codedHeight } = grid;
  return memory.u8.slice(planes.y, planes.y + codedWidth * codedHeight);
}
