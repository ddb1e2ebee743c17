// The two searches as short as they can be said, and slow: what the GPU is held against, independent of the kernels.
import { penaltyTable, searchReach } from '../../src/motion/cost.js';
import type { EstimateRequest, EstimatorParameters } from '../../src/motion/estimator.js';
import { mrmpSettings } from '../../src/motion/mrmp-settings.js';
import { compareVectors } from '../motion/vector-order.js';

interface Plane {
  readonly width: number;
  readonly height: number;
  readonly pels: Uint8Array;
}

interface Vector {
  readonly dx: number;
  readonly dy: number;
}

interface Candidate extends Vector {
  readonly cost: number;
}

/** The entries of a field, one after the other: [dx, dy, cost]. */
export type FieldEntries = (readonly [number, number, number])[];

/** One level of a pair, and what a vector of it costs. */
interface Level {
  readonly current: Plane;
  readonly reference: Plane;
  readonly side: number;
  readonly reach: { readonly x: number; readonly y: number };
  readonly squared: boolean;
  readonly penalty: (vector: Vector) => number;
}

function metric({ current, reference, side, squared }: Level, x: number, y: number, { dx, dy }: Vector): number {
  let sum = 0;
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const a = current.pels[(y + row) * current.width + x + column];
      const b = reference.pels[(y + dy + row) * reference.width + x + dx + column];
      sum += squared ? (a - b) ** 2 : Math.abs(a - b);
    }
  }
  return sum;
}

/** The legal ones among `vectors`, costed, the best `keep` of them in order. */
function bestOf(level: Level, x: number, y: number, vectors: Iterable<Vector>, keep: number): Candidate[] {
  const { reach, reference, side, penalty } = level;
  const found: Candidate[] = [];
  for (const vector of vectors) {
    const { dx, dy } = vector;
    if (Math.abs(dx) > reach.x || Math.abs(dy) > reach.y) continue;
    if (x + dx < 0 || y + dy < 0 || x + dx + side > reference.width || y + dy + side > reference.height) continue;
    found.push({ dx, dy, cost: metric(level, x, y, vector) + penalty(vector) });
  }
  return found.sort(compareVectors).slice(0, keep);
}

function* vectorsAround(dx: number, dy: number, x: number, y: number): Generator<Vector> {
  for (let stepY = -y; stepY <= y; stepY++) {
    for (let stepX = -x; stepX <= x; stepX++) yield { dx: dx + stepX, dy: dy + stepY };
  }
}

function penaltyAt(parameters: EstimatorParameters, level: number): Level['penalty'] {
  const table = penaltyTable(parameters, 8192);
  return ({ dx, dy }) => (table[Math.abs(dx) << level] + table[Math.abs(dy) << level]) >>> (2 * level);
}

function fieldOf(parameters: EstimatorParameters, search: (x: number, y: number) => Candidate[]): FieldEntries {
  const { width, height, blockSize, candidatesPerBlock } = parameters;
  const field: FieldEntries = [];
  for (let y = 0; y < height; y += blockSize) {
    for (let x = 0; x < width; x += blockSize) {
      const found = search(x, y);
      for (let k = 0; k < candidatesPerBlock; k++) {
        const { dx, dy, cost } = found[Math.min(k, found.length - 1)];
        field.push([dx, dy, cost]);
      }
    }
  }
  return field;
}

/** What `cpu-full` and `gpu-full` must answer. */
export function exhaustiveField(
  { current, reference }: EstimateRequest,
  parameters: EstimatorParameters,
): FieldEntries {
  const { blockSize: side, candidatesPerBlock } = parameters;
  const reach = searchReach(parameters);
  const squared = parameters.metric === 'sse';
  const level: Level = { current, reference, side, reach, squared, penalty: penaltyAt(parameters, 0) };
  return fieldOf(parameters, (x, y) => bestOf(level, x, y, vectorsAround(0, 0, reach.x, reach.y), candidatesPerBlock));
}

/** Half the resolution: the filter (1, 3, 3, 1) / 8 along both axes at the centres of 2x2 pels, edges repeated. */
function halved({ width, height, pels }: Plane): Plane {
  const weights = [1, 3, 3, 1];
  const at = (x: number, y: number) =>
    pels[Math.min(Math.max(y, 0), height - 1) * width + Math.min(Math.max(x, 0), width - 1)];
  const half = { width: width / 2, height: height / 2, pels: new Uint8Array((width * height) / 4) };
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      let sum = 32;
      weights.forEach((wy, j) => {
        weights.forEach((wx, i) => {
          sum += wx * wy * at(2 * x - 1 + i, 2 * y - 1 + j);
        });
      });
      half.pels[y * half.width + x] = sum >> 6;
    }
  }
  return half;
}

/** What `cpu-mrmp` and `gpu-mrmp` must answer. */
export function mrmpField(request: EstimateRequest, parameters: EstimatorParameters): FieldEntries {
  const { width, height, blockSize, candidatesPerBlock } = parameters;
  const settings = mrmpSettings(parameters);
  const squared = parameters.metric === 'sse';
  const levels: Level[] = [];
  for (let index = 0; index < settings.levels; index++) {
    const finer = levels[index - 1];
    levels.push({
      current: finer ? halved(finer.current) : request.current,
      reference: finer ? halved(finer.reference) : request.reference,
      side: blockSize >> index,
      reach: settings.rangeAt(index, width, height),
      squared,
      penalty: penaltyAt(parameters, index),
    });
  }
  return fieldOf(parameters, (x, y) => {
    let kept: Candidate[] = [];
    for (let index = levels.length - 1; index >= 0; index--) {
      const level = levels[index];
      const { reach } = level;
      const inX = Math.min(reach.x, level.current.width);
      const inY = Math.min(reach.y, level.current.height);
      const tried = new Map<string, Vector>();
      const centres =
        index === levels.length - 1
          ? [vectorsAround(0, 0, inX, inY)]
          : kept.map(({ dx, dy }) => vectorsAround(2 * dx, 2 * dy, settings.radius, settings.radius));
      for (const vectors of centres) for (const vector of vectors) tried.set(`${vector.dx},${vector.dy}`, vector);
      const keep = index === 0 ? candidatesPerBlock : settings.predictors;
      kept = bestOf(level, x >> index, y >> index, tried.values(), keep);
    }
    return kept;
  });
}
