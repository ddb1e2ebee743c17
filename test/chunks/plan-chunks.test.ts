// Plans: what they hold, what they depend on, which options and inputs they refuse.
import { describe, expect, it } from 'vitest';
import { type ChunkPlan, readPlan } from '../../src/chunks/chunk-plan.js';
import { canonicalJson, hashOfBytes, hashOfFrame } from '../../src/chunks/content-hash.js';
import { encodeChunk, measureChunk } from '../../src/chunks/encode-chunk.js';
import { planChunks } from '../../src/chunks/plan-chunks.js';
import type { PlanOptions } from '../../src/chunks/plan-options.js';
import { InputError, OptionError } from '../../src/errors.js';
import type { Frame } from '../../src/picture/frame.js';
import { uniformFrame } from '../support/uniform-frames.js';
import { scenes, sourceOf } from './chunk-clips.js';

const frames = scenes([
  ['snow', 33],
  ['zoom', 40],
  ['pan', 52],
]);
const chunkSeconds = { min: 1, max: 3 };

/** A copy of a frame with one sample changed. */
function changed(frame: Frame): Frame {
  const v = frame.v.slice();
  v[v.length - 1]! ^= 1;
  return { ...frame, v };
}

describe('a plan', () => {
  it('cuts at the scenes', async () => {
    const plan = await planChunks(sourceOf(frames), { chunkSeconds });
    expect(plan.chunks.map(({ index, firstFrame, frames, startTimeCode }) => [index, firstFrame, frames, startTimeCode]))
      // biome-ignore format: a chunk a line
      .toEqual([
      [0, 0, 33, '00:00:00:00'],
      [1, 33, 40, '00:00:01:08'],
      [2, 73, 52, '00:00:02:23'],
    ]);
    for (const { firstFrame, frames: count, frameHashes } of plan.chunks) {
      expect(frameHashes).toBe(
        frames
          .slice(firstFrame, firstFrame + count)
          .map(hashOfFrame)
          .join(''),
      );
    }
    expect(plan.input).toMatchObject({
      width: 96,
      height: 80,
      frames: 125,
      frameRate: { numerator: 25, denominator: 1 },
    });
  });

  it('cuts at no flash of one picture and in no fade', async () => {
    const flash = scenes([['pan', 60]]);
    flash[40] = { ...flash[40]!, y: flash[40]!.y.map(pel => Math.min(255, pel + 120)) };
    const flashed = await planChunks(sourceOf(flash), { chunkSeconds: { min: 1, max: 10 } });
    expect(flashed.chunks.map(({ firstFrame }) => firstFrame)).toEqual([0]);
    const fade = await planChunks(sourceOf(scenes([['fade', 70]])), { chunkSeconds: { min: 1, max: 10 } });
    expect(fade.chunks.map(({ firstFrame }) => firstFrame)).toEqual([0]);
  });

  it('is the same however often it is made, and survives JSON', async () => {
    const [one, two] = [await planChunks(sourceOf(frames), { q: 7 }), await planChunks(sourceOf(frames), { q: 7 })];
    expect(two).toEqual(one);
    expect(readPlan(JSON.parse(JSON.stringify(one)))).toEqual(one);
  });

  it.each([
    [5, '5'],
    [{ min: 3, max: 1 }, '3-1'],
    [{ min: '0.4', max: '1' }, "'0.4'-'1'"],
    [null, 'null'],
  ])('refuses chunks of %j seconds', async (given, words) => {
    const planning = planChunks(sourceOf(frames), { chunkSeconds: given as typeof chunkSeconds });
    await expect(planning).rejects.toThrow(`chunkSeconds ${words} is no range: min above 0, max at least min`);
  });

  it('has an identity of its frames and options, not of where the input is', async () => {
    const identity = async (source: readonly Frame[], options: PlanOptions) =>
      (await planChunks(sourceOf(source), options)).identity;
    const usual = await identity(frames, { q: 7 });
    expect(await identity(frames, { q: 7, source: { input: 'elsewhere.mkv' } })).toBe(usual);
    expect(await identity(frames, { q: 8 })).not.toBe(usual);
    expect(await identity(frames.with(60, changed(frames[60]!)), { q: 7 })).not.toBe(usual);
    expect(await identity(frames.slice(0, -1), { q: 7 })).not.toBe(usual);
  });

  it('holds an estimator that every machine can run in place of auto', async () => {
    for (const options of [{}, { estimator: 'auto' }]) {
      expect((await planChunks(sourceOf(frames), options)).options.estimator).toBe('cpu-predictive');
    }
    expect((await planChunks(sourceOf(frames), { estimator: 'cpu-mrmp' })).options.estimator).toBe('cpu-mrmp');
  });

  it('goes on with drop-frame time codes', async () => {
    const options = { startTimeCode: '00:00:59;20', chunkSeconds: { min: 1, max: 1 }, gop: 10 };
    const { chunks } = await planChunks(sourceOf(frames.slice(0, 33 + 20), 30_000 / 1001), {
      ...options,
      frameRate: 29.97,
    });
    expect(chunks.map(({ startTimeCode }) => startTimeCode)).toEqual(['00:00:59;20']);
    const longer = await planChunks(sourceOf(frames, 30_000 / 1001), { ...options, frameRate: 29.97 });
    expect(longer.chunks[1]).toMatchObject({ firstFrame: 30, startTimeCode: '00:01:00;22' });
  });

  it('holds matrices that survive JSON, and takes a switch that is off for one that is not given', async () => {
    const source = sourceOf(frames.slice(0, 2));
    const [intra, nonIntra] = [Array(64).fill(20).with(0, 8), Array(64).fill(30)];
    const given = { intraMatrix: Uint8Array.from(intra), nonIntraMatrix: Uint8Array.from(nonIntra), cbr: false };
    const plan = await planChunks(source, given);
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
    const { intraMatrix, nonIntraMatrix } = plan.options;
    expect([intraMatrix, nonIntraMatrix]).toEqual([intra, nonIntra]);
    expect(plan.options).not.toHaveProperty('cbr');
  });

  it('takes the first frames of an input', async () => {
    const plan = await planChunks(sourceOf(frames), { frames: 50 });
    expect(plan.input.frames).toBe(50);
  });

  it('stops with the reason of the signal', async () => {
    const stop = new AbortController();
    const onProgress = (done: number) => {
      if (done === 5) stop.abort(new Error('enough'));
    };
    await expect(planChunks(sourceOf(frames), { signal: stop.signal, onProgress })).rejects.toThrow('enough');
  });
});

