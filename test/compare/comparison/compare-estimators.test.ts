// Tests of comparing estimators: figures, turns, failures and interruption.
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { compareEstimators } from '../../../src/compare/comparison/compare-estimators.js';
import type { ComparedRates } from '../../../src/compare/comparison/compared-rates.js';
import { type ComparisonJob, comparisonFrames } from '../../../src/compare/comparison/job.js';
import type { MeasuredPicture } from '../../../src/compare/comparison/measured-picture.js';
import type { EstimatorRow } from '../../../src/compare/comparison/rows.js';
import { createComparedEstimator } from '../../../src/compare/comparison/search.js';
import { bdRate } from '../../../src/compare/quality/bd-rate.js';
import { ssim } from '../../../src/compare/quality/ssim.js';
import { OptionError } from '../../../src/errors.js';
import type { Frame } from '../../../src/picture/frame.js';
import { encodeFrames } from '../../support/encode.js';

const SIZE = { width: 80, height: 64 };
const FRAMES = 9;
const pan = [...generateSample({ kind: 'pan', ...SIZE, frames: FRAMES, seed: 3 })];
const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
const unsupported = fileURLToPath(new URL('../../motion/fixtures/unsupported-estimator.mjs', import.meta.url));

const qs = (...values: number[]): ComparedRates => ({ option: 'q', values });

function jobOf(more: Partial<ComparisonJob>): ComparisonJob {
  const encoder = { threads: 1, range: { x: 8, y: 8 } };
  return { frames: pan, frameRate: 25, estimators: ['cpu-full'], settings: qs(8), runs: 1, encoder, ...more };
}

const rowOf = (rows: readonly EstimatorRow[], estimator: string) => rows.find(row => row.estimator === estimator)!;

