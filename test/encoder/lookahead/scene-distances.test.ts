// The distances of anchors in a scene: which is taken, and when they are compared.
import { expect, it } from 'vitest';
import { SceneDistances } from '../../../src/encoder/lookahead/scene-distances.js';

/** What distances 1, 2 and 3 cost where the third is best, and where the first is. */
const STEADY = [1, 0.8, 0.6];
const MOVED = [0.3, 0.8, 0.9];

/** Makes decisions of which each distance has one of these costs; returns whether they were compared, and the best. */
function decide(distances: SceneDistances, costs: readonly number[], decisions: number): [boolean, number][] {
  return Array.from({ length: decisions }, () => {
    const compares = distances.compares();
    if (compares) return [compares, distances.compare(costs, true)];
    distances.follow(distances.best, costs[distances.best - 1]!);
    return [compares, distances.best];
  });
}

it('compares less often while comparisons agree, and at once again when one does not', () => {
  const distances = new SceneDistances();
  const first = decide(distances, STEADY, 10);
  expect(first.map(([compares]) => (compares ? 'c' : '-')).join('')).toBe('cccc--c--c');
  expect(first.every(([, best]) => best === 3)).toBe(true);
  // At most two decisions are made before the change is seen, and four until the mean has followed it.
  const second = decide(distances, MOVED, 8);
  expect(second.map(([compares]) => (compares ? 'c' : '-')).join('')).toMatch(/^--cc/);
  expect(second.at(-1)![1]).toBe(1);
});

it('foretells which decisions will be compared while comparisons agree', () => {
  const distances = new SceneDistances();
  for (let decision = 0; decision < 12; decision++) {
    const foretold = [0, 1, 2, 3].map(ahead => distances.compares(ahead));
    const copy = new SceneDistances();
    decide(copy, STEADY, decision);
    if (decision > 0) expect(decide(copy, STEADY, 4).map(([compares]) => compares)).toEqual(foretold);
    decide(distances, STEADY, 1);
  }
});

it('what is not compared costs as much more as what is', () => {
  const distances = new SceneDistances();
  decide(distances, STEADY, 4);
  // All costs are three times as high, of which two decisions see one alone.
  const tripled = STEADY.map(cost => 3 * cost);
  expect(decide(distances, tripled, 3)).toEqual([
    [false, 3],
    [false, 3],
    [true, 3],
  ]);
});

it('a decision before an I picture takes a shorter distance for once', () => {
  const distances = new SceneDistances();
  decide(distances, STEADY, 2);
  expect(distances.compare(STEADY.slice(0, 2), false)).toBe(2);
  expect(distances.best).toBe(3);
});

it('costs of nothing change nothing', () => {
  const distances = new SceneDistances();
  decide(distances, [0, 0, 0], 5);
  expect(decide(distances, [0.1, 0, 0], 8).at(-1)![1]).toBe(2);
});
