// What an earlier coding of the row has left of the macroblock and of the next one; see src/macroblock.
import { BLOCKS_PER_MACROBLOCK, MACROBLOCK_INTRA } from '../generated/tables';
import { coding, knowsNext, mbX, mbY } from './open-macroblock';

/** Skipped macroblocks of the row right before this one and right after it. */
export let skippedBefore: i32 = 0;
export let skippedAfter: i32 = 0;

/** Place of the macroblock in raster order. */
// @ts-ignore: decorator
@inline
export function addressOf(): usize {
  return <usize>(mbY * coding.mbWidth + mbX);
}

/** Counts the skipped macroblocks around this one. */
export function findSkipped(): void {
  const flags = coding.symbols.flags + addressOf();
  const last = coding.mbWidth - 1 - mbX;
  skippedBefore = 0;
  skippedAfter = 0;
  while (skippedBefore < mbX && load<u8>(flags - <usize>skippedBefore - 1) == 0) skippedBefore++;
  while (skippedAfter < last && load<u8>(flags + <usize>skippedAfter + 1) == 0) skippedAfter++;
}

/** Whether the next macroblock is known to be intra. */
// @ts-ignore: decorator
@inline
export function isNextIntra(): bool {
  return knowsNext && (load<u8>(coding.symbols.flags + addressOf(), 1) & MACROBLOCK_INTRA) != 0;
}

/** The quantized DCs of the macroblock in a column of the row, if it is intra. */
// @ts-ignore: decorator
@inline
export function dcsOf(column: i32): usize {
  return coding.symbols.quantizedDcs + <usize>((column * BLOCKS_PER_MACROBLOCK) << 1);
}

/** Those of the next macroblock. */
// @ts-ignore: decorator
@inline
export function nextDcs(): usize {
  return dcsOf(mbX + 1);
}
