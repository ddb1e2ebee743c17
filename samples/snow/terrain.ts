// The terrain: hills from a seed, which lie under the snow and in the way of the wind.
import { Random } from '../random.js';
import type { SnowScene } from './scene.js';
import { wave } from './wave.js';

/** Hills per film. */
const HILLS = 9;

interface Hill {
  readonly x: number;
  readonly z: number;
  readonly radius: number;
  readonly height: number;
}

/**
 * Height of the terrain in cells, a value per column, row by row along x. It goes on across the sides, where the flakes
 * do, and leaves the camera's view free.
 */
export function makeTerrain(scene: SnowScene): Float32Array {
  const { columnsX, columnsZ, gridX, gridY, gridZ, seed } = scene;
  const random = new Random(seed, 60);
  const side = Math.min(gridX, gridZ);
  const hills = Array.from({ length: HILLS }, (): Hill => {
    const radius = side * random.fraction(0.12, 0.3);
    return {
      x: random.fraction(0, gridX),
      z: gridZ * random.fraction(0.35, 0.85),
      radius,
      height: Math.min(0.3 * gridY, radius) * random.fraction(0.5, 1),
    };
  });
  const turns = random.fraction(0, 1);
  return Float32Array.from({ length: columnsX * columnsZ }, (_, column) => {
    const x = (((column % columnsX) + 0.5) / columnsX) * gridX;
    const z = ((Math.floor(column / columnsX) + 0.5) / columnsZ) * gridZ;
    const rolling = 1 + wave((2 * x) / gridX + wave(z / gridZ + turns) / 4) * wave((3 * z) / gridZ + turns);
    const highest = hills.reduce((height, hill) => Math.max(height, heightOf(hill, x, z, gridX, gridZ)), 0);
    return 0.03 * gridY * rolling + highest;
  });
}

/** A round hill that ends at its radius, without an edge. */
function heightOf(hill: Hill, x: number, z: number, gridX: number, gridZ: number): number {
  const dx = shortest(x - hill.x, gridX);
  const dz = shortest(z - hill.z, gridZ);
  const rest = Math.max(0, 1 - (dx * dx + dz * dz) / (hill.radius * hill.radius));
  return hill.height * rest * rest;
}

/** A distance along an axis that is closed to a ring. */
function shortest(distance: number, length: number): number {
  return distance - length * Math.round(distance / length);
}
