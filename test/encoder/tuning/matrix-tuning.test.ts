// Tests of frame samples and of tuned intra matrices.
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { qualityOfScale, scaleOfQuality } from '../../../src/encoder/quantizer/constant-quality.js';
import type { PassStatistics } from '../../../src/encoder/rate-control/pass-statistics.js';
import { FrameSample } from '../../../src/encoder/tuning/frame-sample.js';
import { minimumOfParabola, tuneIntraMatrix } from '../../../src/encoder/tuning/matrix-tuning.js';
import { OptionError } from '../../../src/errors.js';
import { type Frame, frameFromI420, i420Bytes } from '../../../src/picture/frame.js';
import { encodeFrames } from '../../support/encode.js';

const size = { width: 160, height: 96 };
const options = { ...size, frameRate: 25, threads: 1 };
const SCALE = 10;
const firstPass: PassStatistics = [
  { type: 'I', bits: 1000, quantizerScale: SCALE },
  { type: 'P', bits: 100, quantizerScale: SCALE },
  { type: 'B', bits: 10, quantizerScale: 31 },
];
const FLAT = [8, ...new Array<number>(63).fill(24)];

/** Conway's game of life, a cell being 4x4 pels: edges without a slope, of which sequences from cameras have none. */
function life(frames: number): Frame[] {
  const { width, height } = size;
  const columns = width / 4;
  const rows = height / 4;
  let seed = 5;
  let cells = Array.from({ length: columns * rows }, () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32 < 0.3;
  });
  return Array.from({ length: frames }, () => {
    const bytes = new Uint8Array(i420Bytes(width, height)).fill(128);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) bytes[y * width + x] = cells[(y >> 2) * columns + (x >> 2)] ? 200 : 40;
    }
    cells = cells.map((alive, place) => {
      let neighbours = 0;
      for (const dy of [-1, 0, 1]) {
        for (const dx of [-1, 0, 1]) {
          const row = (Math.floor(place / columns) + dy + rows) % rows;
          if (cells[row * columns + (((place % columns) + dx + columns) % columns)]) neighbours++;
        }
      }
      return alive ? neighbours === 3 || neighbours === 4 : neighbours === 3;
    });
    return frameFromI420(width, height, bytes);
  });
}

function sampleOf(frames: Iterable<Frame>): FrameSample {
  const sample = new FrameSample();
  for (const frame of frames) sample.add(frame);
  return sample;
}

describe('a sample of frames', () => {
  /** Frames that are told apart by their first pel. */
  const numbered = (count: number, width = 16) =>
    Array.from({ length: count }, (_, n) => {
      const frame = frameFromI420(width, 16, new Uint8Array(i420Bytes(width, 16)));
      frame.y[0] = n;
      return frame;
    });
  const numbers = (sample: FrameSample) => sample.groups.map(group => group.map(({ y }) => y[0]!));

  it('is what there is of a sequence shorter than a group, and nothing of none', () => {
    expect(numbers(sampleOf([]))).toEqual([]);
    expect(numbers(sampleOf(numbered(5)))).toEqual([[0, 1, 2, 3, 4]]);
  });

  it('is up to three groups of twelve consecutive frames', () => {
    expect(numbers(sampleOf(numbered(30))).map(group => [group[0], group.length])).toEqual([
      [0, 12],
      [12, 12],
    ]);
    for (const group of numbers(sampleOf(numbered(250)))) {
      expect(group.length).toBe(12);
      expect(group).toEqual(group.map((_, i) => group[0]! + i));
    }
  });

  it('comes from anywhere, and is the same every time', () => {
    const sequence = numbered(12 * 240).map((frame, n) => {
      frame.y[0] = Math.floor(n / 12);
      return frame;
    });
    const starts = () => {
      const sample = new FrameSample();
      return sequence.flatMap((frame, n) => {
        sample.add(frame);
        return n % 12 === 11 ? [numbers(sample).map(group => group[0]!)] : [];
      });
    };
    const afterEachGroup = starts();
    expect(afterEachGroup).toEqual(starts());
    for (const groups of afterEachGroup.slice(3)) expect(new Set(groups).size).toBe(3);
    // The n-th group is taken with a probability of 3 / n: 13.6 times in 4..240, with a standard deviation of 2.8.
    const taken = new Set(afterEachGroup.flat().filter(group => group >= 3));
    expect(taken.size).toBeGreaterThan(5);
    expect(taken.size).toBeLessThan(22);
    expect(Math.max(...afterEachGroup.at(-1)!)).toBeGreaterThan(40);
  });

  it('holds fewer frames where they are large', () => {
    const large = frameFromI420(4080, 2800, new Uint8Array(i420Bytes(4080, 2800)));
    const { groups } = sampleOf(new Array<Frame>(40).fill(large));
    const frames = groups.reduce((sum, group) => sum + group.length, 0);
    expect(frames).toBeGreaterThan(0);
    expect(frames * i420Bytes(4080, 2800)).toBeLessThan(96 * 2 ** 20);
  });
});

