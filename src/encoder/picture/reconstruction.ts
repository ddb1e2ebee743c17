// Reads reconstructed pictures from kernel memory: as frames, as luma, and their error.

import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { chromaLength, type Frame } from '../../picture/frame.js';
import { MACROBLOCK_SIZE, type MacroblockGrid, type Picture } from '../../picture/picture.js';
import type { PlanePointers } from './reconstructed-picture.js';
import type { Workspace } from './workspace.js';

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

/** What a row of macroblocks is in a plane: its height in pels, and the columns and rows of the display area. */
interface PlaneRows {
  readonly size: number;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The squared error of a picture against its source picture: sums over the display area, a plane each. Rows of
 * macroblocks are added as soon as they are coded, while both still lie in the cache.
 */
export class PictureErrors {
  readonly #workspace: Workspace;
  readonly #luma: PlaneRows;
  readonly #chroma: PlaneRows;
  #sums = { y: 0, u: 0, v: 0 };

  constructor(workspace: Workspace) {
    const { displayWidth, displayHeight, codedWidth } = workspace.grid;
    const [width, height] = [chromaLength(displayWidth), chromaLength(displayHeight)];
    this.#workspace = workspace;
    this.#luma = { size: MACROBLOCK_SIZE, stride: codedWidth, width: displayWidth, height: displayHeight };
    this.#chroma = { size: MACROBLOCK_SIZE / 2, stride: codedWidth / 2, width, height };
  }

  /** The sums of the rows since `begin`. */
  get sums(): { readonly y: number; readonly u: number; readonly v: number } {
    return this.#sums;
  }

  /** Another picture. */
  begin(): void {
    this.#sums = { y: 0, u: 0, v: 0 };
  }

  /** Adds row `mbY` of a picture that is reconstructed in `planes`. */
  addRow(mbY: number, source: Picture, planes: PlanePointers): void {
    const sums = this.#sums;
    sums.y += this.#rowError(mbY, source.y, planes.y, this.#luma);
    sums.u += this.#rowError(mbY, source.u, planes.u, this.#chroma);
    sums.v += this.#rowError(mbY, source.v, planes.v, this.#chroma);
  }

  #rowError(mbY: number, source: Uint8Array, plane: number, { size, stride, width, height }: PlaneRows): number {
    const { kernels, memory, sourceRow } = this.#workspace;
    const first = size * mbY * stride;
    const rows = Math.min(size, height - size * mbY);
    const place = memory.addressOf(source);
    const from = place > 0 ? place + first : sourceRow;
    if (place === 0) memory.u8.set(source.subarray(first, first + stride * rows), sourceRow);
    const to = plane + first;
    if (stride === width) return kernels.sumSquaredDifferences(from, to, width * rows);
    let sum = 0;
    for (let at = 0; at < stride * rows; at += stride) sum += kernels.sumSquaredDifferences(from + at, to + at, width);
    return sum;
  }
}

/** A copy of the luma of a picture in kernel memory, of the coded size. */
export function lumaFromPlanes(memory: KernelMemory, grid: MacroblockGrid, planes: PlanePointers): Uint8Array {
  const { codedWidth, codedHeight } = grid;
  return memory.u8.slice(planes.y, planes.y + codedWidth * codedHeight);
}
