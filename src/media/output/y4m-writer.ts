// Writes frames to y4m (YUV4MPEG2) files.
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import type { PelAspect } from '../../bitstream/tables/pel-aspect-ratio.js';
import { InputError } from '../../errors.js';
import type { Frame } from '../../picture/frame.js';
import { formatY4mHeader, Y4M_FRAME } from '../frames/y4m/y4m-header.js';
import { OutputFile } from './output-file.js';
import type { OutputOptions, OutputPlace } from './output-place.js';

const FRAME_LINE = new TextEncoder().encode(`${Y4M_FRAME}\n`);

/** What the header of a y4m file says. */
export interface Y4mFormat {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  /** Any rate. */
  readonly frameRate: FrameRate;
  /** The shape of the pels; default square. */
  readonly pelAspect?: PelAspect;
}

/** Writes a y4m file (progressive 4:2:0). The file appears when `finish` completes it. */
export class Y4mWriter {
  private constructor(
    readonly format: Y4mFormat,
    readonly file: OutputFile,
  ) {}

  /** Opens `path` and writes the header. Throws the errors of `OutputFile.open`. */
  static async open(path: string, format: Y4mFormat, options: OutputOptions = {}): Promise<Y4mWriter> {
    const file = await OutputFile.open(path, options);
    await file.write(new TextEncoder().encode(formatY4mHeader(format)));
    return new Y4mWriter(format, file);
  }

  /** Where the file is written, and how it gets its name. */
  get place(): OutputPlace {
    return this.file.place;
  }

  /** Appends a frame, whose planes may be reused afterwards. Throws an InputError if it has not the header's size. */
  async write(frame: Frame): Promise<void> {
    const { width, height } = this.format;
    if (frame.width !== width || frame.height !== height) {
      throw new InputError(
        `${this.file.path}: a frame is ${frame.width}x${frame.height}, the file is ${width}x${height}`,
      );
    }
    await Promise.all([FRAME_LINE, frame.y, frame.u, frame.v].map(part => this.file.write(part)));
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
