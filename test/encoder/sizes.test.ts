// Pictures of every size and syntax of every kind: decoders show the reconstruction.
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import type { EncoderOptions } from '../../src/encoder/options.js';
import { chromaLength, type Frame } from '../../src/picture/frame.js';
import { encodeFrames } from '../support/encode.js';
import { ShownStreams } from '../support/expect-shown.js';

const streams = new ShownStreams();

/** Encodes a few frames and compares what the decoders show with the reconstruction. */
async function expectDecodable(
  width: number,
  height: number,
  frames: number,
  options: Partial<EncoderOptions> = {},
): Promise<void> {
  const encoded = await encodeFrames(tiled(width, height, frames), { width, height, ...options });
  expect(encoded.reconstruction).toHaveLength(frames);
  await streams.expectShown(encoded, `${width}x${height}`);
}

/** A small pan that is repeated over the picture: a sample of the largest sizes takes longer to make than to encode. */
function* tiled(width: number, height: number, frames: number): Generator<Frame> {
  const [tileWidth, tileHeight] = [Math.min(width, 208), Math.min(height, 128)];
  const fill = (tile: Uint8Array, tileStride: number, stride: number, rows: number) => {
    const plane = new Uint8Array(stride * rows);
    for (let row = 0; row < rows; row++) {
      const start = (row * tileStride) % tile.length;
      for (let x = 0; x < stride; x += tileStride) {
        plane.set(tile.subarray(start, start + Math.min(tileStride, stride - x)), row * stride + x);
      }
    }
    return plane;
  };
  for (const { y, u, v } of generateSample({ kind: 'pan', width: tileWidth, height: tileHeight, frames, seed: 3 })) {
    const chroma = [chromaLength(tileWidth), chromaLength(width), chromaLength(height)] as const;
    yield { width, height, y: fill(y, tileWidth, width, height), u: fill(u, ...chroma), v: fill(v, ...chroma) };
  }
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
    ['preset fastest', { preset: 'fastest' }],
    ['preset fast', { preset: 'fast' }],
    ['preset best', { preset: 'best' }],
    ['preset smallest', { preset: 'smallest' }],
    ['two threads', { threads: 2 }],
  ])('%s', { timeout: 120_000 }, (_, options) => expectDecodable(200, 120, 5, options));
});

streams.describeSecondOpinion();
