// Time codes against a counter that goes from picture to picture.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FRAME_RATES, type FrameRate } from '../../src/bitstream/tables/frame-rate.js';
import { pictureOfTimeCode, type TimeCode, timeCodeOfPicture } from '../../src/bitstream/time-code.js';

const NTSC = FRAME_RATES[3]!;

/** The time code after another, by the words of §2.4.3.3 and nothing else. */
function nextCode({ dropFrameFlag, hours, minutes, seconds, pictures }: TimeCode, perSecond: number): TimeCode {
  let [h, m, s, p] = [hours, minutes, seconds, pictures + 1];
  if (p === perSecond) [s, p] = [s + 1, 0];
  if (s === 60) [m, s] = [m + 1, 0];
  if (m === 60) [h, m] = [h + 1, 0];
  if (h === 24) h = 0;
  // Numbers 0 and 1 are left out at the start of each minute, except for minutes 0, 10, 20, 30, 40 and 50.
  if (dropFrameFlag && s === 0 && p === 0 && ![0, 10, 20, 30, 40, 50].includes(m)) p = 2;
  return { dropFrameFlag, hours: h, minutes: m, seconds: s, pictures: p };
}

/** Pictures of a day of time codes. */
function picturesOfDay(rate: FrameRate, dropFrameFlag: boolean): number {
  return dropFrameFlag ? 24 * 6 * 17_982 : 86_400 * Math.round(rate.numerator / rate.denominator);
}

const counts = [
  ...FRAME_RATES.map(rate => ({ name: `${rate.numerator}/${rate.denominator}`, rate, dropFrameFlag: false })),
  { name: '30000/1001, drop frame', rate: NTSC, dropFrameFlag: true },
];

describe.each(counts)('time codes at $name', ({ rate, dropFrameFlag }) => {
  const perSecond = Math.round(rate.numerator / rate.denominator);
  const day = picturesOfDay(rate, dropFrameFlag);
  const codeOf = (picture: number) => timeCodeOfPicture(picture, rate, dropFrameFlag);

  it('follow each other through minutes, hours and days', () => {
    expect(codeOf(0)).toEqual({ dropFrameFlag, hours: 0, minutes: 0, seconds: 0, pictures: 0 });
    const nearMinute = fc.nat(2 * 24 * 60).map(minute => Math.round((minute * day) / (24 * 60)));
    fc.assert(
      fc.property(fc.oneof(nearMinute, fc.nat(2 * day)), middle => {
        const first = Math.max(0, middle - 4);
        let code = codeOf(first);
        for (let picture = first + 1; picture < first + 9; picture++) {
          const next = codeOf(picture);
          expect(next).toEqual(nextCode(code, perSecond));
          code = next;
        }
      }),
      { seed: 24, numRuns: 60 },
    );
  });

  it('count pictures at the rounded rate', () => {
    expect(codeOf(perSecond - 1)).toMatchObject({ seconds: 0, pictures: perSecond - 1 });
    expect(codeOf(perSecond)).toMatchObject({ seconds: 1, pictures: 0 });
  });

  it('start again after 24 hours', () => {
    expect(codeOf(day - 1)).toMatchObject({ hours: 23, minutes: 59, seconds: 59, pictures: perSecond - 1 });
    for (const days of [1, 2, 400]) expect(codeOf(days * day)).toEqual(codeOf(0));
  });

  it('lead back to their pictures', () => {
    fc.assert(
      fc.property(fc.nat(day - 1), picture => {
        expect(pictureOfTimeCode(codeOf(picture), rate)).toBe(picture);
      }),
      { seed: 24, numRuns: 60 },
    );
  });
});

describe('drop frame', () => {
  it('keeps to the clock: an hour of time codes is an hour of pictures, to a picture', () => {
    for (let hour = 0; hour < 24; hour++) {
      const picture = pictureOfTimeCode(
        { dropFrameFlag: true, hours: hour, minutes: 0, seconds: 0, pictures: 0 },
        NTSC,
      );
      expect(Math.abs(picture - (hour * 3600 * 30_000) / 1001)).toBeLessThan(3);
    }
  });
});
