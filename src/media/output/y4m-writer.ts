// Writes frames to y4m (YUV4MPEG2) files.
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import type { PelAspect } from '../../bitstream/tables/pel-aspect-ratio.js';
import { OptionError } from '../../errors.js';
import { inWords } from '../../given-options.js';
import type { Frame } from '../../picture/frame.js';
import { checkedFrame } from '../../picture/frame-check.js';
import { formatY4mHeader, Y4M_FRAME } from '../frames/y4m/y4m-header.js';
import { OutputFile } from './output-file.js';
import type { OutputOptions, OutputPlace } from './output-place.js';

const FRAME_LINE = new TextEncoder().encode(`${Y4M_FRAME}\n`);

/** A header without a number that is missing or not whole. */
const HEADER = /^\S+ W[1-9]\d* H[1-9]\d* F[1-9]\d*:[1-9]\d* Ip A\d+:\d+ C\w+\n$/;

/** What the header of a y4m file says. */
export interface Y4mFormat {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  /** Any rate. */
  readonly frameRate: FrameRate;
  /** The shape of the pels; default square. */
  readonly pelAspect?: PelAspect | undefined;
}

/** Writes a y4m file (progressive 4:2:0). The file appears when `finish` completes it. */
export class Y4mWriter {
  private constructor(
    readonly format: Y4mFormat,
    readonly file: OutputFile,
  ) {}

  /** Opens `path` and writes the header. Throws an OptionError for a wrong format, the errors of `OutputFile.open`. */
  static async open(path: string, format: Y4mFormat, options: OutputOptions = {}): Promise<Y4mWriter> {
    const header = formatY4mHeader(Object(format));
    if (!(HEADER.test(header) && [format.width, format.height].every(Number.isInteger))) {
      const legal = 'width, height and frameRate: { numerator, denominator } in whole numbers';
      throw new OptionError('format', `the format ${inWords(format)} is not ${legal}`);
    }
    const file = await OutputFile.open(path, options);
    try {
      await file.write(new TextEncoder().encode(header));
    } catch (error) {
      await file.discard();
      throw error;
    }
    return new Y4mWriter(format, file);
  }

  /** Where the file is written, and how it gets its name. */
  get place(): OutputPlace {
    return this.file.place;
  }

  /** Appends a frame, whose planes may be reused afterwards. Throws an InputError if it has not the header's size. */
  async write(frame: Frame): Promise<void> {
    const { width, height } = this.format;
    const { y, u, v } = checkedFrame(frame, width, height, `${this.file.path}: a frame`);
    await Promise.all([FRAME_LINE, y, u, v].map(part => this.file.write(part)));
  }

  /** Completes the file under its own name. */
  finish(): Promise<void> {
    return this.file.finish();
  }

  /** Writes everything to the disk; the file stays hidden. For outputs that appear together. */
  complete(): Promise<void> {
    return this.file.complete();
  }

  /** Closes the file with the frames written so far as `<path>.partial`. Returns that name. */
  keepPartial(): Promise<string> {
    return this.file.keepPartial();
  }

  /** Removes what has been written. Does nothing after `finish` or `keepPartial`. */
  discard(): Promise<void> {
    return this.file.discard();
  }
}