describe('a plan of odd sizes', () => {
  it.each([
    [1, 1],
    [17, 3],
    [8, 2800],
    [4095, 1],
  ])('%ix%i', async (width, height) => {
    const odd = [0, 1, 2].map(frame => {
      const { y, ...rest } = uniformFrame({ width, height }, 128);
      return { ...rest, y: y.map((_, at) => ((at + frame) ** 2) >> 4) };
    });
    const { chunks, input } = await planChunks(sourceOf(odd));
    expect(input).toMatchObject({ width, height, frames: 3 });
    expect(chunks).toHaveLength(1);
  });
});

describe('options that chunks cannot keep to', () => {
  const CASES: [given: object, option: string, words: RegExp][] = [
    [{ bitrate: 300_000, cbr: true }, 'cbr', /buffer.*two passes/],
    [{ bitrate: 300_000, maxrate: 400_000 }, 'maxrate', /buffer.*two passes/],
    [{ bitrate: 300_000, vbvBytes: 40_960 }, 'vbvBytes', /buffer.*two passes/],
    [{ target: 'vcd' }, 'target', /vcd.*buffer.*two passes/],
    [{ bitrate: 300_000, firstPass: [] }, 'firstPass', /first pass of the chunks/],
    [{ estimator: './own.js' }, 'estimator', /module.*legal: auto/],
    [{ estimator: () => {} }, 'estimator', /function.*legal: auto/],
    [{ threads: 2 }, 'threads', /give it to encodeChunk/],
    [{ onPicture: () => {} }, 'onPicture', /give it to encodeChunk/],
    [{ q: 99 }, 'q', /1 to 31/],
    [{ quality: 50, q: 4 }, 'quality', /exclude/],
    [{ crf: 20 }, 'crf', /does not exist/],
    [{ frames: 0 }, 'frames', /1/],
    [{ signal: {} }, 'signal', /^signal {} is not an AbortSignal$/],
    [{ onProgress: 5 }, 'onProgress', /^onProgress 5 is not a function$/],
    [{ chunkSeconds: { min: 5, max: 2 } }, 'chunkSeconds', /no range/],
  ];

  it.each(CASES)('%o', async (given, option, words) => {
    const error = await planChunks(sourceOf(frames), given as PlanOptions).catch(reason => reason);
    expect(error).toBeInstanceOf(OptionError);
    expect(error.option).toBe(option);
    expect(error.message).toMatch(words);
  });

  it('and a frame rate that is missing, or is not that of the source', async () => {
    await expect(planChunks(sourceOf(frames), { frameRate: 30 })).rejects.toThrow(
      /^frameRate is 30\.000, and the clip has 25\.000: open it with/,
    );
    const { frameRate: _, ...source } = sourceOf(frames);
    await expect(planChunks(source)).rejects.toThrow(/frameRate is needed/);
  });
});

