// The nearest shape of a pel, against ffmpeg's reading of the fourteen.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  nearestPelAspectRatio,
  PEL_ASPECT_RATIOS,
  type PelAspect,
} from '../../../src/bitstream/tables/pel-aspect-ratio.js';
import { InputError } from '../../../src/errors.js';
import { patternFrame } from '../../media/test-frames.js';
import { packagedFfmpeg } from '../../support/decoders.js';
import { encodeFrames } from '../../support/encode.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

const folder = temporaryFolder();

it.each([
  ['square', 1, 1, 1],
  ['601, 625 lines', 12, 11, 8],
  ['DV, 625 lines', 16, 15, 8],
  ['601, 525 lines', 10, 11, 12],
  ['DV, 525 lines', 8, 9, 12],
  ['16:9, 625 lines', 64, 45, 3],
  ['16:9, 525 lines', 32, 27, 6],
  ['twice as wide', 2, 1, 2],
  ['twice as high', 1, 2, 14],
  ['nearly square', 1000, 1001, 1],
])('%s: %d:%d is code %d', (_, width, height, code) => {
  expect(nearestPelAspectRatio({ width, height }).code).toBe(code);
});

it.each([
  [4 / 3, /^1\.333\d* is no shape of a pel; legal: \{ width, height \}/],
  [{ width: 0, height: 1 }, /^\{.*\} is no shape/],
  [{ width: 1, height: -1 }, /^\{.*\} is no shape/],
  [{ width: Number.NaN, height: 1 }, /^\{.*\} is no shape/],
  [{ width: 1, height: Number.POSITIVE_INFINITY }, /^\{.*\} is no shape/],
  [undefined, /^undefined is no shape/],
])('%j is the shape of no pel', (shape, words) => {
  const attempt = () => nearestPelAspectRatio(shape as PelAspect);
  expect(attempt).toThrow(InputError);
  expect(attempt).toThrow(words);
});

it('takes the widest and the highest shape for those beyond', () => {
  expect(nearestPelAspectRatio({ width: 1e6, height: 1 }).code).toBe(2);
  expect(nearestPelAspectRatio({ width: 1, height: 1e6 }).code).toBe(14);
});

it('says by how much the nearest shape is wider', () => {
  expect(nearestPelAspectRatio({ width: 16, height: 15 }).widening).toBeCloseTo(15 / 16 / 0.9157, 6);
  expect(nearestPelAspectRatio({ width: 2, height: 1 }).widening).toBeCloseTo(0.5 / 0.6735, 6);
});

it('ffmpeg reads each code as the shape of the table', async () => {
  const paths: string[] = [];
  for (const index of PEL_ASPECT_RATIOS.keys()) {
    const { units } = await encodeFrames([patternFrame(16, 16, 0)], {
      ...{ width: 16, height: 16, q: 31, bFrames: 0, estimator: 'zero', pelAspectRatio: index + 1 },
    });
    paths.push(join(folder, `${index + 1}.m1v`));
    writeFileSync(paths.at(-1)!, Buffer.concat(units.map(({ data }) => data)));
  }
  const outputs = paths.flatMap((path, i) => ['-map', `${i}:v`, '-f', 'yuv4mpegpipe', `${path}.y4m`]);
  const inputs = paths.flatMap(path => ['-f', 'mpegvideo', '-i', path]);
  execFileSync(packagedFfmpeg(), ['-v', 'error', ...inputs, ...outputs]);
  for (const [i, heightOverWidth] of PEL_ASPECT_RATIOS.entries()) {
    const [, width, height] = / A(\d+):(\d+) /
      .exec(readFileSync(`${paths[i]}.y4m`, 'latin1').slice(0, 100))!
      .map(Number);
    expect(height! / width!).toBeCloseTo(heightOverWidth, 3);
    expect(nearestPelAspectRatio({ width: width!, height: height! }).code).toBe(i + 1);
  }
});
