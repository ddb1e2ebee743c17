// Reads the time code of the first picture.
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import {
  codesPerSecond,
  isDropped,
  mayDropFrames,
  pictureOfTimeCode,
  type TimeCode,
} from '../../bitstream/time-code.js';
import { OptionError } from '../../errors.js';

/** Where the time codes of a stream start. */
export interface TimeCodeStart {
  /** How many pictures after 00:00:00:00 the first picture is. */
  readonly picture: number;
  readonly dropFrameFlag: boolean;
}

const SYNTAX = /^(\d\d):(\d\d):(\d\d)([:;])(\d\d)$/;

/** How a time code is written, for error messages. */
export const TIME_CODE_FORM = 'HH:MM:SS:FF, such as 10:00:00:00; HH:MM:SS;FF for drop frame';

/** Whether a text has the form of a time code; its numbers may be too large. */
export function isTimeCode(text: string): boolean {
  return SYNTAX.test(text);
}

/** The start that a time code means at a frame rate. Throws an OptionError that says what would be right. */
export function resolveStartTimeCode(text: unknown, rate: FrameRate): TimeCodeStart {
  const match = typeof text === 'string' ? SYNTAX.exec(text) : undefined;
  if (!match) throw wrong(text, `is no time code; legal: ${TIME_CODE_FORM}`);
  const [hours, minutes, seconds, pictures] = [1, 2, 3, 5].map(group => Number(match[group])) as [
    number,
    number,
    number,
    number,
  ];
  const timeCode: TimeCode = { dropFrameFlag: match[4] === ';', hours, minutes, seconds, pictures };
  checkBound(text, 'hours', hours, 23);
  checkBound(text, 'minutes', minutes, 59);
  checkBound(text, 'seconds', seconds, 59);
  checkBound(text, 'frames', pictures, codesPerSecond(rate) - 1);
  if (timeCode.dropFrameFlag && !mayDropFrames(rate)) {
    throw wrong(text, 'is drop frame, which is for 29.97 frames per second only: write HH:MM:SS:FF');
  }
  if (isDropped(timeCode)) throw wrong(text, 'is left out by drop frame: the minute starts with frame 02');
  return { picture: pictureOfTimeCode(timeCode, rate), dropFrameFlag: timeCode.dropFrameFlag };
}

function checkBound(text: unknown, part: string, value: number, max: number): void {
  if (value > max) throw wrong(text, `has ${value} ${part}; legal: 0..${max}`);
}

function wrong(text: unknown, problem: string): OptionError {
  return new OptionError('startTimeCode', named => `${named('startTimeCode')} ${String(text)} ${problem}`);
}
