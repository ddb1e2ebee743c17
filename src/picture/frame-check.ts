// Checks that a frame has the size and the planes that an encode needs.
import { InputError } from '../errors.js';
import { chromaLength, type Frame } from './frame.js';
import type { GpuLuma } from './gpu-luma.js';
import { macroblockGrid } from './picture.js';

/**
 * The frame, each of its parts read once. Throws an InputError that begins with `name` unless it has this size and its
 * planes are Uint8Arrays of just as many pels, and its buffer on a GPU, if it has one, holds the luma.
 */
export function checkedFrame(given: Frame, width: number, height: number, name: string): Frame {
  const isBytes = ArrayBuffer.isView(given);
  if (isBytes || Object(given) !== given) {
    throw new InputError(`${name} is ${isBytes ? 'bytes' : String(given)}, not a frame: frameFromI420 makes one`);
  }
  const { y, u, v, gpu } = given;
  const frame = { width: given.width, height: given.height, y, u, v, gpu };
  if (frame.width !== width || frame.height !== height) {
    throw new InputError(`${name} is ${String(frame.width)}x${String(frame.height)}, not ${width}x${height}`);
  }
  const chromaPels = chromaLength(width) * chromaLength(height);
  for (const [plane, pels, expected] of [
    ['y', y, width * height],
    ['u', u, chromaPels],
    ['v', v, chromaPels],
  ] as const) {
    if (!ArrayBuffer.isView(pels) || pels[Symbol.toStringTag] !== 'Uint8Array') {
      throw new InputError(`${name}: the plane ${plane} is no Uint8Array`);
    }
    if (pels.length !== expected) {
      throw new InputError(`${name}: the plane ${plane} has ${pels.length} bytes, not ${expected}`);
    }
  }
  if (gpu !== undefined) checkGpuLuma(gpu, width, height, name);
  return frame;
}

function checkGpuLuma(gpu: GpuLuma, width: number, height: number, name: string): void {
  const { codedWidth, codedHeight } = macroblockGrid(width, height);
  const bytes = gpu?.buffer?.size;
  if (bytes >= codedWidth * codedHeight) return;
  const found = typeof bytes === 'number' ? `a buffer of ${bytes} bytes` : 'no buffer';
  throw new InputError(`${name}: gpu has ${found}; luma of whole macroblocks takes ${codedWidth * codedHeight}`);
}
