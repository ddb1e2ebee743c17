// The prevailing wind: it blows in gusts that travel with it and that turn slowly.
import { hash } from '../../random.js';
import type { SnowScene } from '../scene.js';
import { wave } from '../wave.js';
import { cellCount, forEachCell, isOpen } from './air.js';

/** What the prevailing wind of a step depends on. */
export interface Weather {
  /** Wind in cells per second. */
  readonly windX: number;
  readonly windZ: number;
  /** How far the gusts have come, in whole waves. */
  readonly gust: number;
  readonly crossGust: number;
}

const MEAN_WIND = 3.5;

/** The weather of a step, 0 being the first one. */
export function weatherOf({ seed, stepSeconds }: SnowScene, step: number): Weather {
  const start = (stream: number) => hash(seed, 61, stream) / 2 ** 32;
  const seconds = step * stepSeconds;
  const sign = hash(seed, 61, 9) % 2 === 0 ? 1 : -1;
  return {
    windX: Math.fround(sign * MEAN_WIND * (1 + 0.4 * wave(start(0) + seconds / 11))),
    windZ: Math.fround(0.35 * MEAN_WIND * wave(start(1) + seconds / 17)),
    gust: Math.fround((start(2) + seconds / 9) % 1),
    crossGust: Math.fround((start(3) + seconds / 13) % 1),
  };
}

/** The prevailing wind at a point, along x (axis 0) or z (axis 2). Gusts have the ring's length, or a part of it. */
export function prevailingWind(scene: SnowScene, weather: Weather, axis: 0 | 2, x: number, z: number): number {
  const acrossX = x / scene.gridX;
  const acrossZ = z / scene.gridZ;
  const gust = wave(2 * acrossX + acrossZ - weather.gust) * wave(2 * acrossZ + weather.crossGust);
  const cross = wave(3 * acrossZ - acrossX + weather.crossGust);
  return axis === 0 ? weather.windX * (1 + 0.6 * gust) : weather.windZ + 0.5 * weather.windX * cross;
}

/** The wind of the first moment: the prevailing one, at the faces that are open. It is not free of divergence yet. */
export function startWind(scene: SnowScene, floors: Uint32Array): Float32Array {
  const cells = cellCount(scene);
  const wind = new Float32Array(3 * cells);
  const weather = weatherOf(scene, 0);
  forEachCell(scene, (i, j, k, cell) => {
    for (const axis of [0, 2] as const) {
      if (!isOpen(scene, floors, axis, i, j, k)) continue;
      const [x, z] = [axis === 0 ? i : i + 0.5, axis === 2 ? k : k + 0.5];
      wind[axis * cells + cell] = prevailingWind(scene, weather, axis, x, z);
    }
  });
  return wind;
}
