// Projection: takes the gradient of the pressure from the wind, which leaves it free of divergence.
import type { SnowScene } from '../scene.js';
import { AXES, cellAt, cellCount, forEachCell, isOpen } from './air.js';

/** Changes the wind in place: at each open face, the difference of pressure across it is subtracted. */
export function projectWind(scene: SnowScene, wind: Float32Array, floors: Uint32Array, pressure: Float32Array): void {
  const cells = cellCount(scene);
  forEachCell(scene, (i, j, k, cell) => {
    for (const axis of AXES) {
      if (!isOpen(scene, floors, axis, i, j, k)) continue;
      const [di, dj, dk] = [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0];
      wind[axis * cells + cell] -= pressure[cell] - pressure[cellAt(scene, i - di, j - dj, k - dk)];
    }
  });
}
