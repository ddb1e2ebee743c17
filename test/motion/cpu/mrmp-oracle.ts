// The multiresolution multi-predictor search of one block, written from its definition.
import { penaltyTable } from '../../../src/motion/cost.js';
import type { EstimateRequest, EstimatorParameters, LumaPicture } from '../../../src/motion/estimator.js';
import { mrmpSettings } from '../../../src/motion/mrmp-settings.js';
import { type CostedVector, compareVectors } from '../vector-order.js';

/** Multiresolution multi-predictor search of one block, written from its definition with sets and sorting. */
export function mrmpBlock(parameters: EstimatorParameters, request: EstimateRequest, block: number): CostedVector[] {
  const settings = mrmpSettings(parameters);
  const currents = pyramid(request.current, settings.levels);
  const references = pyramid(request.reference, settings.levels);
  const penalties = penaltyTable(parameters, 2 * Math.max(parameters.width, parameters.height));
  const columns = parameters.width / parameters.blockSize;
  let kept: CostedVector[] = [];
  for (let level = settings.levels - 1; level >= 0; level--) {
    const size = parameters.blockSize >> level;
    const current = currents[level];
    const reference = references[level];
    const x = (block % columns) * size;
    const y = Math.floor(block / columns) * size;
    const range = settings.rangeAt(level, parameters.width, parameters.height);
    const tried = new Map<string, CostedVector>();
    const attempt = (dx: number, dy: number): void => {
      if (Math.abs(dx) > range.x || Math.abs(dy) > range.y || x + dx < 0 || y + dy < 0) return;
      if (x + dx + size > current.width || y + dy + size > current.height) return;
      let sum = 0;
      for (let j = 0; j < size; j++) {
        for (let i = 0; i < size; i++) {
          const a = current.pels[(y + j) * current.width + x + i];
          const b = reference.pels[(y + dy + j) * current.width + x + dx + i];
          sum += parameters.metric === 'sad' ? Math.abs(a - b) : (a - b) ** 2;
        }
      }
      const penalty = penalties[Math.abs(dx) << level] + penalties[Math.abs(dy) << level];
      tried.set(`${dx},${dy}`, { dx, dy, cost: sum + Math.floor(penalty / 4 ** level) });
    };
    if (level === settings.levels - 1) {
      for (let dy = -range.y; dy <= range.y; dy++) for (let dx = -range.x; dx <= range.x; dx++) attempt(dx, dy);
    } else {
      for (const { dx: keptDx, dy: keptDy } of kept) {
        for (let j = -settings.radius; j <= settings.radius; j++) {
          for (let i = -settings.radius; i <= settings.radius; i++) attempt(2 * keptDx + i, 2 * keptDy + j);
        }
      }
    }
    const most = level === 0 ? parameters.candidatesPerBlock : settings.predictors;
    kept = [...tried.values()].sort(compareVectors).slice(0, most);
  }
  return kept;
}

interface Plane {
  readonly width: number;
  readonly height: number;
  readonly pels: ArrayLike<number>;
}

/** All levels of a picture, the full resolution first. */
export function pyramid(picture: LumaPicture, levels: number): Plane[] {
  const planes: Plane[] = [picture];
  while (planes.length < levels) planes.push(halve(planes.at(-1)!));
  return planes;
}

function halve({ width, height, pels }: Plane): Plane {
  const at = (x: number, y: number) =>
    pels[Math.min(Math.max(y, 0), height - 1) * width + Math.min(Math.max(x, 0), width - 1)];
  const row = (x: number, y: number) => at(x - 1, y) + 3 * at(x, y) + 3 * at(x + 1, y) + at(x + 2, y);
  const half = new Uint8Array((width / 2) * (height / 2));
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const sum = row(x, y - 1) + 3 * row(x, y) + 3 * row(x, y + 1) + row(x, y + 2);
      half[(y / 2) * (width / 2) + x / 2] = Math.floor((sum + 32) / 64);
    }
  }
  return { width: width / 2, height: height / 2, pels: half };
}