declare global {
  var notedEstimators: string[] | undefined;
  var closedEstimators: string[] | undefined;
}
afterEach(() => {
  globalThis.notedEstimators = undefined;
  globalThis.closedEstimators = undefined;
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
      const similarity = pan.map((frame, i) => ssim(frame, alone.reconstruction[i]!));
      expect(encode.ssim.all).toBeCloseTo(similarity.reduce((sum, { all }) => sum + all, 0) / FRAMES, 12);
      expect(encode.pictures.map(({ ssimY }) => ssimY)).toEqual(similarity.map(({ y }) => y));
      expect(encode.vectorBits).toBe(alone.reports.reduce((sum, { vectorBits }) => sum + vectorBits, 0));
      expect(encode.pictures.map(({ frame }) => frame)).toEqual(pan.map((_, i) => i));
    }
  });

  it.each([
    ['quality', [40, 70]],
    ['bitrate', [30_000, 400_000]],
  ] as const)('encodes at values of %s, and gives BD-rates over them', async (option, values) => {
    const { rows } = await compareEstimators(jobOf({ estimators: ['zero', 'cpu-log'], settings: { option, values } }));
    for (const { estimator, encodes } of rows) {
      for (const [i, value] of values.entries()) {
        const options = { ...SIZE, [option]: value, estimator, range: { x: 8, y: 8 } };
        expect(encodes[i]!.bits).toBe(8 * (await encodeFrames(pan, options)).stream.length);
      }
    }
    const points = ({ encodes }: EstimatorRow) => encodes.map(({ bits, psnr }) => ({ bits, quality: psnr.y }));
    const bySsim = ({ encodes }: EstimatorRow) =>
      encodes.map(({ bits, ssim: { y } }) => ({ bits, quality: 10 * Math.log10(1 / (1 - y)) }));
    for (const [percent, curve] of [
      [rows[1]!.bdRatePercent, points],
      [rows[1]!.bdRateSsimPercent, bySsim],
    ] as const) {
      expect(percent).toBeCloseTo(bdRate(curve(rows[0]!), curve(rows[1]!), 'pchip'), 9);
    }
  });

  it('hands out what the estimator answered for the anchors of each picture', async () => {
    const pictures: MeasuredPicture[] = [];
    const job = jobOf({
      settings: qs(8, 20),
      encoder: { threads: 1, range: { x: 8, y: 8 }, bFrames: 2 },
      onPicture: picture => void pictures.push(picture),
    });
    const { rows } = await compareEstimators({ ...job, searchedFieldsAt: 20 });
    const { rows: plain } = await compareEstimators({ ...job, onPicture: () => {} });
    expect(rows[0]!.encodes.map(({ bits }) => bits)).toEqual(plain[0]!.encodes.map(({ bits }) => bits));
    expect(pictures.filter(({ value }) => value === 8).every(({ searched }) => searched === undefined)).toBe(true);
    const { estimator } = await createComparedEstimator(job, 'cpu-full');
    const luma = (id: number) => ({ id, width: 80, height: 64, pels: pan[id]!.y });
    let compared = 0;
    let anchor = 0;
    for (const { figures, searched } of pictures.filter(({ value }) => value === 20)) {
      const { type, frame } = figures;
      if (type !== 'I') {
        const field = await estimator.estimate({ current: luma(frame), reference: luma(anchor) });
        const best = (all: Int16Array) => all.filter((_, i) => i % field.candidatesPerBlock === 0);
        expect(searched!.get(anchor)).toEqual({ dx: best(field.dx), dy: best(field.dy) });
        compared++;
      }
      if (type !== 'B') anchor = frame;
    }
    await estimator.close();
    expect(compared).toBeGreaterThan(5);
    expect(pictures.some(({ figures }) => figures.type === 'B')).toBe(true);
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
    const { rows, vmafLeftOut } = await compareEstimators(jobOf({ estimators: ['zero', 'cpu-log'], settings }));
    const curve = ({ encodes }: EstimatorRow) => encodes.map(({ bits, psnr }) => ({ bits, quality: psnr.y }));
    expect(rows[0]!.bdRatePercent).toBeCloseTo(0, 9);
    expect(rows[1]!.bdRatePercent).toBe(bdRate(curve(rows[0]!), curve(rows[1]!)));
    expect(rows[1]!.bdRatePercent).toBeLessThan(0);
    expect([vmafLeftOut, rows[1]!.bdRateVmafPercent]).toEqual(['nobody asked for it', undefined]);
    const { rows: single } = await compareEstimators(jobOf({ estimators: ['zero', 'cpu-log'] }));
    expect(single.map(({ bdRatePercent }) => bdRatePercent)).toEqual([undefined, undefined]);
  });

  it('measures VMAF of every encode, and gives BD-rates over it by the chosen method', async () => {
    // Stands for ffmpeg: 100 less the mean absolute difference of luma. At quantizer_scale 8 it breaks.
    const warnings: string[] = [];
    let meters = 0;
    const open = async () => {
      const isBroken = ++meters === 3;
      let sum = 0;
      let pairs = 0;
      return {
        add: async (original: Frame, decoded: Frame) => {
          pairs++;
          sum += original.y.reduce((total, pel, i) => total + Math.abs(pel - decoded.y[i]!), 0) / original.y.length;
        },
        finish: async () => {
          if (isBroken) throw new Error('it broke');
          expect(pairs).toBe(FRAMES);
          return 100 - sum / pairs;
        },
        stop: async () => {},
      };
    };
    const job = jobOf({ estimators: ['zero', 'cpu-log'], settings: qs(3, 8, 14), bdMethod: 'akima', vmaf: { open } });
    const { rows, vmafLeftOut } = await compareEstimators({ ...job, onWarning: warning => warnings.push(warning) });
    expect([vmafLeftOut, meters, warnings]).toEqual([undefined, 6, ['no VMAF of zero at q 8: it broke']]);
    const curves = rows.map(({ encodes }) => encodes.map(({ bits, psnr }) => ({ bits, quality: psnr.y })));
    expect(rows[1]!.bdRatePercent).toBe(bdRate(curves[0]!, curves[1]!, 'akima'));
    expect(rows[1]!.bdRates.psnr).toEqual({
      cubic: undefined,
      pchip: bdRate(curves[0]!, curves[1]!, 'pchip'),
      akima: rows[1]!.bdRatePercent,
    });
    expect(rows[0]!.encodes.map(({ vmaf }) => vmaf === undefined)).toEqual([false, true, false]);
    const [fine, , coarse] = rows[1]!.encodes;
    expect(fine!.vmaf).toBeGreaterThan(coarse!.vmaf!);
    // Without the point that broke there is no curve of `zero`.
    expect(rows[1]!.bdRates.vmaf).toEqual({ cubic: undefined, pchip: undefined, akima: undefined });
    await expect(compareEstimators({ ...job, bdMethod: 'cubic' })).rejects.toThrow(
      /bdMethod cubic takes 4 values or more, here are 3/,
    );
  });

  it('says in a warning which encode it is about', async () => {
    const warnings: string[] = [];
    const settings: ComparedRates = { option: 'bitrate', values: [30_000, 50_000_000] };
    await compareEstimators(jobOf({ estimators: ['zero'], settings, onWarning: warning => warnings.push(warning) }));
    expect(warnings.length).toBeGreaterThan(0);
    for (const warning of warnings) {
      expect(warning).toMatch(/^zero at (30|50000) kbit\/s: the bit rate is (too low|higher than needed): /);
    }
  });

  it('takes runs in turn after one of each, and a third party like one of ours', async () => {
    globalThis.notedEstimators = [];
    globalThis.closedEstimators = [];
    const estimators = ['a', 'b', 'c'].map(name => fixture(`in-turn-${name}.mjs`));
    const { rows } = await compareEstimators(jobOf({ estimators, runs: 2, settings: qs(8, 20), searchedFieldsAt: 20 }));
    // To know them, to study their fields, to measure quality at both quantizers; then per run a search and both
    // encodes.
    expect(globalThis.notedEstimators.join('')).toBe('abc'.repeat(4) + 'abc'.repeat(3).repeat(2));
    expect(globalThis.closedEstimators).toEqual(globalThis.notedEstimators);
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
    const { rows, interrupted } = await comparing;
    expect([interrupted, rows[0]!.outcome]).toEqual([true, 'finished']);
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
    ['qs', { settings: qs(4.5) }],
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
