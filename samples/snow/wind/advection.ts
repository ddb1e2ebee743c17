// Advection: the wind carries itself. Each face takes the wind from where its air came from (semi-Lagrangian).
import type { SnowScene } from '../scene.js';
import { type Air, AXES, cellCount, forEachCell, isOpen, windAlong } from './air.js';
import { prevailingWind, type Weather } from './prevailing-wind.js';

/**
 * The wind of the next step, before it is made free of divergence:
 *
 *     u'(x) = u(x - u(x) t) + (prevailing wind - u) * drive * t,   where t is the time of a step
 *
 * The prevailing wind acts along x and z. Faces that the ground closes have no wind.
 */
export function advectWind(scene: SnowScene, { wind, floors }: Air, weather: Weather): Float32Array {
  const { stepSeconds, drive } = scene;
  const cells = cellCount(scene);
  const next = new Float32Array(wind.length);
  forEachCell(scene, (i, j, k, cell) => {
    for (const axis of AXES) {
      if (!isOpen(scene, floors, axis, i, j, k)) continue;
      const [x, y, z] = [axis === 0 ? i : i + 0.5, axis === 1 ? j : j + 0.5, axis === 2 ? k : k + 0.5];
      const [fromX, fromY, fromZ] = [
        x - stepSeconds * windAlong(scene, wind, 0, x, y, z),
        y - stepSeconds * windAlong(scene, wind, 1, x, y, z),
        z - stepSeconds * windAlong(scene, wind, 2, x, y, z),
      ];
      const carried = windAlong(scene, wind, axis, fromX, fromY, fromZ);
      next[axis * cells + cell] =
        axis === 1 ? carried : carried + (prevailingWind(scene, weather, axis, x, z) - carried) * drive * stepSeconds;
    }
  });
  return next;
}
