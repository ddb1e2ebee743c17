// Reads frames that lie in a file at equal distances, each straight into the memory where it stays.
import { type FileHandle, open } from 'node:fs/promises';
import { type Frame, type FrameMemory, frameToFill, i420Bytes } from '../../picture/frame.js';
import type { AbortSignalType } from '../../platform-types.js';
import { readFailure } from '../input-file.js';

/** Tight I420 frames of one size in a file, each after the same bytes. */
export interface FrameLayout {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  /** The byte of the file where the bytes before the first frame start. */
  readonly start: number;
  /** The bytes before each frame, as Latin-1 text. */
  readonly before: string;
}

/** The part of a file that has the layout. */
export interface ReadPart {
  readonly frames: number;
  /** The byte of the file after that part. */
  readonly next: number;
}

/** The frames of a file, read by another thread, one ahead. */
export class FrameFile {
  readonly #layout: FrameLayout;
  #file: FileHandle | undefined;
  #isClosed = false;

  constructor(layout: FrameLayout) {
    this.#layout = layout;
  }

  /**
   * The frames up to the end of the file, or to the first one that does not have the layout. Rejects with InputError
   * if the file cannot be read, and with the reason of an abort.
   */
  async *frames(signal?: AbortSignalType, memory?: FrameMemory): AsyncGenerator<Frame, ReadPart> {
    const { path, width, height, start, before } = this.#layout;
    const distance = before.length + i420Bytes(width, height);
    let frames = 0;
    let reading: Promise<Frame | undefined> | undefined;
    try {
      signal?.throwIfAborted();
      this.#file = await open(path);
      if (this.#isClosed) throw new Error('it has been closed');
      for (let next = start; ; next += distance) {
        reading ??= this.#read(next, memory);
        const frame = await reading;
        signal?.throwIfAborted();
        if (!frame) return { frames, next };
        reading = this.#read(next + distance, memory);
        reading.catch(() => {}); // it is awaited, or nobody wants it any more
        frames++;
        yield frame;
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw readFailure(path, error);
    } finally {
      await this.close();
    }
  }

  /** Closes the file. Asking for another frame rejects with InputError. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#file?.close();
  }

  /** The frame that starts at a byte; undefined unless all of it is there. */
  async #read(start: number, memory: FrameMemory | undefined): Promise<Frame | undefined> {
    const { width, height, before } = this.#layout;
    const frame = frameToFill(width, height, memory);
    const found = Buffer.alloc(before.length);
    const { bytesRead } = await this.#file!.readv([found, frame.y, frame.u, frame.v], start);
    const isWhole = bytesRead === before.length + i420Bytes(width, height);
    return isWhole && found.toString('latin1') === before ? frame : undefined;
  }
}
