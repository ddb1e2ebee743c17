import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import type { Frame } from '../../src/picture/frame.js';
import { readClip, realClips } from '../support/clips.js';
import { expectSameFrames } from '../support/compare-frames.js';
import {
  decodeWithFfmpeg,
  decodeWithMpeg2dec,
  describeWithMpeg2dec,
  everyFfmpeg,
  mpeg2decMissing,
} from '../support/decoders.js';
import { encodeFrames } from '../support/encode.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { psnr } from '../support/psnr.js';

const folder = temporaryFolder();
const QUANTIZER_SCALES = [1, 2, 8, 31];
const GOPS = [1, 12, 131];
/** IDCTs within IEEE 1180 accuracy may drift apart; at the end of 131 pictures no further than this. */
const MIN_PSNR_MPEG2DEC = 45;

/** mpeg2dec shows every picture, and the last one close to the reconstruction. */
async function expectMpeg2decAgrees(path: string, reconstruction: readonly Frame[]): Promise<void> {
  const shown = await decodeWithMpeg2dec(path);
  expect(shown.length).toBe(reconstruction.length);
  expect(psnr(shown.at(-1)!, reconstruction.at(-1)!).y).toBeGreaterThanOrEqual(MIN_PSNR_MPEG2DEC);
}

const generated = (['snow', 'cut', 'noise', 'fade'] as const).map(kind => ({
  name: `generated ${kind}`,
  read: async () => [...generateSample({ kind, width: 176, height: 144, frames: 14, seed: 5 })],
}));
const clips = [...generated, ...realClips().map(({ name, path }) => ({ name, read: () => readClip(path) }))];

describe.each(clips)('$name', ({ name, read }) => {
  let frames: Frame[] = [];
  beforeAll(async () => {
    frames = await read();
  });
  afterAll(() => {
    frames = [];
  });

  describe.each(GOPS)('gop %i', gop => {
    it.each(QUANTIZER_SCALES)('q %i: decoders show the reconstruction', { timeout: 300_000 }, async q => {
      const { width, height } = frames[0]!;
      const { stream, reconstruction } = await encodeFrames(frames, { width, height, q, gop });
      const path = join(folder, `${name.replace(/\W/g, '-')}-${gop}-${q}.m1v`);
      writeFileSync(path, stream);
      for (const ffmpeg of everyFfmpeg()) {
        const what = `${name}, gop ${gop}, q ${q}, ${ffmpeg.name}`;
        expectSameFrames(await decodeWithFfmpeg(path, ffmpeg.path), reconstruction, what);
      }
      if (mpeg2decMissing() === undefined) await expectMpeg2decAgrees(path, reconstruction);
      rmSync(path);
    });
  });
});

describeWithMpeg2dec('mpeg2dec', () => {
  it('is within 45 dB after a chain of 131 pictures, and shows the exact number of them', {
    timeout: 300_000,
  }, async () => {
    const frames = generateSample({ kind: 'zoom', width: 176, height: 144, frames: 131, seed: 9 });
    const { stream, reconstruction } = await encodeFrames(frames, { width: 176, height: 144, q: 3, gop: 131 });
    const path = join(folder, 'chain.m1v');
    writeFileSync(path, stream);
    await expectMpeg2decAgrees(path, reconstruction);
  });
});
