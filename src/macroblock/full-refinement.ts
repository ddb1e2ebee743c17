// Refines the vectors of the best mode by what they really cost: each is coded in full.
import { MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_FORWARD } from '../bitstream/tables/macroblock-codes.js';
import { NEIGHBOURS } from '../motion/search/neighbours.js';
import { type MacroblockTrial, setMotion, type VectorPair, vectorsOf } from './macroblock-trial.js';
import type { OpenMacroblock } from './open-macroblock.js';
import { codePredicted } from './trial-coder.js';

/** A prediction that has been coded in full. */
export interface CodedPrediction {
  readonly direction: number;
  readonly vectors: VectorPair;
  readonly cost: number;
}

/** What a predicted trial has coded. */
export function codedPrediction(trial: MacroblockTrial): CodedPrediction {
  const { direction, cost } = trial;
  return { direction, vectors: vectorsOf(trial), cost };
}

/**
 * Codes the half-pel neighbours of a prediction's vectors in full, and goes on from the best of them, some rounds at
 * most. In an interpolated macroblock one vector moves while the other stays. What is better than the best trial takes
 * its place.
 */
export function refineInFull(macroblock: OpenMacroblock, start: CodedPrediction): void {
  const coded = [start.vectors];
  let best = start;
  for (let round = 0; round < macroblock.coding.fullRefinementRounds; round++) {
    const before = best;
    if (start.direction & MACROBLOCK_MOTION_BACKWARD) best = bestAround(macroblock, best, 2, coded);
    if (start.direction & MACROBLOCK_MOTION_FORWARD) best = bestAround(macroblock, best, 0, coded);
    if (best === before) return;
  }
}

/**
 * The best of a prediction and the neighbours of one of its vectors, whose dx is at index `first` of the pair. `coded`
 * are those that have been coded before.
 */
function bestAround(
  macroblock: OpenMacroblock,
  centre: CodedPrediction,
  first: 0 | 2,
  coded: VectorPair[],
): CodedPrediction {
  const { direction, vectors: from } = centre;
  const search = first === 0 ? macroblock.forward : macroblock.backward;
  let best = centre;
  for (const [dx, dy] of NEIGHBOURS) {
    const [x, y] = [from[first] + dx, from[first + 1]! + dy];
    const vectors: VectorPair = first === 0 ? [x, y, from[2], from[3]] : [from[0], from[1], x, y];
    if (!macroblock.allows(search, x, y) || coded.some(pair => isSame(pair, vectors))) continue;
    coded.push(vectors);
    const trial = macroblock.spare;
    setMotion(trial, direction, vectors);
    codePredicted(macroblock, trial);
    if (trial.cost < best.cost) best = { direction, vectors, cost: trial.cost };
    macroblock.offer();
  }
  return best;
}

function isSame(one: VectorPair, other: VectorPair): boolean {
  return one.every((component, i) => component === other[i]);
}
