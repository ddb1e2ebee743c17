import type { MotionField } from '../../motion/estimator.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import type { SearchedFields } from '../motion/anchor-motion.js';
import type { BlockPrediction } from './scene-costs.js';

/** Cost of a vector that stands for a longer one. */
const OUT_OF_REACH = 0xffffffff;

/** What the lookahead's vectors are for macroblocks: right to about two pels, one vector a macroblock; zero where one is longer than `reach` pels. */
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
      const x = half.dx[block]!;
      const y = half.dy[block]!;
      cost[address] = OUT_OF_REACH;
      if (Math.max(Math.abs(x), Math.abs(y)) > reach) continue;
      cost[address] = 4 * half.cost[block]!;
      dx[address] = x;
      dy[address] = y;
    }
  }
  return { blockSize: 16, blockColumns: mbWidth, blockRows: mbHeight, candidatesPerBlock: 1, dx, dy, cost };
}
