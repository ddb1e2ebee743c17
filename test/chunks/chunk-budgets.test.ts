// Two passes in chunks: the rate is met, hard chunks get more bits, wrong measurements are refused.
import { beforeAll, describe, expect, it } from 'vitest';
import { budgetChunks, type ChunkMeasurement, makeMeasurement } from '../../src/chunks/chunk-budgets.js';
import { type ChunkPlan, makePlan } from '../../src/chunks/chunk-plan.js';
import { encodeChunk, measureChunk } from '../../src/chunks/encode-chunk.js';
import { planChunks } from '../../src/chunks/plan-chunks.js';
import { MIN_BIT_RATE } from '../../src/encoder/rate-control/rate-settings.js';
import { InputError } from '../../src/errors.js';
import type { Frame } from '../../src/picture/frame.js';
import { readClip, readMiddle, realClips } from '../support/clips.js';
import { readWithPackagedFfmpeg } from '../support/ffmpeg-clips.js';
import { IS_SOAK } from '../support/soak.js';
import { repeated, uniformFrame } from '../support/uniform-frames.js';
import { encodeByPlan, SIZE, scenes, sourceOf } from './chunk-clips.js';

/** What two passes of a whole encode keep to. */
const ACCURACY = 0.01;

const generated = (name: string, frames: Frame[], rates: number[]) => ({ name, rates, read: async () => frames });
const mixed = scenes([
  ['snow', 60],
  ['zoom', 45],
  ['pan', 50],
  ['rotation', 55],
]);
const MIDDLE = { width: 240, height: 144 };
readWithPackagedFfmpeg();
const CLIPS = [
  // For every commit one rate of each clip.
  generated('four scenes', mixed, IS_SOAK ? [100_000, 250_000] : [100_000]),
  generated('black, then four scenes', [...repeated(uniformFrame(SIZE, 16), 60), ...mixed], [200_000]),
  ...realClips()
    .filter(({ name }) => /^(foreman_cif_150|bikes)/.test(name))
    .slice(0, IS_SOAK ? undefined : 1)
    .map(({ name, path }) => ({
      name,
      // For every commit the middle of 120 pictures.
      rates: IS_SOAK ? [400_000, 1_500_000] : [100_000],
      read: () => (IS_SOAK ? readClip(path) : readMiddle(path, 120, MIDDLE)),
    })),
];

describe.each(CLIPS)('$name', ({ rates, read }) => {
  let frames: readonly Frame[] = [];
  beforeAll(async () => {
    frames = await read();
  });

  it.each(rates)('%i bit/s: met by all chunks together', async bitrate => {
    const options = { bitrate, preset: 'fast', chunkSeconds: { min: 1.4, max: 3 } } as const;
    const plan = await planChunks(sourceOf(frames), options);
    expect(plan.chunks.length).toBeGreaterThan(1);
    const { video } = await encodeByPlan(sourceOf(frames), plan);
    expect(Math.abs((video.bits * 25) / frames.length / bitrate - 1)).toBeLessThan(ACCURACY);
  });
});

