// Turns the lookahead's vectors into candidates for the macroblocks of the whole picture.
import type { MotionField } from '../../motion/estimator.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import type { SearchedFields } from '../motion/anchor-motion.js';
import type { BlockPrediction } from './scene-costs.js';

/** Cost of a zero vector that stands in for a vector out of reach; f_code is chosen without it. */
const OUT_OF_REACH = 0xffffffff;
/** A block at half resolution has a quarter of a macroblock's pels. */
const COST_FACTOR = 4;

/**
 * One vector a macroblock and direction, in pels of the whole picture and exact to about two of them. A vector with a
 * component longer than `reach` pels becomes zero.
 */
export function vectorHints(
  prediction: BlockPrediction | undefined,
  grid: MacroblockGrid,
  reach: number,
): SearchedFields {
  const [forward, backward] = prediction?.fields ?? [];
  return { forward: forward && hints(forward, grid, reach), backward: backward && hints(backward, grid, reach) };
}

function hints(half: MotionField, { mbWidth, mbHeight }: MacroblockGrid, reach: number): MotionField {
  const macroblocks = mbWidth * mbHeight;
  const dx = new Int16Array(macroblocks);
  const dy = new Int16Array(macroblocks);
  const cost = new Uint32Array(macroblocks);
  for (let row = 0, address = 0; row < mbHeight; row++) {
    for (let column = 0; column < mbWidth; column++, address++) {
      const block = row * half.blockColumns + column;
      const blockDx = half.dx[block]!;
      const blockDy = half.dy[block]!;
      cost[address] = OUT_OF_REACH;
      if (Math.max(Math.abs(blockDx), Math.abs(blockDy)) > reach) continue;
      cost[address] = COST_FACTOR * half.cost[block]!;
      dx[address] = blockDx;
      dy[address] = blockDy;
    }
  }
  return { blockSize: 16, blockColumns: mbWidth, blockRows: mbHeight, candidatesPerBlock: 1, dx, dy, cost };
}
