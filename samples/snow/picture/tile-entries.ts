// What is sorted: an entry for each tile of the picture that a flake touches, by tile and from back to front.
import type { Flakes } from '../flakes.js';
import { type SnowScene, TILE } from '../scene.js';
import { seenFlake } from './camera.js';

/** Entries of a flake: it touches four tiles at most. */
export const ENTRIES_PER_FLAKE = 4;
/** The key of an entry that stands for no tile: it comes last. */
export const NO_TILE = 0xffffffff;
/** Steps of the distance in a key. */
const DISTANCE_STEPS = 65535;

/** Entries of all flakes: keys, and the numbers of the flakes. */
export interface TileEntries {
  readonly keys: Uint32Array;
  readonly flakes: Uint32Array;
}

/**
 * The entries in the order of the flakes. In ascending order of the keys, the entries of a tile stand together, the
 * farthest flake first:
 *
 *     31           16 15                 0
 *     | tile         | nearness           |   nearness: 65535 at the camera, 0 at the far end
 */
export function tileEntries(scene: SnowScene, flakes: Flakes): TileEntries {
  const { tilesX, tilesY, far } = scene;
  const length = ENTRIES_PER_FLAKE * scene.flakes;
  const keys = new Uint32Array(length).fill(NO_TILE);
  const numbers = Uint32Array.from({ length }, (_, entry) => Math.floor(entry / ENTRIES_PER_FLAKE));
  for (let flake = 0; flake < scene.flakes; flake++) {
    const seen = seenFlake(scene, flakes, flake);
    if (!seen) continue;
    const reach = seen.radius + 1;
    const [left, right] = [Math.floor((seen.x - reach) / TILE), Math.floor((seen.x + reach) / TILE)];
    const [top, bottom] = [Math.floor((seen.y - reach) / TILE), Math.floor((seen.y + reach) / TILE)];
    const nearness = Math.floor((1 - seen.distance / far) * DISTANCE_STEPS);
    for (let corner = 0; corner < ENTRIES_PER_FLAKE; corner++) {
      const x = left + (corner & 1);
      const y = top + (corner >> 1);
      if (x > right || y > bottom || x < 0 || y < 0 || x >= tilesX || y >= tilesY) continue;
      keys[ENTRIES_PER_FLAKE * flake + corner] = ((x + tilesX * y) << 16) | nearness;
    }
  }
  return { keys, flakes: numbers };
}

/** The entries in the order of keys; equal keys in the order of the flakes' numbers. */
export function sortEntries({ keys, flakes }: TileEntries): TileEntries {
  const order = Uint32Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b] || flakes[a] - flakes[b]);
  return { keys: order.map(entry => keys[entry]), flakes: order.map(entry => flakes[entry]) };
}

/** The first of the sorted entries whose tile is `tile` or a later one. */
export function firstEntryOf(keys: Uint32Array, tile: number): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle] >>> 16 < tile) low = middle + 1;
    else high = middle;
  }
  return low;
}
