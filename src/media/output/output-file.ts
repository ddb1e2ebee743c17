// Writes a file that appears under its own name only when it is complete.
import { type FileHandle, open } from 'node:fs/promises';
import { isUint8Array } from 'node:util/types';
import { InputError, OutputError } from '../../errors.js';
import { systemReason } from '../system-error.js';
import { flushFile } from './flush.js';
import { type OutputOptions, OutputPlace, unwritable } from './output-place.js';
import { completeAndPublish } from './publish.js';

/** Small writes are collected into blocks of this many bytes. */
const BLOCK_BYTES = 1 << 18;

/**
 * An output file. Until `finish` it has a hidden name in the same folder. Writes to a device or pipe (`/dev/null`,
 * `/dev/stdout`) go straight there. Call one of `finish`, `keepPartial` and `discard` at the end.
 */
export class OutputFile {
  readonly #file: FileHandle;
  /** Whether the file must outlive a power failure; not a device, nor a file that only helps to make the output. */
  readonly #lasts: boolean;
  readonly #block = new Uint8Array(BLOCK_BYTES);
  #blockBytes = 0;
  #bytesWritten = 0;
  #last: Promise<void> = Promise.resolve();
  #ended = false;

  private constructor(
    file: FileHandle,
    /** Where it is written, and how it gets its name. */
    readonly place: OutputPlace,
    lasts: boolean,
  ) {
    this.#file = file;
    this.#lasts = lasts;
  }

  /**
   * Opens `path` for writing. Throws an OptionError: `output` if its folder does not exist, it is a folder or it cannot
   * be written; `overwrite` if it exists and may not be replaced.
   */
  static async open(path: string, options: OutputOptions = {}): Promise<OutputFile> {
    const place = await OutputPlace.prepare(path, options);
    return OutputFile.openAt(place, place.writePath);
  }

  /** Opens `writePath`, a file of `place`, for writing. */
  static async openAt(place: OutputPlace, writePath: string): Promise<OutputFile> {
    try {
      const file = await open(writePath, place.direct ? 'w' : 'r+');
      return new OutputFile(file, place, !place.direct && writePath === place.writePath);
    } catch (error) {
      place.remove();
      place.options.signal?.throwIfAborted();
      throw unwritable(place.path, error);
    }
  }

  /** The name under which the file will appear. */
  get path(): string {
    return this.place.path;
  }

  /** Bytes passed to `write` so far. */
  get bytesWritten(): number {
    return this.#bytesWritten;
  }

  /**
   * Appends bytes, which may be reused when the promise has resolved. Calls are carried out in order. Await each one:
   * this limits the memory. Rejects with an InputError for what is no Uint8Array, with an OutputError that names the
   * file if it cannot be written, as on a full disk.
   */
  write(bytes: Uint8Array): Promise<void> {
    const isBytes = isUint8Array(bytes);
    if (isBytes) this.#bytesWritten += bytes.length;
    return this.#inOrder(async () => {
      if (!isBytes) throw new InputError(`${this.path}: write takes a Uint8Array, not ${typeof bytes}`);
      await this.#append(bytes);
    });
  }

  /** Gives the system all that was written before; it need not be on the disk yet. Throws as `write`. */
  flush(): Promise<void> {
    return this.#inOrder(() => this.#flush());
  }

  /**
   * Completes the file under its own name. If it cannot have that, it is kept as `<path>.partial`, and an OutputError
   * says so.
   */
  async finish(): Promise<void> {
    await completeAndPublish(this);
  }

  /** Closes the file with what has been written as `<path>.partial`, replacing an older one. Returns that name. */
  async keepPartial(): Promise<string> {
    return completeAndPublish(this, { asPartial: true });
  }

  /** Writes everything to the disk and closes the file, which stays hidden. For outputs that appear together. */
  async complete(): Promise<void> {
    await this.#inOrder(async () => {
      await this.#flush();
      await this.#orRefuse(this.#sync());
    });
    this.#ended = true;
    await this.#orRefuse(this.#file.close());
  }

  /**
   * Removes what has been written. Does nothing when called again, or after `finish` or `keepPartial`: for `finally`.
   */
  async discard(): Promise<void> {
    if (!this.#ended) {
      this.#ended = true;
      await this.#last.catch(() => {});
      await this.#file.close().catch(() => {});
    }
    this.place.remove();
  }

  #inOrder(step: () => Promise<void>): Promise<void> {
    const result = this.#last.then(() => {
      if (this.#ended) throw new InputError(`${this.path} has been closed: nothing more can be written`);
      return step();
    });
    // A failed write makes all later ones fail. Node must not report this copy of the error as unhandled.
    result.catch(() => {});
    this.#last = result;
    return result;
  }

  async #append(bytes: Uint8Array): Promise<void> {
    if (this.#blockBytes + bytes.length > BLOCK_BYTES) await this.#flush();
    if (bytes.length > BLOCK_BYTES) return this.#writeAll(bytes);
    this.#block.set(bytes, this.#blockBytes);
    this.#blockBytes += bytes.length;
  }

  async #flush(): Promise<void> {
    const bytes = this.#block.subarray(0, this.#blockBytes);
    this.#blockBytes = 0;
    await this.#writeAll(bytes);
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await this.#orRefuse(this.#file.write(bytes, written));
      written += bytesWritten;
    }
  }

  async #sync(): Promise<void> {
    if (this.#lasts) await flushFile(this.#file);
  }

  /** The result of a system call, whose error becomes an OutputError that names the file. */
  async #orRefuse<Result>(call: Promise<Result>): Promise<Result> {
    try {
      return await call;
    } catch (error) {
      throw new OutputError(`${this.path} cannot be written: ${systemReason(error)}`, { cause: error });
    }
  }
}
