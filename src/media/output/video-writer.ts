// Writes coded video to a file, in the container that the file's name asks for.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { InputError, OptionError, OutputError } from '../../errors.js';
import { inWords, requireOptions } from '../../given-options.js';
import { containerForPath, WRITER_EXTENSIONS } from '../containers/container.js';
import { type ContainerWriter, requireAccessUnit, type StreamFormat } from '../containers/container-writer.js';
import { findFfmpeg } from '../find-ffmpeg.js';
import { checkFrame, framesBefore, type Sound } from '../sound/layer-two.js';
import { shortage, systemReason } from '../system-error.js';
import { OutputFile } from './output-file.js';
import { OUTPUT_OPTIONS, type OutputOptions, OutputPlace } from './output-place.js';
import { completeAndPublish } from './publish.js';
import { copyStream } from './stream-copy.js';

/** How to open a video: as any output, and with which sound. */
export interface VideoOptions extends OutputOptions {
  /** MPEG-1 Layer II, which starts with the first picture and ends with the last one at the latest. */
  readonly sound?: Sound | undefined;
  /** True: the file has all of an access unit as soon as `write` resolves; by default it is written in blocks. */
  readonly isLive?: boolean | undefined;
}

const NAMES = [...OUTPUT_OPTIONS, 'sound', 'isLive'] satisfies (keyof VideoOptions)[];

/** The parts of which a file is made. */
interface Parts {
  readonly container: ContainerWriter;
  readonly file: OutputFile;
  readonly format: StreamFormat;
  /** The stream in a hidden file, which ffmpeg copies; undefined if `file` is the output itself. */
  readonly scratch?: string;
  /** The sound in a hidden file, which ffmpeg copies; undefined if the container takes it. */
  readonly soundFile?: { readonly file: OutputFile; readonly path: string };
  readonly sound?: Sound | undefined;
  readonly isLive: boolean;
}

/**
 * Writes access units to a file. The ending of its name chooses the container (see `CONTAINER_EXTENSIONS`). The file
 * appears under its own name when `finish` completes it. Call one of `finish`, `keepPartial` and `discard` at the end.
 */
export class VideoWriter {
  readonly #parts: Parts;
  readonly #frames: AsyncIterator<Uint8Array> | Iterator<Uint8Array> | undefined;
  #soundFrames = 0;
  /** The newest frame in `soundFile`. */
  #lastFrame: Uint8Array | undefined;
  #soundHasEnded = false;
  #end: Promise<void> | undefined;

  private constructor(parts: Parts) {
    this.#parts = parts;
    const frames = parts.sound?.frames;
    if (frames)
      this.#frames = Symbol.asyncIterator in frames ? frames[Symbol.asyncIterator]() : frames[Symbol.iterator]();
  }

  /**
   * Opens `path`. Throws an OptionError for an unknown ending and for sound in an elementary stream, the errors of
   * `OutputFile.open`, and an UnsupportedError if the container needs ffmpeg and there is none.
   */
  static async open(path: string, video: StreamFormat, options: VideoOptions = {}): Promise<VideoWriter> {
    requireOptions(options, NAMES, 'VideoOptions', ['overwrite', 'isLive']);
    const { sound, isLive = false, ...outputOptions } = options;
    if (sound !== undefined && !isSound(Object(sound))) {
      throw new OptionError('sound', `sound ${inWords(sound)} is not what openSound gives`);
    }
    const format = { ...video, ...(sound && { sound: sound.format }) };
    const { writer: container, copySource, hasOwnSound } = containerForPath(path, format);
    if (copySource === undefined) {
      return new VideoWriter({ container, file: await OutputFile.open(path, outputOptions), format, sound, isLive });
    }
    await findFfmpeg();
    const place = await OutputPlace.prepare(path, outputOptions);
    if (place.direct) {
      const legal = WRITER_EXTENSIONS.join(', ');
      throw new OptionError('output', `output ${path} is a device or pipe: use one of ${legal}`);
    }
    const scratch = place.addScratch(copySource);
    const file = await OutputFile.openAt(place, scratch);
    if (!hasOwnSound) return new VideoWriter({ container, file, format, scratch, sound, isLive });
    const soundPath = place.addScratch('.mp2');
    const soundFile = { path: soundPath, file: await OutputFile.openAt(place, soundPath) };
    return new VideoWriter({ container, file, format, scratch, soundFile, sound, isLive });
  }

