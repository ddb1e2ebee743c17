// The zigzag scan of a block's levels.
import { SCAN } from '../generated/tables';
import { scratch } from '../scratch';

/** The scan position of each place of a block. */
const positions = scratch(64);
for (let position = 0; position < 64; position++) store<u8>(positions + <usize>load<u8>(SCAN + position), <u8>position);

/** The scan position of a place (`u * 8 + v`). */
// @ts-ignore: decorator
@inline
export function positionOf(place: usize): usize {
  return <usize>load<u8>(positions + place);
}

/** For each four places from `4 n` on: the scan positions of those whose bit is set in a number 0..15, as a mask. */
const masks = scratch(16 * 16 * 8);
for (let place: usize = 0; place < 64; place += 4) {
  for (let bits: usize = 1; bits < 16; bits++) {
    const at = masks + ((place << 2) + bits << 3);
    const others = masks + ((place << 2) + (bits & (bits - 1)) << 3);
    store<u64>(at, load<u64>(others) | (<u64>1 << <u64>positionOf(place + ctz(bits))));
  }
}

/** A bit for each scan position of the places in a column whose bit is set in `bits`, 0..255. */
// @ts-ignore: decorator
@inline
export function positionsOf(column: usize, bits: usize): u64 {
  const at = masks + (column << 8);
  return load<u64>(at + ((bits & 15) << 3)) | load<u64>(at + ((bits >> 4) << 3), 128);
}

/** The place of a scan position. */
// @ts-ignore: decorator
@inline
export function placeOf(position: i32): usize {
  return <usize>load<u8>(SCAN + <usize>position);
}
