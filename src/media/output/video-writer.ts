// Writes coded video to a file, in the container that the file's name asks for.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { InputError, OptionError, OutputError } from '../../errors.js';
import { containerForPath, WRITER_EXTENSIONS } from '../containers/container.js';
import type { ContainerWriter, StreamFormat } from '../containers/container-writer.js';
import { findFfmpeg } from '../find-ffmpeg.js';
import { OutputFile } from './output-file.js';
import { type OutputOptions, OutputPlace } from './output-place.js';
import { completeAndPublish } from './publish.js';
import { copyStream } from './stream-copy.js';

/**
 * Writes access units to a file. The ending of its name chooses the container (see `CONTAINER_EXTENSIONS`). The file
 * appears under its own name when `finish` completes it. Call one of `finish`, `keepPartial` and `discard` at the end.
 */
export class VideoWriter {
  readonly #container: ContainerWriter;
  readonly #file: OutputFile;
  readonly #format: StreamFormat;
  /** The stream in a hidden file, which ffmpeg copies; undefined if `#file` is the output itself. */
  readonly #scratch: string | undefined;

  private constructor(container: ContainerWriter, file: OutputFile, format: StreamFormat, scratch?: string) {
    this.#container = container;
    this.#file = file;
    this.#format = format;
    this.#scratch = scratch;
  }

  /**
   * Opens `path`. Throws an OptionError for an unknown ending, the errors of `OutputFile.open`, and an UnsupportedError
   * if the container needs ffmpeg and there is none.
   */
  static async open(path: string, format: StreamFormat, options: OutputOptions = {}): Promise<VideoWriter> {
    const { writer, copySource } = containerForPath(path, format);
    if (copySource === undefined) return new VideoWriter(writer, await OutputFile.open(path, options), format);
    await findFfmpeg();
    const place = await OutputPlace.prepare(path, options);
    if (place.direct) {
      const legal = WRITER_EXTENSIONS.join(', ');
      throw new OptionError('output', `output ${path} is a device or pipe: use one of ${legal}`);
    }
    const scratch = place.addScratch(copySource);
    return new VideoWriter(writer, await OutputFile.openAt(place, scratch), format, scratch);
  }

  /** Where the file is written, and how it gets its name. */
  get place(): OutputPlace {
    return this.#file.place;
  }

  /** Writes the next access unit. Await it before the next one: this limits the memory. */
  async write(unit: AccessUnit): Promise<void> {
    await this.#append(this.#container.write(unit));
  }

  /** Completes the file under its own name. Throws an OutputError if that fails, and then leaves nothing. */
  async finish(): Promise<void> {
    await completeAndPublish(this);
  }

  /** Completes the file with what has been written, as `<path>.partial`, and returns that name. */
  async keepPartial(): Promise<string> {
    return completeAndPublish(this, { asPartial: true });
  }

  /** Ends the stream and writes everything to the disk; the file stays hidden. For outputs that appear together. */
  async complete(): Promise<void> {
    await this.#append(this.#container.end());
    await this.#file.complete();
    if (this.#scratch === undefined) return;
    try {
      await copyStream(this.#scratch, this.place, this.#format.frameRate);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      // The stream that ffmpeg rejected was written here: it is no fault of the caller's input.
      throw new OutputError(this.#copyFailure(error), { cause: error });
    }
  }

  /** Removes what has been written. Does nothing when called again, or after `finish` or `keepPartial`. */
  async discard(): Promise<void> {
    await this.#file.discard();
  }

  async #append(parts: readonly Uint8Array[]): Promise<void> {
    for (const part of parts) await this.#file.write(part);
  }

  #copyFailure({ message }: Error): string {
    const { path } = this.place;
    return `${path} cannot be written: ${message.replace(`${path}: `, '')}`;
  }
}
