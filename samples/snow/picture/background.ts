// What lies behind the flakes: the ground, found by a ray from the camera, and the sky.
import { hash } from '../../random.js';
import { columnAt } from '../ground.js';
import { COLUMNS_PER_CELL, type SnowScene } from '../scene.js';
import { type Colour, mixColours, PALETTE } from './colours.js';

/** The ground as it is drawn. */
export interface Landscape {
  readonly terrain: Float32Array;
  /** Terrain and snow. */
  readonly heights: Float32Array;
}

/** What a ray meets. */
export interface RayEnd {
  readonly colour: Colour;
  /** In cells; flakes beyond it are hidden. */
  readonly distance: number;
}

/** A ray advances by this share of its distance, from its first distance on. */
const STEP = 0.06;
const FIRST = 1;
/** Snow of this height hides the rock, in cells. */
const COVER = 0.12;
/** How far slopes are measured, in cells. */
const SLOPE_REACH = 0.5;

/** What the ray through a point of the picture meets; (x, y) in pels. */
export function castRay(scene: SnowScene, landscape: Landscape, x: number, y: number): RayEnd {
  const across = (x - 0.5 * scene.width) / scene.focal;
  const up = (scene.horizon - y) / scene.focal;
  const { heights, terrain } = landscape;
  const rise = (distance: number) =>
    scene.eyeY + up * distance - heightAt(scene, heights, scene.eyeX + across * distance, scene.eyeZ + distance);
  let near = FIRST;
  let above = rise(near);
  while (near < scene.far && scene.eyeY + up * near <= scene.gridY) {
    const distance = near * (1 + STEP);
    const next = rise(distance);
    if (next > 0) {
      near = distance;
      above = next;
      continue;
    }
    const hit = near + (distance - near) * (above / (above - next));
    if (hit >= scene.far) break;
    const [groundX, groundZ] = [scene.eyeX + across * hit, scene.eyeZ + hit];
    const haze = hit / scene.far;
    const colour = mixColours(groundColour(scene, heights, terrain, groundX, groundZ), PALETTE.fog, haze * haze);
    return { colour, distance: hit };
  }
  return { colour: mixColours(PALETTE.fog, PALETTE.sky, clamp(2 * up)), distance: scene.far };
}

function groundColour(scene: SnowScene, heights: Float32Array, terrain: Float32Array, x: number, z: number): Colour {
  const slope = (dx: number, dz: number) =>
    heightAt(scene, heights, x + dx, z + dz) - heightAt(scene, heights, x - dx, z - dz);
  const light = clamp(0.65 - 0.5 * slope(SLOPE_REACH, 0) + 0.2 * slope(0, SLOPE_REACH));
  const cover = clamp((heightAt(scene, heights, x, z) - heightAt(scene, terrain, x, z)) / COVER);
  const column = columnAt(scene, wrapped(x, scene.gridX), wrapped(z, scene.gridZ));
  const grain = (hash(scene.seed, column, 62) >>> 8) / 2 ** 24;
  const rock = mixColours([0, 0, 0], PALETTE.rock, (0.6 + 0.8 * grain) * (0.4 + light));
  return mixColours(rock, mixColours(PALETTE.shadedSnow, PALETTE.litSnow, light), cover);
}

/** A height anywhere, linear between the middles of the four nearest columns. The ground is a ring along both axes. */
function heightAt({ columnsX, columnsZ }: SnowScene, heights: Float32Array, x: number, z: number): number {
  const fromX = COLUMNS_PER_CELL * x - 0.5;
  const fromZ = COLUMNS_PER_CELL * z - 0.5;
  const [columnX, columnZ] = [Math.floor(fromX), Math.floor(fromZ)];
  const at = (dx: number, dz: number) =>
    heights[modulo(columnX + dx, columnsX) + columnsX * modulo(columnZ + dz, columnsZ)];
  const near = at(0, 0) + (at(1, 0) - at(0, 0)) * (fromX - columnX);
  const far = at(0, 1) + (at(1, 1) - at(0, 1)) * (fromX - columnX);
  return near + (far - near) * (fromZ - columnZ);
}

function wrapped(place: number, length: number): number {
  return Math.max(0, place - length * Math.floor(place / length));
}

function modulo(value: number, length: number): number {
  return ((value % length) + length) % length;
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
