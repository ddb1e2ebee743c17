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
