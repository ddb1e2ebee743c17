// Clips of several scenes, sources of frames in memory, and the parts of an elementary stream.
import { generateSample, type SampleKind } from '../../samples/generate.js';
import type { AssembledVideo } from '../../src/chunks/assemble-chunks.js';
import { assembleChunks } from '../../src/chunks/assemble-chunks.js';
import { budgetChunks, type ChunkMeasurement } from '../../src/chunks/chunk-budgets.js';
import { type ChunkPlan, needsFirstPass } from '../../src/chunks/chunk-plan.js';
import type { ChunkSource } from '../../src/chunks/chunk-source.js';
import { type ChunkRun, type EncodedChunk, encodeChunk, measureChunk } from '../../src/chunks/encode-chunk.js';
import type { Frame } from '../../src/picture/frame.js';

export const SIZE = { width: 96, height: 80 };

/** Frames of scenes of these kinds and lengths, each of its own seed. */
export function scenes(
  lengths: readonly (readonly [kind: SampleKind, frames: number])[],
  { width, height } = SIZE,
): Frame[] {
  return lengths.flatMap(([kind, frames], n) => [...generateSample({ kind, width, height, frames, seed: 31 * n + 5 })]);
}

/** A source that gives frames in memory; `asked` are the first frames that were asked for. */
export function sourceOf(frames: readonly Frame[], frameRate = 25): ChunkSource & { readonly asked: number[] } {
  const asked: number[] = [];
  return {
    name: 'the clip',
    width: frames[0]!.width,
    height: frames[0]!.height,
    frameRate: { numerator: frameRate, denominator: 1 },
    asked,
    async *frames({ first, count = frames.length - first }, signal) {
      asked.push(first);
      for (const frame of frames.slice(first, first + count)) {
        signal?.throwIfAborted();
        yield frame;
      }
    },
  };
}

/** A whole encode by a plan. */
export interface ByPlan {
  /** With budgets, if the plan has a bit rate. */
  readonly plan: ChunkPlan;
  /** By index; none if the plan has no bit rate. */
  readonly measured: readonly ChunkMeasurement[];
  readonly chunks: readonly EncodedChunk[];
  readonly stream: Uint8Array;
  readonly video: AssembledVideo;
  /** By display number. */
  readonly reconstruction: readonly Frame[];
}

/** Encodes all chunks of a plan, in both passes where it has a bit rate, the last chunk first. */
export async function encodeByPlan(source: ChunkSource, given: ChunkPlan, run: ChunkRun = {}): Promise<ByPlan> {
  const machine = { threads: 1, ...run };
  let plan = given;
  const measured: ChunkMeasurement[] = [];
  if (needsFirstPass(plan)) {
    for (const { index } of plan.chunks) measured.push(await measureChunk(source, plan, index, machine));
    plan = budgetChunks(plan, measured.toReversed());
  }
  const reconstruction: Frame[] = [];
  const onReconstruction = (frame: Frame, number: number) => {
    reconstruction[number] = frame;
  };
  const chunks: EncodedChunk[] = [];
  for (const { index } of plan.chunks) {
    chunks.unshift(await encodeChunk(source, plan, index, { ...machine, onReconstruction }));
  }
  return { plan, measured, chunks, reconstruction, ...(await assembled(plan, chunks)) };
}

/** The elementary stream of chunks. */
export async function assembled(
  plan: ChunkPlan,
  chunks: Parameters<typeof assembleChunks>[1],
): Promise<Pick<ByPlan, 'stream' | 'video'>> {
  const units: Uint8Array[] = [];
  const video = await assembleChunks(plan, chunks, { write: async ({ data }) => void units.push(data.slice()) });
  return { stream: Buffer.concat(units), video };
}

/** What the headers of an elementary stream say, in coded order. */
export interface StreamParts {
  readonly sequenceHeaders: readonly string[];
  readonly groups: readonly { readonly timeCode: string; readonly isClosed: boolean; readonly pictures: number[] }[];
  readonly ends: number;
  readonly endsAtTheEnd: boolean;
}

/** Reads the headers of a stream: ISO/IEC 11172-2 §2.4.2. */
export function partsOf(stream: Uint8Array): StreamParts {
  const bytes = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength);
  const sequenceHeaders: string[] = [];
  const groups: { timeCode: string; isClosed: boolean; pictures: number[] }[] = [];
  let ends = 0;
  for (let at = bytes.indexOf('000001', 0, 'hex'); at >= 0; at = bytes.indexOf('000001', at + 3, 'hex')) {
    const code = bytes[at + 3];
    if (code === 0xb3) sequenceHeaders.push(bytes.toString('hex', at, bytes.indexOf('000001b8', at, 'hex')));
    if (code === 0xb7) ends++;
    if (code === 0xb8) {
      const bits = bytes.readUInt32BE(at + 4);
      const parts = [(bits >> 26) & 31, (bits >> 20) & 63, (bits >> 13) & 63, (bits >> 7) & 63];
      const timeCode = parts.map(part => String(part).padStart(2, '0')).join(':');
      groups.push({ timeCode, isClosed: ((bits >> 6) & 1) === 1, pictures: [] });
    }
    if (code === 0x00) groups.at(-1)!.pictures.push(bytes.readUInt16BE(at + 4) >> 6);
  }
  return { sequenceHeaders, groups, ends, endsAtTheEnd: bytes.subarray(-4).equals(Buffer.from([0, 0, 1, 0xb7])) };
}
