// Reads y4m (YUV4MPEG2) files and streams.
import type { Readable } from 'node:stream';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError } from '../../errors.js';
import { type Frame, frameFromI420, i420Bytes } from '../../picture/frame.js';
import { ByteReader, openByteReader } from './byte-reader.js';
import { DamagedInput } from './damaged-input.js';
import { requireFrame, skipFrames } from './frame-limit.js';
import type { FrameSource, FrameStart } from './frame-source.js';
import { parseY4mHeader, Y4M_FRAME, type Y4mHeader } from './y4m-header.js';

/** A header line or frame line longer than this is not y4m. */
const MAX_LINE_BYTES = 4096;
/** What the chroma pels of a gray frame are. */
const NEUTRAL_CHROMA = 128;

/**
 * Opens a y4m file or pipe, from frame `start` on. `frameRate` replaces the file's: the same frames are played at that
 * rate.
 */
export async function openY4mFile(path: string, frameRate?: FrameRate, start?: FrameStart): Promise<FrameSource> {
  const { reader: bytes, fileBytes } = await openByteReader(path);
  const reader = new Y4mReader(bytes);
  const header = await reader.readHeader();
  const frameBytes = reader.frameBytes + Y4M_FRAME.length + 1;
  // Frame lines may carry parameters. Then the division leaves a remainder, and the count is unknown.
  const frameCount = fileBytes === undefined ? undefined : (fileBytes - reader.headerBytes) / frameBytes;
  const isCount = frameCount !== undefined && Number.isInteger(frameCount) && frameCount > 0;
  const first = start?.frame ?? 0;
  if (!isCount || first === 0) {
    return skipFrames(y4mSource(reader, header, frameRate, isCount ? frameCount : undefined), start);
  }
  reader.close();
  requireFrame(path, { frame: first }, frameCount);
  const later = new Y4mReader((await openByteReader(path, reader.headerBytes + first * frameBytes)).reader);
  later.frameBytes = reader.frameBytes;
  return y4mSource(later, header, frameRate, frameCount - first);
}

/** Opens a y4m stream (standard input, ffmpeg's output). Resolves when its header has been read. */
export async function openY4mStream(name: string, stream: Readable, frameRate?: FrameRate): Promise<FrameSource> {
  const reader = new Y4mReader(new ByteReader(name, stream));
  return y4mSource(reader, await reader.readHeader(), frameRate, undefined);
}

function y4mSource(
  reader: Y4mReader,
  header: Y4mHeader,
  override: FrameRate | undefined,
  frameCount: number | undefined,
): FrameSource {
  const frameRate = override ?? header.frameRate;
  return {
    name: reader.name,
    width: header.width,
    height: header.height,
    ...(frameRate && { frameRate }),
    ...(frameCount !== undefined && { frameCount }),
    frames: signal => reader.frames(header, signal),
    close: async () => reader.close(),
  };
}

/** Reads a y4m stream once, from its start to its end. */
class Y4mReader {
  /** Bytes of the header line, and of a frame's planes; 0 until the header has been read. */
  headerBytes = 0;
  frameBytes = 0;
  readonly #bytes: ByteReader;

  constructor(bytes: ByteReader) {
    this.#bytes = bytes;
  }

  get name(): string {
    return this.#bytes.name;
  }

  close(): void {
    this.#bytes.close();
  }

  async readHeader(): Promise<Y4mHeader> {
    try {
      const line = await this.#bytes.readLine(MAX_LINE_BYTES);
      if (!line) throw new InputError(`${this.name} is empty: it holds no frames`);
      const header = parseY4mHeader(this.name, line.text);
      if (!line.ended) throw new InputError(`${this.name} is truncated in its y4m header`);
      this.headerBytes = line.text.length + 1;
      this.frameBytes = header.mono ? header.width * header.height : i420Bytes(header.width, header.height);
      return header;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  async *frames(header: Y4mHeader, signal?: AbortSignal): AsyncGenerator<Frame> {
    const stop = (): void => this.close();
    signal?.addEventListener('abort', stop);
    try {
      let index = 0;
      for (;;) {
        signal?.throwIfAborted();
        const frame = await this.#readFrame(header, index);
        signal?.throwIfAborted();
        if (!frame) break;
        index++;
        yield frame;
      }
      if (index === 0) throw new InputError(`${this.name} holds no frames`);
    } catch (error) {
      // An abort destroys the stream, and a waiting read then fails with an error of its own. The abort's reason
      // counts.
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      this.close();
    }
  }

  /** The next frame, undefined at the end. `index` counts from 0. */
  async #readFrame(header: Y4mHeader, index: number): Promise<Frame | undefined> {
    const line = await this.#bytes.readLine(MAX_LINE_BYTES);
    if (!line) return undefined;
    if (line.text !== Y4M_FRAME && !line.text.startsWith(`${Y4M_FRAME} `)) {
      throw new DamagedInput(
        `${this.name} is truncated or damaged: frame ${index} (the first is 0) does not start with ${Y4M_FRAME}`,
      );
    }
    const bytes = new Uint8Array(i420Bytes(header.width, header.height));
    const read = line.ended ? await this.#bytes.read(bytes.subarray(0, this.frameBytes)) : 0;
    if (read < this.frameBytes) throw this.#bytes.truncatedFrame(index, read, this.frameBytes);
    if (header.mono) bytes.fill(NEUTRAL_CHROMA, this.frameBytes);
    return frameFromI420(header.width, header.height, bytes);
  }
}
