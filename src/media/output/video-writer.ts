// Writes coded video to a file, in the container that the file's name asks for.
import { rm } from 'node:fs/promises';
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { InputError, OptionError, OutputError } from '../../errors.js';
import { containerForPath, WRITER_EXTENSIONS } from '../containers/container.js';
import type { ContainerWriter, StreamFormat } from '../containers/container-writer.js';
import { findFfmpeg } from '../find-ffmpeg.js';
import { OutputFile, type OutputOptions, type OutputPlace, prepareOutput } from './output-file.js';
import { copyIntoContainer } from './stream-copy.js';

/**
 * Writes access units to a file. The ending of its name chooses the container (see `CONTAINER_EXTENSIONS`). The file
 * appears under its own name when `finish` completes it. Call one of `finish`, `keepPartial` and `discard` at the end.
 */
export class VideoWriter {
  readonly #container: ContainerWriter;
  readonly #file: OutputFile;
  readonly #format: StreamFormat;
  /** Where ffmpeg copies the stream of `#file` to; undefined if `#file` is the output itself. */
  readonly #copy: OutputPlace | undefined;

  private constructor(container: ContainerWriter, file: OutputFile, format: StreamFormat, copy?: OutputPlace) {
    this.#container = container;
    this.#file = file;
    this.#format = format;
    this.#copy = copy;
  }

  /**
   * Opens `path`. Throws an OptionError for an unknown ending, the errors of `OutputFile.open`, and an UnsupportedError
   * if the container needs ffmpeg and there is none.
   */
  static async open(path: string, format: StreamFormat, options: OutputOptions = {}): Promise<VideoWriter> {
    const { writer, copySource } = containerForPath(path, format);
    if (copySource === undefined) return new VideoWriter(writer, await OutputFile.open(path, options), format);
    const place = await prepareOutput(path, options);
    if (place.direct) {
      const legal = WRITER_EXTENSIONS.join(', ');
      throw new OptionError('output', `output ${path} is a device or pipe: use one of ${legal}`);
    }
    await findFfmpeg();
    return new VideoWriter(writer, await OutputFile.open(`${place.writePath}${copySource}`), format, place);
  }

  /** Writes the next access unit. Await it before the next one: this limits the memory. */
  async write(unit: AccessUnit): Promise<void> {
    await this.#append(this.#container.write(unit));
  }

  /** Completes the file under its own name. Throws an OutputError if that fails. */
  async finish(): Promise<void> {
    await this.#complete();
    await this.#copy?.moveTo(this.#copy.path);
  }

  /** Completes the file with what has been written, as `<path>.partial`, and returns that name. */
  async keepPartial(): Promise<string> {
    if (!this.#copy) {
      await this.#append(this.#container.end());
      return this.#file.keepPartial();
    }
    await this.#complete();
    return this.#copy.keepPartial();
  }

  /** Removes what has been written. Does nothing when called again, or after `finish` or `keepPartial`. */
  async discard(): Promise<void> {
    await this.#file.discard();
    await this.#copy?.remove();
  }

  async #append(parts: readonly Uint8Array[]): Promise<void> {
    for (const part of parts) await this.#file.write(part);
  }

  /** Ends the stream, and copies it if it is not the output itself. */
  async #complete(): Promise<void> {
    await this.#append(this.#container.end());
    await this.#file.finish();
    if (!this.#copy) return;
    try {
      const { frameRate } = this.#format;
      await copyIntoContainer({ input: this.#file.path, output: this.#copy.writePath, frameRate });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      // The stream that ffmpeg rejected was written here: it is no fault of the caller's input.
      throw new OutputError(`${this.#copy.path} cannot be written: ${error.message}`, { cause: error });
    } finally {
      await rm(this.#file.path, { force: true });
    }
  }
}
