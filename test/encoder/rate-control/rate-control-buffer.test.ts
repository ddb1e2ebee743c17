// Tests that streams keep to the decoder's buffer.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateSample, type SampleKind } from '../../../samples/generate.js';
import { Encoder } from '../../../src/encoder/encoder.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import { OptionError } from '../../../src/errors.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { decodeWithFfmpeg } from '../../support/decoders.js';
import { encodeFrames } from '../../support/encode.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { describeWith } from '../../support/requirements.js';
import { IS_SOAK } from '../../support/soak.js';
import { repeated, uniformFrame } from '../../support/uniform-frames.js';
import { verifyVbv } from '../../support/vbv-verifier.js';

const folder = temporaryFolder();

/** More runs and another seed for a long soak: see bench/vbv-soak.mjs. */
const RUNS = Number(process.env.MPEGPU_VBV_RUNS ?? (IS_SOAK ? 60 : 40));
const SEED = Number(process.env.MPEGPU_VBV_SEED ?? 5);

const combination = fc.record({
  kind: fc.constantFrom<SampleKind>('pan', 'zoom', 'snow', 'cut', 'fade', 'noise'),
  width: fc.integer({ min: 16, max: 96 }),
  height: fc.integer({ min: 16, max: 80 }),
  frames: fc.integer({ min: 1, max: 36 }),
  seed: fc.integer({ min: 0, max: 1000 }),
  frameRate: fc.constantFrom(24, 25, 29.97, 30, 60),
  kilobits: fc.integer({ min: 1, max: 11 }).map(power => 2 ** (power / 2 + 4)),
  peak: fc.constantFrom(undefined, 1, 1.2, 2),
  vbvUnits: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
  gop: fc.constantFrom(1, 2, 5, 12, 40, 200),
  bFrames: fc.integer({ min: 0, max: 3 }),
  openGop: fc.boolean(),
  adaptiveTypes: fc.boolean(),
  slices: fc.constantFrom(1, 2, 'rows' as const),
  preset: fc.constantFrom('fastest', 'fast', 'balanced'),
  aq: fc.constantFrom(0, 0, 1, 4),
});

type Combination = typeof combination extends fc.Arbitrary<infer T> ? T : never;

function optionsOf({ kilobits, peak, vbvUnits, kind, frames, seed, ...rest }: Combination): EncoderOptions {
  const bitrate = Math.round(kilobits * 1000);
  return {
    ...rest,
    bitrate,
    ...(peak === undefined ? { cbr: true } : { maxrate: bitrate * peak }),
    ...(vbvUnits !== undefined && { vbvBytes: vbvUnits * 2048 }),
    estimator: 'cpu-log',
    range: { x: 7, y: 7 },
  };
}

