// A video frame as it comes in, before it is padded to whole macroblocks.
import { InputError } from '../errors.js';
import type { GpuLuma } from './gpu-luma.js';

/**
 * One video frame as it comes in: planar 4:2:0, each plane tight (no padding), row by row. Chroma planes are
 * `ceil(width / 2) * ceil(height / 2)`. Pels are taken as they are: no range or matrix conversion is implied.
 */
export interface Frame {
  /** Width in pels, 1..4095. */
  readonly width: number;
  /** Height in pels, 1..2800. */
  readonly height: number;
  readonly y: Uint8Array;
  readonly u: Uint8Array;
  readonly v: Uint8Array;
  /** The same luma on a GPU, where it is there already. */
  readonly gpu?: GpuLuma | undefined;
}

/** Who has memory for frames of one size, such as an encoder. */
export interface FrameMemory {
  /** A frame whose planes hold anything, to be filled. */
  newFrame(): Frame;
}

/** Which frames of an input are wanted. */
export interface FrameRange {
  /** The first one, from 0. */
  readonly first: number;
  /** How many at most; undefined: all to the end. */
  readonly count?: number | undefined;
  /** True: the input's frames must be counted from its first one on. */
  readonly withoutSeeking?: boolean | undefined;
}

/** Width or height of a chroma plane of 4:2:0 for a luma length in pels. */
export function chromaLength(lumaLength: number): number {
  return (lumaLength + 1) >> 1;
}

/**
 * Views of a tight I420 buffer (y, then u, then v) as a frame, without copying. Throws an InputError for too few bytes.
 */
export function frameFromI420(width: number, height: number, bytes: Uint8Array): Frame {
  const needed = i420Bytes(width, height);
  if (!(needed > 0 && ArrayBuffer.isView(bytes) && bytes.length >= needed)) {
    throw new InputError(`a frame of ${width}x${height} takes ${needed} bytes, not ${bytes?.length}`);
  }
  const lumaBytes = width * height;
  const chromaBytes = chromaLength(width) * chromaLength(height);
  return {
    width,
    height,
    y: bytes.subarray(0, lumaBytes),
    u: bytes.subarray(lumaBytes, lumaBytes + chromaBytes),
    v: bytes.subarray(lumaBytes + chromaBytes, lumaBytes + 2 * chromaBytes),
  };
}

/** A frame whose planes are to be filled: that of `memory`, if there is one. */
export function frameToFill(width: number, height: number, memory: FrameMemory | undefined): Frame {
  return memory?.newFrame() ?? frameFromI420(width, height, new Uint8Array(i420Bytes(width, height)));
}

/** Bytes of a tight I420 frame. */
export function i420Bytes(width: number, height: number): number {
  return width * height + 2 * chromaLength(width) * chromaLength(height);
}
