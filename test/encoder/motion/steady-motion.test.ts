// Whether motion between two anchors is steady: by what the first step costs and what the whole way does.
import { describe, expect, it } from 'vitest';
import { motionChange } from '../../../src/encoder/motion/steady-motion.js';
import { macroblockGrid } from '../../../src/picture/picture.js';

type Costs = ReturnType<typeof costs>;

const isSteady = (firstStep: Costs, whole: Costs) => motionChange(firstStep, whole, 3, undefined).isSteady;

const paysOneB = (first: ReturnType<typeof striped> | undefined, firstStep: Costs, whole: Costs, distance: number) =>
  motionChange(firstStep, whole, distance, first).mostB === 1;

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

/** Columns of two pels of `low`, then two of `high`: an 8x8 block deviates by 32 times the difference. */
function striped(width: number, height: number, low: number, high: number) {
  const grid = macroblockGrid(width, height);
  const y = Uint8Array.from({ length: width * height }, (_, at) => ((at % width) % 4 < 2 ? low : high));
  return { grid, y };
}

describe('one B picture pays', () => {
  // A macroblock deviates by 4 * 32 * 10.
  const picture = striped(128, 80, 100, 110);
  const least = 0.45 * 1280;

  it('where motion is not steady and the first step costs 0.45 of the deviation', () => {
    const step = costs(1, least, least);
    const change = 1.2 * least + 64;
    expect(paysOneB(picture, step, costs(1, change + 2, change + 2), 3)).toBe(true);
    expect(paysOneB(picture, step, costs(1, change - 1, change - 1), 3)).toBe(false);
    const lower = costs(1, least - 2, least - 2);
    expect(paysOneB(picture, lower, costs(1, 5000, 5000), 3)).toBe(false);
  });

  it('never where the picture is not given, and says nothing of whether motion is steady', () => {
    const [step, whole] = [costs(1, 1000), costs(1, 5000)];
    expect(motionChange(step, whole, 3, picture)).toEqual({ isSteady: false, mostB: 1 });
    expect(motionChange(step, whole, 3, undefined)).toEqual({ isSteady: false, mostB: Number.POSITIVE_INFINITY });
    expect(motionChange(step, costs(1, 1100), 2, picture)).toEqual({ isSteady: true, mostB: 1 });
  });

  it('and two levels a pel', () => {
    const flat = striped(64, 64, 100, 101);
    expect(paysOneB(flat, costs(1, 512), costs(1, 5000), 3)).toBe(true);
    expect(paysOneB(flat, costs(1, 511), costs(1, 5000), 3)).toBe(false);
  });

  it('with any rise beyond 64 where the next anchor is but two pictures later', () => {
    const step = costs(1, 1000, 1000);
    expect(paysOneB(picture, step, costs(1, 1065, 1065), 2)).toBe(true);
    expect(paysOneB(picture, step, costs(1, 1064, 1064), 2)).toBe(false);
    expect(paysOneB(picture, step, costs(1, 1065, 1065), 3)).toBe(false);
  });

  it.each([
    [16, 16],
    [48, 208],
    [4080, 16],
  ])('in pictures of %i by %i, too', (width, height) => {
    const step = costs(1, 576);
    expect(paysOneB(striped(width, height, 100, 110), step, costs(1, 5000), 3)).toBe(true);
    expect(paysOneB(striped(width, height, 100, 111), step, costs(1, 5000), 3)).toBe(false);
  });
});

describe('no B picture pays', () => {
  const picture = striped(128, 80, 100, 110);
  const mostB = (cost: number, scale: number, wholeCost = 5000) =>
    motionChange(costs(1, cost, cost), costs(1, wholeCost, wholeCost), 3, picture, scale).mostB;

  it('where one would, and the first step costs 192 for each unit of quantizer_scale', () => {
    expect(mostB(768, 4)).toBe(0);
    expect(mostB(767, 4)).toBe(1);
    expect(mostB(1500, 7.5)).toBe(0);
    expect(mostB(1500, 8)).toBe(1);
  });

  it('and never where motion is steady, or the first step is predicted well', () => {
    expect(mostB(1500, 1, 1600)).toBe(Number.POSITIVE_INFINITY);
    expect(mostB(570, 1)).toBe(Number.POSITIVE_INFINITY); // 0.45 of the deviation is 576
  });
});
