// Gives frames from any one on, for those who need a part of an input.

import { InputError, OptionError } from '../../errors.js';
import { inWords, requireOptions } from '../../given-options.js';
import type { Frame, FrameRange } from '../../picture/frame.js';
import type { AbortSignalType } from '../../platform-types.js';
import { isReadOnce } from '../input-kind.js';
import { type FrameSource, type FrameSourceOptions, type FrameStart, STANDARD_INPUT } from './frame-source.js';
import { openFrameSource } from './open-frame-source.js';

export type { FrameRange };

/** Opens the input, at its first frame if `start` is undefined. */
export type OpenAt = (start: FrameStart | undefined) => Promise<FrameSource>;

/** What is known of an input before its frames are read. */
type InputInfo = Pick<
  FrameSource,
  'name' | 'width' | 'height' | 'frameRate' | 'pelAspect' | 'frameCount' | 'soundTracks' | 'seeksRoughly'
>;

/** The frames that are being read. */
interface Reading {
  readonly source: FrameSource;
  readonly frames: AsyncIterator<Frame>;
  readonly abort: AbortController;
  /** Whether it was searched for a frame's time, so that it may have begun with another frame. */
  readonly isSought: boolean;
  /** Number of the next frame. */
  next: number;
  /** Whether its range has ended, so that another one may read on. */
  isFree: boolean;
}

/** How many frames before a frame's time a video is searched for: times in files are rounded. */
const SEEK_MARGIN = 0.25;

/**
 * Opens an input, as `openFrameSource` does, of which any range of frames can be read: what `planChunks` and
 * `encodeChunk` take. Throws the errors of `openFrameSource`.
 */
export function openFrameRanges(
  input: string,
  options: Omit<FrameSourceOptions, 'frames' | 'start'> = {},
): Promise<FrameRanges> {
  return FrameRanges.open(start => openFrameSource(input, start ? { ...options, start } : options));
}

/**
 * An input of which any range of frames can be read. If a range begins where the one before ended, reading goes on
 * there. For any other range the input is opened again: images, raw video and y4m files at the range's first frame; a
 * video at that frame's time, which may be another frame's (`seeksRoughly`); what cannot be searched, at its start.
 */
export class FrameRanges {
  readonly #open: OpenAt;
  readonly #info: InputInfo;
  /** The input at its first frame, before anything is read of it. */
  #unread: FrameSource | undefined;
  #reading: Reading | undefined;
  /** How many ranges have been begun; only the last one may be read. */
  #ranges = 0;
  #isClosed = false;

  private constructor(open: OpenAt, source: FrameSource) {
    this.#open = open;
    this.#info = source;
    this.#unread = source;
  }

  /** Opens an input by a function, which is called again for ranges that cannot be read on. */
  static async open(open: OpenAt): Promise<FrameRanges> {
    if (typeof open !== 'function') throw new OptionError('open', `open ${inWords(open)} is not a function`);
    return new FrameRanges(open, await open(undefined));
  }

  /** What the user named. */
  get name(): string {
    return this.#info.name;
  }

  /** In pels. */
  get width(): number {
    return this.#info.width;
  }

  /** In pels. */
  get height(): number {
    return this.#info.height;
  }

  /** Undefined if neither the input nor the options give one. */
  get frameRate(): FrameSource['frameRate'] {
    return this.#info.frameRate;
  }

  /** Shape of the pels; undefined if neither the input nor the options give one. */
  get pelAspect(): FrameSource['pelAspect'] {
    return this.#info.pelAspect;
  }

  /** For progress; undefined if unknown. */
  get frameCount(): number | undefined {
    return this.#info.frameCount;
  }

  /** Sound tracks beside the pictures; undefined for an input that can have none. */
  get soundTracks(): number | undefined {
    return this.#info.soundTracks;
  }

  /** True for a video that is searched by time: a range may begin with another frame, unless it is `withoutSeeking`. */
  get seeksRoughly(): boolean {
    return this.#info.seeksRoughly ?? false;
  }

