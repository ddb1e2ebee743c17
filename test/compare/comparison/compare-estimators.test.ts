// Tests of comparing estimators: figures, turns, failures and interruption.
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { compareEstimators } from '../../../src/compare/comparison/compare-estimators.js';
import { type ComparisonJob, comparisonFrames } from '../../../src/compare/comparison/job.js';
import type { RateSettings } from '../../../src/compare/comparison/rate-settings.js';
import type { EstimatorRow } from '../../../src/compare/comparison/rows.js';
import { spread } from '../../../src/compare/comparison/spread.js';
import { bdRate } from '../../../src/compare/quality/bd-rate.js';
import { ssim } from '../../../src/compare/quality/ssim.js';
import { OptionError } from '../../../src/errors.js';
import { encodeFrames } from '../../support/encode.js';

const SIZE = { width: 80, height: 64 };
const FRAMES = 9;
const pan = [...generateSample({ kind: 'pan', ...SIZE, frames: FRAMES, seed: 3 })];
const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
const unsupported = fileURLToPath(new URL('../../motion/fixtures/unsupported-estimator.mjs', import.meta.url));

const qs = (...values: number[]): RateSettings => ({ option: 'q', values });

function jobOf(more: Partial<ComparisonJob>): ComparisonJob {
  const encoder = { threads: 1, range: { x: 8, y: 8 } };
  return { frames: pan, frameRate: 25, estimators: ['cpu-full'], settings: qs(8), runs: 1, encoder, ...more };
}

const rowOf = (rows: readonly EstimatorRow[], estimator: string) => rows.find(row => row.estimator === estimator)!;

declare global {
  var notedEstimators: string[] | undefined;
}
afterEach(() => {
  globalThis.notedEstimators = undefined;
});

