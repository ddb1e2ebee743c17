// Makes the textures of scenes: noise and shapes that look natural.
import { hash, Random } from './random.js';

/** A square 4:2:0 picture that repeats beyond its edges. Pels are 16..235. */
export interface Texture {
  /** Side of the luma plane in pels, a power of two; chroma planes have half of it. */
  readonly side: number;
  readonly y: Uint8Array;
  readonly u: Uint8Array;
  readonly v: Uint8Array;
}

/** Luma pels of the texture per shape. */
const AREA_PER_SHAPE = 9500;

/**
 * A plane while it is painted. Its values are equal on every machine: IEEE 754 defines plus, minus and times exactly.
 */
interface Canvas {
  readonly values: Float64Array;
  readonly side: number;
}

/**
 * A natural-looking texture: octaves of smooth noise with less amplitude in smaller cells, about as in photographs, and
 * discs, rings and boxes, plain or striped, through which some noise shows. Its side is the power of two from 256 to
 * 2048 that holds `length` pels: a picture up to that size shows nothing twice.
 */
export function makeTexture(seed: number, length: number): Texture {
  let side = 256;
  while (side < length && side < 2048) side *= 2;
  const y = noiseCanvas(side, seed, 1, 118, [
    [256, 30],
    [128, 26],
    [64, 20],
    [32, 15],
    [16, 11],
    [8, 9],
    [4, 8],
    [2, 5],
  ]);
  const u = noiseCanvas(side / 2, seed, 2, 124, [
    [128, 18],
    [64, 10],
    [16, 4],
  ]);
  const v = noiseCanvas(side / 2, seed, 3, 132, [
    [128, 18],
    [64, 10],
    [16, 4],
  ]);
  const random = new Random(seed, 4);
  for (let i = 0; i < (side * side) / AREA_PER_SHAPE; i++) {
    const shape = randomShape(random, side);
    paint(y, shape, 1, random.integer(30, 220), random.integer(0, 1) * random.integer(15, 50));
    paint(u, shape, 2, random.integer(80, 176), 0);
    paint(v, shape, 2, random.integer(80, 176), 0);
  }
  return { side, y: toPels(y), u: toPels(u), v: toPels(v) };
}

/** A plane of noise. `octaves` are pairs of cell side (a power of two) and amplitude in pel values. */
function noiseCanvas(side: number, seed: number, stream: number, mean: number, octaves: [number, number][]): Canvas {
  const values = new Float64Array(side * side).fill(mean);
  for (const [cell, amplitude] of octaves) addOctave({ values, side }, cell, amplitude, hash(seed, stream, cell));
  return { values, side };
}

/**
 * Adds noise: a random value from -amplitude to amplitude at each lattice point, smoothly interpolated between them.
 */
function addOctave(canvas: Canvas, cell: number, amplitude: number, seed: number): void {
  const { values, side } = canvas;
  const cells = side / cell;
  const lattice = new Float64Array(cells * cells);
  for (let i = 0; i < lattice.length; i++) lattice[i] = (hash(seed, i, 0) / 2147483648 - 1) * amplitude;
  const blend = Float64Array.from({ length: cell }, (_, i) => (i / cell) * (i / cell) * (3 - (2 * i) / cell));
  for (let y = 0; y < side; y++) {
    const above = Math.floor(y / cell) * cells;
    const below = (above + cells) % lattice.length;
    const down = blend[y % cell];
    for (let column = 0; column < cells; column++) {
      const next = (column + 1) % cells;
      const left = lattice[above + column] + (lattice[below + column] - lattice[above + column]) * down;
      const right = lattice[above + next] + (lattice[below + next] - lattice[above + next]) * down;
      const at = y * side + column * cell;
      const slope = right - left;
      for (let x = 0; x < cell; x++) values[at + x] += left + slope * blend[x];
    }
  }
}

interface Shape {
  readonly kind: (typeof SHAPE_KINDS)[number];
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly stripePeriod: number;
  readonly stripeSlope: number;
}

const SHAPE_KINDS = ['disc', 'ring', 'box'] as const;

function randomShape(random: Random, side: number): Shape {
  const halfWidth = random.integer(8, 24) * random.integer(1, 3);
  return {
    kind: SHAPE_KINDS[random.integer(0, SHAPE_KINDS.length - 1)],
    x: random.integer(0, side - 1),
    y: random.integer(0, side - 1),
    halfWidth,
    halfHeight: random.integer(0, 1) === 0 ? halfWidth : random.integer(8, 60),
    stripePeriod: random.integer(5, 18),
    stripeSlope: random.integer(-3, 3),
  };
}

/** Share of the background noise that shows through a shape. */
const SHOW_THROUGH = 0.45;

/** Paints a shape, given in luma pels, on a canvas with one value per `step` luma pels. Edges are one pel wide. */
function paint(canvas: Canvas, shape: Shape, step: 1 | 2, value: number, stripe: number): void {
  const { values, side } = canvas;
  const reachX = Math.ceil(shape.halfWidth / step) + 1;
  const reachY = Math.ceil(shape.halfHeight / step) + 1;
  const centreX = Math.floor(shape.x / step);
  const centreY = Math.floor(shape.y / step);
  for (let dy = -reachY; dy <= reachY; dy++) {
    const row = ((centreY + dy) & (side - 1)) * side;
    for (let dx = -reachX; dx <= reachX; dx++) {
      const coverage = Math.min(1, Math.max(0, 0.5 - edgeDistance(shape, dx * step, dy * step) / step));
      if (coverage === 0) continue;
      const at = row + ((centreX + dx) & (side - 1));
      const phase = (4 * dx + shape.stripeSlope * dy + 4096 * shape.stripePeriod) % (4 * shape.stripePeriod);
      const shade = phase < 2 * shape.stripePeriod ? stripe : -stripe;
      const painted = value + shade + (values[at] - 124) * SHOW_THROUGH;
      values[at] += (painted - values[at]) * coverage;
    }
  }
}

/** Distance in luma pels of a point (relative to the centre) from the shape's edge, negative inside. */
function edgeDistance(shape: Shape, dx: number, dy: number): number {
  if (shape.kind === 'box') return Math.max(Math.abs(dx) - shape.halfWidth, Math.abs(dy) - shape.halfHeight);
  const radius = Math.min(shape.halfWidth, shape.halfHeight);
  const distance = Math.sqrt(dx * dx + dy * dy) - radius;
  return shape.kind === 'disc' ? distance : Math.max(distance, radius * -0.35 - distance);
}

function toPels(canvas: Canvas): Uint8Array {
  const { values } = canvas;
  const pels = new Uint8Array(values.length);
  for (let i = 0; i < pels.length; i++) pels[i] = Math.min(235, Math.max(16, Math.floor(values[i]! + 0.5)));
  return pels;
}
