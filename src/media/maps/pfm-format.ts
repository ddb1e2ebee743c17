// Reads and writes gray PFM files: a float for each pel, as Middlebury keeps disparities.
import { counted } from '../../counted.js';
import { InputError } from '../../errors.js';

/** Numbers in raster order. */
export interface FloatMap {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** The first two letters of the gray form. */
const TAG = 'Pf';
/** Bytes of the longest header that is read. */
const MAX_HEADER_BYTES = 64;

/** Whether the bytes are those of a PFM file, gray or in colour. */
export function isPfm(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && (bytes[1] === 0x66 || bytes[1] === 0x46) && /\s/.test(String.fromCharCode(bytes[2] ?? 0));
}

/**
 * The bytes of a PFM file: the lines `Pf`, width and height, and a scale whose sign gives the byte order (here -1:
 * little-endian); then the rows from the bottom to the top.
 */
export function encodePfm({ width, height, values }: FloatMap): Uint8Array {
  const header = new TextEncoder().encode(`${TAG}\n${width} ${height}\n-1\n`);
  const bytes = new Uint8Array(header.length + 4 * values.length);
  bytes.set(header);
  const view = new DataView(bytes.buffer);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      view.setFloat32(header.length + 4 * ((height - 1 - y) * width + x), values[y * width + x]!, true);
    }
  }
  return bytes;
}

/** The numbers in the bytes of a PFM file. Throws an InputError that starts with `path`. */
export function decodePfm(path: string, bytes: Uint8Array): FloatMap {
  if (!isPfm(bytes)) throw new InputError(`${path} is not a PFM file: it does not start with ${TAG}`);
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, MAX_HEADER_BYTES));
  const [header, tag, columns, rows, scale] = /^(P[fF])\s+(\d+)\s+(\d+)\s+(-?[\d.eE+-]+)\s/.exec(head) ?? [];
  if (header === undefined) throw new InputError(`${path} has no valid PFM header`);
  if (tag !== TAG) throw new InputError(`${path} is a PFM file in colour; a map of numbers is gray (${TAG})`);
  const [width, height] = [Number(columns), Number(rows)];
  if (width < 1 || height < 1) throw new InputError(`${path} says that its size is ${width}x${height}`);
  const expected = header.length + 4 * width * height;
  if (bytes.length !== expected) {
    throw new InputError(
      `${path} has ${counted(bytes.length, 'byte')}, not the ${expected} of a map of ${width}x${height}`,
    );
  }
  const isLittle = Number(scale) < 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const values = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      values[y * width + x] = view.getFloat32(header.length + 4 * ((height - 1 - y) * width + x), isLittle);
    }
  }
  return { width, height, values };
}