describe('compareEstimators', () => {
  it('gives what an encode of its own gives', async () => {
    const { rows, interrupted } = await compareEstimators(jobOf({ estimators: ['cpu-mrmp'], settings: qs(3, 12) }));
    expect(interrupted).toBe(false);
    expect(rows[0]!.encodes.map(({ value }) => value)).toEqual([3, 12]);
    for (const encode of rows[0]!.encodes) {
      const alone = await encodeFrames(pan, { ...SIZE, q: encode.value, estimator: 'cpu-mrmp', range: { x: 8, y: 8 } });
      expect(encode.bits).toBe(8 * alone.stream.length);
      expect(encode.psnr).toEqual(alone.statistics.psnr);
      const similarity = pan.map((frame, i) => ssim(frame, alone.reconstruction[i]!).all);
      expect(encode.ssim.all).toBeCloseTo(similarity.reduce((sum, value) => sum + value, 0) / FRAMES, 12);
      expect(encode.vectorBits).toBe(alone.reports.reduce((sum, { vectorBits }) => sum + vectorBits, 0));
      expect(encode.pictures.map(({ frame }) => frame)).toEqual(pan.map((_, i) => i));
    }
  });

  it('measures agreement and what the vectors save against the full search', async () => {
    const { rows } = await compareEstimators(jobOf({ estimators: ['zero', 'cpu-full'] }));
    const full = rowOf(rows, 'cpu-full').fields!;
    const zero = rowOf(rows, 'zero').fields!;
    expect(full.agreement).toBe(1);
    expect(full.pairs).toBe(FRAMES - 1);
    expect(zero.agreement).toBeLessThan(0.5); // everything pans
    expect(zero.sadPerPelAfter).toBe(zero.sadPerPelBefore);
    expect(full.sadPerPelBefore).toBe(zero.sadPerPelBefore);
    expect(full.sadPerPelAfter).toBeLessThan(0.6 * full.sadPerPelBefore);
  });

  it('gives BD-rates against the first estimator', async () => {
    const settings = qs(2, 4, 8, 14);
    const { rows } = await compareEstimators(jobOf({ estimators: ['zero', 'cpu-log'], settings }));
    const curve = ({ encodes }: EstimatorRow) => encodes.map(({ bits, psnr }) => ({ bits, psnrDb: psnr.y }));
    expect(rows[0]!.bdRatePercent).toBeCloseTo(0, 9);
    expect(rows[1]!.bdRatePercent).toBe(bdRate(curve(rows[0]!), curve(rows[1]!)));
    expect(rows[1]!.bdRatePercent).toBeLessThan(0);
    const { rows: single } = await compareEstimators(jobOf({ estimators: ['zero', 'cpu-log'] }));
    expect(single.map(({ bdRatePercent }) => bdRatePercent)).toEqual([undefined, undefined]);
  });

  it('takes runs in turn after one of each, and a third party like one of ours', async () => {
    globalThis.notedEstimators = [];
    const estimators = ['a', 'b', 'c'].map(name => fixture(`in-turn-${name}.mjs`));
    const { rows } = await compareEstimators(jobOf({ estimators, runs: 2, settings: qs(8, 20) }));
    // To know them, to study their fields, to measure quality at both quantizers; then per run a search and both
    // encodes.
    expect(globalThis.notedEstimators.join('')).toBe('abc'.repeat(4) + 'abc'.repeat(3).repeat(2));
    expect(rows.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['a', 'finished'],
      ['b', 'finished'],
      ['c', 'finished'],
    ]);
    const { framesPerSecond, runs, stages, waitShare } = rows[2]!.encodes[1]!;
    expect(runs.length).toBe(2);
    expect(framesPerSecond!.least).toBeLessThanOrEqual(framesPerSecond!.median);
    expect(framesPerSecond!.median).toBeLessThanOrEqual(framesPerSecond!.greatest);
    expect(waitShare!.greatest).toBeLessThanOrEqual(1);
    expect(stages!.codingMs).toBeGreaterThan(0);
    // The same vectors give the same stream as our own estimator of no motion.
    const { rows: own } = await compareEstimators(jobOf({ estimators: ['zero'] }));
    expect(rows[0]!.encodes[0]!.bits).toBe(own[0]!.encodes[0]!.bits);
  });

  it('keeps a row with the reason for one that cannot run or breaks, and goes on with the others', async () => {
    const estimators = ['zero', unsupported, fixture('breaking-estimator.mjs'), 'cpu-log'];
    const { rows } = await compareEstimators(jobOf({ estimators, encoder: { threads: 1, candidates: 1 } }));
    expect(rows.map(({ estimator, outcome }) => [estimator, outcome])).toEqual([
      ['zero', 'finished'],
      [unsupported, 'unsupported'],
      [fixture('breaking-estimator.mjs'), 'failed'],
      ['cpu-log', 'finished'],
    ]);
    expect(rows[1]!.reason).toBe('no abacus was found on this machine');
    expect(rows[2]!.reason).toBe('the estimator breaking failed: the third picture is one too many');
    expect(rows[1]!.encodes).toEqual([]);
    expect(rows[3]!.encodes.length).toBe(1);
  });

  it.each([1, 2])('says so of a module that is unsupported with %i threads', async threads => {
    const { rows } = await compareEstimators(jobOf({ estimators: [unsupported, 'zero'], encoder: { threads } }));
    expect(rows.map(({ outcome }) => outcome)).toEqual(['unsupported', 'finished']);
  });

  it('keeps what is finished when it is stopped', async () => {
    const stop = new AbortController();
    const { rows, interrupted } = await compareEstimators(
      jobOf({
        estimators: ['zero', 'cpu-log', 'cpu-mrmp'],
        signal: stop.signal,
        onProgress: frames => frames === 2 * FRAMES && stop.abort(new Error('enough')),
      }),
    );
    expect(interrupted).toBe(true);
    expect(rows.map(({ encodes }) => encodes.length)).toEqual([1, 1, 0]);
    expect(rows[0]!.encodes[0]!.bits).toBeGreaterThan(0);
    expect(rows[0]!.encodes[0]!.framesPerSecond).toBeUndefined();
    expect(rows.every(({ outcome }) => outcome === 'finished')).toBe(true);
  });

  it('does not wait for an estimator that hangs when it is stopped', async () => {
    const stop = new AbortController();
    const comparing = compareEstimators(
      jobOf({ estimators: [fixture('stuck-estimator.mjs'), 'zero'], signal: stop.signal }),
    );
    setTimeout(() => stop.abort(new Error('enough')), 100);
    expect((await comparing).interrupted).toBe(true);
  });

  it('counts its progress up to the end', async () => {
    const seen: number[] = [];
    const job = jobOf({ estimators: ['zero', unsupported], runs: 2, onProgress: frames => seen.push(frames) });
    await compareEstimators(job);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(comparisonFrames(job));
  });

  it.each([
    ['estimators', { estimators: [] }],
    ['estimators', { estimators: ['zero', 'zero'] }],
    ['estimator', { estimators: ['zero', 'cpu-ful'] }],
    ['qs', { settings: qs() }],
    ['qs', { settings: qs(4, 32) }],
    ['qs', { settings: qs(4, 4) }],
    ['qualities', { settings: { option: 'quality', values: [101] } }],
    ['bitrates', { settings: { option: 'bitrate', values: [500_000, 500_000] } }],
    ['repeat', { runs: 0 }],
    ['frames', { frames: pan.slice(0, 1) }],
    ['preset', { encoder: { preset: 'quickest' } }],
  ] as const)('refuses wrong %s', async (option, wrong) => {
    const error = await compareEstimators(jobOf(wrong as Partial<ComparisonJob>)).catch(error => error);
    expect(error).toBeInstanceOf(OptionError);
    expect(error.option).toBe(option);
  });
});

describe('spread', () => {
  it('is the middle and the ends', () => {
    expect(spread([])).toBeUndefined();
    expect(spread([5])).toEqual({ median: 5, least: 5, greatest: 5 });
    expect(spread([9, 1, 4])).toEqual({ median: 4, least: 1, greatest: 9 });
    expect(spread([8, 2, 4, 6])).toEqual({ median: 5, least: 2, greatest: 8 });
  });
});
