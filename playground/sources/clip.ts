// The pictures of a source, kept as they come, so that several encodes can read them.
import { type Frame, i420Bytes } from 'mpegpu';
import type { Settings } from '../settings.ts';

/** Pictures a second of everything that the page encodes. */
export const FRAME_RATE = 25;
/** A clip takes no more memory than this, with the pictures that JSMpeg shows of it: as many, as large. */
const MAX_BYTES = 512 << 20;

/** The settings that say which pictures a clip has. */
export type ClipSettings = Pick<Settings, 'size' | 'seconds' | 'flakes'>;

/** Where pictures come from. */
export interface ClipSource {
  readonly name: string;
  /** What is to be said of it, as a sentence. */
  readonly note?: string;
  /** Whether it ends only when it is stopped, or when the clip is full. */
  readonly isLive?: boolean;
  /** Pictures whose longest side is at most `size` pels; ends early when `signal` says so. */
  open(settings: ClipSettings, signal: AbortSignal): AsyncIterable<Frame>;
}

/** Reads a source once, ahead of those who want its pictures. */
export class Clip {
  readonly name: string;
  readonly note: string | undefined;
  readonly isLive: boolean;
  readonly frames: Frame[] = [];
  readonly #maxFrames: number;
  readonly #stopping = new AbortController();
  #isWhole = false;
  #error: unknown;
  #wake: (() => void)[] = [];

  constructor({ name, note, isLive = false, open }: ClipSource, settings: ClipSettings) {
    this.name = name;
    this.note = note;
    this.isLive = isLive;
    this.#maxFrames = FRAME_RATE * settings.seconds;
    void this.#readAll(open(settings, this.#stopping.signal));
  }

  /** Whether all pictures are there. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Whether it has ended because more pictures would take too much memory. */
  get isCut(): boolean {
    return this.frames.length < this.#maxFrames && this.#isFull;
  }

  /** Takes no more pictures: what is there is the whole clip. */
  stop(): void {
    this.#stopping.abort();
  }

  /** The pictures, each as soon as it is there, until `signal` is aborted. Throws what the source throws. */
  async *read(signal?: AbortSignal): AsyncGenerator<Frame> {
    signal?.addEventListener('abort', () => this.#notify());
    for (let at = 0; !signal?.aborted; at++) {
      while (at >= this.frames.length && !this.#isWhole && !signal?.aborted) {
        await new Promise<void>(resolve => this.#wake.push(resolve));
      }
      if (this.#error) throw this.#error;
      const frame = this.frames[at];
      if (!frame) return;
      yield frame;
    }
  }

  async #readAll(source: AsyncIterable<Frame>): Promise<void> {
    const { signal } = this.#stopping;
    const frames = source[Symbol.asyncIterator]();
    // A source that starts slowly is not waited for.
    const stopped = new Promise<undefined>(resolve => signal.addEventListener('abort', () => resolve(undefined)));
    try {
      for (;;) {
        const next = await Promise.race([frames.next(), stopped]);
        if (next && !next.done) this.frames.push(next.value);
        if (!next || next.done || this.frames.length === this.#maxFrames || this.#isFull || signal.aborted) break;
        this.#notify();
      }
      const why = signal.aborted ? 'was stopped before its first picture' : 'holds no picture';
      if (this.frames.length === 0) throw new Error(`${this.name} ${why}`);
    } catch (error) {
      this.#error = error;
    }
    void frames.return?.().catch(() => {}); // its error has been told, or nobody waits for it
    this.#isWhole = true;
    this.#notify();
  }

  /** Whether another picture would take too much memory. All have the size of the first. */
  get #isFull(): boolean {
    const [first] = this.frames;
    return first !== undefined && 2 * i420Bytes(first.width, first.height) * (this.frames.length + 1) > MAX_BYTES;
  }

  #notify(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}

/** The size in which a picture of this size is taken: its longest side at most `size`, both sides even. */
export function fittedSize(width: number, height: number, size: number): { width: number; height: number } {
  const scale = Math.min(1, size / Math.max(width, height));
  const even = (length: number) => Math.max(16, 2 * Math.round((length * scale) / 2));
  return { width: even(width), height: even(height) };
}
