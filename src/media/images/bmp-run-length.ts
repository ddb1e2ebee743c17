// Expands the run lengths of BMP files: RLE8 and RLE4.
import { InputError } from '../../errors.js';

const END_OF_LINE = 0;
const END_OF_BITMAP = 1;
const DELTA = 2;

/**
 * The palette indices of run-length coded pels, one byte a pel, rows in file order. Pels that the code skips are 0;
 * pels beyond the right edge are dropped. Throws an InputError that starts with `name`.
 *
 *     n v          n > 0: n pels of v (RLE4: its two nibbles in turn)
 *     0 0 | 0 1    end of line | end of bitmap
 *     0 2 dx dy    move right by dx pels and on by dy rows
 *     0 n ...      n > 2: n pels as they are, padded to 16 bits
 */
export function expandRunLengths(
  name: string,
  code: Uint8Array,
  width: number,
  height: number,
  bitsPerPel: number,
): Uint8Array {
  const indices = new Uint8Array(width * height);
  const nibbles = bitsPerPel === 4;
  let at = 0;
  let x = 0;
  let y = 0;
  const put = (index: number): void => {
    if (x < width) indices[y * width + x] = index;
    x++;
  };
  const nibble = (byte: number, i: number): number => (i & 1 ? byte & 15 : byte >> 4);
  while (y < height) {
    const count = byteAt(name, code, at++);
    const value = byteAt(name, code, at++);
    if (count > 0) {
      for (let i = 0; i < count; i++) put(nibbles ? nibble(value, i) : value);
    } else if (value === END_OF_LINE) {
      x = 0;
      y++;
    } else if (value === END_OF_BITMAP) {
      break;
    } else if (value === DELTA) {
      x += byteAt(name, code, at++);
      y += byteAt(name, code, at++);
    } else {
      for (let i = 0; i < value; i++) {
        put(nibbles ? nibble(byteAt(name, code, at + (i >> 1)), i) : byteAt(name, code, at + i));
      }
      const bytes = nibbles ? (value + 1) >> 1 : value;
      at += bytes + (bytes & 1);
    }
  }
  return indices;
}

function byteAt(name: string, code: Uint8Array, at: number): number {
  const byte = code[at];
  if (byte === undefined) throw new InputError(`${name}: the image is truncated, its run lengths end early`);
  return byte;
}
