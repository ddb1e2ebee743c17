// Rate-distortion optimal quantization of a block by dynamic programming over its run/level pairs.
import { END_OF_BLOCK } from '../bitstream/tables/block-codes.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import { type BlockCost, type BlockPlaces, BlockQuantizer } from './quantize.js';
import { SCAN } from './scan.js';

/**
 * A coefficient that may be coded: its level and the one below (0: there is none), with the change of distortion of
 * each.
 */
export interface TrellisCoefficient {
  /** Scan position. */
  readonly position: number;
  readonly level: number;
  /** Squared error with `level` less squared error without the coefficient. */
  readonly distortion: number;
  readonly lower: number;
  readonly lowerDistortion: number;
}

/** The best way to end with a coefficient. */
interface Path {
  readonly position: number;
  readonly level: number;
  readonly cost: number;
  readonly before: Path | undefined;
}

/**
 * The level magnitudes of a block, by scan position, that minimize distortion + lambda * bits. `bits(run, level)` is
 * the length of a pair; `first` is the scan position where runs begin: 0, or 1 in intra blocks. The first found of
 * equals stays: higher levels before lower ones, older predecessors before newer ones, the empty block before all.
 */
export function chooseLevels(
  coefficients: readonly TrellisCoefficient[],
  bits: (run: number, level: number) => number,
  first: 0 | 1,
  lambda: number,
): Uint8Array {
  const endOfBlock = lambda * END_OF_BLOCK.length;
  let best: Path | undefined;
  // In a non-intra block without coefficients there is no end_of_block either.
  let minCost = first === 1 ? endOfBlock : 0;
  const start: Path = { position: first - 1, level: 0, cost: 0, before: undefined };
  let survivors: Path[] = [start];
  for (const coefficient of coefficients) {
    let path: Path | undefined;
    for (const [level, distortion] of [
      [coefficient.level, coefficient.distortion],
      [coefficient.lower, coefficient.lowerDistortion],
    ] as const) {
      if (level === 0) continue;
      for (const before of survivors) {
        const run = coefficient.position - before.position - 1;
        // dct_coeff_first has a shorter code for run 0, level 1.
        const length = bits(run, level) - (coefficient.position === 0 && level === 1 ? 1 : 0);
        const cost = before.cost + distortion + lambda * length;
        if (path === undefined || cost < path.cost) path = { position: coefficient.position, level, cost, before };
      }
    }
    if (path === undefined) continue;
    const found = path;
    survivors = survivors.filter(other => other.cost < found.cost);
    survivors.push(found);
    if (found.cost + endOfBlock < minCost) {
      minCost = found.cost + endOfBlock;
      best = found;
    }
  }
  const magnitudes = new Uint8Array(64);
  for (let path = best; path !== undefined && path.before !== undefined; path = path.before) {
    magnitudes[path.position] = path.level;
  }
  return magnitudes;
}

/** Quantizes a block with the levels that the trellis chooses; `lambda` is a whole number. */
export function quantizeBlockByTrellis(
  memory: KernelMemory,
  places: BlockPlaces,
  intra: boolean,
  lambda: number,
): BlockCost {
  const quantizer = new BlockQuantizer(memory, places, intra);
  const distortionOf = (place: number, level: number): number => {
    const magnitude = Math.abs(quantizer.coefficient(place));
    const error = magnitude - 8 * quantizer.reconstructedMagnitude(level, place);
    return error * error - magnitude * magnitude;
  };
  const first = intra ? 1 : 0;
  const candidates: TrellisCoefficient[] = [];
  for (let position: number = first; position < 64; position++) {
    const place = SCAN[position];
    const level = quantizer.levelMagnitude(place);
    if (level === 0) continue;
    const lower = level > 1 && quantizer.reconstructedMagnitude(level - 1, place) > 0 ? level - 1 : 0;
    const [distortion, lowerDistortion] = [distortionOf(place, level), distortionOf(place, lower)];
    candidates.push({ position, level, distortion, lower, lowerDistortion });
  }
  return quantizer.store(chooseLevels(candidates, (run, level) => quantizer.runLevelBits(run, level), first, lambda));
}
