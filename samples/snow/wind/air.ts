// The air: its grid of cells, what is known at their faces and middles, and reading between them.
import type { SnowScene } from '../scene.js';

/**
 * The air of one moment. A cell (i, j, k) has the index i + gridX * (j + gridY * k). Its faces towards lower x, y and z
 * carry the three components of the wind, so that what flows out of a cell flows into its neighbour:
 *
 *        +---- y of cell j + 1 ----+
 *        |                         |
 *     x of cell i    pressure    x of cell i + 1
 *        |                         |
 *        +------ y of cell j ------+
 *
 * The air is closed to a ring along x and z. No wind goes through the ground and through the lid above the last cells.
 */
export interface Air {
  /** Three planes, of x, y and z, in cells per second. */
  readonly wind: Float32Array;
  /** How many cells the ground fills, see `floorsOf`. */
  readonly floors: Uint32Array;
}

/** The axes; each is the number of its plane. */
export const AXES = [0, 1, 2] as const;
export type Axis = (typeof AXES)[number];

/** Cells of the air. */
export function cellCount({ gridX, gridY, gridZ }: SnowScene): number {
  return gridX * gridY * gridZ;
}

/** The index of a cell; along x and z, those outside are those at the other side. `j` is 0..gridY - 1. */
export function cellAt({ gridX, gridY, gridZ }: SnowScene, i: number, j: number, k: number): number {
  return ((i + gridX) % gridX) + gridX * (j + gridY * ((k + gridZ) % gridZ));
}

/** Whether a cell holds air: it is none of the ground's, and lies under the lid. */
export function isAir(scene: SnowScene, floors: Uint32Array, i: number, j: number, k: number): boolean {
  const { gridX, gridY, gridZ } = scene;
  const floor = floors[((i + gridX) % gridX) + gridX * ((k + gridZ) % gridZ)];
  return j >= floor && j >= 0 && j < gridY;
}

/** Whether wind can go through the face of a cell towards lower values of an axis. */
export function isOpen(scene: SnowScene, floors: Uint32Array, axis: Axis, i: number, j: number, k: number): boolean {
  const [di, dj, dk] = [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0];
  return isAir(scene, floors, i, j, k) && isAir(scene, floors, i - di, j - dj, k - dk);
}

/** Calls `visit` with each cell in the order of the indexes. */
export function forEachCell(
  { gridX, gridY, gridZ }: SnowScene,
  visit: (i: number, j: number, k: number, cell: number) => void,
): void {
  let cell = 0;
  for (let k = 0; k < gridZ; k++) {
    for (let j = 0; j < gridY; j++) for (let i = 0; i < gridX; i++) visit(i, j, k, cell++);
  }
}

/** One component of the wind at a point, linear between the eight nearest faces. */
export function windAlong(scene: SnowScene, wind: Float32Array, axis: Axis, x: number, y: number, z: number): number {
  // Faces lie at whole numbers along their own axis, and halfway along the others.
  const fromX = axis === 0 ? x : x - 0.5;
  const fromY = axis === 1 ? y : y - 0.5;
  const fromZ = axis === 2 ? z : z - 0.5;
  const [i, j, k] = [Math.floor(fromX), Math.floor(fromY), Math.floor(fromZ)];
  const [shareX, shareY, shareZ] = [fromX - i, fromY - j, fromZ - k];
  const row = (dj: number, dk: number) =>
    mix(faceWind(scene, wind, axis, i, j + dj, k + dk), faceWind(scene, wind, axis, i + 1, j + dj, k + dk), shareX);
  return mix(mix(row(0, 0), row(1, 0), shareY), mix(row(0, 1), row(1, 1), shareY), shareZ);
}

/** The wind of a face near the grid. Above and below it, the wind along x and z goes on, that along y is none. */
function faceWind(scene: SnowScene, wind: Float32Array, axis: Axis, i: number, j: number, k: number): number {
  const { gridY } = scene;
  if (axis === 1 && (j < 0 || j >= gridY)) return 0;
  return wind[axis * cellCount(scene) + cellAt(scene, i, Math.min(gridY - 1, Math.max(0, j)), k)];
}

function mix(a: number, b: number, share: number): number {
  return a + (b - a) * share;
}