  /** Frames of sound that have been written. */
  get soundFrames(): number {
    return this.#soundFrames;
  }

  /** Where the file is written, and how it gets its name. */
  get place(): OutputPlace {
    return this.#parts.file.place;
  }

  /**
   * Writes the next access unit, and before it the sound of its picture period. Await it before the next one: this
   * limits the memory. Throws an InputError for sound that is no MPEG-1 Layer II of one format.
   */
  async write(unit: AccessUnit): Promise<void> {
    requireAccessUnit(unit);
    if (this.#frames) await this.#writeSound(unit.codedNumber + 1, this.#frames);
    await this.#append(this.#parts.container.write(unit));
    if (this.#parts.isLive) await this.#parts.file.flush();
  }

  /**
   * Completes the file under its own name. Throws an OutputError if that fails; where the name alone is the reason, the
   * file is kept as `<path>.partial`, and the error says so.
   */
  async finish(): Promise<void> {
    await completeAndPublish(this);
  }

  /** Completes the file with what has been written, as `<path>.partial`, and returns that name. */
  async keepPartial(): Promise<string> {
    return completeAndPublish(this, { asPartial: true });
  }

  /** Ends the stream and writes everything to the disk; the file stays hidden. For outputs that appear together. */
  async complete(): Promise<void> {
    const { container, file, scratch, soundFile, format } = this.#parts;
    await this.#endSound();
    await this.#append(container.end());
    await file.complete();
    const soundFrames = this.#soundFrames;
    // ffmpeg does not read a file of one frame: it gets two, and copies one.
    if (soundFile && soundFrames === 1) await soundFile.file.write(this.#lastFrame!);
    await soundFile?.file.complete();
    if (scratch === undefined) return;
    const fromFile = soundFile && soundFrames > 0 && { soundInput: soundFile.path, soundFrames };
    const sound = soundFrames === 0 ? { soundFrames } : fromFile; // ffmpeg copies no stream without a frame
    const isLayerTwo = format.sound !== undefined && !soundFile;
    const streams = { input: scratch, frameRate: format.frameRate, isLayerTwo, ...sound };
    try {
      await copyStream(streams, this.place);
    } catch (error) {
      if (!(error instanceof InputError || shortage(error))) throw error;
      // The stream that ffmpeg rejected was written here: it is no fault of the caller's input.
      throw new OutputError(this.#copyFailure(error as Error), { cause: error });
    }
  }

  /** Removes what has been written. Does nothing when called again, or after `finish` or `keepPartial`. */
  async discard(): Promise<void> {
    await this.#endSound();
    await this.#parts.soundFile?.file.discard();
    await this.#parts.file.discard();
  }

  /** Writes the frames of sound that start before the end of `periods` picture periods. */
  async #writeSound(periods: number, frames: AsyncIterator<Uint8Array> | Iterator<Uint8Array>): Promise<void> {
    const { container, format, soundFile } = this.#parts;
    const { numerator, denominator } = format.frameRate;
    const due = framesBefore(periods * denominator, numerator, format.sound!.sampleRate);
    while (this.#soundFrames < due && !this.#soundHasEnded) {
      const { value, done } = await frames.next();
      if (done) {
        this.#soundHasEnded = true;
        return;
      }
      if (soundFile) {
        checkFrame(value, format.sound!, this.#soundFrames);
        await soundFile.file.write(value);
        this.#lastFrame = value;
      } else container.writeSound(value);
      this.#soundFrames++;
    }
  }

  /** Tells the source of the sound that no more is wanted. */
  async #endSound(): Promise<void> {
    this.#end ??= Promise.resolve(this.#frames?.return?.()).then(() => {});
    await this.#end;
  }

  async #append(parts: readonly Uint8Array[]): Promise<void> {
    for (const part of parts) await this.#parts.file.write(part);
  }

  #copyFailure(error: Error): string {
    const { path } = this.place;
    return `${path} cannot be written: ${systemReason(error).replace(`${path}: `, '')}`;
  }
}

/** Whether a value has a format, and frames that can be iterated. */
function isSound({ format, frames }: Sound): boolean {
  const areObjects = [format, frames].every(part => Object(part) === part);
  return areObjects && (Symbol.asyncIterator in frames || Symbol.iterator in frames);
}