  /**
   * The frames of a range in display order, each read when it is asked for; fewer where the input ends. An abort ends
   * them with the signal's reason. Rejects with the errors of the input, with OptionError for a range that is none, and
   * with InputError after `close`. One range at a time: where another one is begun, this one rejects with InputError.
   */
  async *frames(wanted: FrameRange, signal?: AbortSignalType): AsyncGenerator<Frame> {
    const { first, count, withoutSeeking = false }: FrameRange = Object(wanted);
    requireOptions({ signal }, ['signal'], 'FrameRange');
    requireCount('first', first);
    if (count !== undefined) requireCount('count', count);
    const range = ++this.#ranges;
    this.#requireLast(range); // throws once the input is closed
    const last = this.#reading;
    const isUsable = last?.isFree && !last.abort.signal.aborted;
    const mayReadOn = isUsable && last.next === first && !(withoutSeeking && last.isSought);
    const reading = mayReadOn ? last : await this.#startAt(first, withoutSeeking, range);
    reading.isFree = false;
    const onAbort = () => reading.abort.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort);
    try {
      for (let given = 0; given !== count; given++) {
        signal?.throwIfAborted();
        this.#requireLast(range);
        const { done, value } = await reading.frames.next();
        if (done) {
          this.#forget(reading);
          return;
        }
        reading.next++;
        yield value;
      }
    } catch (error) {
      this.#forget(reading);
      await reading.source.close(); // an abort between two frames is not seen by the source
      if (!signal?.aborted) this.#requireLast(range);
      throw error;
    } finally {
      reading.isFree = true;
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Releases the input, for good. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#release();
  }

  /** Nothing more is read of it; another range may have begun meanwhile. */
  #forget(reading: Reading): void {
    if (this.#reading === reading) this.#reading = undefined;
  }

  async #release(): Promise<void> {
    const { source } = this.#reading ?? {};
    await Promise.all([source?.close(), this.#unread?.close()]);
    this.#reading = undefined;
    this.#unread = undefined;
  }

  async #startAt(first: number, withoutSeeking: boolean, range: number): Promise<Reading> {
    const { frameRate, seeksRoughly } = this.#info;
    const isSought = first > 0 && !withoutSeeking && seeksRoughly === true && frameRate !== undefined;
    const seconds = isSought ? ((first - SEEK_MARGIN) * frameRate.denominator) / frameRate.numerator : undefined;
    const unread = first === 0 ? this.#unread : undefined;
    const source = unread ?? (await this.#reopen(first === 0 ? undefined : { frame: first, seconds }, range));
    this.#unread = undefined;
    const abort = new AbortController();
    const frames = source.frames(abort.signal)[Symbol.asyncIterator]();
    this.#reading = { source, frames, abort, isSought, next: first, isFree: false };
    return this.#reading;
  }

  async #reopen(start: FrameStart | undefined, range: number): Promise<FrameSource> {
    const { name } = this.#info;
    if (name === STANDARD_INPUT || (await isReadOnce(name))) {
      throw new InputError(`${name} can be read once only, from its start: use a file`);
    }
    this.#requireLast(range);
    await this.#release();
    const source = await this.#open(start);
    if (this.#isClosed || range !== this.#ranges) await source.close();
    this.#requireLast(range);
    return source;
  }

  /** Throws once the input is closed, and for a range after which another one has been begun. */
  #requireLast(range: number): void {
    if (this.#isClosed) throw new InputError(`${this.name} has been closed: open it again`);
    if (range !== this.#ranges) {
      throw new InputError(`another range of ${this.name} has been begun: one at a time, or open it once for each`);
    }
  }
}

function requireCount(name: string, value: number): void {
  if (Number.isInteger(value) && value >= 0) return;
  throw new OptionError(name, `${name} ${inWords(value)} is not a whole number of 0 or more`);
}
