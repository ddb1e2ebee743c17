// Reads and writes optical flow: Middlebury .flo files.
import { counted } from '../../counted.js';
import { InputError } from '../../errors.js';
import { MAX_PELS } from '../picture-size.js';
import type { Flow } from './flow.js';

/** Little-endian bytes of the float 202021.25. */
const TAG = 'PIEH';
const HEADER_BYTES = 12;
/** Bytes of the `.flo` file of the largest picture. */
export const MAX_FLO_BYTES = HEADER_BYTES + 8 * MAX_PELS;

/**
 * The bytes of a `.flo` file (Baker et al., "A Database and Evaluation Methodology for Optical Flow"):
 *
 *     bytes 0..3   PIEH
 *     bytes 4..7   width in pels, little-endian i32
 *     bytes 8..11  height
 *     then per pel, row by row: u and v, little-endian f32
 */
export function encodeFlo({ width, height, u, v }: Flow): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + width * height * 8);
  bytes.set(new TextEncoder().encode(TAG));
  const view = new DataView(bytes.buffer);
  view.setInt32(4, width, true);
  view.setInt32(8, height, true);
  for (let pel = 0; pel < width * height; pel++) {
    view.setFloat32(HEADER_BYTES + 8 * pel, u[pel]!, true);
    view.setFloat32(HEADER_BYTES + 8 * pel + 4, v[pel]!, true);
  }
  return bytes;
}

/** The flow in the bytes of a `.flo` file. Throws an InputError that starts with `path`. */
export function decodeFlo(path: string, bytes: Uint8Array): Flow {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const tag = new TextDecoder('latin1').decode(bytes.subarray(0, 4));
  if (tag !== TAG) {
    throw new InputError(`${path} is not a .flo file: it does not start with ${TAG}; KITTI's flow is read from .png`);
  }
  if (bytes.length < HEADER_BYTES) throw new InputError(`${path} ends within its header`);
  const width = view.getInt32(4, true);
  const height = view.getInt32(8, true);
  if (width < 1 || height < 1) throw new InputError(`${path} says that its flow is ${width}x${height}`);
  const expected = HEADER_BYTES + width * height * 8;
  if (bytes.length !== expected) {
    throw new InputError(
      `${path} has ${counted(bytes.length, 'byte')}, not the ${expected} of a flow of ${width}x${height}`,
    );
  }
  const u = new Float32Array(width * height);
  const v = new Float32Array(width * height);
  for (let pel = 0; pel < width * height; pel++) {
    u[pel] = view.getFloat32(HEADER_BYTES + 8 * pel, true);
    v[pel] = view.getFloat32(HEADER_BYTES + 8 * pel + 4, true);
  }
  return { width, height, u, v };
}
