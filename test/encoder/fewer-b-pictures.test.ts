// One B picture or none between anchors, not two, where motion changes and the next picture is predicted badly.
import { afterAll, describe, expect, it } from 'vitest';
import type { EncoderOptions } from '../../src/encoder/options.js';
import { ThreadStock } from '../../src/threads/node/thread-stock.js';
import { type Encoded, encodeFrames } from '../support/encode.js';
import { ShownStreams } from '../support/expect-shown.js';
import { noisyPan } from '../support/noisy-pictures.js';
import { shimmer } from '../support/shimmer.js';

const size = { width: 112, height: 96 };
const streams = new ShownStreams();
const hard = shimmer(size, 36);
/** Other noise in each picture, so that it differs as much from all before. */
const steady = noisyPan(size, 36, 30);

/** Threads for all encodes that want some: those that run already take part from the first picture on. */
const keeper = new ThreadStock();
afterAll(() => keeper.close());

const encode = (frames: typeof hard, options: Partial<EncoderOptions> = {}) =>
  encodeFrames(frames, { ...size, preset: 'fastest', keptThreads: { keeper }, ...options });

function shownTypes({ reports }: Encoded): string {
  const types: string[] = [];
  for (const { frame, type } of reports) types[frame] = type;
  return types.join('');
}

const PATTERN = 'IBBPBBPBBPBB'.repeat(3).replace(/BB$/, 'BP');

describe('where motion changes and pictures are predicted badly', () => {
  describe.each(['fastest', 'fast'] as const)('%s has, some anchors later,', preset => {
    it('one B picture at a coarse scale', async () => {
      const encoded = await encode(hard, { preset, q: 31 });
      expect(shownTypes(encoded)).toBe('IBBPBBPBBPBBIBBPBPBPBPBPIBPBPBPBPBPP');
      await streams.expectShown(encoded, preset);
    });

    it('none at a fine one', async () => {
      const encoded = await encode(hard, { preset, q: 6 });
      expect(shownTypes(encoded)).toBe('IBBPBBPBBPBBIBBPPPPPPPPPIPPPPPPPPPPP');
      await streams.expectShown(encoded, `${preset}, a fine scale`);
    });
  });

  it('the pattern stays as it is if the tool is off, as the other presets have it, and where nothing changes', async () => {
    const off = { fewerBPictures: false };
    expect(shownTypes(await encode(hard, { q: 6, tools: off }))).toBe(PATTERN);
    const fixed = { adaptiveTypes: false, bFrames: 2, bPictureMotion: 'first' } as const;
    const { adaptiveTypes, bFrames, ...tools } = fixed;
    expect(shownTypes(await encode(hard, { q: 6, preset: 'balanced', adaptiveTypes, bFrames, tools }))).toBe(PATTERN);
    expect(shownTypes(await encode(steady, { q: 6 }))).toBe(PATTERN);
    expect(shownTypes(await encode(hard, { q: 6, metric: 'sse' }))).toBe(PATTERN);
  });

  it.each([5, 12, 13, 25])('all B pictures again where motion becomes steady, with groups of %i', async gop => {
    const types = shownTypes(await encode([...shimmer(size, 48), ...noisyPan(size, 48, 30)], { q: 6, gop }));
    expect(types.slice(0, 48)).toMatch(/[PI]{9}/);
    expect(types.slice(-12)).toContain('BB');
  });

  it.each([1, 3])('from a pattern of %i, too', async bFrames => {
    const runs = shownTypes(await encode(hard, { q: 31, bFrames, gop: 36 })).match(/B+/g)!;
    expect(runs[0]).toHaveLength(bFrames);
    expect(runs.at(-1)).toBe('B');
    expect(runs.filter(run => run.length === 1).length).toBeGreaterThan(3);
  });

  it.each([
    ['a constant scale', { q: 6 }, /P{9}/],
    ['a coarse one', { q: 31 }, /PBPBP/],
    ['a bit rate', { bitrate: 400_000 }, /PBPBP/],
    ['closed groups', { quality: 50, openGop: false }, /P{9}/],
    ['another estimator', { q: 4, estimator: 'cpu-mrmp' }, /P{9}/],
  ])('any number of threads gives the same bytes: %s', async (_name, options, types) => {
    const one = await encode(hard, options);
    expect(shownTypes(one)).toMatch(types);
    for (const threads of [2, 3, 8]) {
      const { stream } = await encode(hard, { ...options, threads });
      expect(stream).toEqual(one.stream);
    }
  });

  it.each([1, 3])('the second of two passes has the types of the first, with %i threads', async threads => {
    const options = { bitrate: 300_000, threads } as const;
    const first = await encode(hard, { ...options, isFirstPass: true });
    const second = await encode(hard, { ...options, firstPass: first.passStatistics });
    expect(shownTypes(first)).toMatch(/PBPBP/);
    expect(shownTypes(second)).toBe(shownTypes(first));
    await streams.expectShown(second, `two passes, ${threads} threads`);
    // They are the first pass's own, not found anew.
    const other = await encode(steady, { ...options, firstPass: first.passStatistics });
    expect(shownTypes(other)).toBe(shownTypes(first));
  });

  it('a live encode has no B pictures', async () => {
    const { reports } = await encode(hard.slice(0, 20), { q: 6, latency: 'low' });
    expect(reports.map(({ type }) => type)).not.toContain('B');
  });

  it('an estimator that fails in the middle ends the encode', async () => {
    const lost = new Error('the device is lost');
    let asked = 0;
    const { createCpuPredictive } = await import('../../src/motion/cpu/cpu-predictive.js');
    const estimator: EncoderOptions['estimator'] = async parameters => {
      const inner = await createCpuPredictive(parameters);
      const estimate: typeof inner.estimate = request =>
        ++asked > 12 ? Promise.reject(lost) : inner.estimate(request);
      return { traits: inner.traits, device: inner.device, estimate, close: () => inner.close() };
    };
    for (const threads of [1, 2]) {
      asked = 0;
      await expect(encode(hard, { q: 6, threads, estimator })).rejects.toThrow(/the device is lost/);
    }
  });
});
