// The decoders that the tests use show what is in a stream, and fail where it is damaged.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { frameFromI420, i420Bytes } from '../../src/picture/frame.js';
import { expectSameFrames } from './compare-frames.js';
import { decodeWithFfmpeg, decodeWithMpeg2dec, everyFfmpeg, framesFromY4m } from './decoders.js';
import { makeTestStream, runPackagedFfmpeg, temporaryFolder } from './ffmpeg-clips.js';
import { psnr } from './psnr.js';
import { describeWithMpeg2dec } from './requirements.js';

const FRAMES = 17;
const SIZES = [
  { width: 64, height: 48 },
  { width: 51, height: 35 },
];

describe('decodeWithFfmpeg', () => {
  const folder = temporaryFolder();

  it.each(SIZES)('gives every picture of a stream, near its original: $width x $height', async size => {
    const { original, stream } = makeTestStream(folder, { ...size, frames: FRAMES });
    const originals = framesFromY4m(readFileSync(original));
    const decoded = await Promise.all(everyFfmpeg().map(({ path }) => decodeWithFfmpeg(stream, path)));
    for (const frames of decoded) {
      expect(frames).toHaveLength(FRAMES);
      for (const [i, frame] of frames.entries()) {
        expect(frame).toMatchObject(size);
        expect(psnr(originals[i]!, frame).all).toBeGreaterThan(28);
      }
      expectSameFrames(frames, decoded[0]!, 'packaged and system ffmpeg');
    }
  });

  it('agrees with the rawvideo that ffmpeg itself writes', async () => {
    const { width, height } = SIZES[1]!;
    const { stream } = makeTestStream(folder, { width, height, frames: FRAMES });
    const raw = join(folder, 'decoded.yuv');
    runPackagedFfmpeg('-i', stream, '-vsync', 'passthrough', '-pix_fmt', 'yuv420p', '-f', 'rawvideo', raw);
    const bytes = readFileSync(raw);
    const frames = Array.from({ length: FRAMES }, (_, i) =>
      frameFromI420(width, height, bytes.subarray(i * i420Bytes(width, height), (i + 1) * i420Bytes(width, height))),
    );
    expectSameFrames(await decodeWithFfmpeg(stream), frames);
  });

  it('fails with the decoder’s words on a damaged stream and on a missing one', async () => {
    const { stream } = makeTestStream(folder, { width: 64, height: 48, frames: FRAMES });
    const bytes = readFileSync(stream);
    bytes.fill(0xff, bytes.length >> 2, (bytes.length >> 2) + 200);
    const damaged = join(folder, 'damaged.m1v');
    writeFileSync(damaged, bytes);
    await expect(decodeWithFfmpeg(damaged)).rejects.toThrow(/damaged\.m1v: .*(mb|slice|header|decod|ac-tex)/i);
    await expect(decodeWithFfmpeg(join(folder, 'nothing.m1v'))).rejects.toThrow(/there is no .*nothing\.m1v/);
  });
});

describeWithMpeg2dec('decodeWithMpeg2dec', () => {
  const folder = temporaryFolder();

  it.each([
    { ...SIZES[0]!, extension: 'm1v' as const },
    { ...SIZES[1]!, extension: 'm1v' as const },
    { ...SIZES[1]!, extension: 'mpg' as const },
  ])(
    'gives the pictures that ffmpeg gives, within the IDCTs’ difference: $width x $height .$extension',
    async options => {
      const { stream } = makeTestStream(folder, { ...options, frames: FRAMES });
      const expected = await decodeWithFfmpeg(stream);
      const decoded = await decodeWithMpeg2dec(stream);
      expect(decoded).toHaveLength(FRAMES);
      for (const [i, frame] of decoded.entries()) {
        expect(frame).toMatchObject({ width: options.width, height: options.height });
        const quality = psnr(expected[i]!, frame);
        for (const plane of ['y', 'u', 'v'] as const)
          expect(quality[plane], `picture ${i} ${plane}`).toBeGreaterThan(45);
      }
    },
  );
});
