import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError } from '../../errors.js';
import type { Frame } from '../../picture/frame.js';
import { formatY4mHeader, Y4M_FRAME } from '../frames/y4m-header.js';
import { OutputFile, type OutputOptions } from './output-file.js';

const FRAME_LINE = new TextEncoder().encode(`${Y4M_FRAME}\n`);

/** What a y4m file says in its header. */
export interface Y4mFormat {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  readonly frameRate: FrameRate;
}

/** Writes frames to a y4m file (progressive 4:2:0, square pels), which appears when `finish` completes it. */
export class Y4mWriter {
  private constructor(
    readonly format: Y4mFormat,
    readonly file: OutputFile,
  ) {}

  /** Opens `path` as `OutputFile.open` does, with its errors, and writes the header. */
  static async open(path: string, format: Y4mFormat, options: OutputOptions = {}): Promise<Y4mWriter> {
    const file = await OutputFile.open(path, options);
    await file.write(new TextEncoder().encode(formatY4mHeader(format.width, format.height, format.frameRate)));
    return new Y4mWriter(format, file);
  }

  /** Appends a frame, whose planes may be reused once it resolves. Throws an InputError for another size than the header's. */
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

  /** Closes the file with the frames written so far as `<path>.partial`, and returns that name. */
  keepPartial(): Promise<string> {
    return this.file.keepPartial();
  }

  /** Removes what was written; harmless after `finish`. */
  discard(): Promise<void> {
    return this.file.discard();
  }
}
