import { rm } from 'node:fs/promises';
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { InputError, OptionError, OutputError } from '../../errors.js';
import { containerForPath } from '../containers/container.js';
import type { ContainerWriter } from '../containers/container-writer.js';
import type { StreamFormat } from '../containers/stream-format.js';
import { findFfmpeg } from '../ffmpeg.js';
import { OutputFile, type OutputOptions, type OutputPlace, prepareOutput } from './output-file.js';
import { copyIntoContainer } from './stream-copy.js';

/**
 * Writes access units to a file in the container that its name's ending asks for (see `CONTAINER_EXTENSIONS`). The file
 * appears under its own name when `finish` completes it. End it with one of `finish`, `keepPartial` or `discard`.
 */
export class VideoWriter {
  readonly #container: ContainerWriter;
  readonly #file: OutputFile;
  readonly #format: StreamFormat;
  /** Where ffmpeg is to copy the stream from `#file`; undefined where that is the output itself. */
  readonly #copy: OutputPlace | undefined;

  private constructor(container: ContainerWriter, file: OutputFile, format: StreamFormat, copy?: OutputPlace) {
    this.#container = container;
    this.#file = file;
    this.#format = format;
    this.#copy = copy;
  }

  /**
   * Opens `path`. Throws an OptionError for an unknown ending, the errors of `OutputFile.open`, and UnsupportedError
   * where the container takes ffmpeg and there is none.
   */
  static async open(path: string, format: StreamFormat, options: OutputOptions = {}): Promise<VideoWriter> {
    const { writer, copySource } = containerForPath(path, format);
    if (copySource === undefined) return new VideoWriter(writer, await OutputFile.open(path, options), format);
    const place = await prepareOutput(path, options);
    if (place.direct) throw new OptionError('output', `output ${path} is a device or pipe: use .m1v, .mpg or .ts`);
    await findFfmpeg();
    return new VideoWriter(writer, await OutputFile.open(`${place.writePath}${copySource}`), format, place);
  }

  /** Takes the next access unit. Await it: that is the backpressure. */
  async write(unit: AccessUnit): Promise<void> {
    await this.#append(this.#container.write(unit));
  }

  /** Completes the file under its own name. Throws OutputError where that fails. */
  async finish(): Promise<void> {
    await this.#complete();
    await this.#copy?.moveTo(this.#copy.path);
  }

  /** Completes the file with what was written so far, as `<path>.partial`, and returns that name. */
  async keepPartial(): Promise<string> {
    if (!this.#copy) {
      await this.#append(this.#container.end());
      return this.#file.keepPartial();
    }
    await this.#complete();
    return this.#copy.keepPartial();
  }

  /** Removes what was written. Idempotent, and harmless after `finish` and `keepPartial`. */
  async discard(): Promise<void> {
    await this.#file.discard();
    await this.#copy?.remove();
  }

  async #append(parts: readonly Uint8Array[]): Promise<void> {
    for (const part of parts) await this.#file.write(part);
  }

  /** Ends the stream, and has it copied where it is not yet the output. */
  async #complete(): Promise<void> {
    await this.#append(this.#container.end());
    await this.#file.finish();
    if (!this.#copy) return;
    try {
      const { frameRate } = this.#format;
      await copyIntoContainer({ input: this.#file.path, output: this.#copy.writePath, frameRate });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      // The stream that ffmpeg stumbled over is our own: the caller's input is not to blame.
      throw new OutputError(`${this.#copy.path} cannot be written: ${error.message}`, { cause: error });
    } finally {
      await rm(this.#file.path, { force: true });
    }
  }
}
