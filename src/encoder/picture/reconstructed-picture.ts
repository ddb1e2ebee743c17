// Reconstructed pictures in kernel memory that several threads share, and how much of them is final.
import { ALIGNMENT_BYTES, type KernelMemory } from '../../kernels/kernel-memory.js';
import { PICTURE_PLANES, type PicturePlanes } from '../../kernels/records/picture-planes.js';
import { type CodedSize, MACROBLOCK_SIZE, type MacroblockGrid, pictureBytes } from '../../picture/picture.js';

/** A picture in kernel memory: pointers to its planes, each as wide as the coded picture. */
export interface PlanePointers {
  /** Pointer to the PICTURE_PLANES that tells kernels the rest. */
  readonly record: number;
  readonly y: number;
  readonly u: number;
  readonly v: number;
  readonly lumaStride: number;
  readonly chromaStride: number;
}

/** The bytes of kernel memory that the planes of a picture take. */
export function planesBytes(grid: CodedSize): number {
  return pictureBytes(grid) + PICTURE_PLANES.bytes + 4 * ALIGNMENT_BYTES;
}

/** Takes room for the planes of a picture. */
export function allocatePlanes(memory: KernelMemory, { codedWidth, codedHeight }: CodedSize): PlanePointers {
  const lumaBytes = codedWidth * codedHeight;
  const planes = {
    y: memory.allocateUnset(lumaBytes),
    u: memory.allocateUnset(lumaBytes >> 2),
    v: memory.allocateUnset(lumaBytes >> 2),
    lumaStride: codedWidth,
    chromaStride: codedWidth >> 1,
  };
  return { record: PICTURE_PLANES.allocate(memory, planes).pointer, ...planes };
}

/** A reconstruction that others are predicted from, and what belongs to it. */
export interface ReconstructedPicture extends PlanePointers {
  /** Pointer to an int32: how many rows of macroblocks, from the top, are final. */
  readonly finalRows: number;
  /** Pointer to a byte per macroblock: how many times in a row it has been predicted. */
  readonly predictions: number;
}

/** The bytes of kernel memory that a reconstruction takes. */
export function reconstructionBytes(grid: MacroblockGrid): number {
  return planesBytes(grid) + 4 + grid.mbWidth * grid.mbHeight + 2 * ALIGNMENT_BYTES;
}

/** Takes room for a reconstruction. */
export function allocateReconstruction(memory: KernelMemory, grid: MacroblockGrid): ReconstructedPicture {
  return {
    ...allocatePlanes(memory, grid),
    finalRows: memory.allocate(4),
    predictions: memory.allocate(grid.mbWidth * grid.mbHeight),
  };
}

/** Says that `rows` rows of macroblocks are final, and wakes the threads that wait for them. */
export function publishRows({ i32 }: KernelMemory, { finalRows }: ReconstructedPicture, rows: number): void {
  Atomics.store(i32, finalRows >> 2, rows);
  Atomics.notify(i32, finalRows >> 2);
}

/** How many rows of macroblocks are final. */
export function finalRows({ i32 }: KernelMemory, picture: ReconstructedPicture): number {
  return Atomics.load(i32, picture.finalRows >> 2);
}

/**
 * Where a coder reconstructs B pictures, from which none is predicted. It has room for a row of macroblocks, which
 * takes the place of the row before and stays in the cache; for all rows only where the picture is wanted as a whole.
 */
export class NonReferencePicture implements PlanePointers {
  readonly record: number;
  readonly lumaStride: number;
  readonly chromaStride: number;
  /** Where the planes would begin so that the row of `reconstructRow` lies in the room for it. */
  y: number;
  u: number;
  v: number;
  readonly #first: PlanePointers;
  readonly #record: PicturePlanes;
  readonly #isWhole: boolean;

  /** The bytes of kernel memory that it takes. */
  static bytes(grid: CodedSize, isWhole = false): number {
    return planesBytes(isWhole ? grid : rowSize(grid));
  }

  /** In `memory`, behind as much room as a picture takes: no pointer is negative. */
  constructor(memory: KernelMemory, grid: CodedSize, isWhole = false) {
    const first = allocatePlanes(memory, isWhole ? grid : rowSize(grid));
    this.#first = first;
    this.#record = PICTURE_PLANES.at(memory, first.record);
    this.#isWhole = isWhole;
    this.record = first.record;
    this.lumaStride = first.lumaStride;
    this.chromaStride = first.chromaStride;
    this.y = first.y;
    this.u = first.u;
    this.v = first.v;
  }

  /** Row `mbY` is reconstructed next. */
  reconstructRow(mbY: number): void {
    if (this.#isWhole) return;
    const chroma = (MACROBLOCK_SIZE / 2) * mbY * this.chromaStride;
    this.y = this.#first.y - MACROBLOCK_SIZE * mbY * this.lumaStride;
    this.u = this.#first.u - chroma;
    this.v = this.#first.v - chroma;
    this.#record.y = this.y;
    this.#record.u = this.u;
    this.#record.v = this.v;
  }
}

function rowSize({ codedWidth }: CodedSize): CodedSize {
  return { codedWidth, codedHeight: MACROBLOCK_SIZE };
}
