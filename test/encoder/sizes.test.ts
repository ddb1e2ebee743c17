import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import type { EncoderOptions } from '../../src/encoder/options.js';
import { expectSameFrames } from '../support/compare-frames.js';
import { decodeWithFfmpeg, decodeWithMpeg2dec, everyFfmpeg, mpeg2decMissing } from '../support/decoders.js';
import { encodeFrames } from '../support/encode.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';

const folder = temporaryFolder();

/** Encodes a few frames and compares what the decoders show with the reconstruction. */
async function expectDecodable(
  width: number,
  height: number,
  frames: number,
  options: Partial<EncoderOptions> = {},
): Promise<void> {
  const sample = generateSample({ kind: 'pan', width, height, frames, seed: 3 });
  const { stream, reconstruction } = await encodeFrames(sample, { width, height, ...options });
  const path = join(folder, `${width}x${height}.m1v`);
  writeFileSync(path, stream);
  for (const ffmpeg of everyFfmpeg()) {
    expectSameFrames(await decodeWithFfmpeg(path, ffmpeg.path), reconstruction, `${width}x${height} ${ffmpeg.name}`);
  }
  if (mpeg2decMissing() === undefined) expect(await decodeWithMpeg2dec(path)).toHaveLength(frames);
}

describe('picture sizes', () => {
  it.each([
    [1, 1],
    [15, 17],
    [16, 16],
    [17, 33],
    [352, 288],
    [4095, 16],
    [16, 2800],
  ])('%i x %i', { timeout: 300_000 }, (width, height) => expectDecodable(width, height, 4));

  it('4095 x 2800, the largest', { timeout: 600_000 }, () =>
    expectDecodable(4095, 2800, 2, { preset: 'fast', estimator: 'zero', q: 8 }),
  );
});

describe('options that change the syntax', () => {
  const ramp = Array.from({ length: 64 }, (_, i) => 8 + i * 3);
  it.each<[string, Partial<EncoderOptions>]>([
    ['a slice per macroblock row', { slices: 'rows' }],
    ['three slices', { slices: 3 }],
    ['custom matrices', { intraMatrix: ramp, nonIntraMatrix: ramp.toReversed() }],
    ['the flat intra matrix', { matrix: 'flat' }],
    ['weights so small that levels reconstruct to nothing', { nonIntraMatrix: new Array(64).fill(1), q: 1 }],
    ['intra weights of 1', { intraMatrix: [8, ...new Array(63).fill(1)], q: 1 }],
    [
      'the largest weights',
      { intraMatrix: [8, ...new Array(63).fill(255)], nonIntraMatrix: new Array(64).fill(255), q: 31 },
    ],
    ['a range of the whole picture', { range: 'picture', estimator: 'cpu-full' }],
    ['searching reconstructed pictures', { motionReference: 'reconstructed' }],
    ['squared error', { metric: 'sse' }],
    ['one candidate', { candidates: 1 }],
    ['preset fast', { preset: 'fast' }],
    ['preset best', { preset: 'best' }],
    ['two threads', { threads: 2 }],
  ])('%s', { timeout: 120_000 }, (_, options) => expectDecodable(200, 120, 5, options));
});
