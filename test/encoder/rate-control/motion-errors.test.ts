// Rate control without a lookahead: the errors of pictures to come, and what a rate gives by them.
import { describe, expect, it } from 'vitest';
import { generateSample, type SampleKind } from '../../../samples/generate.js';
import { MotionErrors } from '../../../src/encoder/lookahead/analysis/motion-errors.js';
import { errorHistogram } from '../../../src/encoder/lookahead/error-histogram.js';
import { searchParameters } from '../../../src/encoder/motion/search-parameters.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import { qualityOfScale } from '../../../src/encoder/quantizer/constant-quality.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';
import { createCpuFull } from '../../../src/motion/cpu/cpu-full.js';
import type { MotionField } from '../../../src/motion/estimator.js';
import { type Picture, pictureFromFrame } from '../../../src/picture/picture.js';
import { encodeFrames } from '../../support/encode.js';

const SIZE = { width: 112, height: 96 };

describe('the errors of a picture', () => {
  const COLUMNS = SIZE.width / 16;
  const frames = [...generateSample({ kind: 'cut', ...SIZE, frames: 3, seed: 3 })];

  /** The error of each macroblock against its match, or against the means of its 8x8 blocks. */
  function errorsOf({ y }: Picture, motion?: { field: MotionField; reference: Picture }): Uint16Array {
    return Uint16Array.from({ length: (COLUMNS * SIZE.height) / 16 }, (_, address) => {
      const [left, top] = [(address % COLUMNS) * 16, Math.floor(address / COLUMNS) * 16];
      const at = (x: number, row: number) => (top + row) * SIZE.width + left + x;
      let sum = 0;
      for (let row = 0; row < 16; row++) {
        for (let x = 0; x < 16; x++) {
          if (motion) {
            const { field, reference } = motion;
            const best = address * field.candidatesPerBlock;
            sum += Math.abs(y[at(x, row)]! - reference.y[at(x + field.dx[best]!, row + field.dy[best]!)]!);
          } else sum += Math.abs(y[at(x, row)]! - meanOf8x8(y, at(x & 8, row & 8)));
        }
      }
      return sum;
    });
  }

  function meanOf8x8(y: Uint8Array, first: number): number {
    let sum = 0;
    for (let i = 0; i < 64; i++) sum += y[first + (i >> 3) * SIZE.width + (i & 7)]!;
    return (sum + 32) >> 6;
  }

  it.each(['sad', 'sse'] as const)('are those of the best of its motions, or without one: metric %s', async metric => {
    const options = { ...SIZE, frameRate: 25, preset: 'fastest', bitrate: 60_000, metric, threads: 1 } as const;
    const settings = resolveOptions({ ...options, estimator: 'cpu-full', range: { x: 7, y: 7 } });
    const pictures = frames.map((frame, id) => pictureFromFrame(id, frame, settings.grid));
    const [past, current, future] = pictures as [Picture, Picture, Picture];
    const cpu = await createCpuFull(searchParameters(settings));
    const luma = ({ id, y }: Picture) => ({ id, ...SIZE, pels: y });
    const motionFrom = async (reference: Picture) => {
      return { reference, field: await cpu.estimate({ current: luma(current), reference: luma(reference) }) };
    };
    const [fromPast, fromFuture] = [await motionFrom(past), await motionFrom(future)];
    const errors = await MotionErrors.create(settings);
    const intra = errorsOf(current);
    const [forward, backward] = [errorsOf(current, fromPast), errorsOf(current, fromFuture)];
    const least = forward.map((error, address) => Math.min(error, backward[address]!));
    expect(least).not.toEqual(forward);
    expect(least).not.toEqual(backward);
    expect(errors.of(current, []).counts).toEqual(errorHistogram(undefined, intra));
    expect(errors.of(current, [fromPast]).counts).toEqual(errorHistogram(forward, intra));
    expect(errors.of(current, [fromPast, fromFuture]).counts).toEqual(errorHistogram(least, intra));
    const meanOf = ({ y }: Picture) => y.reduce((sum, pel) => sum + pel, 0) / y.length;
    const [before, now, after] = [past, current, future].map(meanOf) as [number, number, number];
    expect(errors.of(current, []).shift).toBe(0);
    expect(errors.of(current, [fromPast]).shift).toBeCloseTo(Math.abs(now - before), 9);
    const shifts = [before, after, (before + after) / 2].map(mean => Math.abs(now - mean));
    expect(errors.of(current, [fromPast, fromFuture]).shift).toBeCloseTo(Math.min(...shifts), 9);
  });
});

describe('a rate in one pass without a lookahead', () => {
  const scenes = (kinds: readonly [SampleKind, SampleKind]) =>
    kinds.flatMap((kind, n) => [...generateSample({ kind, ...SIZE, frames: 40, seed: 5 - 2 * n })]);

  /** What constant quality takes in the mean, and what a rate of so many bits gives. */
  async function compare(kinds: readonly [SampleKind, SampleKind], more: Partial<EncoderOptions> = {}) {
    const frames = scenes(kinds);
    const options = { ...SIZE, preset: 'fastest', ...more } as const;
    const { bits, psnr } = (await encodeFrames(frames, { ...options, quality: qualityOfScale(6) })).statistics;
    const rated = await encodeFrames(frames, { ...options, bitrate: Math.round((bits * 25) / frames.length) });
    return { error: rated.statistics.bits / bits - 1, loss: psnr.y - rated.statistics.psnr.y };
  }

  // By what came before alone, the first is 11 % off and loses 3.4 dB, the second 0.5 % and 2.
  it.each([
    ['fade', 'snow'],
    ['zoom', 'snow'],
  ] as const)('is met, with the quality of its size, where a harder scene follows: %s, then %s', async (...kinds) => {
    const { error, loss } = await compare(kinds);
    expect(Math.abs(error)).toBeLessThan(0.03);
    expect(loss).toBeLessThan(0.7);
  });

  // By what came before alone, 1.3 and 3.4 dB are lost.
  it.each([
    ['pan', 'cut', { bFrames: 0 }],
    ['fade', 'snow', { tools: { bPictureMotion: 'both' } }],
  ] as const)('%s, then %s, with %o', async (calm, lively, more) => {
    const { error, loss } = await compare([calm, lively], more);
    expect(Math.abs(error)).toBeLessThan(0.03);
    expect(loss).toBeLessThan(0.7);
  });

  it.each([{ threads: 3 }, { threads: 2, passes: 2 }])(
    'has the same bytes whatever the threads: %o',
    async ({ threads, passes = 1 }) => {
      const frames = scenes(['fade', 'snow']);
      const encode = async (count: number) => {
        const options = { ...SIZE, preset: 'fastest', bitrate: 80_000, threads: count } as const;
        if (passes === 1) return encodeFrames(frames, options);
        const { passStatistics } = await encodeFrames(frames, { ...options, isFirstPass: true });
        return encodeFrames(frames, { ...options, firstPass: passStatistics });
      };
      expect((await encode(threads)).stream).toEqual((await encode(1)).stream);
    },
  );

  it('needs no errors where motion is searched on reconstructed pictures', async () => {
    const { error } = await compare(['pan', 'cut'], { motionReference: 'reconstructed' });
    expect(Math.abs(error)).toBeLessThan(0.03);
  });
});
