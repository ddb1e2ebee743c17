// Reads y4m (YUV4MPEG2) files and streams.
import type { Readable } from 'node:stream';
import { InputError } from '../../../errors.js';
import { type Frame, type FrameMemory, frameToFill } from '../../../picture/frame.js';
import { ByteReader, openByteReader, unfilledBytes } from '../byte-reader.js';
import { DamagedInput } from '../damaged-input.js';
import type { FrameSource } from '../frame-source.js';
import {
  parseY4mHeader,
  reasonOfShortFrames,
  Y4M_FRAME,
  type Y4mHeader,
  type Y4mReading,
  y4mFrameBytes,
} from './y4m-header.js';

/** A header line or frame line longer than this is not y4m. */
const MAX_LINE_BYTES = 4096;
/** What the chroma pels of a gray frame are. */
const NEUTRAL_CHROMA = 128;

/** Opens the y4m that an ffmpeg of ours writes, which has converted the pictures. */
export async function openConvertedY4m(name: string, stream: Readable): Promise<FrameSource> {
  const reader = new Y4mReader(new ByteReader(name, stream));
  return y4mFrames(reader, await reader.readHeader(), undefined);
}

/** The frames as they are stored. */
export function y4mFrames(reader: Y4mReader, header: Y4mHeader, frameCount: number | undefined): FrameSource {
  const { width, height, frameRate, pelAspect } = header;
  return {
    name: reader.name,
    width,
    height,
    ...(frameRate && { frameRate }),
    ...(pelAspect && { pelAspect }),
    ...(frameCount !== undefined && { frameCount }),
    frames: (...given) => reader.frames(header, ...given),
    close: async () => reader.close(),
  };
}

/** Reads a y4m stream once, to its end. */
export class Y4mReader {
  readonly #bytes: ByteReader;
  #header = { line: '', frameBytes: 0, reasonOfShort: '' };
  /** Number of the first frame that is read here. */
  #firstFrame = 0;

  constructor(bytes: ByteReader) {
    this.#bytes = bytes;
  }

  get name(): string {
    return this.#bytes.name;
  }

  /** The header line without its line feed; '' until it has been read. */
  get headerLine(): string {
    return this.#header.line;
  }

  /** Bytes of the planes of a frame; 0 until the header has been read. */
  get frameBytes(): number {
    return this.#header.frameBytes;
  }

  /** A reader of the same file from byte `start` on, where the frame begins that is `later` frames after the first. */
  async reopenAt(start: number, later: number): Promise<Y4mReader> {
    const reader = new Y4mReader((await openByteReader(this.name, start)).reader);
    reader.#header = this.#header;
    reader.#firstFrame = this.#firstFrame + later;
    return reader;
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
      const reasonOfShort = reasonOfShortFrames(header);
      this.#header = { line: line.text, frameBytes: y4mFrameBytes(header), reasonOfShort };
      return header;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The frames, in the memory of `memory`, if there is one. */
  frames({ width, height, chroma }: Y4mHeader, signal?: AbortSignal, memory?: FrameMemory): AsyncGenerator<Frame> {
    const next = () => {
      const frame = frameToFill(width, height, memory);
      const { y, u, v } = frame;
      if (chroma !== 'mono') return { planes: [y, u, v], given: frame };
      for (const plane of [u, v]) plane.fill(NEUTRAL_CHROMA);
      return { planes: [y], given: frame };
    };
    return this.#bytes.closedAfter(this.#fillAll(next, signal), signal);
  }

  /** The bytes of the planes of each frame. */
  rawFrames(signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const next = () => {
      const bytes = unfilledBytes(this.frameBytes);
      return { planes: [bytes], given: bytes };
    };
    return this.#bytes.closedAfter(this.#fillAll(next, signal), signal);
  }

  /** Fills the planes that `next` returns with those of each frame, then gives what they belong to. */
  async *#fillAll<T>(next: () => { planes: Uint8Array[]; given: T }, signal?: AbortSignal): AsyncGenerator<T> {
    for (let index = this.#firstFrame; ; index++) {
      signal?.throwIfAborted();
      const { planes, given } = next();
      const isThere = await this.#readFrame(index, planes);
      signal?.throwIfAborted();
      if (!isThere && index === 0) throw new InputError(`${this.name} holds no frames`);
      if (!isThere) return;
      yield given;
    }
  }

  /** Reads the planes of the next frame; returns false at the end. `index` counts from 0. */
  async #readFrame(index: number, planes: readonly Uint8Array[]): Promise<boolean> {
    const line = await this.#bytes.readLine(MAX_LINE_BYTES);
    if (!line) return false;
    if (line.text !== Y4M_FRAME && !line.text.startsWith(`${Y4M_FRAME} `)) {
      throw new DamagedInput(
        `${this.name} is truncated or damaged: frame ${index} (the first is 0) does not start with ${Y4M_FRAME}` +
          this.#header.reasonOfShort,
      );
    }
    let read = 0;
    if (line.ended) for (const plane of planes) read += await this.#bytes.read(plane);
    if (read === this.frameBytes) return true;
    const error = this.#bytes.truncatedFrame(index, read, this.frameBytes);
    throw new DamagedInput(error.message + this.#header.reasonOfShort);
  }
}
