// What the rate controller lets pictures take of the decoder's buffer, whenever it learns what others took.
import { describe, expect, it } from 'vitest';
import type { PictureType } from '../../../../src/bitstream/picture-type.js';
import {
  SEQUENCE_END_BITS,
  sparseGroupBits,
  sparsePictureBits,
} from '../../../../src/encoder/rate-control/buffer/sparse-picture.js';
import { VbvBuffer } from '../../../../src/encoder/rate-control/buffer/vbv-buffer.js';
import { typicalErrors } from '../../../../src/encoder/rate-control/forecast/bit-estimate.js';
import type { UpcomingPicture } from '../../../../src/encoder/rate-control/forecast/bit-model.js';
import type { BudgetSettings } from '../../../../src/encoder/rate-control/picture-budget.js';
import { RateController } from '../../../../src/encoder/rate-control/rate-controller.js';
import { type RateOptions, resolveRate } from '../../../../src/encoder/rate-control/rate-settings.js';
import { macroblockGrid } from '../../../../src/picture/picture.js';

const GOP = 12;
const BITRATE = 40_000;
const PICTURES = 60;
const grid = macroblockGrid(64, 48);
const frameRate = { numerator: 25, denominator: 1 };
const shape = { grid, frameRate, sliceRows: [0], gop: GOP, slices: 1, isLive: false, refreshed: 0 };
const sparseShape = { macroblocks: 12, slices: 1, gop: GOP };
const typeOf = (index: number): PictureType => (index % GOP === 0 ? 'I' : index % 3 === 1 ? 'P' : 'B');

/** A picture whose macroblocks have the errors of `macroblocks` typical ones. */
function picture(codedNumber: number, macroblocks: number): UpcomingPicture {
  const temporalReference = codedNumber % GOP;
  const type = typeOf(codedNumber);
  const errors = typicalErrors(type, macroblocks);
  return { ...({} as UpcomingPicture), type, codedNumber, temporalReference, startsGroup: type === 'I', errors };
}

/** A picture that begins, and what a decoder's buffer holds then if all before it are taken out. */
interface Begun {
  readonly budget: BudgetSettings;
  readonly type: PictureType;
  bits: number;
  stuffing: number;
  /** The buffer when it is taken out. */
  buffer?: VbvBuffer;
}

/** Codes pictures that take what `bitsOf` says, each accepted as late as the controller allows. */
function code(
  options: Partial<RateOptions>,
  bitsOf: (budget: BudgetSettings) => number,
  { macroblocks = 12, pictures = PICTURES } = {},
) {
  const settings = resolveRate({ bitrate: BITRATE, ...options }, shape)!;
  const controller = new RateController(settings, { ...shape, pattern: { bFrames: 2 } });
  const begun: Begun[] = [];
  let buffer = new VbvBuffer(settings.buffer!);
  let accepted = 0;
  const accept = () => {
    const picture = begun[accepted]!;
    const { budget, bits } = picture;
    const rows = { bits: new Float64Array(3), scales: new Float64Array(3).fill(budget.scale) };
    const isLast = accepted === pictures - 1;
    controller.accept(accepted, { bits, scale: budget.scale, rows, isLast, budget });
    picture.stuffing = 8 * controller.deliver(accepted, 0)!.stuffingBytes;
    picture.buffer = buffer.after([]);
    buffer = buffer.after([bits + picture.stuffing]);
    accepted++;
  };
  for (let index = 0; index < pictures; index++) {
    const end = Math.min(pictures, index + controller.window);
    const next = Array.from({ length: end - index }, (_, ahead) => picture(index + ahead, macroblocks));
    const upcoming = { pictures: next, isEnd: end === pictures };
    const needed = controller.neededPictures(upcoming);
    while (accepted < needed) accept();
    const budget = controller.begin(upcoming);
    begun.push({ budget, type: typeOf(index), bits: 8 * Math.floor(bitsOf(budget) / 8), stuffing: 0 });
  }
  while (accepted < pictures) accept();
  return { begun, settings };
}

const VARIABLE = { maxrate: 50_000, vbvBytes: 4096 };
/** The lowest rate that has a group of the sparsest pictures. */
const leastRate = 400 * Math.ceil((sparseGroupBits(sparseShape) * 25) / GOP / 400);
const LEAST = { bitrate: leastRate, maxrate: leastRate, vbvBytes: 2048 };
const CONSTANT = { cbr: true, vbvBytes: 4096 };

describe('the buffer of a rate controller', () => {
  it.each([VARIABLE, LEAST, CONSTANT])('holds pictures that all take as much as they may, with %o', options => {
    const { begun } = code(options, ({ maxBits }) => maxBits);
    for (const { budget, bits, buffer, type } of begun) {
      expect(bits).toBeLessThanOrEqual(buffer!.fullnessBits - SEQUENCE_END_BITS);
      expect(budget.maxBits).toBeGreaterThanOrEqual(sparsePictureBits(type, sparseShape));
    }
  });

  it('at a constant rate asks easy pictures to take what keeps it from overflowing', () => {
    const { begun } = code({ ...CONSTANT, vbvBytes: 2048 }, ({ targetBits }) => targetBits, { macroblocks: 0.01 });
    // The targets are whole bytes down.
    for (const { budget, buffer } of begun) {
      expect(budget.targetBits).toBeGreaterThanOrEqual(buffer!.minPictureBits - 8 * 4);
    }
    expect(begun.some(({ buffer }) => buffer!.minPictureBits > 1000)).toBe(true);
  });

  it.each([
    [PICTURES, 0.6],
    [420, 0.97],
  ])('at a constant rate the stream of %i pictures has all its bits where they take %f of theirs', (pictures, part) => {
    const { begun, settings } = code(CONSTANT, ({ targetBits }) => part * targetBits, { pictures });
    const bits = begun.reduce((sum, picture) => sum + picture.bits + picture.stuffing, 0);
    for (const { bits: coded, stuffing, buffer } of begun) {
      expect(coded + stuffing).toBeGreaterThanOrEqual(buffer!.minPictureBits);
      expect(coded + stuffing).toBeLessThanOrEqual(buffer!.fullnessBits - SEQUENCE_END_BITS);
    }
    expect(Math.abs(bits - pictures * settings.pictureBits)).toBeLessThanOrEqual(8);
    expect(begun.at(-1)!.stuffing).toBeGreaterThan(0);
  });
});
