import type { Readable } from 'node:stream';
import { InputError } from '../../errors.js';

/** Reads a byte stream in lines and blocks; nothing is read ahead beyond the stream's own buffer. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);

  /** `name` starts the message of the InputError that a failing stream becomes. */
  constructor(
    readonly name: string,
    readonly stream: Readable,
  ) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  }

  /** Fills `target` from its start; returns the bytes read, fewer than its length only at the end of the stream. */
  async read(target: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < target.length && (await this.#hasBytes())) {
      const part = this.#chunk.subarray(0, target.length - filled);
      target.set(part, filled);
      this.#chunk = this.#chunk.subarray(part.length);
      filled += part.length;
    }
    return filled;
  }

  /**
   * The bytes up to the next line feed, which is taken too, as Latin-1 text; undefined at the end of the stream.
   * `ended` tells whether there was a line feed: without one the stream ended, or `limit` bytes were reached.
   */
  async readLine(limit: number): Promise<{ text: string; ended: boolean } | undefined> {
    let text = '';
    while (text.length < limit && (await this.#hasBytes())) {
      const part = this.#chunk.subarray(0, limit - text.length);
      const lineFeed = part.indexOf(0x0a);
      text += latin1(lineFeed < 0 ? part : part.subarray(0, lineFeed));
      this.#chunk = this.#chunk.subarray(lineFeed < 0 ? part.length : lineFeed + 1);
      if (lineFeed >= 0) return { text, ended: true };
    }
    return text === '' ? undefined : { text, ended: false };
  }

  /** Stops the stream; a read that waits for it ends. */
  close(reason?: Error): void {
    this.stream.destroy(reason);
  }

  async #hasBytes(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const next = await this.#next();
      if (next.done) return false;
      this.#chunk = next.value;
    }
    return true;
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    try {
      return await this.#chunks.next();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall)
        throw new InputError(`${this.name} cannot be read: ${(error as Error).message}`);
      throw error;
    }
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
