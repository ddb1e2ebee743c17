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

/** A row of macroblocks in a plane: the first pel of its first row, the rows and columns of the display area. */
interface PlaneRow {
  readonly first: number;
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
  #sums = { y: 0, u: 0, v: 0 };

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
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
  addRow(mbY: number, source: Picture, { y, u, v, lumaStride, chromaStride }: PlanePointers): void {
    const { displayWidth, displayHeight } = this.#workspace.grid;
    const luma = rowOf(mbY, MACROBLOCK_SIZE, lumaStride, displayWidth, displayHeight);
    const [width, height] = [chromaLength(displayWidth), chromaLength(displayHeight)];
    const chroma = rowOf(mbY, MACROBLOCK_SIZE / 2, chromaStride, width, height);
    this.#sums.y += this.#rowError(source.y, y, luma);
    this.#sums.u += this.#rowError(source.u, u, chroma);
    this.#sums.v += this.#rowError(source.v, v, chroma);
  }

  #rowError(source: Uint8Array, plane: number, { first, stride, width, height }: PlaneRow): number {
    const { kernels } = this.#workspace;
    const [from, to] = [this.#sourceRow(source, first, stride * height), plane + first];
    if (stride === width) return kernels.sumSquaredDifferences(from, to, width * height);
    let sum = 0;
    for (let at = 0; at < stride * height; at += stride)
      sum += kernels.sumSquaredDifferences(from + at, to + at, width);
    return sum;
  }

  /** Where these bytes of a plane lie in kernel memory: in their place, else as a copy. */
  #sourceRow(plane: Uint8Array, first: number, length: number): number {
    const { memory, sourceRow } = this.#workspace;
    const place = memory.addressOf(plane);
    if (place > 0) return place + first;
    memory.u8.set(plane.subarray(first, first + length), sourceRow);
    return sourceRow;
  }
}

function rowOf(mbY: number, size: number, stride: number, width: number, height: number): PlaneRow {
  return { first: size * mbY * stride, stride, width, height: Math.min(size, height - size * mbY) };
}

/** A copy of the luma of a picture in kernel memory, of the coded size. */
export function lumaFromPlanes(memory: KernelMemory, grid: MacroblockGrid, planes: PlanePointers): Uint8Array {
  const { codedWidth, codedHeight } = grid;
  return memory.u8.slice(planes.y, planes.y + codedWidth * codedHeight);
}
