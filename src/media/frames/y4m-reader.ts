// Reads y4m (YUV4MPEG2) files and streams.
import { InputError } from '../../errors.js';
import { type Frame, frameFromI420, i420Bytes } from '../../picture/frame.js';
import type { ByteChunks } from '../input-file.js';
import { ByteReader, frameMemory } from './byte-reader.js';
import { DamagedInput } from './damaged-input.js';
import type { FrameSource } from './frame-source.js';
import { parseY4mHeader, Y4M_FRAME, type Y4mHeader, type Y4mReading, y4mFrameBytes } from './y4m-header.js';

/** A header line or frame line longer than this is not y4m. */
const MAX_LINE_BYTES = 4096;
/** What the chroma pels of a gray frame are. */
const NEUTRAL_CHROMA = 128;

/** Opens the y4m that an ffmpeg of ours writes, which has converted the pictures. */
export async function openConvertedY4m(name: string, stream: ByteChunks, reusesFrames?: boolean): Promise<FrameSource> {
  const reader = new Y4mReader(new ByteReader(name, stream));
  const header = await reader.readHeader();
  return y4mFrames(reader, header, undefined, reusesFrames);
}

/** The frames as they are stored. `reusesFrames`: see FrameSourceOptions. */
export function y4mFrames(
  reader: Y4mReader,
  header: Y4mHeader,
  frameCount: number | undefined,
  reusesFrames?: boolean,
): FrameSource {
  const { width, height, frameRate, pelAspect } = header;
  return {
    name: reader.name,
    width,
    height,
    ...(frameRate && { frameRate }),
    ...(pelAspect && { pelAspect }),
    ...(frameCount !== undefined && { frameCount }),
    frames: signal => reader.frames(header, signal, reusesFrames),
    close: async () => reader.close(),
  };
}

/** Reads a y4m stream once, from its start to its end. */
export class Y4mReader {
  /** Bytes of the header line, and of a frame's planes; 0 until the header has been read. */
  headerBytes = 0;
  frameBytes = 0;
  /** The header line without its line feed. */
  headerLine = '';
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

  async readHeader(reading: Y4mReading = {}): Promise<Y4mHeader> {
    try {
      const line = await this.#bytes.readLine(MAX_LINE_BYTES);
      if (!line) throw new InputError(`${this.name} is empty: it holds no frames`);
      const header = parseY4mHeader(this.name, line.text, reading);
      if (!line.ended) throw new InputError(`${this.name} is truncated in its y4m header`);
      this.headerBytes = line.text.length + 1;
      this.headerLine = line.text;
      this.frameBytes = y4mFrameBytes(header);
      return header;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  async *frames({ width, height, chroma }: Y4mHeader, signal?: AbortSignal, isReused?: boolean): AsyncGenerator<Frame> {
    for await (const planes of this.rawFrames(signal, isReused)) {
      const bytes = chroma === 'mono' ? new Uint8Array(i420Bytes(width, height)).fill(NEUTRAL_CHROMA) : planes;
      if (bytes !== planes) bytes.set(planes);
      yield frameFromI420(width, height, bytes);
    }
  }

  /** The bytes of the planes of each frame; where their memory `isReused`, they hold until the next frame. */
  async *rawFrames(signal?: AbortSignal, isReused?: boolean): AsyncGenerator<Uint8Array> {
    const stop = (): void => this.close();
    const memory = frameMemory(this.frameBytes, isReused);
    signal?.addEventListener('abort', stop);
    try {
      let index = 0;
      for (;;) {
        signal?.throwIfAborted();
        const bytes = await this.#readFrame(index, memory);
        signal?.throwIfAborted();
        if (!bytes) break;
        index++;
        yield bytes;
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

  /** The planes of the next frame, undefined at the end. `index` counts from 0. */
  async #readFrame(index: number, memory: () => Uint8Array): Promise<Uint8Array | undefined> {
    const line = await this.#bytes.readLine(MAX_LINE_BYTES);
    if (!line) return undefined;
    if (line.text !== Y4M_FRAME && !line.text.startsWith(`${Y4M_FRAME} `)) {
      throw new DamagedInput(
        `${this.name} is truncated or damaged: frame ${index} (the first is 0) does not start with ${Y4M_FRAME}`,
      );
    }
    const bytes = memory();
    const read = line.ended ? await this.#bytes.read(bytes) : 0;
    if (read < this.frameBytes) throw this.#bytes.truncatedFrame(index, read, this.frameBytes);
    return bytes;
  }
}
