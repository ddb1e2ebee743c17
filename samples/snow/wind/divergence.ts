// Divergence: how much more air leaves a cell than enters it.
import type { SnowScene } from '../scene.js';
import { type Air, cellAt, cellCount, forEachCell, isAir } from './air.js';

/** The divergence of each cell in 1/s; 0 in the ground. */
export function divergenceOf(scene: SnowScene, { wind, floors }: Air): Float32Array {
  const cells = cellCount(scene);
  const divergence = new Float32Array(cells);
  forEachCell(scene, (i, j, k, cell) => {
    if (!isAir(scene, floors, i, j, k)) return;
    const above = j + 1 < scene.gridY ? wind[cells + cellAt(scene, i, j + 1, k)] : 0;
    divergence[cell] =
      wind[cellAt(scene, i + 1, j, k)] -
      wind[cell] +
      (above - wind[cells + cell]) +
      (wind[2 * cells + cellAt(scene, i, j, k + 1)] - wind[2 * cells + cell]);
  });
  return divergence;
}
