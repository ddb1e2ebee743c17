// Which pictures rate control waits for: guesses at the start, and those at the end that matter for the rate.
import { describe, expect, it } from 'vitest';
import type { PictureType } from '../../../src/bitstream/picture-type.js';
import { typicalErrors } from '../../../src/encoder/rate-control/forecast/bit-estimate.js';
import type { UpcomingPicture } from '../../../src/encoder/rate-control/forecast/bit-model.js';
import { RateController } from '../../../src/encoder/rate-control/rate-controller.js';
import { type RateOptions, resolveRate } from '../../../src/encoder/rate-control/rate-settings.js';
import { macroblockGrid } from '../../../src/picture/picture.js';

const grid = macroblockGrid(64, 48);
const frameRate = { numerator: 25, denominator: 1 };
const gop = 250;
const typeOf = (index: number): PictureType => (index % gop === 0 ? 'I' : index % 3 === 1 ? 'P' : 'B');

function picture(codedNumber: number): UpcomingPicture {
  const type = typeOf(codedNumber);
  return { ...({} as UpcomingPicture), type, codedNumber, errors: typicalErrors(type, 12) };
}

/**
 * How many pictures may be under way beside each, where all keep to their targets; which may be coded again; and what
 * is warned of where those that are under way at the end take ten times as much and are accepted in an `order`.
 */
function waits(pictures: number, options: Omit<RateOptions, 'bitrate'>, order: 'coded' | 'reversed' = 'coded') {
  const shape = { grid, frameRate, sliceRows: [0], gop, slices: 1, isLive: false, refreshed: 0 };
  const settings = resolveRate({ bitrate: 40_000, expectedFrames: pictures, ...options }, shape)!;
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const controller = new RateController(settings, { ...shape, pattern: { bFrames: 2 } }, warn);
  const accept: ((factor?: number) => void)[] = [];
  const under: number[] = [];
  const repeatable: number[] = [];
  for (let index = 0; index < pictures; index++) {
    const end = Math.min(pictures, index + controller.window);
    const next = Array.from({ length: end - index }, (_, ahead) => picture(index + ahead));
    const upcoming = { pictures: next, isEnd: end === pictures };
    const needed = controller.neededPictures(upcoming);
    while (controller.acceptedPictures < needed) accept.shift()!();
    under.push(index - needed);
    const budget = controller.begin(upcoming);
    if (budget.mayBeRepeated) repeatable.push(index);
    const { targetBits: bits, scale } = budget;
    const rows = { bits: new Float64Array(3), scales: new Float64Array(3).fill(scale) };
    accept.push((factor = 1) =>
      controller.accept(index, { bits: factor * bits, scale, rows, isLast: index === pictures - 1, budget }),
    );
  }
  for (const acceptNext of order === 'coded' ? accept : accept.reverse()) acceptNext(10);
  return { under, repeatable, warnings };
}

const firstPass = (pictures: number) =>
  Array.from({ length: pictures }, (_, index) => ({ type: typeOf(index), bits: 1600, quantizerScale: 8 }));

describe('a rate controller', () => {
  it('awaits the first picture of each type, but for a second pass', () => {
    for (const options of [{}, { isFirstPass: true }]) {
      const { under, repeatable } = waits(100, options);
      expect(under.slice(0, 4)).toEqual([0, 0, 0, 0]);
      expect(repeatable.slice(0, 4)).toEqual(options.isFirstPass ? [0, 1, 2] : [0, 1, 2, 96]);
    }
    expect(waits(100, { firstPass: firstPass(100) }).under.slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
  });

  it('awaits the last pictures of a short stream, each of which may be coded again', () => {
    for (const options of [{}, { firstPass: firstPass(100) }]) {
      const { under, repeatable } = waits(100, options);
      expect(under.slice(-4)).toEqual([0, 0, 0, 0]);
      expect(repeatable.slice(-4)).toEqual([96, 97, 98, 99]);
    }
  });

  it('awaits the last pictures of a short stream, too, where next to nothing is expected of them', () => {
    const faint = firstPass(100).map((found, index) => (index < 96 ? found : { ...found, bits: 90 }));
    expect(waits(100, { firstPass: faint }).under.slice(-4)).toEqual([0, 0, 0, 0]);
  });

  it('awaits none at the end of a long stream, in which a last picture cannot matter', () => {
    for (const options of [{}, { firstPass: firstPass(1000) }]) {
      const { under, repeatable } = waits(1000, options);
      expect(under.slice(-4)).toEqual([9, 9, 9, 9]);
      expect(repeatable.filter(index => index > 500)).toEqual([]);
    }
  });

  it('awaits all before an I picture, and that one, where a buffer has to hold what they take', () => {
    for (const options of [{ cbr: true }, { maxrate: 60_000 }]) {
      expect(waits(300, options).under.slice(gop - 2, gop + 3)).toEqual([3, 3, 0, 0, 1]);
    }
  });

  it('warns at the end by what all pictures took, whichever is accepted last', () => {
    const { warnings } = waits(1000, {});
    expect(warnings).toEqual([expect.stringContaining('does not keep to the bit rate, it takes 1.09 times as much')]);
    expect(waits(1000, {}, 'reversed').warnings).toEqual(warnings);
  });

  it('awaits none at the end of a first pass', () => {
    const { under, repeatable } = waits(100, { isFirstPass: true });
    expect(under.slice(-4)).toEqual([32, 32, 32, 32]);
    expect(repeatable).toEqual([0, 1, 2]);
  });
});
