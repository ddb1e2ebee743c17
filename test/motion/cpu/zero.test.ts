// The estimator zero keeps the contract and finds no motion.
import { describe, expect, it } from 'vitest';
import { createZero } from '../../../src/motion/cpu/zero.js';
import { describeEstimator } from '../estimator-suite.js';
import { translatedPair } from '../motion-pictures.js';

describeEstimator('zero', createZero);

describe('zero', () => {
  it('answers the zero vector for moving pictures', async () => {
    const estimator = await createZero({
      width: 48,
      height: 32,
      metric: 'sse',
      blockSize: 8,
      range: { x: 15, y: 15 },
      candidatesPerBlock: 2,
      lambda: 0,
    });
    const field = await estimator.estimate(translatedPair(1, 48, 32, 4, 4));
    expect([...field.dx, ...field.dy].every(value => value === 0)).toBe(true);
    expect(Math.max(...field.cost)).toBeGreaterThan(0);
  });
});
