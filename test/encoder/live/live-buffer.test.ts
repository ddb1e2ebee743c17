// What live pictures may take of the decoder's buffer, and what is learned from them.
import { describe, expect, it } from 'vitest';
import type { PictureType } from '../../../src/bitstream/picture-type.js';
import { liveBufferBytes } from '../../../src/encoder/live/live-buffer.js';
import { LiveRate } from '../../../src/encoder/live/live-rate.js';
import { liveReserve, liveReserveBits } from '../../../src/encoder/live/live-reserve.js';
import { SEQUENCE_END_BITS, sparsePictureBits } from '../../../src/encoder/rate-control/buffer/sparse-picture.js';
import { VbvBuffer } from '../../../src/encoder/rate-control/buffer/vbv-buffer.js';
import { typicalErrors } from '../../../src/encoder/rate-control/forecast/bit-estimate.js';
import type { UpcomingPicture } from '../../../src/encoder/rate-control/forecast/bit-model.js';
import type { BudgetSettings } from '../../../src/encoder/rate-control/picture-budget.js';
import { type RateOptions, resolveRate } from '../../../src/encoder/rate-control/rate-settings.js';
import { macroblockGrid } from '../../../src/picture/picture.js';

const GOP = 12;
const ROWS = 3;
const grid = macroblockGrid(64, 48);
const frameRate = { numerator: 25, denominator: 1 };
const shape = { grid, frameRate, sliceRows: [0], gop: GOP, slices: 1, isLive: true, refreshed: 0 };
const sparseShape = { macroblocks: 12, slices: 1, gop: GOP };

const picture = (type: PictureType, macroblocks = 12): UpcomingPicture => {
  return { ...({} as UpcomingPicture), type, errors: typicalErrors(type, macroblocks) };
};

const settingsOf = (options: RateOptions) => resolveRate({ bitrate: 40_000, ...options }, shape)!;

/** The rate control of a live encode. */
function liveRate(options: RateOptions = {}): LiveRate {
  return new LiveRate(settingsOf(options), { ...shape, pattern: { bFrames: 0 } });
}

/** Accepts picture `number` with so many bits at a scale. */
function accept(rate: LiveRate, number: number, budget: BudgetSettings, bits: number, scale = budget.scale): void {
  const rows = { bits: new Float64Array(ROWS).fill(bits / ROWS), scales: new Float64Array(ROWS).fill(scale) };
  rate.accept(number, { bits, scale, rows, isLast: false, budget });
}

/**
 * Codes pictures that take what `bitsOf` says, an I picture where `wantsIntra` says so and the reserve holds one. Every
 * tenth picture repeats the one before it.
 */
function code(
  options: RateOptions,
  bitsOf: (budget: BudgetSettings) => number,
  wantsIntra: (sinceIntra: number) => boolean = sinceIntra => sinceIntra >= GOP,
) {
  const buffer = settingsOf(options).buffer!;
  const rate = liveRate(options);
  const reserve = liveReserve(buffer, sparseShape);
  const held = new VbvBuffer(buffer);
  let sinceIntra = GOP;
  return Array.from({ length: 80 }, (_, number) => {
    const isRepetition = number % 10 === 9;
    const type: PictureType = !isRepetition && wantsIntra(sinceIntra) && reserve.holdsIntra ? 'I' : 'P';
    reserve.take(type);
    sinceIntra = type === 'I' ? 1 : sinceIntra + 1;
    const before = held.after([]);
    const budget = isRepetition ? undefined : rate.begin({ pictures: [picture(type)] });
    const bits = budget ? 8 * Math.floor(bitsOf(budget) / 8) : 200;
    if (budget) accept(rate, number, budget, bits);
    else rate.acceptRepetition(bits);
    const stuffing = 8 * rate.deliver(number, 0).stuffingBytes;
    held.takeOut(bits + stuffing);
    return { type, budget, bits, stuffing, buffer: before, sinceIntra };
  });
}

const CONSTANT = { cbr: true, vbvBytes: 4096 };

