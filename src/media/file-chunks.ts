// Reads a file in chunks whose memory is used again: a long file leaves nothing to the garbage collector.
import type { FileHandle } from 'node:fs/promises';

/** The bytes of a file from a byte on, in chunks. A chunk keeps its bytes until the next one is asked for. */
export class FileChunks implements AsyncIterable<Uint8Array> {
  readonly #file: FileHandle;
  readonly #start: number;
  readonly #bytes: number;
  #isClosed = false;

  /** The file's bytes from byte `start` on; `bytes` is the length of a chunk. */
  constructor(file: FileHandle, start: number, bytes: number) {
    this.#file = file;
    this.#start = start;
    this.#bytes = bytes;
  }

  /** One chunk is read while the caller has the one before. To be called once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const [first, second] = [Buffer.allocUnsafeSlow(this.#bytes), Buffer.allocUnsafeSlow(this.#bytes)];
    let reading = this.#read(first, this.#start);
    for (let [now, next, at] = [first, second, this.#start]; ; [now, next] = [next, now]) {
      const read = await reading;
      if (read === 0) return;
      at += read;
      reading = this.#read(next, at);
      reading.catch(() => {}); // its error is thrown when it is awaited
      yield now.subarray(0, read);
    }
  }

  /** Closes the file; a read that waits for it ends. */
  destroy(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#file.close().catch(() => {}); // nothing was written
  }

  async #read(chunk: Uint8Array, at: number): Promise<number> {
    if (this.#isClosed) throw new Error('the file has been closed');
    const { bytesRead } = await this.#file.read(chunk, 0, chunk.length, at);
    return bytesRead;
  }
}
