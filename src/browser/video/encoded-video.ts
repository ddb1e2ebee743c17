// A video that is being encoded, as a stream of its file's bytes, and how to keep it.
import type { EncodeSummary } from '../../encoder/report/encode-summary.js';
import { InputError } from '../../errors.js';
import { inWords } from '../../given-options.js';
import type { VideoContainer } from '../../media/containers/video-container.js';
import { className } from '../frames/frame-input.js';
import type { FrameCounts } from '../sources/open-frames.js';

/** What came of an encode. */
export interface EncodedVideoSummary extends EncodeSummary {
  /** Size of the file in bytes, with its container. */
  readonly bytes: number;
  /** From the first read of the stream to its end. */
  readonly seconds: number;
  /** What became of the source's pictures. */
  readonly source: FrameCounts;
}

/** A part of the file, in memory that is not shared; in words that TypeScript before 5.7 reads, too. */
export type FileBytes = ReturnType<Uint8Array['slice']>;

/** The media types of the formats. */
const MEDIA_TYPES: Readonly<Record<VideoContainer, string>> = {
  mpg: 'video/mpeg',
  ts: 'video/mp2t',
  m1v: 'video/mpeg',
};

/**
 * A video that is encoded while it is read: once, as `stream`, or by one of the methods, which reject with InputError
 * if it is read already, or for a target that is none. The encode begins with the first read. While nobody reads, it
 * waits, and takes no more of its source.
 */
export class EncodedVideo {
  /** The bytes of the file. Cancelling it ends the encode. */
  readonly stream: ReadableStream<FileBytes>;
  /**
   * What came of the encode, once its last byte is read. Rejects with the reason of a failure or an abort, also while
   * nobody reads.
   */
  readonly finished: Promise<EncodedVideoSummary>;
  /** Its media type. */
  readonly type: string;
  #isOver = false;

  /** Made by `encodeVideo`. */
  constructor(
    format: VideoContainer,
    stream: ReadableStream<FileBytes>,
    finished: Promise<EncodedVideoSummary>,
    private readonly hasBegun: () => boolean,
  ) {
    this.stream = stream;
    this.finished = finished;
    this.type = MEDIA_TYPES[format];
    const onEnd = (): void => {
      this.#isOver = true;
    };
    finished.then(onEnd, onEnd);
  }

  /** The whole file in memory. */
  async blob(): Promise<Blob> {
    await this.#requireWhole();
    const parts: BlobPart[] = [];
    const collect = new WritableStream<FileBytes>({ write: part => void parts.push(part) });
    await this.pipeTo(collect);
    return new Blob(parts, { type: this.type });
  }

  /**
   * Writes the file by the File System Access API: to a handle, of which nothing changes until the file is complete, or
   * to an open stream, which is closed.
   */
  async saveTo(file: FileSystemFileHandle | FileSystemWritableFileStream): Promise<EncodedVideoSummary> {
    await this.#requireWhole(); // the file would be emptied
    if (!isHandle(file)) return this.pipeTo(file);
    const target = await file.createWritable();
    try {
      return await this.pipeTo(target);
    } catch (error) {
      await target.abort().catch(() => {}); // it has been, unless something else began to read
      throw error;
    }
  }

  /**
   * Writes the bytes, or those that nobody has read yet, to a stream as fast as it takes them. Resolves when it is
   * closed. After a failure it rejects when the stream has ended the write that is under way.
   */
  async pipeTo(target: WritableStream<FileBytes>, options: StreamPipeOptions = {}): Promise<EncodedVideoSummary> {
    if (this.#isRead) await this.#refuse();
    if (typeof Object(target).getWriter !== 'function') {
      const given = typeof target === 'object' && target ? `of class ${className(target)}` : inWords(target);
      throw new InputError(`the target is ${given}; legal: a WritableStream, and for saveTo a FileSystemFileHandle`);
    }
    await this.stream.pipeTo(target, options);
    return this.finished;
  }

  /** A stream that is closed could be read again, and would give nothing. */
  get #isRead(): boolean {
    return this.#isOver || this.stream.locked;
  }

  /** Rejects if a part of the file has been read, which would be missing. */
  async #requireWhole(): Promise<void> {
    if (this.#isRead || this.hasBegun()) await this.#refuse();
  }

  /** Rejects with the reason of a failure, if that has ended the encode. */
  async #refuse(): Promise<never> {
    if (this.#isOver) await this.finished;
    throw new InputError('the video is read already: it can be read once');
  }
}

function isHandle(file: FileSystemFileHandle | WritableStream): file is FileSystemFileHandle {
  return typeof (Object(file) as Partial<FileSystemFileHandle>).createWritable === 'function';
}
