// What a film of snow is made of: sizes, the seed, and the numbers that the readable code and the shaders share.

/** What may be chosen. */
export interface SnowOptions {
  /** Size of the pictures in pels, 1..4095 each. */
  readonly width: number;
  readonly height: number;
  /** 0..2^32-1. */
  readonly seed: number;
  /** Flakes in the air, 1..2^23; default 2^18. */
  readonly flakes?: number;
  /** Size of the air in cells of a metre; `x` and `z` are even. Default 128 x 32 x 128; `y` is the height. */
  readonly grid?: { readonly x: number; readonly y: number; readonly z: number };
  /** Pictures per second of the film's own time; default 25. */
  readonly rate?: number;
  /** Iterations of the pressure per step, 1..1000; default 30. */
  readonly iterations?: number;
}

/**
 * The numbers of a film. Shaders have each as an `override` constant of the same name in capitals. Lengths in the air
 * are in cells, times in seconds, lengths in the picture in pels.
 */
export interface SceneNumbers {
  readonly width: number;
  readonly height: number;
  /** Size of the planes: whole macroblocks, as the encoder's pictures have. */
  readonly codedWidth: number;
  readonly codedHeight: number;
  readonly tilesX: number;
  readonly tilesY: number;
  readonly seed: number;
  readonly flakes: number;
  readonly gridX: number;
  readonly gridY: number;
  readonly gridZ: number;
  /** Size of the ground in columns. */
  readonly columnsX: number;
  readonly columnsZ: number;
  readonly stepSeconds: number;
  /** How fast the air takes on the prevailing wind, per second. */
  readonly drive: number;
  /** Cells per second and second. */
  readonly gravity: number;
  /** The least turn of a flake in a step, in 2^-32 of a whole turn. */
  readonly turnStep: number;
  /** Height of a unit of snow on a column. */
  readonly unitHeight: number;
  /** The ground rises no higher. */
  readonly maxGround: number;
  /** Mean radius of a flake. */
  readonly flakeRadius: number;
  readonly eyeX: number;
  readonly eyeY: number;
  readonly eyeZ: number;
  /** Pels per cell at a distance of one cell. */
  readonly focal: number;
  /** The row of the horizon. */
  readonly horizon: number;
  /** Nothing is seen beyond it; it is where the fog is closed. */
  readonly far: number;
}

/** A film of snow. */
export interface SnowScene extends SceneNumbers {
  readonly iterations: number;
}

/** Columns of ground per cell and axis. */
export const COLUMNS_PER_CELL = 4;
/** Units of snow that a flake brings to the ground; smoothing moves units. */
export const UNITS_PER_FLAKE = 256;
/** Side in pels of the tiles that a picture is drawn in: one macroblock. */
export const TILE = 16;

/** With 256 threads a workgroup, one dimension of a dispatch holds them on every device. */
const MAX_FLAKES = 2 ** 23;

const GRAVITY = 9.81;
const DRIVE = 0.4;
/** Slowest rotation of a flake, in turns per second. */
const MIN_TURNS = 0.25;
/** How far the ground would rise if every flake in the air lay on it, in cells. */
const SNOW_IN_AIR = 0.5;
/**
 * The radius of a flake where there are 2^21 of them and the view is 128 cells deep. Fewer are larger, and those of a
 * view that is less deep are smaller, so that as much of the picture is snow.
 */
const RADIUS_OF_MANY = 0.02;
const MANY = 2 ** 21;
const DEPTH_OF_MANY = 128;
const MAX_RADIUS = 0.12;

/** The film that the options describe. Throws a RangeError for options out of range. */
export function snowScene(options: SnowOptions): SnowScene {
  const { width, height, seed, flakes = 2 ** 18, rate = 25, iterations = 30 } = options;
  const { grid = { x: 128, y: 32, z: 128 } } = options;
  requireInteger('width', width, 1, 4095);
  requireInteger('height', height, 1, 4095);
  requireInteger('seed', seed, 0, 0xffffffff);
  requireInteger('flakes', flakes, 1, MAX_FLAKES);
  requireInteger('iterations', iterations, 1, 1000);
  for (const axis of ['x', 'y', 'z'] as const) {
    requireInteger(`grid.${axis}`, grid[axis], 4, 256);
    if (axis !== 'y' && grid[axis] % 2 !== 0) throw new RangeError(`grid.${axis} is ${grid[axis]}; legal: even`);
  }
  if (!(rate >= 1 && rate <= 1000)) throw new RangeError(`rate is ${rate}; legal: 1..1000`);
  const columnsX = COLUMNS_PER_CELL * grid.x;
  const columnsZ = COLUMNS_PER_CELL * grid.z;
  const codedWidth = TILE * Math.ceil(width / TILE);
  const codedHeight = TILE * Math.ceil(height / TILE);
  const exact = {
    width,
    height,
    codedWidth,
    codedHeight,
    tilesX: codedWidth / TILE,
    tilesY: codedHeight / TILE,
    seed,
    flakes,
    gridX: grid.x,
    gridY: grid.y,
    gridZ: grid.z,
    columnsX,
    columnsZ,
    turnStep: Math.floor((2 ** 32 * MIN_TURNS) / rate),
  };
  const rounded = {
    stepSeconds: 1 / rate,
    drive: DRIVE,
    gravity: GRAVITY,
    unitHeight: (SNOW_IN_AIR * columnsX * columnsZ) / flakes / UNITS_PER_FLAKE,
    maxGround: 0.7 * grid.y,
    flakeRadius: Math.min(MAX_RADIUS, RADIUS_OF_MANY * Math.sqrt(MANY / flakes) * (grid.z / DEPTH_OF_MANY)),
    eyeX: grid.x / 2,
    eyeY: 0.45 * grid.y,
    eyeZ: 0,
    focal: 0.87 * width,
    horizon: 0.4 * height,
    far: grid.z,
  };
  for (const name of Object.keys(rounded) as (keyof typeof rounded)[]) rounded[name] = Math.fround(rounded[name]);
  return { ...exact, ...rounded, iterations };
}

function requireInteger(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${name} is ${value}; legal: a whole number, ${min}..${max}`);
}
