// Tests of searching pairs, and measuring motion compensation and agreement.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { compareFields } from '../../../src/compare/motion-fields/field-agreement.js';
import { predictFrame } from '../../../src/compare/motion-fields/motion-compensation.js';
import { searchPairs } from '../../../src/compare/motion-fields/pair-search.js';
import { MeanDifference, studyPair } from '../../../src/compare/motion-fields/pair-study.js';
import { InputError } from '../../../src/errors.js';
import type { EstimatorParameters, MotionEstimator, MotionField } from '../../../src/motion/estimator.js';
import { createEstimator } from '../../../src/motion/registry.js';
import { chromaLength, type Frame, frameFromI420 } from '../../../src/picture/frame.js';
import { macroblockGrid } from '../../../src/picture/picture.js';
import { patternFrame } from '../../media/test-frames.js';
import { expectSameFrame } from '../../support/compare-frames.js';
import { psnr } from '../../support/psnr.js';
import { handMadeField } from '../hand-made-field.js';

/**
 * The prediction by its definition, pel by pel: luma at full pels, chroma between pels by the mean of its neighbours.
 */
function predictByDefinition(reference: Frame, field: MotionField): Frame {
  const { width, height } = reference;
  const plane = (pels: Uint8Array, planeWidth: number, planeHeight: number, side: number, divisor: 1 | 2) =>
    Uint8Array.from({ length: planeWidth * planeHeight }, (_, pel) => {
      const x = pel % planeWidth;
      const y = Math.floor(pel / planeWidth);
      const at = (Math.floor(y / side) * field.blockColumns + Math.floor(x / side)) * field.candidatesPerBlock;
      const sourceX = x + field.dx[at] / divisor;
      const sourceY = y + field.dy[at] / divisor;
      let sum = 0;
      for (const fromY of [Math.floor(sourceY), Math.ceil(sourceY)]) {
        for (const fromX of [Math.floor(sourceX), Math.ceil(sourceX)]) {
          sum += pels[Math.min(fromY, planeHeight - 1) * planeWidth + Math.min(fromX, planeWidth - 1)];
        }
      }
      return Math.floor(sum / 4 + 0.5);
    });
  const chroma = [chromaLength(width), chromaLength(height), field.blockSize / 2, 2] as const;
  return {
    width,
    height,
    y: plane(reference.y, width, height, field.blockSize, 1),
    u: plane(reference.u, ...chroma),
    v: plane(reference.v, ...chroma),
  };
}

/** A field of random vectors that keep their blocks inside. */
const anyCase = fc
  .record({
    width: fc.integer({ min: 1, max: 70 }),
    height: fc.integer({ min: 1, max: 50 }),
    blockSize: fc.constantFrom<8 | 16>(8, 16),
    candidates: fc.integer({ min: 1, max: 3 }),
    seed: fc.integer({ min: 0, max: 1 << 20 }),
  })
  .map(({ width, height, blockSize, candidates, seed }) => {
    const { codedWidth, codedHeight } = macroblockGrid(width, height);
    const field = handMadeField(
      { width, height },
      blockSize,
      (column, row) => {
        const random = Math.imul(seed + column * 7919 + row * 104729 + 1, 2654435761) >>> 0;
        const x = random % (codedWidth - blockSize + 1);
        const y = (random >>> 12) % (codedHeight - blockSize + 1);
        return [x - column * blockSize, y - row * blockSize];
      },
      candidates,
    );
    return { current: patternFrame(width, height, seed + 1), reference: patternFrame(width, height, seed), field };
  });

describe('predictFrame', () => {
  it('equals the definition, for any size, block and vectors', () => {
    fc.assert(
      fc.property(anyCase, ({ reference, field }) => {
        expectSameFrame(predictFrame(reference, field), predictByDefinition(reference, field), 'prediction');
      }),
      { numRuns: 60, seed: 4 },
    );
  });

  it('averages chroma as the standard does, halves rounded up', () => {
    const reference = patternFrame(32, 32, 1);
    reference.u.set([10, 13], 0);
    reference.u.set([20, 24], 16);
    const firstChroma = (dx: number, dy: number) => {
      const field = handMadeField(reference, 16, (column, row) => (column + row === 0 ? [dx, dy] : [0, 0]));
      return predictFrame(reference, field).u[0];
    };
    expect(firstChroma(0, 0)).toBe(10);
    expect(firstChroma(1, 0)).toBe(12);
    expect(firstChroma(0, 1)).toBe(15);
    expect(firstChroma(1, 1)).toBe(17);
  });
});

