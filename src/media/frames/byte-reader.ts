// Reads a byte stream in lines and blocks.
import { InputError } from '../../errors.js';
import { AlignedCopy } from '../../picture/aligned-copy.js';
import { type ByteChunks, openChunks, readFailure } from '../input-file.js';
import { DamagedInput } from './damaged-input.js';

/** Reads a byte stream in lines and blocks. Reads nothing ahead beyond the stream's own buffer. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #copy = new AlignedCopy();
  #chunk: Uint8Array = new Uint8Array(0);

  /** `name` starts the message of every InputError about the stream. */
  constructor(
    readonly name: string,
    readonly stream: ByteChunks,
  ) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Fills `target` from its start. Returns the bytes read: fewer than its length only at the end of the stream. */
  async read(target: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < target.length && (await this.#hasBytes())) {
      const part = this.#chunk.subarray(0, target.length - filled);
      this.#copy.copy(target, part, filled);
      this.#chunk = this.#chunk.subarray(part.length);
      filled += part.length;
    }
    return filled;
  }

  /**
   * The bytes up to the next line feed as Latin-1 text, undefined at the end of the stream. The line feed is consumed.
   * `ended` is false if there was none: the stream ended before it, or the line is longer than `maxBytes`.
   */
  async readLine(maxBytes: number): Promise<{ text: string; ended: boolean } | undefined> {
    let text = '';
    while (text.length < maxBytes && (await this.#hasBytes())) {
      const part = this.#chunk.subarray(0, maxBytes - text.length);
      const lineFeed = part.indexOf(0x0a);
      text += latin1(lineFeed < 0 ? part : part.subarray(0, lineFeed));
      this.#chunk = this.#chunk.subarray(lineFeed < 0 ? part.length : lineFeed + 1);
      if (lineFeed >= 0) return { text, ended: true };
    }
    return text === '' ? undefined : { text, ended: false };
  }

  /** The error for a frame that ends after `bytes` of `frameBytes` bytes; frames count from 0. */
  truncatedFrame(frame: number, bytes: number, frameBytes: number): DamagedInput {
    return new DamagedInput(
      `${this.name} is truncated: frame ${frame} (the first is 0) has ${bytes} of ${frameBytes} bytes`,
    );
  }

  /**
   * What `items` gives of this stream, which is closed after it. An abort closes the stream at once, and is thrown with
   * its reason: a read that waits fails with an error of its own.
   */
  async *closedAfter<T>(items: AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
    const stop = (): void => this.close();
    signal?.addEventListener('abort', stop);
    try {
      yield* items;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      this.close();
    }
  }

  /** Destroys the stream; a read that waits for it ends. */
  close(reason?: Error): void {
    this.stream.destroy(reason);
  }

  async #hasBytes(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const next = await this.#next();
      if (next.done) return false;
      if (!(next.value instanceof Uint8Array)) {
        throw new InputError(`${this.name} gives ${typeof next.value}, not bytes: open it without an encoding`);
      }
      this.#chunk = next.value;
    }
    return true;
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    try {
      return await this.#chunks.next();
    } catch (error) {
      throw (error as NodeJS.ErrnoException).syscall ? readFailure(this.name, error) : error;
    }
  }
}

/**
 * Opens a file, from byte `start` on, or a pipe. Returns its reader and the file's length in bytes, undefined for a
 * pipe. Throws InputError.
 */
export async function openByteReader(
  path: string,
  start = 0,
): Promise<{ reader: ByteReader; fileBytes: number | undefined }> {
  const { stream, fileBytes } = await openChunks(path, start);
  return { reader: new ByteReader(path, stream), fileBytes };
}

/** Room for `length` bytes of any content: for what is read in full, so that nobody fills it with zeros before. */
export function unfilledBytes(length: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
