// Parts of a comparison by themselves: rows, pictures in order, what estimators answered, and spreads.
import { describe, expect, it } from 'vitest';
import { checkComparedRates, middleSetting } from '../../../src/compare/comparison/compared-rates.js';
import { newContender } from '../../../src/compare/comparison/contender.js';
import type { ComparisonJob } from '../../../src/compare/comparison/job.js';
import { JoinedPictures } from '../../../src/compare/comparison/joined-pictures.js';
import { estimatorRows } from '../../../src/compare/comparison/rows.js';
import { FieldRecorder } from '../../../src/compare/comparison/searched-fields.js';
import { spread } from '../../../src/compare/comparison/spread.js';

describe('estimatorRows', () => {
  it('gives speeds and shares of all runs, and the stages of a picture in the run of median speed', () => {
    const timed = (encodeMs: number, searches = 3) => ({
      ...{ setupMs: 5, encodeMs, waitMs: encodeMs / 4, searchBusyMs: 4 * searches, searches },
      stages: { inputMs: 9, motionMs: 18, codingMs: 27, writingMs: encodeMs - 72 },
    });
    const contender = (estimator: string, searchMs: number, runs: ReturnType<typeof timed>[]) => {
      const quality = { psnr: { y: 40 }, ssim: { y: 0.5 } } as never;
      return { ...newContender(estimator), searchMs: [searchMs], encodes: new Map([[8, { quality, runs }]]) };
    };
    const contenders = [
      contender('slow', 4, [timed(90, 0)]),
      contender(
        'quick',
        1,
        [180, 360, 90].map(ms => timed(ms)),
      ),
    ];
    const rows = estimatorRows(contenders, { frames: new Array(9) } as unknown as ComparisonJob);
    expect(rows.map(({ searchSpeedRatio }) => searchSpeedRatio)).toEqual([1, 4]);
    expect(rows[0]!.encodes[0]!.searchBusyMs).toMatchObject({ median: 0 });
    expect(rows[1]!.encodes[0]).toMatchObject({
      framesPerSecond: { median: 50, least: 25, greatest: 100 },
      waitShare: { median: 0.25 },
      setupMs: { median: 5 },
      searchBusyMs: { median: 4 },
      stages: { inputMs: 1, motionMs: 2, codingMs: 3, writingMs: 12, otherMs: 2 },
    });
  });
});

describe('JoinedPictures', () => {
  it('hands pictures out one after the other, in order, each when both parts are there', async () => {
    const handed: number[] = [];
    let inHand = 0;
    const joined = new JoinedPictures(async ({ figures: { frame } }) => {
      expect(++inHand).toBe(1);
      await new Promise(resolve => setImmediate(resolve));
      inHand--;
      handed.push(frame);
    });
    const shown = (frame: number) => joined.addShown({ figures: { frame } } as never);
    const told = (frame: number) => joined.addMacroblocks(frame, {} as never);
    await Promise.all([told(2), shown(0), shown(1), told(1)]);
    expect(handed).toEqual([]);
    await Promise.all([told(0), shown(2)]);
    expect(handed).toEqual([0, 1, 2]);
  });
});

describe('FieldRecorder', () => {
  it('keeps best vectors, those in a reconstruction rather than those in its source, until they are taken', async () => {
    const answers = [1, 2, 3];
    const recorder = new FieldRecorder();
    const make = recorder.record(async () => ({
      traits: { name: 'told', runsOn: 'js', exhaustive: false },
      device: 'a test',
      estimate: async () => {
        const dx = Int16Array.of(answers.shift()!, 99);
        const more = { dx, dy: dx, cost: new Uint32Array(2) };
        return { blockSize: 16, blockColumns: 1, blockRows: 1, candidatesPerBlock: 2, ...more };
      },
      close: async () => {},
    }));
    const estimator = await make({} as never);
    const luma = (id: number) => ({ id, width: 16, height: 16, pels: new Uint8Array(256) });
    for (const reference of [0, -1, 0]) await estimator.estimate({ current: luma(1), reference: luma(reference) });
    expect([...recorder.take(1)]).toEqual([[0, { dx: Int16Array.of(2), dy: Int16Array.of(2) }]]);
    expect(recorder.take(1).size).toBe(0);
  });
});

describe('spread', () => {
  it('is the middle and the ends', () => {
    expect(spread([])).toBeUndefined();
    expect(spread([5])).toEqual({ median: 5, least: 5, greatest: 5 });
    expect(spread([9, 1, 4])).toEqual({ median: 4, least: 1, greatest: 9 });
    expect(spread([8, 2, 4, 6])).toEqual({ median: 5, least: 2, greatest: 8 });
  });
});

describe('the settings', () => {
  it('have the one in the middle by value, of two the lower', () => {
    expect(middleSetting({ option: 'q', values: [31, 4, 10] })).toBe(10);
    expect(middleSetting({ option: 'q', values: [10, 4, 31, 20] })).toBe(10);
  });

  it('may be the least and the greatest of their option', () => {
    checkComparedRates({ option: 'q', values: [1, 31] });
    checkComparedRates({ option: 'quality', values: [0, 50.5, 100] });
  });
});