describe('budgets', () => {
  const run = { threads: 1 };
  let plan: ChunkPlan;
  let measurements: ChunkMeasurement[];
  beforeAll(async () => {
    const options = { bitrate: 80_000, preset: 'balanced', chunkSeconds: { min: 1.4, max: 3 } } as const;
    plan = await planChunks(sourceOf(mixed), options);
    measurements = [];
    for (const { index } of plan.chunks) measurements.push(await measureChunk(sourceOf(mixed), plan, index, run));
  });

  it('share out the bits of the rate, so that all chunks have about one scale', async () => {
    const budgeted = budgetChunks(plan, measurements);
    const shares = budgeted.chunks.map(({ budget }) => budget!.bits);
    const wanted = (80_000 * mixed.length) / 25;
    expect(shares.reduce((sum, bits) => sum + bits, 0) / wanted).toBeCloseTo(1, 3);
    const perFrame = shares.map((bits, i) => bits / plan.chunks[i]!.frames);
    expect(Math.max(...perFrame) / Math.min(...perFrame)).toBeGreaterThan(1.5);
    const scales: number[] = [];
    for (const { index } of plan.chunks) {
      const ofChunk: number[] = [];
      const onPicture = ({ q, type }: { q: number; type: string }) => {
        if (type === 'P') ofChunk.push(q);
      };
      await encodeChunk(sourceOf(mixed), budgeted, index, { ...run, onPicture });
      scales.push(ofChunk.reduce((sum, q) => sum + q, 0) / ofChunk.length);
    }
    expect(Math.max(...scales) / Math.min(...scales)).toBeLessThan(1.35);
  });

  it('are the same for measurements in any order, and after JSON', () => {
    const kept = JSON.parse(JSON.stringify(measurements.toReversed())) as ChunkMeasurement[];
    expect(budgetChunks(plan, kept)).toEqual(budgetChunks(plan, measurements));
  });

  it('leave a chunk with next to nothing in it the least rate of the encoder', () => {
    const nothing = plan.chunks.map(({ index }) => {
      const pictures = measurements[index]!.pictures.map(([type]) => ({ type, bits: 1, quantizerScale: 1 }));
      return index === 0 ? makeMeasurement(plan, 0, pictures) : measurements[index]!;
    });
    const { budget, frames } = budgetChunks(plan, nothing).chunks[0]!;
    expect((budget!.bits * 25) / frames).toBeCloseTo(MIN_BIT_RATE);
  });

  it('keep what the plan says of its source', () => {
    const source = { path: 'clip.y4m' };
    expect(budgetChunks(makePlan({ ...plan, source }), measurements).source).toEqual(source);
  });

  it('make another plan, whose chunks are no chunks of the first', () => {
    expect(budgetChunks(plan, measurements).identity).not.toBe(plan.identity);
  });

  it('are refused for measurements that are missing, there twice, of another plan or damaged', async () => {
    const [first, ...others] = measurements as [ChunkMeasurement, ...ChunkMeasurement[]];
    const refused = (given: readonly unknown[], words: RegExp) => {
      const call = () => budgetChunks(plan, given as ChunkMeasurement[], position => `s${position}.json`);
      expect(call).toThrow(words);
      expect(call).toThrow(InputError);
    };
    refused(undefined as never, /chunks 0, 1, 2, 3 of 4 are missing/);
    refused(others, /chunk 0 of 4 is missing .*: encode-chunk --pass 1 makes one$/);
    refused([...measurements, first], /chunk 0 is there twice: s0\.json and s4\.json/);
    refused([{ ...first, plan: 'other' }, ...others], /s0\.json is damaged/);
    refused([{ ...first, pictures: first.pictures.slice(1) }, ...others], /s0\.json is damaged/);
    refused([{}, ...others], /s0\.json holds no statistics of a first pass: encode-chunk with pass 1 makes them$/);
    const other = await planChunks(sourceOf(mixed), { ...plan.options, bitrate: 300_000, frames: 40 });
    refused([await measureChunk(sourceOf(mixed), other, 0, run), ...others], /s0\.json is of another plan/);
    const atScale = await planChunks(sourceOf(mixed), { q: 4 });
    expect(() => budgetChunks(atScale, measurements)).toThrow(/no bit rate/);
  });

  it('warn in the second pass only, where the rate is too low', async () => {
    const low = await planChunks(sourceOf(mixed.slice(0, 50)), { bitrate: 10_000, preset: 'balanced' });
    const warnings: string[] = [];
    const onWarning = (message: string) => void warnings.push(message);
    const measured = await measureChunk(sourceOf(mixed), low, 0, { ...run, onWarning });
    expect(warnings).toEqual([]);
    await encodeChunk(sourceOf(mixed), budgetChunks(low, [measured]), 0, { ...run, onWarning });
    expect(warnings.join()).toMatch(/bit rate is too low/);
  });
});
