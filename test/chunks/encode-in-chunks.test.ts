// Chunks, coded one by one and assembled: one legal stream, the same bytes whatever coded them, in all rate modes.
import { beforeAll, describe, expect, it } from 'vitest';
import { type ChunkPlan, needsFirstPass, readPlan } from '../../src/chunks/chunk-plan.js';
import { encodeChunk, measureChunk } from '../../src/chunks/encode-chunk.js';
import { planChunks } from '../../src/chunks/plan-chunks.js';
import type { PlanOptions } from '../../src/chunks/plan-options.js';
import type { Frame } from '../../src/picture/frame.js';
import { encodeFrames } from '../support/encode.js';
import { ShownStreams } from '../support/expect-shown.js';
import { assembled, type ByPlan, encodeByPlan, partsOf, SIZE, scenes, sourceOf } from './chunk-clips.js';

const streams = new ShownStreams();
/** Three scenes: chunks end at the cut at 15 and, in the long scene, without one. */
const frames = scenes([
  ['snow', 15],
  ['pan', 31],
  ['zoom', 10],
]);
const CHUNK_SECONDS = { min: 0.4, max: 0.8 };
const END_BYTES = 4;

const CASES: Record<string, PlanOptions> = {
  'constant q': { q: 6 },
  'constant q, fast, fixed types, open groups': { q: 5, preset: 'fast', adaptiveTypes: false, openGop: true, gop: 9 },
  'constant q, fixed types, closed groups': { q: 8, adaptiveTypes: false, openGop: false, gop: 10, bFrames: 2 },
  'constant quality': { quality: 60 },
  'constant quality, best': { quality: 40, preset: 'best', tune: 'ssim', startTimeCode: '00:59:59:15' },
  'two passes': { bitrate: 250_000 },
  'two passes, fast, no B pictures': { bitrate: 400_000, preset: 'fast', bFrames: 0, gop: 15, slices: 2 },
};

/** The chunks of a plan without a bit rate, coded by encoders and not by encodeChunk. */
async function encodedByEncoders({ chunks, options }: ChunkPlan): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const { index, firstFrame, frames: count, startTimeCode } of chunks) {
    const ofChunk = frames.slice(firstFrame, firstFrame + count);
    const { stream } = await encodeFrames(ofChunk, { ...SIZE, ...options, startTimeCode });
    parts.push(index < chunks.length - 1 ? stream.subarray(0, stream.length - END_BYTES) : stream);
  }
  return Buffer.concat(parts);
}

describe.each(Object.entries(CASES))('%s', (name, options) => {
  let plan: ChunkPlan;
  let whole: ByPlan;
  beforeAll(async () => {
    plan = await planChunks(sourceOf(frames), { ...options, chunkSeconds: CHUNK_SECONDS });
    whole = await encodeByPlan(sourceOf(frames), plan);
  });

  it('decodes to the reconstructions of the chunks', async () => {
    expect(whole.reconstruction).toHaveLength(frames.length);
    await streams.expectShown(whole, name);
  });

  it('is one legal stream', () => {
    const { sequenceHeaders, groups, ends, endsAtTheEnd } = partsOf(whole.stream);
    expect([ends, endsAtTheEnd]).toEqual([1, true]);
    expect(new Set(sequenceHeaders).size).toBe(1);
    const [hours, minutes, seconds, pictures] = (options.startTimeCode ?? '00:00:00:00').split(':').map(Number);
    let at = ((hours! * 60 + minutes!) * 60 + seconds!) * 25 + pictures!;
    const starts = new Set(plan.chunks.map(({ firstFrame }) => firstFrame + at));
    for (const group of groups) {
      const [h, m, s, f] = group.timeCode.split(':').map(Number);
      expect(((h! * 60 + m!) * 60 + s!) * 25 + f!).toBe(at);
      if (starts.delete(at)) expect(group.isClosed).toBe(true);
      expect([...group.pictures].sort((a, b) => a - b)).toEqual(group.pictures.map((_, i) => i));
      at += group.pictures.length;
    }
    expect(starts.size, 'chunks that start with no group').toBe(0);
  });

  it('counts what the stream holds', () => {
    expect(whole.video.frames).toBe(frames.length);
    expect(whole.video.bits).toBe(8 * whole.stream.length);
    const bits = whole.chunks.reduce((sum, { statistics }) => sum + statistics.bits, 0);
    expect(whole.video.bits).toBe(bits + 8 * END_BYTES);
  });

  it.skipIf(options.bitrate !== undefined)('is what encoders make of the chunks', async () => {
    expect(Buffer.compare(whole.stream, await encodedByEncoders(plan))).toBe(0);
  });

  it('gives the same bytes again, with three threads and a plan that was a file', async () => {
    const run = { threads: 3 };
    const [first, budgeted] = [plan, whole.plan].map(each => readPlan(JSON.parse(JSON.stringify(each))));
    if (needsFirstPass(first!)) expect(await measureChunk(sourceOf(frames), first!, 1, run)).toEqual(whole.measured[1]);
    // One chunk of several: starting threads takes longer than coding them.
    const { bytes } = await encodeChunk(sourceOf(frames), budgeted!, 1, run);
    expect(Buffer.compare(bytes, whole.chunks.find(({ index }) => index === 1)!.bytes)).toBe(0);
  });
});

