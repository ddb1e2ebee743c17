// Coding a picture at a rate: again with each better budget, and what the controller is told of it.
import { describe, expect, it } from 'vitest';
import type { CodedPicture } from '../../../src/encoder/coders/coded-picture.js';
import type { CodingThread } from '../../../src/encoder/coders/coding-thread.js';
import type { PlannedPicture } from '../../../src/encoder/gop/gop-plan.js';
import type { UpcomingPicture } from '../../../src/encoder/rate-control/forecast/bit-model.js';
import type { BudgetSettings } from '../../../src/encoder/rate-control/picture-budget.js';
import type { CodingAttempt, PictureRate } from '../../../src/encoder/rate-control/picture-rate.js';
import type { PictureResult } from '../../../src/encoder/rate-control/pictures-under-way.js';
import { codeAtRate, type RatedJob } from '../../../src/encoder/rate-control/rate-controlled-coder.js';

const UPCOMING = [7, 8, 9].map(codedNumber => ({ codedNumber }) as UpcomingPicture);
const budgetOf = (scale: number) => ({ scale }) as BudgetSettings;

/** Codes a picture that is asked for with each of the scales; it takes 100 bytes divided by the scale, and 5 ms. */
async function codeWith(scales: readonly number[], pictures: readonly UpcomingPicture[], isEnd: boolean) {
  const asked: CodingAttempt[] = [];
  const accepted: PictureResult[] = [];
  const rate = {
    retry(attempt: CodingAttempt) {
      asked.push(attempt);
      const scale = scales[asked.length];
      return scale === undefined ? undefined : budgetOf(scale);
    },
    accept(codedNumber: number, result: PictureResult) {
      accepted[codedNumber] = result;
    },
  } as Partial<PictureRate> as PictureRate;
  const thread: CodingThread = {
    isBusy: false,
    async code(job, again) {
      for (let next = job; ; ) {
        const rows = { bits: new Float64Array(2), scales: new Float64Array(2).fill(next.quantizerScale) };
        const data = new Uint8Array(100 / next.quantizerScale);
        const coded = { data, rows, codingMs: 5, writingMs: 2 } as Partial<CodedPicture> as CodedPicture;
        const another = again!(coded);
        if (!another) return coded;
        next = another;
      }
    },
  };
  const job = { plan: { codedNumber: 7 } as PlannedPicture } as RatedJob['job'];
  const told: number[] = [];
  const upcoming = { pictures, isEnd };
  const coded = await codeAtRate(thread, rate, { job, budget: budgetOf(scales[0]!), upcoming }, scale =>
    told.push(scale),
  );
  return { asked, accepted: accepted[7]!, told, coded };
}

describe('a picture at a rate', () => {
  it('is coded with each budget that is better, and accepted with what the last one gave', async () => {
    const { asked, accepted, told, coded } = await codeWith([4, 10, 20], UPCOMING, false);
    expect(asked.map(({ attempts, scale, bits }) => [attempts, scale, bits])).toEqual([
      [0, 4, 200],
      [1, 10, 80],
      [2, 20, 40],
    ]);
    expect(asked.map(({ budget }) => budget.scale)).toEqual([4, 10, 20]);
    expect(accepted).toMatchObject({ bits: 40, scale: 20, budget: { scale: 20 } });
    expect(told).toEqual([20]);
    expect(coded).toMatchObject({ bits: 40, scale: 20 });
  });

  it('takes the time of all its attempts', async () => {
    expect((await codeWith([4, 10, 20], UPCOMING, false)).coded).toMatchObject({ codingMs: 15, writingMs: 6 });
  });

  it('is the last one where no other follows, whether more are known or not', async () => {
    const isLast = async (pictures: number, isEnd: boolean) =>
      (await codeWith([4], UPCOMING.slice(0, pictures), isEnd)).accepted.isLast;
    expect(await isLast(1, true)).toBe(true);
    expect(await isLast(2, true)).toBe(false);
    expect(await isLast(1, false)).toBe(false);
  });
});