describe('studyPair', () => {
  it('measures the display area and nothing else', () => {
    const current = frameFromI420(3, 1, Uint8Array.of(10, 20, 30, 100, 110, 120, 130));
    const reference = frameFromI420(3, 1, Uint8Array.of(12, 20, 25, 100, 111, 120, 128));
    const { before, after } = studyPair(
      current,
      reference,
      handMadeField(current, 16, () => [0, 0]),
    );
    expect(before.sad).toEqual({ y: 7, u: 1, v: 2, all: 10 });
    expect(before.mse).toEqual({ y: 29 / 3, u: 1 / 2, v: 4 / 2, all: 34 / 7 });
    expect(before.psnr.y).toBeCloseTo(10 * Math.log10(65025 / (29 / 3)), 10);
    expect(after).toEqual(before);
  });

  it('agrees with the metrics on the prediction that it gives', () => {
    fc.assert(
      fc.property(anyCase, ({ current, reference, field }) => {
        const { before, after, predicted } = studyPair(current, reference, field);
        expect(before.psnr).toEqual(psnr(current, reference));
        expect(after.psnr).toEqual(psnr(current, predicted));
        const sad = current.y.reduce((sum, pel, at) => sum + Math.abs(pel - predicted.y[at]), 0);
        expect(after.sad.y).toBe(sad);
      }),
      { numRuns: 20, seed: 5 },
    );
  });

  it('finds nothing left of a picture that only moved', () => {
    const whole = patternFrame(96, 80, 3);
    const cut = (left: number, top: number): Frame => {
      const pick = (plane: Uint8Array, stride: number, x: number, y: number, width: number, height: number) =>
        Uint8Array.from(
          { length: width * height },
          (_, at) => plane[(y + Math.floor(at / width)) * stride + x + (at % width)],
        );
      return {
        width: 64,
        height: 64,
        y: pick(whole.y, 96, left, top, 64, 64),
        u: pick(whole.u, 48, left / 2, top / 2, 32, 32),
        v: pick(whole.v, 48, left / 2, top / 2, 32, 32),
      };
    };
    // Column 0 cannot look left, nor the last row down.
    const field = handMadeField({ width: 64, height: 64 }, 16, (column, row) => [column > 0 ? -6 : 0, row < 3 ? 4 : 0]);
    const { predicted } = studyPair(cut(10, 4), cut(16, 0), field);
    const current = cut(10, 4);
    for (let y = 0; y < 48; y++) {
      for (let x = 16; x < 64; x++) expect(predicted.y[y * 64 + x]).toBe(current.y[y * 64 + x]);
    }
    for (let y = 0; y < 24; y++) {
      for (let x = 8; x < 32; x++) expect(predicted.u[y * 32 + x]).toBe(current.u[y * 32 + x]);
    }
  });

  it('refuses frames of two sizes', () => {
    const field = handMadeField({ width: 16, height: 16 }, 16, () => [0, 0]);
    expect(() => studyPair(patternFrame(16, 16, 1), patternFrame(16, 15, 1), field)).toThrow(InputError);
  });
});

describe('MeanDifference', () => {
  it('is the mean of SAD and MSE, and the PSNR of that mean', () => {
    const frame = (value: number) => frameFromI420(2, 2, new Uint8Array(6).fill(value));
    const field = handMadeField({ width: 2, height: 2 }, 16, () => [0, 0]);
    const mean = new MeanDifference();
    mean.add(studyPair(frame(10), frame(12), field).before);
    mean.add(studyPair(frame(10), frame(14), field).before);
    const { sad, mse, psnr: decibels } = mean.mean();
    expect(sad).toEqual({ y: 12, u: 3, v: 3, all: 18 });
    expect(mse).toEqual({ y: 10, u: 10, v: 10, all: 10 });
    expect(decibels.all).toBeCloseTo(10 * Math.log10(65025 / 10), 10);
  });
});

