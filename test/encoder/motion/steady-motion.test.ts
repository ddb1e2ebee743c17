// Whether motion between two anchors is steady: by what the first step costs and what the whole way does.
import { describe, expect, it } from 'vitest';
import { isSteady } from '../../../src/encoder/motion/steady-motion.js';

/** Costs of a field, the best vectors' first. */
const costs = (candidatesPerBlock: number, ...cost: number[]) => ({ candidatesPerBlock, cost: Uint32Array.from(cost) });

describe('motion is steady', () => {
  it('where a macroblock costs at most 1.2 times as much and 64 more in the mean', () => {
    const step = costs(1, 1000, 2000, 3000);
    expect(isSteady(step, costs(1, 2464, 2464, 2464))).toBe(true);
    expect(isSteady(step, costs(1, 2464, 2464, 2465))).toBe(false);
    expect(isSteady(step, costs(1, 0, 0, 0))).toBe(true);
  });

  it('by the best vectors alone', () => {
    const step = costs(2, 1000, 9000, 2000, 9000);
    expect(isSteady(step, costs(1, 1864, 1864))).toBe(true);
    expect(isSteady(step, costs(1, 1864, 1866))).toBe(false);
    expect(isSteady(costs(1, 1500, 1500), costs(3, 1864, 0, 0, 1866, 0, 0))).toBe(false);
  });

  it('where nothing moves, also if a quarter of a level is all that a pel differs', () => {
    expect(isSteady(costs(1, 0, 0), costs(1, 64, 64))).toBe(true);
    expect(isSteady(costs(1, 0, 0), costs(1, 64, 65))).toBe(false);
  });
});