describe('the decoder buffer of Annex C', () => {
  it(`is never short nor too full in ${RUNS} random combinations`, { timeout: 4_000_000 }, async () => {
    let sound = 0;
    const property = fc.asyncProperty(combination, async given => {
      const options = optionsOf(given);
      try {
        const { stream } = await encodeFrames(generateSample(given), options);
        expect(verifyVbv(stream).violations).toEqual([]);
        sound++;
      } catch (error) {
        // The pictures are too large for the rate or the buffer whatever is done: said at once, naming the option.
        if (!(error instanceof OptionError)) throw error;
        expect(['bitrate', 'vbvBytes']).toContain(error.option);
      }
    });
    await fc.assert(property, { numRuns: RUNS, seed: SEED });
    expect(sound).toBeGreaterThan(RUNS / 2);
  });

  it('is kept by what is coded sparsely, which decoders show as it is', async () => {
    const size = { width: 96, height: 80 };
    const frames = [...generateSample({ kind: 'noise', ...size, frames: 12, seed: 3 })];
    const { stream, reconstruction, reports } = await encodeFrames(frames, {
      ...size,
      bitrate: 100_000,
      cbr: true,
      vbvBytes: 4096,
      gop: 6,
    });
    expect(verifyVbv(stream).violations).toEqual([]);
    expect(Math.max(...reports.map(({ q }) => q))).toBe(31);
    const path = join(folder, 'sparse.m1v');
    writeFileSync(path, stream);
    expectSameFrames(await decodeWithFfmpeg(path), reconstruction, 'sparse');
  });

  it.each(['normal', 'low'] as const)('holds the largest of sparse I pictures, latency %s', async latency => {
    const size = { width: 704, height: 560 };
    const frame = uniformFrame(size, 0);
    for (const plane of [frame.y, frame.u, frame.v]) plane.set(plane.map((_, i) => (i & 8 ? 255 : 0)));
    const options = { ...size, latency, bitrate: 1_000_000, maxrate: 1_000_000, gop: 12 };
    const encode = (vbvBytes: number) => encodeFrames(repeated(frame, 3), { ...options, vbvBytes });
    await expect(encode(20_480)).rejects.toThrow(/may not fit into it: give vbvBytes at least 22528$/);
    expect(verifyVbv((await encode(22_528)).stream).violations).toEqual([]);
  });

  it('refuses a rate with the length of groups that would do', () => {
    const options = { width: 352, height: 288, frameRate: 25, bitrate: 20_000, maxrate: 20_000 };
    const make = (gop: number) => () => new Encoder({ ...options, gop });
    expect(make(12)).toThrow(/an I picture every 12 pictures .* give at least 100800, or a greater gop$/);
    expect(make(100)).not.toThrow();
    expect(make(250)).toThrow(/an I picture every 250 pictures .* give at least 33600, or gop 100$/);
  });

  it('is filled up with zero bytes where pictures are too small for the rate', async () => {
    const size = { width: 64, height: 48 };
    const frames = [...generateSample({ kind: 'fade', ...size, frames: 30, seed: 3 })];
    const options = { ...size, bitrate: 2_000_000, cbr: true, vbvBytes: 40_960 };
    const { stream, reconstruction } = await encodeFrames(frames, options);
    const { violations, pictures } = verifyVbv(stream);
    expect(violations).toEqual([]);
    const bits = pictures.reduce((sum, picture) => sum + picture.bits, 0);
    expect((bits * 25) / 30 / 2_000_000).toBeCloseTo(1, 2);
    const path = join(folder, 'stuffed.m1v');
    writeFileSync(path, stream);
    expectSameFrames(await decodeWithFfmpeg(path), reconstruction, 'stuffed');
  });
});

describe('the verifier', () => {
  const size = { width: 64, height: 48 };
  const encode = () =>
    encodeFrames(generateSample({ kind: 'snow', ...size, frames: 24, seed: 1 }), {
      ...size,
      bitrate: 400_000,
      cbr: true,
    });

  it('finds a stated rate that is too low, and one that is too high', async () => {
    const { stream } = await encode();
    for (const [units, breach] of [
      [500, /underflow/],
      [1500, /overflow/],
    ] as const) {
      const forged = Uint8Array.from(stream);
      forged[8] = units >> 10;
      forged[9] = (units >> 2) & 255;
      forged[10] = (forged[10]! & 0x3f) | ((units & 3) << 6);
      const { bitRate, violations } = verifyVbv(forged);
      expect(bitRate).toBe(units * 400);
      expect(violations.join('\n')).toMatch(/vbv_delay/);
      expect(violations.join('\n')).toMatch(breach);
    }
  });

  it('finds a picture that has grown', async () => {
    const { units } = await encode();
    const grown = units.map(({ data }, n) => (n === 9 ? Buffer.concat([data, Buffer.alloc(60_000)]) : data));
    expect(verifyVbv(Buffer.concat(grown)).violations[0]).toMatch(/picture 9 .*underflow/);
  });
});

describeWith('mplex', 'mplex', () => {
  it.each([
    ['MPEG-1', 0, { bitrate: 1_200_000, cbr: true, vbvBytes: 40_960 }],
    ['Video CD', 1, { target: 'vcd' }],
  ] as const)('multiplexes %s without an under-run', async (name, format, options) => {
    const size = { width: 352, height: 288 };
    const frames = generateSample({ kind: 'snow', ...size, frames: 40, seed: 2 });
    const { stream } = await encodeFrames(frames, { ...size, preset: 'balanced', ...options });
    expect(verifyVbv(stream).violations).toEqual([]);
    const path = join(folder, `${name.replace(' ', '-')}.m1v`);
    writeFileSync(path, stream);
    const output = execFileSync(`mplex -v 1 -f ${format} -o ${path}.mpg ${path} 2>&1`, {
      shell: '/bin/sh',
      encoding: 'utf8',
    });
    expect(output).toMatch(/MUX STATUS: no under-runs detected/);
    expect(output).not.toMatch(/ERROR|too late/);
  });
});
