// The macroblock grid of a picture, and pictures padded to it.
import { chromaLength, type Frame } from './frame.js';
import type { GpuLuma } from './gpu-luma.js';
import { type RowSpreading, spreadRows } from './row-spreading.js';

/** Side of a macroblock in luma pels; ISO/IEC 11172-2 §2.4.1. */
export const MACROBLOCK_SIZE = 16;

/** The size of a picture's planes in pels; chroma is half as wide and high. */
export interface CodedSize {
  readonly codedWidth: number;
  readonly codedHeight: number;
}

/** The macroblock grid of a picture: how its display size is carried by whole macroblocks. */
export interface MacroblockGrid extends CodedSize {
  /** Display size in pels, as in the sequence header (horizontal_size, vertical_size). */
  readonly displayWidth: number;
  readonly displayHeight: number;
  /** Coded size: the display size rounded up to whole macroblocks. */
  readonly codedWidth: number;
  readonly codedHeight: number;
  /** mb_width and mb_height of the standard: the coded size in macroblocks. */
  readonly mbWidth: number;
  readonly mbHeight: number;
}

/** The macroblock grid of a display size in pels. */
export function macroblockGrid(displayWidth: number, displayHeight: number): MacroblockGrid {
  const mbWidth = Math.ceil(displayWidth / MACROBLOCK_SIZE);
  const mbHeight = Math.ceil(displayHeight / MACROBLOCK_SIZE);
  return {
    displayWidth,
    displayHeight,
    codedWidth: mbWidth * MACROBLOCK_SIZE,
    codedHeight: mbHeight * MACROBLOCK_SIZE,
    mbWidth,
    mbHeight,
  };
}

/** A macroblock-aligned source picture: planes of the coded size, the margin filled by repeating the last pel. */
export interface Picture {
  /** Unique within an encode: names the pels, so that estimators may cache by it. */
  readonly id: number;
  readonly grid: MacroblockGrid;
  /** `codedWidth * codedHeight` pels. */
  readonly y: Uint8Array;
  /** `codedWidth / 2 * codedHeight / 2` pels each. */
  readonly u: Uint8Array;
  readonly v: Uint8Array;
  /** The pels of `y` on a GPU, where they are there, too. */
  readonly gpu?: GpuLuma | undefined;
}

/** A picture as another thread can be given it: without what lies on a GPU. */
export function planesOf({ id, grid, y, u, v }: Picture): Picture {
  return { id, grid, y, u, v };
}

/** Bytes of a picture's planes: y, then u, then v. */
export function pictureBytes({ codedWidth, codedHeight }: CodedSize): number {
  return (codedWidth * codedHeight * 3) >> 1;
}

/** The picture whose planes lie on `buffer`, from byte `first` on. */
export function pictureOnBuffer(id: number, grid: MacroblockGrid, buffer: ArrayBufferLike, first = 0): Picture {
  const lumaBytes = grid.codedWidth * grid.codedHeight;
  const chromaBytes = lumaBytes >> 2;
  return {
    id,
    grid,
    y: new Uint8Array(buffer, first, lumaBytes),
    u: new Uint8Array(buffer, first + lumaBytes, chromaBytes),
    v: new Uint8Array(buffer, first + lumaBytes + chromaBytes, chromaBytes),
  };
}

/**
 * A macroblock-aligned copy of `frame`, whose planes lie on `buffer`, from byte `first` on (`pictureBytes` long; a
 * SharedArrayBuffer lets worker threads read them without a copy). The frame may be that of `frameOnBuffer`. `spread`:
 * what `spreadRows` does.
 */
export function pictureFromFrame(
  id: number,
  frame: Frame,
  grid: MacroblockGrid,
  buffer: ArrayBufferLike = new ArrayBuffer(pictureBytes(grid)),
  first = 0,
  spread: RowSpreading = spreadRows,
): Picture {
  const picture = pictureOnBuffer(id, grid, buffer, first);
  const { codedWidth, codedHeight } = grid;
  const { width, height, y, u, v } = frame;
  const luma = { width, height, targetWidth: codedWidth, targetHeight: codedHeight };
  const chroma = {
    ...{ width: chromaLength(width), height: chromaLength(height) },
    ...{ targetWidth: codedWidth >> 1, targetHeight: codedHeight >> 1 },
  };
  padPlane(picture.y, y, luma, spread);
  padPlane(picture.u, u, chroma, spread);
  padPlane(picture.v, v, chroma, spread);
  return frame.gpu ? { ...picture, gpu: frame.gpu } : picture;
}

/** The frame whose tight planes begin where those of the picture on `buffer` do; `pictureFromFrame` moves its rows. */
export function frameOnBuffer(grid: MacroblockGrid, buffer: ArrayBufferLike, first: number): Frame {
  const { displayWidth: width, displayHeight: height } = grid;
  const { y, u, v } = pictureOnBuffer(0, grid, buffer, first);
  const chromaPels = chromaLength(width) * chromaLength(height);
  return {
    width,
    height,
    y: y.subarray(0, width * height),
    u: u.subarray(0, chromaPels),
    v: v.subarray(0, chromaPels),
  };
}

/** Whether each plane of the frame begins where the picture's does. */
export function liesIn(frame: Frame, picture: Picture): boolean {
  return (['y', 'u', 'v'] as const).every(
    plane => frame[plane].buffer === picture[plane].buffer && frame[plane].byteOffset === picture[plane].byteOffset,
  );
}

/** Sizes of a tight plane and of the larger one, in pels. */
interface PaddedSize {
  readonly width: number;
  readonly height: number;
  readonly targetWidth: number;
  readonly targetHeight: number;
}

/**
 * Copies a tight plane into a larger one and repeats its last column and row into the margin. The tight one may lie at
 * the start of the larger one.
 */
function padPlane(
  target: Uint8Array,
  source: Uint8Array,
  { width, height, targetWidth, targetHeight }: PaddedSize,
  spread: RowSpreading,
): void {
  const isInPlace = source.buffer === target.buffer && source.byteOffset === target.byteOffset;
  if (!isInPlace) target.set(source.subarray(0, width * height));
  if (targetWidth > width) spread(target, width, height, targetWidth);
  const lastRow = (height - 1) * targetWidth;
  for (let y = height; y < targetHeight; y++) target.copyWithin(y * targetWidth, lastRow, lastRow + targetWidth);
}
