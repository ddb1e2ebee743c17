// The snow simulator in readable code: the definition of what the shaders do.
import type { Frame } from '../../src/picture/frame.js';
import { type Flakes, moveFlakes, startFlakes } from './flakes.js';
import { floorsOf, type Ground, settleSnow } from './ground.js';
import { drawPicture } from './picture/draw-picture.js';
import { frameOfPlanes } from './picture/frame-of-planes.js';
import { sortEntries, type TileEntries, tileEntries } from './picture/tile-entries.js';
import type { SnowScene } from './scene.js';
import { makeTerrain } from './terrain.js';
import { advectWind } from './wind/advection.js';
import { cellCount } from './wind/air.js';
import { divergenceOf } from './wind/divergence.js';
import { relaxPressure } from './wind/pressure.js';
import { startWind, weatherOf } from './wind/prevailing-wind.js';
import { projectWind } from './wind/projection.js';

/** A film of snow, step by step. It is slow, and meant for small scenes. */
export class ReadableSnow {
  readonly terrain: Float32Array;
  readonly flakes: Flakes;
  /** Flakes that have landed in the last step, by column. */
  readonly landed: Uint32Array;
  readonly pressure: Float32Array;
  ground: Ground;
  floors: Uint32Array;
  wind: Float32Array;
  #step = 0;

  constructor(readonly scene: SnowScene) {
    const columns = scene.columnsX * scene.columnsZ;
    this.terrain = makeTerrain(scene);
    this.landed = new Uint32Array(columns);
    this.ground = settleSnow(scene, this.terrain, new Uint32Array(columns), this.landed);
    this.floors = floorsOf(scene, this.ground.heights);
    this.flakes = startFlakes(scene, this.ground.heights);
    this.pressure = new Float32Array(cellCount(scene));
    this.wind = startWind(scene, this.floors);
  }

  /** Advances by one step: the ground, then the wind above it, then the flakes. */
  step(): void {
    const { scene, terrain, ground, landed } = this;
    this.ground = settleSnow(scene, terrain, ground.snow, landed);
    this.floors = floorsOf(scene, this.ground.heights);
    this.wind = advectWind(scene, this, weatherOf(scene, this.#step++));
    relaxPressure(scene, this.floors, divergenceOf(scene, this), this.pressure);
    projectWind(scene, this.wind, this.floors, this.pressure);
    landed.fill(0);
    moveFlakes(scene, this.flakes, this.wind, this.ground.heights, landed);
  }

  /** The flakes of each tile of the picture, from back to front. */
  sortedEntries(): TileEntries {
    return sortEntries(tileEntries(this.scene, this.flakes));
  }

  /** The planes of the picture of this moment, see `drawPicture`. */
  drawPlanes(): Uint8Array {
    const { scene, terrain, flakes, ground } = this;
    return drawPicture(scene, { terrain, heights: ground.heights }, flakes, this.sortedEntries());
  }

  /** The picture of this moment. */
  draw(): Frame {
    return frameOfPlanes(this.scene, this.drawPlanes());
  }
}
