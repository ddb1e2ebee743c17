// Tests of rows that are coded by runs of macroblocks: the same stream as from one macroblock after the other.
import { expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { Encoder } from '../../src/encoder/encoder.js';

/** The stream of a few pictures, the first of them intra, with slices in any rows. */
async function streamOf(gop: number, kernels: 'simd' | 'reference', slices: number) {
  const size = { width: 80, height: 64 };
  const options = { frameRate: 25, q: 12, preset: 'fastest', estimator: 'cpu-predictive', threads: 1 } as const;
  const encoder = new Encoder({ ...size, ...options, gop, kernels, slices });
  const units: Uint8Array[] = [];
  const written = (async () => {
    for await (const { data } of encoder) units.push(data);
  })();
  for (const frame of generateSample({ kind: 'snow', ...size, frames: 4, seed: 2 })) await encoder.add(frame);
  await encoder.finish();
  await written;
  return Buffer.concat(units);
}

// From 133 pictures in a group on, each macroblock of a P picture is asked whether it has to be intra.
it.each([
  ['simd', 1],
  ['simd', 3],
  ['reference', 2],
] as const)('a run is coded as its macroblocks are, by the %s kernels in %i slices', async (kernels, slices) => {
  const inRuns = await streamOf(132, kernels, slices);
  const oneByOne = await streamOf(133, kernels, slices);
  expect(inRuns.equals(oneByOne)).toBe(true);
});
