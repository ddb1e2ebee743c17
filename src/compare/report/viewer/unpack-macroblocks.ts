// Unpacks what macroblock-data.ts packs; runs in the reader's browser.

import type { PictureType } from '../../../bitstream/picture-type.js';
import {
  type CodedMacroblocks,
  emptyMacroblocks,
  type VectorPlanes,
} from '../../../bitstream/reading/coded-macroblocks.js';

/** Half-pels in a pel. */
const HALF_PELS = 2;

/** The macroblocks of a picture, from what `packMacroblocks` packs once it is inflated. */
export function unpackMacroblocks(
  view: DataView,
  type: PictureType,
  mbWidth: number,
  mbHeight: number,
): CodedMacroblocks {
  const unpacked = emptyMacroblocks(type, mbWidth, mbHeight);
  const { types, directions, scales, bits, forward, backward } = unpacked;
  const count = types.length;
  for (const [i, plane] of [types, directions, scales].entries()) {
    for (let address = 0; address < count; address++) plane[address] = view.getUint8(i * count + address);
  }
  for (let address = 0; address < count; address++) bits[address] = view.getUint16(3 * count + 2 * address, true);
  const planes = type === 'B' ? [forward.dx, forward.dy, backward.dx, backward.dy] : [forward.dx, forward.dy];
  for (const [i, plane] of planes.entries()) {
    for (let address = 0; address < count; address++) {
      plane[address] = view.getInt16(count * (5 + 2 * i) + 2 * address, true);
    }
  }
  return unpacked;
}

/** The vectors that `packSearched` packs, once they are inflated, in half-pels. */
export function unpackSearched(view: DataView): VectorPlanes {
  const count = view.byteLength / 4;
  const plane = (first: number) =>
    Int16Array.from({ length: count }, (_, i) => HALF_PELS * view.getInt16(2 * (first + i), true));
  return { dx: plane(0), dy: plane(count) };
}
