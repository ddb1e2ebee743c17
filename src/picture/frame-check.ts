// Checks that a frame has the size and the planes that an encode needs.
import { InputError } from '../errors.js';
import { chromaLength, type Frame } from './frame.js';

/**
 * The frame, each of its parts read once. Throws an InputError that begins with `name` unless it has this size and its
 * planes are Uint8Arrays of just as many pels.
 */
export function checkedFrame(given: Frame, width: number, height: number, name: string): Frame {
  if (typeof given !== 'object' || given === null) throw new InputError(`${name} is ${String(given)}, not a frame`);
  const { y, u, v } = given;
  const frame = { width: given.width, height: given.height, y, u, v };
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
  return frame;
}
