// Time codes: which one a picture has.
import type { FrameRate } from './tables/frame-rate.js';

/** time_code of a group of pictures; ISO/IEC 11172-2 §2.4.3.3. */
export interface TimeCode {
  /** True: drop frame, at 29.97 pictures a second only. */
  readonly dropFrameFlag: boolean;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly pictures: number;
}

const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_DAY = 24 * 60;
/** Drop frame leaves out time codes, not pictures: the first two of each minute ... */
const DROPPED_CODES = 2;
/** ... but for every tenth minute. 18000 minus 18 codes in 600 seconds are 29.97 a second. */
const WHOLE_MINUTE_PERIOD = 10;

/** The time codes of a second: the rate, rounded to a whole number; §2.4.3.3. */
export function codesPerSecond({ numerator, denominator }: FrameRate): number {
  return Math.round(numerator / denominator);
}

/** Whether drop frame may be used: its codes keep to the clock at 29.97 pictures a second alone; §2.4.3.3. */
export function mayDropFrames({ numerator, denominator }: FrameRate): boolean {
  return numerator === 30000 && denominator === 1001;
}

/** Whether drop frame leaves out a time code. */
export function isDropped({ dropFrameFlag, minutes, seconds, pictures }: TimeCode): boolean {
  return dropFrameFlag && minutes % WHOLE_MINUTE_PERIOD !== 0 && seconds === 0 && pictures < DROPPED_CODES;
}

/** The number of the picture that has a time code; picture 0 has 00:00:00:00. The code must not be a dropped one. */
export function pictureOfTimeCode(timeCode: TimeCode, rate: FrameRate): number {
  const { dropFrameFlag, hours, minutes, seconds, pictures } = timeCode;
  const allMinutes = hours * 60 + minutes;
  const code = (allMinutes * SECONDS_PER_MINUTE + seconds) * codesPerSecond(rate) + pictures;
  return dropFrameFlag ? code - droppedUpTo(allMinutes) : code;
}

/** The time code of a picture by its number, 0 or more. After 24 hours the codes start again. */
export function timeCodeOfPicture(picture: number, rate: FrameRate, dropFrameFlag: boolean): TimeCode {
  const perSecond = codesPerSecond(rate);
  const perMinute = SECONDS_PER_MINUTE * perSecond;
  const perDay = MINUTES_PER_DAY * perMinute - (dropFrameFlag ? droppedUpTo(MINUTES_PER_DAY) : 0);
  const ofDay = picture % perDay;
  const code = dropFrameFlag ? codeWithDrops(ofDay, perMinute) : ofDay;
  const seconds = Math.floor(code / perSecond);
  const minutes = Math.floor(seconds / SECONDS_PER_MINUTE);
  return {
    dropFrameFlag,
    hours: Math.floor(minutes / 60),
    minutes: minutes % 60,
    seconds: seconds % SECONDS_PER_MINUTE,
    pictures: code % perSecond,
  };
}

/** How many time codes drop frame leaves out in the minutes 0 to `minutes` of a day. */
function droppedUpTo(minutes: number): number {
  return DROPPED_CODES * (minutes - Math.floor(minutes / WHOLE_MINUTE_PERIOD));
}

/** The number, dropped codes included, of the code that a picture of the day has. */
function codeWithDrops(picture: number, perMinute: number): number {
  const perShortMinute = perMinute - DROPPED_CODES;
  const perTenMinutes = WHOLE_MINUTE_PERIOD * perShortMinute + DROPPED_CODES;
  const tens = Math.floor(picture / perTenMinutes);
  const rest = picture % perTenMinutes;
  const shortMinutes = rest < perMinute ? 0 : 1 + Math.floor((rest - perMinute) / perShortMinute);
  return picture + DROPPED_CODES * ((WHOLE_MINUTE_PERIOD - 1) * tens + shortMinutes);
}
