// How far the work is, how fast it goes, and when it will end.
import { meanBitRate } from '../bitstream/tables/frame-rate.js';
import type { CodedPicture, Work } from '../encode-files/progress.js';

/** The speed is that of these last milliseconds. */
const WINDOW_MS = 15_000;
/** Moments are kept this far from each other, so only a few. */
const MOMENT_MS = 500;

/** What is told, in this order. */
export interface Figures {
  readonly count: string;
  readonly speed: string;
  readonly bitRate?: string;
  readonly scale?: string;
  /** The time that is left, or that it took. */
  readonly time?: string;
}

/** Counts what is done. Times are milliseconds of any clock that only goes forward. */
export class ProgressMeter {
  /** The pictures that are expected; undefined if that is not known. */
  expected: number | undefined;
  /** Which chunk is worked on, such as `chunk 3 of 12`. */
  part: string | undefined;
  readonly #work: Work;
  readonly #startMs: number;
  /** The count at some moments of the window, the oldest first. */
  readonly #moments: { readonly ms: number; readonly done: number }[];
  #done = 0;
  #coded = 0;
  #bits = 0;
  #scales = 0;

  constructor(expected: number | undefined, work: Work, startMs: number) {
    this.expected = expected === undefined ? undefined : Math.ceil(expected);
    this.#work = work;
    this.#startMs = startMs;
    this.#moments = [{ ms: startMs, done: 0 }];
  }

  get done(): number {
    return this.#done;
  }

  /** So many pictures are done; `picture` is the one that was coded last. */
  update(done: number, picture: CodedPicture | undefined, nowMs: number): void {
    this.#done = done;
    // The number of frames of a video is an estimate.
    if (this.expected !== undefined && done > this.expected) this.expected = done;
    if (picture) {
      this.#coded++;
      this.#bits += picture.bits;
      this.#scales += picture.q;
    }
    const moments = this.#moments;
    while (moments.length > 1 && moments[1]!.ms <= nowMs - WINDOW_MS) moments.shift();
    if (nowMs - moments.at(-1)!.ms >= MOMENT_MS) moments.push({ ms: nowMs, done });
  }

  /** Which part of the work it is; empty for all of it, else it ends with `: `. */
  get label(): string {
    const parts = [this.#work.label, this.part].filter(part => part !== undefined);
    return parts.length === 0 ? '' : `${parts.join(', ')}: `;
  }

  /** Counts, speed, bit rate, scale and the time that is left. */
  figures(nowMs: number): Figures {
    const { ms, done } = this.#moments[0]!;
    const perSecond = (1000 * (this.#done - done)) / Math.max(1, nowMs - ms);
    const left = this.expected === undefined || perSecond === 0 ? undefined : (this.expected - this.#done) / perSecond;
    return this.#figures(perSecond, left === undefined ? {} : { time: `${clock(left)} left` });
  }

  /** The same as text. */
  text(nowMs: number): string {
    return Object.values(this.figures(nowMs)).join(' | ');
  }

  /** The same at the end: the speed of the whole, and the time that it took. */
  summary(nowMs: number): string {
    const seconds = (nowMs - this.#startMs) / 1000;
    const time = `in ${clock(seconds)}`;
    return Object.values(this.#figures(this.#done / Math.max(0.001, seconds), { time })).join(' | ');
  }

  #figures(perSecond: number, time: Pick<Figures, 'time'>): Figures {
    const { unit = 'pictures', frameRate } = this.#work;
    const { expected } = this;
    const kilobits = frameRate && meanBitRate(this.#bits, this.#coded, frameRate) / 1000;
    return {
      count: `${this.#done}${expected === undefined ? '' : ` of ${expected}`} ${unit}`,
      speed: `${perSecond.toFixed(1)} ${unit}/s`,
      ...(this.#coded > 0 && kilobits !== undefined && { bitRate: `${kilobits.toFixed(0)} kbit/s` }),
      ...(this.#coded > 0 && { scale: `scale ${(this.#scales / this.#coded).toFixed(1)}` }),
      ...time,
    };
  }
}

/** Seconds as `0:07`, `12:34` or `1:02:03`. */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