describe('compareFields', () => {
  it('counts the equal best vectors of the blocks that are seen', () => {
    const size = { width: 40, height: 17 };
    // 48x32 coded: 6x4 blocks of 8, of which 5x3 show something.
    const a = handMadeField(size, 8, (column, row) => [column, row], 2);
    const b = handMadeField(size, 8, (column, row) => [column, row === 1 && column < 2 ? 7 : row]);
    const margin = handMadeField(size, 8, (column, row) => [column, row === 3 || column === 5 ? 7 : row]);
    expect(compareFields(a, a, 40, 17)).toEqual({ blocks: 15, equal: 15 });
    expect(compareFields(a, b, 40, 17)).toEqual({ blocks: 15, equal: 13 });
    expect(compareFields(a, margin, 40, 17)).toEqual({ blocks: 15, equal: 15 });
  });

  it('refuses fields of different blocks', () => {
    const size = { width: 32, height: 32 };
    const a = handMadeField(size, 8, () => [0, 0]);
    expect(() =>
      compareFields(
        a,
        handMadeField(size, 16, () => [0, 0]),
        32,
        32,
      ),
    ).toThrow(/4x4 blocks of 8 pels and of 2x2/);
  });
});

describe('searchPairs', () => {
  const parameters: EstimatorParameters = {
    width: 128,
    height: 96,
    metric: 'sad',
    blockSize: 16,
    range: { x: 16, y: 16 },
    candidatesPerBlock: 1,
    lambda: 0,
  };
  const sample = generateSample({ kind: 'pan', width: 120, height: 88, frames: 4, seed: 13 });
  const pairsOf = async (reference: 'previous' | 'next', estimator: MotionEstimator) => {
    const pairs = [];
    for await (const pair of searchPairs({ frames: sample, reference, estimator })) pairs.push(pair);
    return pairs;
  };

  it('finds the true motion of a sliding camera, seen from either frame', async () => {
    const { estimator } = await createEstimator('cpu-full', parameters);
    const previous = await pairsOf('previous', estimator);
    const next = await pairsOf('next', estimator);
    await estimator.close();
    expect(previous.map(pair => [pair.pair, pair.currentNumber, pair.referenceNumber])).toEqual([
      [0, 1, 0],
      [1, 2, 1],
      [2, 3, 2],
    ]);
    expect(next.map(pair => [pair.currentNumber, pair.referenceNumber])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    let reliableBlocks = 0;
    for (const { currentNumber, field, current, reference } of previous) {
      const truth = sample.trueMotion(currentNumber)!;
      for (let block = 0; block < truth.reliable.length; block++) {
        if (!truth.reliable[block]) continue;
        reliableBlocks++;
        expect([field.dx[block], field.dy[block]]).toEqual([truth.dx[block], truth.dy[block]]);
      }
      const { before, after } = studyPair(current, reference, field);
      expect(after.sad.all).toBeLessThan(0.5 * before.sad.all);
    }
    expect(reliableBlocks).toBeGreaterThan(3 * 15);
    // Whole blocks in the middle of the picture move the other way, seen from the other frame.
    const middle = 2 * (parameters.width / parameters.blockSize) + 3;
    const truth = sample.trueMotion(1)!;
    expect([next[0].field.dx[middle], next[0].field.dy[middle]]).toEqual([-truth.dx[middle], -truth.dy[middle]]);
  });

  it('times each pair once, after a search that leaves no picture behind', async () => {
    const asked: [number, number][] = [];
    const { estimator } = await createEstimator('zero', parameters);
    const spy: MotionEstimator = {
      traits: estimator.traits,
      device: estimator.device,
      estimate: request => {
        asked.push([request.current.id, request.reference.id]);
        return estimator.estimate(request);
      },
      close: () => estimator.close(),
    };
    const pairs = await pairsOf('previous', spy);
    expect(asked).toEqual([
      [-1, -2],
      [1, 0],
      [2, 1],
      [3, 2],
    ]);
    for (const { searchMs } of pairs) expect(searchMs).toBeGreaterThanOrEqual(0);
  });
});
