// Pressure: solves the Poisson equation by red-black successive over-relaxation.
import type { SnowScene } from '../scene.js';
import { cellAt, forEachCell, isAir } from './air.js';

/**
 * The relaxation factors of the half sweeps, two per iteration: 1, then nearly 2, then down to the best factor for a
 * grid of this size. So each half sweep leaves the smallest error that is possible (Golub and Varga 1961, Chebyshev
 * acceleration).
 */
export function relaxationFactors({ gridX, gridY, gridZ, iterations }: SnowScene): number[] {
  // The slowest error of Jacobi's method: one wave along the longest axis. A ring of n cells has one of n, a row of 2n.
  const longest = Math.max(gridX, 2 * gridY, gridZ);
  const radius = (2 + Math.cos((2 * Math.PI) / longest)) / 3;
  const factors: number[] = [];
  let factor = 1;
  for (let half = 0; half < 2 * iterations; half++) {
    factors.push(Math.fround(factor));
    factor = half === 0 ? 1 / (1 - (radius * radius) / 2) : 1 / (1 - (radius * radius * factor) / 4);
  }
  return factors;
}

/**
 * Improves the pressure in place until about
 *
 *     sum over the free neighbours n of cell c of (p(n) - p(c)) = divergence(c)
 *
 * A half sweep moves each cell of one colour towards the average of its free neighbours, which have the other colour,
 * by a relaxation factor: its cells do not depend on each other, whatever their order. Cells of the ground have no
 * pressure and count for no average, which means: no wind goes through their faces.
 */
export function relaxPressure(
  scene: SnowScene,
  floors: Uint32Array,
  divergence: Float32Array,
  pressure: Float32Array,
): void {
  relaxationFactors(scene).forEach((factor, half) => {
    forEachCell(scene, (i, j, k, cell) => {
      if ((i + j + k) % 2 !== half % 2 || !isAir(scene, floors, i, j, k)) return;
      let sum = 0;
      let free = 0;
      const add = (ni: number, nj: number, nk: number) => {
        if (!isAir(scene, floors, ni, nj, nk)) return;
        sum += pressure[cellAt(scene, ni, nj, nk)];
        free++;
      };
      add(i - 1, j, k);
      add(i + 1, j, k);
      add(i, j - 1, k);
      add(i, j + 1, k);
      add(i, j, k - 1);
      add(i, j, k + 1);
      if (free > 0) pressure[cell] += factor * ((sum - divergence[cell]) / free - pressure[cell]);
    });
  });
}
