// The predictive search of a whole picture, written from its description with sets and sorting.
import { componentBits, searchFCode } from '../../../src/motion/cost.js';
import type { EstimateRequest, EstimatorParameters } from '../../../src/motion/estimator.js';
import { type CostedVector, compareVectors } from '../vector-order.js';
import { pyramid } from './mrmp-oracle.js';

/** One level of the search. */
interface Level {
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly range: { readonly x: number; readonly y: number };
  readonly lambda: number;
  readonly fCode: number;
  readonly metric: EstimatorParameters['metric'];
  readonly current: ArrayLike<number>;
  readonly reference: ArrayLike<number>;
}

/** The vectors tried for a block, without repetition. */
class Tried {
  readonly #vectors = new Map<string, CostedVector>();

  constructor(
    readonly level: Level,
    readonly x: number,
    readonly y: number,
  ) {}

  attempt(dx: number, dy: number): void {
    const { width, height, size, range, lambda, fCode, metric, current, reference } = this.level;
    const { x, y } = this;
    if (Math.abs(dx) > range.x || Math.abs(dy) > range.y || x + dx < 0 || y + dy < 0) return;
    if (x + dx + size > width || y + dy + size > height) return;
    let cost = Math.round(lambda * componentBits(dx, fCode)) + Math.round(lambda * componentBits(dy, fCode));
    for (let j = 0; j < size; j++) {
      for (let i = 0; i < size; i++) {
        const difference = current[(y + j) * width + x + i] - reference[(y + dy + j) * width + x + dx + i];
        cost += metric === 'sad' ? Math.abs(difference) : difference ** 2;
      }
    }
    // `+ 0` makes 0 of -0.
    this.#vectors.set(`${dx + 0},${dy + 0}`, { dx: dx + 0, dy: dy + 0, cost });
  }

  best(most: number): CostedVector[] {
    return [...this.#vectors.values()].sort(compareVectors).slice(0, most);
  }
}

/** The best K vectors of each block; fewer where fewer were tried. */
export function predictiveBlocks(parameters: EstimatorParameters, request: EstimateRequest): CostedVector[][] {
  const { width, height, blockSize, metric, range, candidatesPerBlock, lambda } = parameters;
  const currents = pyramid(request.current, 2);
  const references = pyramid(request.reference, 2);
  const wide = range === 'picture' ? { x: width, y: height } : range;
  const full: Level = {
    ...{ width, height, size: blockSize, range: wide, lambda, metric, fCode: searchFCode(parameters) },
    current: currents[0].pels,
    reference: references[0].pels,
  };
  const halfRange = { x: Math.ceil(wide.x / 2), y: Math.ceil(wide.y / 2) };
  const halfArea = { width: width / 2, height: height / 2, blockSize: blockSize / 2 };
  const half: Level = {
    ...{ width: width / 2, height: height / 2, size: blockSize / 2, range: halfRange, metric },
    lambda: metric === 'sad' ? 8 : 64,
    fCode: searchFCode({ ...halfArea, range: range === 'picture' ? range : halfRange }),
    current: currents[1].pels,
    reference: references[1].pels,
  };
  const columns = width / blockSize;
  const placeOf = (block: number, size: number) => [(block % columns) * size, Math.floor(block / columns) * size];

  const coarse: CostedVector[][] = [];
  for (let block = 0; block < columns * (height / blockSize); block++) {
    const [x, y] = placeOf(block, half.size);
    const tried = new Tried(half, x, y);
    tried.attempt(0, 0);
    const hasLeft = block % columns > 0;
    const hasAbove = block >= columns;
    const hasRight = block % columns < columns - 1;
    const neighbours = [
      ...(hasLeft ? [block - 1] : []),
      ...(hasAbove ? [block - columns] : []),
      ...(hasAbove && hasRight ? [block - columns + 1] : []),
    ];
    for (const neighbour of neighbours) tried.attempt(coarse[neighbour][0].dx, coarse[neighbour][0].dy);
    const { start } = request;
    if (start) tried.attempt(Math.round(start.dx[block] / 2), Math.round(start.dy[block] / 2));
    descend(tried, start ? 4 : 16);
    coarse.push(tried.best(Math.min(2, candidatesPerBlock)));
  }

  return coarse.map((kept, block) => {
    const [x, y] = placeOf(block, blockSize);
    const tried = new Tried(full, x, y);
    for (const { dx, dy } of kept) {
      for (let j = -1; j <= 1; j++) for (let i = -1; i <= 1; i++) tried.attempt(2 * dx + i, 2 * dy + j);
    }
    return tried.best(candidatesPerBlock);
  });
}

/** Tries the four vectors a step away until none is better, then halves the step; at step 1 all eight, once. */
function descend(tried: Tried, firstStep: number): void {
  for (let step = firstStep; step > 1; ) {
    const [{ dx, dy }] = tried.best(1);
    for (const [i, j] of [
      [0, -step],
      [-step, 0],
      [step, 0],
      [0, step],
    ]) {
      tried.attempt(dx + i, dy + j);
    }
    const [moved] = tried.best(1);
    if (moved.dx === dx && moved.dy === dy) step /= 2;
  }
  const [{ dx, dy }] = tried.best(1);
  for (let j = -1; j <= 1; j++) for (let i = -1; i <= 1; i++) tried.attempt(dx + i, dy + j);
}
