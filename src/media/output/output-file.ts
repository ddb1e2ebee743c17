// Writes a file that appears under its own name only when it is complete.
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { InputError, OptionError, OutputError } from '../../errors.js';

/** Small writes are collected into blocks of this many bytes. */
const BLOCK_BYTES = 1 << 18;

/** How to open an output. */
export interface OutputOptions {
  /** Replace an existing file. By default an existing file is an error. */
  readonly overwrite?: boolean;
}

/**
 * An output file. Until `finish` it has a hidden name in the same folder. Writes to a device or pipe (`/dev/null`,
 * `/dev/stdout`) go straight there. Call one of `finish`, `keepPartial` and `discard` at the end.
 */
export class OutputFile {
  readonly #file: FileHandle;
  readonly #place: OutputPlace;
  readonly #block = new Uint8Array(BLOCK_BYTES);
  #blockBytes = 0;
  #bytesWritten = 0;
  #last: Promise<void> = Promise.resolve();
  #ended = false;

  private constructor(file: FileHandle, place: OutputPlace) {
    this.#file = file;
    this.#place = place;
  }

  /**
   * Opens `path` for writing. Throws an OptionError: `output` if its folder does not exist, it is a folder or it cannot
   * be written; `overwrite` if it exists and may not be replaced.
   */
  static async open(path: string, options: OutputOptions = {}): Promise<OutputFile> {
    const place = await prepareOutput(path, options);
    const file = await open(place.writePath, place.direct ? 'w' : 'wx').catch((error: Error) => {
      throw new OptionError('output', `output ${path} cannot be written: ${error.message}`);
    });
    return new OutputFile(file, place);
  }

  /** The name under which the file will appear. */
  get path(): string {
    return this.#place.path;
  }

  /** Bytes passed to `write` so far. */
  get bytesWritten(): number {
    return this.#bytesWritten;
  }

  /**
   * Appends bytes, which may be reused when the promise has resolved. Calls are carried out in order. Await each one:
   * this limits the memory. Throws an OutputError that names the file if it cannot be written, as on a full disk.
   */
  write(bytes: Uint8Array): Promise<void> {
    this.#bytesWritten += bytes.length;
    return this.#inOrder(() => this.#append(bytes));
  }

  /** Completes the file under its own name. */
  async finish(): Promise<void> {
    await this.#end();
    await this.#place.moveTo(this.#place.path);
  }

  /** Closes the file with what has been written as `<path>.partial`, replacing an older one. Returns that name. */
  async keepPartial(): Promise<string> {
    await this.#end();
    return this.#place.keepPartial();
  }

  /**
   * Removes what has been written. Does nothing when called again, or after `finish` or `keepPartial`: for `finally`.
   */
  async discard(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#last.catch(() => {});
    await this.#file.close();
    await this.#place.remove();
  }

  async #end(): Promise<void> {
    await this.#inOrder(() => this.#flush());
    this.#ended = true;
    await this.#file.close();
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
      const { bytesWritten } = await this.#file.write(bytes, written).catch((error: Error) => {
        throw new OutputError(`${this.path} cannot be written: ${error.message}`);
      });
      written += bytesWritten;
    }
  }
}

/** Where an output is written until it is complete; also for outputs that another program writes. */
export interface OutputPlace {
  readonly path: string;
  /** The name to write to: hidden, in the folder of `path`, with the same ending. */
  readonly writePath: string;
  /** `path` is a device or pipe: it is written directly, never moved or removed. */
  readonly direct: boolean;
  moveTo(path: string): Promise<void>;
  /** Moves the output to `<path>.partial` and returns that name. */
  keepPartial(): Promise<string>;
  remove(): Promise<void>;
}

/** Checks that `path` may be written, with the errors of `OutputFile.open`, and chooses where to write meanwhile. */
export async function prepareOutput(path: string, { overwrite = false }: OutputOptions = {}): Promise<OutputPlace> {
  const folder = dirname(path);
  const inFolder = await stat(folder).catch(() => undefined);
  if (!inFolder?.isDirectory()) throw new OptionError('output', `output folder does not exist: ${folder}`);
  const existing = await stat(path).catch(() => undefined);
  if (existing?.isDirectory()) throw new OptionError('output', `output ${path} is a folder: a file name is needed`);
  const direct = existing !== undefined && !existing.isFile();
  if (existing && !direct && !overwrite) {
    throw new OptionError('overwrite', `output ${path} exists already: choose another name, or --overwrite`);
  }
  const ending = extname(path);
  const hidden = `.${basename(path, ending)}.${randomBytes(6).toString('hex')}${ending}`;
  const writePath = direct ? path : join(folder, hidden);
  const moveTo = async (target: string): Promise<void> => {
    if (!direct) await rename(writePath, target);
  };
  return {
    path,
    writePath,
    direct,
    moveTo,
    keepPartial: async () => {
      const target = direct ? path : `${path}.partial`;
      await moveTo(target);
      return target;
    },
    remove: async () => {
      if (!direct) await rm(writePath, { force: true });
    },
  };
}
