// The playground's layer of the estimator's vectors shows those of the encode.
import { expect, it } from 'vitest';
import { EstimatorVectors } from '../../playground/run/estimator-vectors.js';
import { FieldRecorder } from '../../src/compare/comparison/searched-fields.js';
import { Encoder } from '../../src/encoder/encoder.js';
import type { EncoderOptions } from '../../src/encoder/options.js';
import { createEstimator } from '../../src/motion/registry.js';
import { patternFrame } from '../browser/moving-frames.js';

/** No whole macroblocks. */
const SIZE = { width: 90, height: 50 };
const FRAMES = 8;
const frames = Array.from({ length: FRAMES }, (_, number) => patternFrame(SIZE.width, SIZE.height, number));

it.each([
  ['cpu-predictive', 'balanced'],
  ['cpu-mrmp', 'fastest'],
] as const)('the vectors of %s, preset %s, are those that the encoder gets', async (name, preset) => {
  const options: EncoderOptions = { ...SIZE, frameRate: 25, target: 'jsmpeg', preset, estimator: name, threads: 1 };
  const recorder = new FieldRecorder();
  const estimator = recorder.record(async parameters => (await createEstimator(name, parameters)).estimator);
  const encoder = new Encoder({ ...options, estimator });
  for (const frame of frames) await encoder.add(frame);
  await encoder.finish();
  let changes = 0;
  const vectors = new EstimatorVectors({
    async *frames() {
      yield* frames;
    },
    options,
    signal: new AbortController().signal,
    onChange: () => changes++,
  });
  expect(vectors.at(1)).toBeUndefined(); // which begins the search
  await vectors.searchAll();
  expect(changes).toBe(FRAMES);
  let moving = 0;
  for (let number = 1; number < FRAMES; number++) {
    const { dx, dy } = recorder.take(number).get(number - 1)!;
    const found = vectors.at(number)!;
    expect([...found.dx], `dx of picture ${number}`).toEqual([...dx].map(pels => 2 * pels));
    expect([...found.dy], `dy of picture ${number}`).toEqual([...dy].map(pels => 2 * pels));
    moving += dx.filter(pels => pels !== 0).length;
  }
  expect(moving).toBeGreaterThan(20);
});