describe('a chunk is refused', () => {
  const planned = planChunks(sourceOf(frames), { q: 10, preset: 'balanced', chunkSeconds });
  const run = { threads: 1 };
  const refused = async (source: Parameters<typeof encodeChunk>[0], plan: unknown, index: number, words: RegExp) => {
    const error = await encodeChunk(source, plan as ChunkPlan, index, run).catch(reason => reason);
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(words);
  };

  it('by a plan of another version, or that is none', async () => {
    const plan = await planned;
    await refused(sourceOf(frames), { ...plan, version: 2 }, 0, /version 2, and this mpegpu codes version 1/);
    await refused(sourceOf(frames), { ...plan, format: 'other' }, 0, /no plan/);
    await refused(sourceOf(frames), undefined, 0, /no plan/);
  });

  it('by a plan that was changed', async () => {
    const plan = await planned;
    await refused(sourceOf(frames), { ...plan, options: { ...plan.options, q: 11 } }, 0, /not as it was made/);
  });

  it('for an input of another size, rate, content or length', async () => {
    const plan = await planned;
    const larger = scenes([['snow', 40]], { width: 112, height: 80 });
    await refused(sourceOf(larger), plan, 0, /112x80, and the plan is for another input, of 96x80/);
    await refused(sourceOf(frames, 30), plan, 0, /30\.000 frames per second.*25\.000/);
    await refused(sourceOf(frames.with(41, changed(frames[41]!))), plan, 1, /frame 41 .*the clip.*another input/);
    await refused(sourceOf(frames.slice(0, 120)), plan, 2, /frame 120 .*is not there/);
  });

  it('of what is no source, or gives no frames', async () => {
    const plan = await planned;
    const source = sourceOf(frames);
    for (const none of [undefined, 5, { ...source, frames: undefined }]) {
      await refused(none as unknown as typeof source, plan, 0, /^the source is .*, not an object with width/);
      await expect(planChunks(none as unknown as typeof source)).rejects.toThrow(/^the source is/);
    }
    const giving = (frame: unknown) => {
      const given = async function* () {
        yield frame as Frame;
      };
      return { ...source, frames: given };
    };
    await refused(giving(undefined), plan, 1, /^frame 33 of the clip is undefined, not a frame/);
    await refused(giving({ ...frames[33]!, u: 5 }), plan, 1, /^frame 33 of the clip: the plane u is no Uint8Array/);
    await expect(planChunks(giving({ ...frames[0]!, width: 5 }))).rejects.toThrow(/^frame 0 is 5x80, not 96x80/);
  });

  it('where the plan has none of its index, or no first pass', async () => {
    await refused(sourceOf(frames), await planned, 3, /chunk 3 does not exist: the plan has chunks 0\.\.2/);
    await refused(
      sourceOf(frames),
      await planned,
      '0' as never,
      /chunk '0' does not exist: the plan has chunks 0\.\.2/,
    );
    await refused(sourceOf(frames), await planned, 0.5, /chunk 0\.5 does not exist/);
    const atRate = await planChunks(sourceOf(frames), { bitrate: 200_000 });
    await refused(sourceOf(frames), atRate, 0, /no budgets/);
    await expect(measureChunk(sourceOf(frames), await planned, 0, run)).rejects.toThrow(/no bit rate/);
  });
});

describe('a source that seeks roughly', () => {
  it('is asked again, without seeking, from the first frame that is another one', async () => {
    const plan = await planChunks(sourceOf(frames), { q: 10, preset: 'balanced', chunkSeconds });
    const { bytes } = await encodeChunk(sourceOf(frames), plan, 1, { threads: 1 });
    const asked: [number, boolean | undefined][] = [];
    const off = (at: number) => ({
      ...sourceOf(frames),
      seeksRoughly: true,
      async *frames({ first, count = 0, withoutSeeking }: { first: number; count?: number; withoutSeeking?: boolean }) {
        asked.push([first, withoutSeeking]);
        for (let i = first; i < first + count; i++) yield frames[i >= at && !withoutSeeking ? i + 1 : i]!;
      },
    });
    for (const at of [33, 50]) {
      asked.length = 0;
      const again = await encodeChunk(off(at) as ReturnType<typeof sourceOf>, plan, 1, { threads: 1 });
      expect(Buffer.compare(again.bytes, bytes)).toBe(0);
      expect(asked).toEqual([
        [33, false],
        [at, true],
      ]);
    }
  });
});

describe('hashes', () => {
  it('are MurmurHash3, aligned or not', () => {
    const text = (words: string) => new TextEncoder().encode(words);
    expect(hashOfBytes(text(''))).toBe(0);
    expect(hashOfBytes(text('test'))).toBe(0xba6bd213);
    expect(hashOfBytes(text('Hello, world!'), 0x9747b28c)).toBe(0x24884cba);
    expect(hashOfBytes(text('The quick brown fox jumps over the lazy dog'))).toBe(0x2e4ff723);
    const shifted = text('xTest me!').subarray(1);
    expect(hashOfBytes(shifted)).toBe(hashOfBytes(shifted.slice()));
    expect(hashOfBytes(Buffer.from('xTest me!').subarray(1))).toBe(hashOfBytes(shifted));
  });

  it('take objects with their keys in any order', () => {
    expect(canonicalJson({ b: [1, { d: 2, c: 3 }], a: undefined })).toBe(canonicalJson({ b: [1, { c: 3, d: 2 }] }));
  });
});