describe('a chunk', () => {
  it.each(['cpu', 'gpu'] as const)('has the same bytes where its estimator has no twin: %s', async twin => {
    const source = sourceOf(frames.slice(0, 3));
    const plan = await planChunks(source, { q: 12, estimator: 'zero' });
    const { bytes } = await encodeChunk(source, plan, 0, { threads: 1 });
    expect(Buffer.compare((await encodeChunk(source, plan, 0, { threads: 1, twin })).bytes, bytes)).toBe(0);
  });

  it('of a plan for a GPU is coded by the twin on the CPU where that is wanted', async () => {
    const source = sourceOf(frames.slice(0, 3));
    const plan = await planChunks(source, { q: 12, estimator: 'gpu-full', range: { x: 8, y: 8 } });
    const { statistics } = await encodeChunk(source, plan, 0, { threads: 1, twin: 'cpu' });
    expect(statistics.estimator).toBe('cpu-full');
  });

  it('needs its own frames only, and tells of them by their numbers in the whole', async () => {
    const source = sourceOf(frames);
    const plan = await planChunks(source, { q: 12, chunkSeconds: CHUNK_SECONDS });
    const { firstFrame, frames: count } = plan.chunks[1]!;
    expect(firstFrame).toBe(15);
    const blank = frames.map((frame, i): Frame => {
      const isOwn = i >= firstFrame && i < firstFrame + count;
      return isOwn ? frame : { ...frame, y: new Uint8Array(frame.y.length) };
    });
    const reported: number[] = [];
    const progress: [number, number][] = [];
    const chunk = await encodeChunk(sourceOf(blank), plan, 1, {
      threads: 1,
      onPicture: ({ frame, vectors }) => {
        expect(vectors().frame).toBe(frame);
        reported.push(frame);
      },
      onProgress: (done, of) => void progress.push([done, of]),
    });
    const expected = Array.from({ length: count }, (_, i) => firstFrame + i);
    expect(reported.sort((a, b) => a - b)).toEqual(expected);
    expect(progress).toEqual(expected.map((_, i) => [i + 1, count]));
    expect(chunk.statistics.frames).toBe(count);
  });

  it('stops with the reason of the signal, and leaves nothing to wait for', async () => {
    const plan = await planChunks(sourceOf(frames), { q: 12, chunkSeconds: CHUNK_SECONDS });
    const stop = new AbortController();
    const onProgress = (done: number) => {
      if (done === 3) stop.abort(new Error('not wanted any more'));
    };
    const run = { threads: 1, signal: stop.signal, onProgress };
    await expect(encodeChunk(sourceOf(frames), plan, 0, run)).rejects.toThrow('not wanted any more');
  });

  it.each([
    [{ q: 31 }, "the option 'q' does not exist"],
    [{ gop: 2, threads: 1 }, "the option 'gop' does not exist"],
    [{ thread: 2 }, 'did you mean threads?'],
    [{ twin: 'x' }, "twin 'x' is not legal; legal: cpu, gpu"],
  ])('is not coded with %o, which the plan would not know of', async (run: object, message) => {
    const plan = await planChunks(sourceOf(frames), { q: 12, chunkSeconds: CHUNK_SECONDS });
    const twoPasses = await planChunks(sourceOf(frames), { bitrate: 250_000, chunkSeconds: CHUNK_SECONDS });
    await expect(encodeChunk(sourceOf(frames), plan, 0, run)).rejects.toThrow(message);
    await expect(measureChunk(sourceOf(frames), twoPasses, 0, run)).rejects.toThrow(message);
  });

  it('keeps the options of the plan where a run has them without a value', async () => {
    const plan = await planChunks(sourceOf(frames), { q: 12, chunkSeconds: CHUNK_SECONDS });
    const run = { threads: 1, q: undefined, preset: undefined };
    const [chunk, plain] = [
      await encodeChunk(sourceOf(frames), plan, 1, run),
      await encodeChunk(sourceOf(frames), plan, 1, { threads: 1 }),
    ];
    expect(Buffer.compare(chunk.bytes, plain.bytes)).toBe(0);
  });

  it('is assembled in any order', async () => {
    const plan = await planChunks(sourceOf(frames), { q: 12, chunkSeconds: CHUNK_SECONDS });
    const { chunks, stream } = await encodeByPlan(sourceOf(frames), plan);
    const [first, ...others] = chunks;
    const mixed = await assembled(plan, [...others, first!]);
    expect(Buffer.compare(mixed.stream, stream)).toBe(0);
  });
});

streams.describeSecondOpinion();
