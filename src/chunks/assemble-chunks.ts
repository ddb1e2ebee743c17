// Puts coded chunks together: one stream with one end.

import type { AccessUnit } from '../bitstream/access-unit.js';
import { BitSink } from '../bitstream/syntax/bit-sink.js';
import { writeSequenceEnd } from '../bitstream/syntax/sequence-header.js';
import { type PictureReport, psnr } from '../encoder/report/picture-report.js';
import { type PsnrSummary, psnrSummary } from '../encoder/report/statistics.js';
import { InputError } from '../errors.js';
import { inWords, requireOptions } from '../given-options.js';
import type { AbortSignalType } from '../platform-types.js';
import { type ChunkPicture, chunkInMemory, type OpenChunk, openChunk, type StoredChunk } from './chunk-format.js';
import { type ChunkPlan, chunkOf, readPlan } from './chunk-plan.js';
import { allInOrder } from './chunk-set.js';
import type { EncodedChunk } from './encode-chunk.js';

/** What takes the access units of an assembled video, such as a `VideoWriter` of `mpegpu/node`. */
export interface AssemblyOutput {
  /** Takes the next access unit; the next one is written when the promise has resolved. */
  write(unit: AccessUnit): Promise<void>;
}

/** A picture of an assembled video. */
export type AssembledPicture = Pick<PictureReport, 'frame' | 'type' | 'bits' | 'q' | 'psnrY'>;

/** What stops an assembly, and what it calls. */
export interface AssemblyRun {
  readonly signal?: AbortSignalType | undefined;
  /** Called after each picture, in coded order. The assembly waits for its promise. */
  readonly onPicture?: ((picture: AssembledPicture) => void | Promise<void>) | undefined;
}

const RUN_NAMES = Object.keys({ signal: true, onPicture: true } satisfies Record<keyof AssemblyRun, true>);

/** An assembled video. */
export interface AssembledVideo {
  readonly frames: number;
  /** Bits of the video stream, without the container. */
  readonly bits: number;
  readonly psnr: PsnrSummary;
}

/** As `assembleChunks` of the library. */
export async function assembleChunks(
  plan: ChunkPlan,
  chunks: Iterable<StoredChunk | EncodedChunk>,
  output: AssemblyOutput,
  run: AssemblyRun = {},
): Promise<AssembledVideo> {
  readPlan(plan);
  requireOptions(run, RUN_NAMES, 'AssemblyRun');
  if (typeof output?.write !== 'function') {
    throw new InputError(`the output is ${inWords(output)}: VideoWriter.open makes one`);
  }
  if (typeof Object(chunks)[Symbol.iterator] !== 'function') {
    throw new InputError(`the chunks are ${inWords(chunks)}, not an array: give what encodeChunk returns, awaited`);
  }
  const opened: OpenChunk[] = [];
  for (const chunk of chunks) {
    run.signal?.throwIfAborted();
    opened.push(await openChunk(readable(chunk, opened.length)));
  }
  const joiner = new ChunkJoiner(plan, output, run);
  for (const chunk of allInOrder(plan, opened)) await joiner.append(chunk);
  return joiner.end();
}

/** A chunk that can be read. Throws an InputError for what is none; `position` is its place among those given. */
function readable(chunk: StoredChunk | EncodedChunk, position: number): StoredChunk {
  const { bytes, read }: Partial<StoredChunk & EncodedChunk> = Object(chunk);
  if (bytes) return inMemory(chunk as EncodedChunk);
  if (typeof read === 'function') return chunk as StoredChunk;
  const advice = 'give what encodeChunk returns, or chunkInMemory(bytes, name)';
  throw new InputError(`number ${position} (the first is 0) of the chunks is not a chunk: ${advice}`);
}

/** Writes chunks one after another, in the plan's order. */
export class ChunkJoiner {
  readonly #plan: ChunkPlan;
  readonly #output: AssemblyOutput;
  readonly #run: AssemblyRun;
  readonly #squaredError = { y: 0, u: 0, v: 0 };
  #chunks = 0;
  #frames = 0;
  #bits = 0;
  /** The newest access unit is held back: sequence_end_code goes with the last one. */
  #newest: AccessUnit | undefined;

  constructor(plan: ChunkPlan, output: AssemblyOutput, run: AssemblyRun) {
    this.#plan = plan;
    this.#output = output;
    this.#run = run;
  }

  /** Writes the next chunk. */
  async append(chunk: OpenChunk): Promise<void> {
    const { firstFrame, frames } = chunkOf(this.#plan, this.#chunks++);
    const units = await chunk.accessUnits();
    const isWhole = units.length === frames && chunk.pictures.every(([, frame]) => isWithin(frame, firstFrame, frames));
    if (!isWhole) throw new InputError(`${chunk.name} does not hold the frames of its chunk: make the chunk again`);
    for (const [i, data] of units.entries()) {
      this.#run.signal?.throwIfAborted();
      await this.#push(data, chunk.pictures[i]!);
    }
  }

  /** Writes the chunk that has just been coded, the next one. */
  async appendEncoded(chunk: EncodedChunk): Promise<void> {
    await this.append(await openChunk(inMemory(chunk)));
  }

  /** Ends the stream after the chunks so far. */
  async end(): Promise<AssembledVideo> {
    const last = this.#newest;
    if (last) {
      const sink = new BitSink();
      writeSequenceEnd(sink);
      const end = sink.takeBytes();
      const data = new Uint8Array(last.data.length + end.length);
      data.set(last.data);
      data.set(end, last.data.length);
      await this.#output.write({ ...last, data });
      this.#newest = undefined;
      this.#bits += 8 * end.length;
    }
    const { width, height } = this.#plan.input;
    const psnr = psnrSummary(this.#squaredError, this.#frames, width, height);
    return { frames: this.#frames, bits: this.#bits, psnr };
  }

  async #push(data: Uint8Array, picture: ChunkPicture): Promise<void> {
    const [type, frame, , q, y, u, v] = picture;
    if (this.#newest) await this.#output.write(this.#newest);
    this.#newest = { data, pictureType: type, displayNumber: frame, codedNumber: this.#frames++ };
    const bits = 8 * data.length;
    this.#bits += bits;
    this.#squaredError.y += y;
    this.#squaredError.u += u;
    this.#squaredError.v += v;
    const { width, height } = this.#plan.input;
    await this.#run.onPicture?.({ frame, type, bits, q, psnrY: psnr(y, width * height) });
  }
}

function inMemory({ bytes, index }: EncodedChunk): StoredChunk {
  return chunkInMemory(bytes, `chunk ${index}`);
}

function isWithin(frame: number, first: number, count: number): boolean {
  return frame >= first && frame < first + count;
}