describe("the decoder's buffer of a live encode", () => {
  it.each([{}, { maxrate: 60_000 }, { vbvBytes: 2048 }, CONSTANT])(
    'holds pictures that all take as much as they may, key frames at any time and repetitions, with %o',
    options => {
      for (const wantsIntra of [() => true, (sinceIntra: number) => sinceIntra >= 5, undefined]) {
        for (const { budget, bits, buffer, type } of code(options, ({ maxBits }) => maxBits, wantsIntra)) {
          expect(bits).toBeLessThanOrEqual(buffer.fullnessBits - SEQUENCE_END_BITS);
          if (budget) expect(bits).toBeGreaterThanOrEqual(sparsePictureBits(type, sparseShape) - 8);
        }
      }
    },
  );

  it('leaves the pictures after an I picture at least half of what comes in beyond sparse pictures', () => {
    const pictures = code({}, ({ maxBits }) => maxBits);
    const sparse = sparsePictureBits('P', sparseShape);
    const least = sparse + (40_000 / 25 - sparse) / 2;
    for (const { type, bits, budget } of pictures) {
      if (budget && type === 'P') expect(bits).toBeGreaterThanOrEqual(least - 8);
    }
  });

  it('at a constant rate is kept from overflowing by zeros, which pictures make needless where they can', () => {
    const pictures = code(CONSTANT, ({ targetBits }) => targetBits / 2);
    for (const { budget, bits, stuffing, buffer } of pictures) {
      const least = buffer.minPictureBits;
      expect(bits + stuffing).toBeGreaterThanOrEqual(least);
      if (!budget) continue;
      expect(budget.maxBits).toBeLessThanOrEqual(buffer.fullnessBits - SEQUENCE_END_BITS);
      expect(budget.targetBits).toBeGreaterThanOrEqual(least);
    }
    expect(pictures.some(({ stuffing }) => stuffing > 0)).toBe(true);
  });

  it('at a constant rate is planned by what it holds, however long zeros have filled it', () => {
    /** The scale of a hard picture after groups of easy ones. */
    const scaleAfter = (groups: number) => {
      const rate = liveRate(CONSTANT);
      for (let number = 0; number <= groups * GOP; number++) {
        accept(rate, number, rate.begin({ pictures: [picture(number % GOP === 0 ? 'I' : 'P')] }), 400);
        rate.deliver(number, 0);
      }
      return rate.begin({ pictures: [picture('P', 500)] }).scale;
    };
    expect(scaleAfter(2)).toBeGreaterThan(2);
    expect(scaleAfter(6)).toBeCloseTo(scaleAfter(2), 1);
  });
});

describe('a live encode whose columns take the place of I pictures', () => {
  it('keeps four fifths of the buffer full, and saves nothing for an I picture that does not come', () => {
    const settings = resolveRate({ bitrate: 100_000 }, { ...shape, refreshed: ROWS })!;
    const rate = new LiveRate(settings, { ...shape, pattern: { bFrames: 0 } });
    const held = new VbvBuffer(settings.buffer!);
    for (let number = 0; number < 90; number++) {
      const budget = rate.begin({ pictures: [picture(number === 0 ? 'I' : 'P')] });
      accept(rate, number, budget, budget.targetBits);
      rate.deliver(number, 0);
      held.takeOut(budget.targetBits);
    }
    expect(held.fullnessBits / held.settings.sizeBits).toBeCloseTo(0.8, 1);
  });
});

