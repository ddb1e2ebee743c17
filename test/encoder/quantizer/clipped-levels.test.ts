// Hard edges and colours at the finest scales, whose levels end before the largest coefficients.
import { expect, it } from 'vitest';
import { type Frame, frameFromI420, i420Bytes } from '../../../src/picture/frame.js';
import { seededRandom } from '../../kernels/kernel-pair.js';
import { encodeFrames } from '../../support/encode.js';
import { ShownStreams } from '../../support/expect-shown.js';
import { readWithPackagedFfmpeg } from '../../support/ffmpeg-clips.js';
import { psnr } from '../../support/psnr.js';

const [WIDTH, HEIGHT] = [64, 48];
const PELS = WIDTH * HEIGHT;
const streams = new ShownStreams();
readWithPackagedFfmpeg();

/** A frame of the values of a function. */
function frameOf(lumaAt: (x: number, y: number) => number, chroma: number): Frame {
  const bytes = new Uint8Array(i420Bytes(WIDTH, HEIGHT)).fill(chroma);
  for (let i = 0; i < PELS; i++) bytes[i] = lumaAt(i % WIDTH, Math.floor(i / WIDTH));
  return frameFromI420(WIDTH, HEIGHT, bytes);
}

const CLIPS = {
  /** Black and white squares of 4x4, all new in each picture. */
  squares: Array.from({ length: 5 }, (_, n) => {
    const random = seededRandom(n + 1);
    const cells = Array.from({ length: PELS / 16 }, () => ((random() & 1) === 0 ? 16 : 235));
    return frameOf((x, y) => cells[(y >> 2) * (WIDTH / 4) + (x >> 2)]!, 128);
  }),
  /** A colour between grays, over the same pattern. */
  flash: [128, 128, 240, 128, 128].map(chroma => frameOf((x, y) => 80 + ((7 * x + 13 * y) % 64), chroma)),
};

it.each([
  ['squares', { preset: 'fastest', q: 1 }],
  ['squares', { preset: 'fast', q: 1 }],
  ['squares', { preset: 'balanced', q: 2 }],
  ['squares', { preset: 'best', quality: 100 }],
  ['squares', { bitrate: 20e6 }],
  ['flash', { preset: 'balanced', q: 1 }],
] as const)('%s keep their contrast: %o', async (name, options) => {
  const frames = CLIPS[name];
  const encoded = await encodeFrames(frames, { width: WIDTH, height: HEIGHT, ...options });
  const worst = frames.map((frame, i) => Math.min(...Object.values(psnr(frame, encoded.reconstruction[i]!))));
  expect(Math.min(...worst)).toBeGreaterThan(36);
  await streams.expectShown(encoded, `${name}, ${JSON.stringify(options)}`);
});

streams.describeSecondOpinion();