describe('a tuned intra matrix', () => {
  it.each([{}, 'abc', [{ type: 'X', bits: 1, quantizerScale: 2 }]])('refuses %j as a first pass', async given => {
    const tuning = tuneIntraMatrix(sampleOf(life(3)), given as unknown as PassStatistics, options);
    await expect(tuning).rejects.toThrow(/^firstPass .* is not the passStatistics of an encode$/);
  });

  it('refuses what is no sample, and what cannot be told of the progress', async () => {
    const tune = (...given: readonly unknown[]) =>
      tuneIntraMatrix(...(given as unknown as Parameters<typeof tuneIntraMatrix>));
    for (const none of [undefined, {}, life(1)]) {
      await expect(tune(none, firstPass, options)).rejects.toThrow(
        new OptionError('sample', 'sample is no FrameSample'),
      );
    }
    await expect(tune(sampleOf(life(3)), firstPass, options, 5)).rejects.toThrow('onProgress 5 is not a function');
  });

  it('has its minimum where the parabola has', () => {
    expect(minimumOfParabola(1, 1)).toBe(0);
    expect(minimumOfParabola(2.25, 0.25)).toBeCloseTo(0.4); // 1.25 x^2 - x
    expect(minimumOfParabola(-3, 4)).toBe(-1.5); // beyond what may be
    expect(minimumOfParabola(-2, 1)).toBe(-1); // no minimum: the lower end
    expect(minimumOfParabola(1, -2)).toBe(1);
  });

  it('the quality of a scale is the inverse of the scale of a quality', () => {
    for (const quality of [0, 12.5, 80, 100]) {
      expect(qualityOfScale(scaleOfQuality(quality))).toBeCloseTo(quality);
    }
  });

  it('takes fewer bits at equal PSNR than the flat one, where it is another', async () => {
    const frames = life(12);
    const progress: number[][] = [];
    const onProgress = (...counts: [number, number]) => progress.push(counts);
    const tuned = await tuneIntraMatrix(sampleOf(frames), firstPass, options, onProgress);
    expect(progress).toEqual(progress.map((_, i) => [i + 1, 108]));
    expect(progress.length).toBe(108);
    expect(tuned.length).toBe(64);
    expect(tuned[0]).toBe(8);
    expect(tuned).not.toEqual(FLAT);
    const point = async (scale: number, intraMatrix: readonly number[]) => {
      const settings = { ...options, quality: qualityOfScale(scale), intraMatrix };
      const { statistics } = await encodeFrames(frames, { ...settings, adaptiveTypes: false }); // the same in all three
      return { logBits: Math.log(statistics.bits), psnr: statistics.psnr.y };
    };
    const flat = await point(SCALE, FLAT);
    const finer = await point(SCALE / 1.1, FLAT);
    const slope = (finer.logBits - flat.logBits) / (finer.psnr - flat.psnr);
    const { logBits, psnr } = await point(SCALE, tuned);
    expect(logBits - slope * (psnr - flat.psnr)).toBeLessThan(flat.logBits - 0.003);
  });

  it('is the flat one where nothing is known or nothing is gained', async () => {
    const still = [...generateSample({ kind: 'pan', ...size, frames: 1, seed: 1 })];
    expect(await tuneIntraMatrix(sampleOf([]), firstPass, options)).toEqual(FLAT);
    expect(await tuneIntraMatrix(sampleOf(still), [], options)).toEqual(FLAT);
    const grey = frameFromI420(size.width, size.height, new Uint8Array(i420Bytes(size.width, size.height)).fill(128));
    expect(await tuneIntraMatrix(sampleOf([grey, grey]), firstPass, options)).toEqual(FLAT);
  });

  it('leaves the rate and the callbacks of the second encode alone', async () => {
    const refuse = () => {
      throw new Error('called');
    };
    const second = { ...options, bitrate: 300_000, cbr: true, firstPass, onPicture: refuse, onReconstruction: refuse };
    const frames = life(3);
    expect(await tuneIntraMatrix(sampleOf(frames), firstPass, second)).toEqual(
      await tuneIntraMatrix(sampleOf(frames), firstPass, options),
    );
  });

  it('refuses a matrix that is given, and stops when it is told to', async () => {
    const sample = sampleOf(life(3));
    await expect(tuneIntraMatrix(sample, firstPass, { ...options, matrix: 'flat' })).rejects.toThrow(OptionError);
    await expect(tuneIntraMatrix(sample, firstPass, { ...options, intraMatrix: FLAT })).rejects.toThrow(OptionError);
    const reason = new Error('enough');
    await expect(tuneIntraMatrix(sample, firstPass, { ...options, signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });
});
