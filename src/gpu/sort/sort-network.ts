// Cuts the bitonic network for a number of items into passes.
import { SORT_ACROSS, SORT_TILES } from './sort-layouts.js';

const { TILE_BITS, TILE } = SORT_TILES.constants;
const { ITEM_BITS, THREADS } = SORT_ACROSS.constants;

/** One pass over all items: the shader, its parameters, and how many workgroups it takes. */
export interface NetworkPass {
  readonly shader: 'tiles' | 'across';
  /** The smallest distance of the pass is 2^shift, and it makes `steps` steps; both are 0 within tiles. */
  readonly shift: number;
  readonly steps: number;
  /** Across tiles: whether the first step of a stage is among them. Within tiles: whether tiles are sorted. */
  readonly isFirst: boolean;
  readonly workgroups: number;
}

/**
 * The passes that sort `length` items, 1 or more. Stage s sorts blocks of 2^s items in s steps:
 *
 *     stages 1..11   within tiles, one pass
 *     stage 12       1 step across tiles,  11 steps within them
 *     stage 15       3 steps, 1 step,      11 steps within
 *     stage 22       3 + 3 + 3 + 2 steps,  11 steps within
 */
export function networkPasses(length: number): NetworkPass[] {
  const ofTiles = { shader: 'tiles', shift: 0, steps: 0, workgroups: Math.ceil(length / TILE) } as const;
  const passes: NetworkPass[] = [{ ...ofTiles, isFirst: true }];
  for (let stage = TILE_BITS + 1; 2 ** (stage - 1) < length; stage++) {
    for (let top = stage; top > TILE_BITS; top -= ITEM_BITS) {
      const steps = Math.min(ITEM_BITS, top - TILE_BITS);
      passes.push(passAcross(length, top - steps, steps, top === stage));
    }
    passes.push({ ...ofTiles, isFirst: false });
  }
  return passes;
}

/** A thread takes 2^ITEM_BITS items that lie 2^shift places apart. */
function passAcross(length: number, shift: number, steps: number, isFirst: boolean): NetworkPass {
  const threads = Math.ceil(length / 2 ** (shift + ITEM_BITS)) * 2 ** shift;
  return { shader: 'across', shift, steps, isFirst, workgroups: Math.ceil(threads / THREADS) };
}
