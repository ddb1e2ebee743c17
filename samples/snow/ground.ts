// The ground: it rises where flakes land, is smoothed, and stands in the way of the wind.
import { COLUMNS_PER_CELL, type SnowScene, UNITS_PER_FLAKE } from './scene.js';

/** The ground of one moment. */
export interface Ground {
  /** Snow on each column, in units of 1 / UNITS_PER_FLAKE of a flake. */
  readonly snow: Uint32Array;
  /** Terrain and snow, in cells. */
  readonly heights: Float32Array;
}

/** 1 / FLOW is the share of a difference that flows to a neighbour in a step. Four neighbours take half at most. */
const FLOW = 8;

/**
 * The ground of the next step: the flakes that have `landed` lie on their columns, then each column and its four
 * neighbours exchange a share of their difference. What one gives the other gets, in whole units: no snow is lost.
 */
export function settleSnow(scene: SnowScene, terrain: Float32Array, snow: Uint32Array, landed: Uint32Array): Ground {
  const { columnsX, columnsZ } = scene;
  const next = new Uint32Array(snow.length);
  const heights = new Float32Array(snow.length);
  const unitsAt = (x: number, z: number) => {
    const column = ((x + columnsX) % columnsX) + columnsX * ((z + columnsZ) % columnsZ);
    return snow[column] + UNITS_PER_FLAKE * landed[column];
  };
  for (let z = 0; z < columnsZ; z++) {
    for (let x = 0; x < columnsX; x++) {
      const units = unitsAt(x, z);
      const neighbours = [unitsAt(x - 1, z), unitsAt(x + 1, z), unitsAt(x, z - 1), unitsAt(x, z + 1)];
      const column = x + columnsX * z;
      next[column] = neighbours.reduce((sum, neighbour) => sum + Math.trunc((neighbour - units) / FLOW), units);
      heights[column] = Math.min(scene.maxGround, terrain[column] + Math.fround(next[column] * scene.unitHeight));
    }
  }
  return { snow: next, heights };
}

/** The column under a point; `x` and `z` lie in the grid. */
export function columnAt({ columnsX, columnsZ }: SnowScene, x: number, z: number): number {
  const columnX = Math.min(columnsX - 1, Math.floor(COLUMNS_PER_CELL * x));
  const columnZ = Math.min(columnsZ - 1, Math.floor(COLUMNS_PER_CELL * z));
  return columnX + columnsX * columnZ;
}

/**
 * How many cells of the air are filled by the ground, from below, for each pair of x and z: those whose middle lies
 * under the mean height of their columns. They are the obstacles of the wind.
 */
export function floorsOf({ gridX, gridZ, columnsX }: SnowScene, heights: Float32Array): Uint32Array {
  return Uint32Array.from({ length: gridX * gridZ }, (_, at) => {
    const first = COLUMNS_PER_CELL * ((at % gridX) + columnsX * Math.floor(at / gridX));
    let sum = 0;
    for (let z = 0; z < COLUMNS_PER_CELL; z++) {
      for (let x = 0; x < COLUMNS_PER_CELL; x++) sum = Math.fround(sum + heights[first + x + columnsX * z]);
    }
    return Math.floor(sum / COLUMNS_PER_CELL ** 2 + 0.5);
  });
}