describe('the scale of live pictures that keep to their targets', () => {
  /** The scales of P pictures after an I picture: `.`, or `-`, which needs half the bits; `r` is a repetition. */
  const scalesOf = (pictures: string) => {
    const rate = liveRate();
    const scales: number[] = [];
    for (const [number, kind] of [...`I${pictures}`].entries()) {
      if (kind === 'r') rate.acceptRepetition(200);
      else {
        const budget = rate.begin({ pictures: [picture(kind === 'I' ? 'I' : 'P', kind === '-' ? 6 : 12)] });
        accept(rate, number, budget, budget.targetBits);
        if (kind !== 'I') scales.push(budget.scale);
      }
      rate.deliver(number, 0);
    }
    return scales;
  };

  it('is finer for an easy picture, also where an I picture is overdue', () => {
    for (const pictures of [4, GOP, GOP + 2, GOP + 6, 2 * GOP]) {
      const scale = scalesOf('.'.repeat(pictures + 1)).at(-1)!;
      expect(scalesOf(`${'.'.repeat(pictures)}-`).at(-1)! / scale).toBeLessThan(0.95);
    }
  });

  it('hardly changes where repetitions make a group longer', () => {
    const scales = scalesOf(`....${'r'.repeat(2 * GOP)}.......`);
    expect(Math.max(...scales) / Math.min(...scales)).toBeLessThan(1.5);
  });
});

describe('the size of a live buffer', () => {
  it('is four pictures of the rate, or the sparsest I picture and two, in units of 2048 bytes', () => {
    const large = { ...sparseShape, macroblocks: 300 };
    const intraBits = sparsePictureBits('I', large) + SEQUENCE_END_BITS;
    // With the second, three units are full but for the bits of sequence_end_code.
    for (const fillBits of [1000, (3 * 16_384 + SEQUENCE_END_BITS / 2 - intraBits) / 2, 30_000, 500_000]) {
      const wantedBits = Math.max(4 * fillBits, intraBits + 2 * fillBits);
      expect(liveBufferBytes(fillBits, large)).toBe(2048 * Math.ceil(wantedBits / 16_384));
      // What must be left for an I picture is what does not come in before it.
      expect(liveReserveBits(fillBits, large)).toBe(intraBits > fillBits ? intraBits - fillBits : 0);
    }
  });
});

describe('the first picture', () => {
  const retried = (number: number, attempts: number, part: number) => {
    const rate = liveRate();
    for (let n = 0; n < number; n++) {
      const budget = rate.begin({ pictures: [picture('I')] });
      accept(rate, n, budget, budget.targetBits);
    }
    const upcoming = { pictures: [picture('I')] };
    const budget = rate.begin(upcoming);
    return {
      budget,
      better: rate.retry({ budget, bits: part * budget.targetBits, scale: budget.scale, attempts }, upcoming),
    };
  };

  it('is coded again where it takes far fewer bits than its target, or far more', () => {
    const fewer = retried(0, 0, 0.4);
    expect(fewer.better!.scale).toBeLessThan(fewer.budget.scale);
    const more = retried(0, 0, 2);
    expect(more.better!.scale).toBeGreaterThan(more.budget.scale);
    expect(retried(0, 0, 1.1).better).toBeUndefined();
  });

  it('is coded again once, and no other is', () => {
    expect(retried(0, 1, 0.4).better).toBeUndefined();
    expect(retried(1, 0, 0.4).better).toBeUndefined();
  });

  it('expects its rows to take even shares, as nothing is known of them', () => {
    const { sharesAbove } = liveRate().begin({ pictures: [picture('I')] });
    expect([...sharesAbove!]).toEqual([0, 1 / 3, 2 / 3]);
  });
});

describe('what a live picture tells the next', () => {
  const nextAfter = (scale: number, sparseCoding: BudgetSettings['sparseCoding']) => {
    const rate = liveRate();
    accept(rate, 0, rate.begin({ pictures: [picture('I')] }), 3000);
    accept(rate, 1, { ...rate.begin({ pictures: [picture('P')] }), sparseCoding }, 1000, scale);
    return rate.begin({ pictures: [picture('P')] });
  };

  it('is its scale as it was coded', () => {
    expect(nextAfter(17, 'never').anchorScale).toBe(17);
  });

  it('is what its bits are like, but not where macroblocks were coded sparsely', () => {
    expect(nextAfter(25, 'never').scale).toBeGreaterThan(nextAfter(5, 'never').scale);
    expect(nextAfter(25, 'near-limit').scale).toBe(nextAfter(5, 'near-limit').scale);
  });
});
