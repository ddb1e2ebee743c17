// Real clips and generated ones: decoders show the reconstruction, at every quantizer and length of groups.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import type { Frame } from '../../src/picture/frame.js';
import { type Clip, readClip, realClips } from '../support/clips.js';
import { encodeFrames } from '../support/encode.js';
import { ShownStreams } from '../support/expect-shown.js';
import { readWithPackagedFfmpeg } from '../support/ffmpeg-clips.js';
import { describeWith, describeWithMpeg2dec } from '../support/requirements.js';
import { IS_SOAK } from '../support/soak.js';

const streams = new ShownStreams();
readWithPackagedFfmpeg();
const QUANTIZER_SCALES = [1, 2, 8, 31];
const GOPS = [1, 12, 131];
/** IDCTs within IEEE 1180 accuracy may drift apart; at the end of 131 pictures no further than this. */
const MIN_PSNR_MPEG2DEC = 45;

/** All 12 cells of the grid: 3 and 4 have no common factor. Neighbours differ in both. */
const CELLS = Array.from({ length: GOPS.length * QUANTIZER_SCALES.length }, (_, n) => ({
  gop: GOPS[n % GOPS.length],
  q: QUANTIZER_SCALES[n % QUANTIZER_SCALES.length],
}));

/**
 * The cells that a clip is encoded with. For every commit two, which differ in gop and in q: six clips in a row have
 * all 12 cells among them. The fuzzer varies all the other options as well, and the soak has the whole
 * grid.
 */
function cellsOf(clipIndex: number) {
  if (IS_SOAK) return CELLS;
  return [CELLS[(2 * clipIndex) % CELLS.length], CELLS[(2 * clipIndex + 1) % CELLS.length]];
}

/** Luma pels of a clip that are encoded for every commit, in two pictures at least. The soak has whole clips. */
const MAX_PELS = IS_SOAK ? Number.POSITIVE_INFINITY : 2_100_000;
/** The same in pictures: a group of 12 and the start of another. The chain of 131 below drifts longer. */
const MAX_PICTURES = IS_SOAK ? Number.POSITIVE_INFINITY : 14;
/** Of groups of one picture: none has to do with another. */
const MAX_LONE_PICTURES = IS_SOAK ? Number.POSITIVE_INFINITY : 4;

function describeClip(name: string, clipIndex: number, read: () => Promise<Frame[]>): void {
  describe(name, () => {
    let frames: Frame[] = [];
    beforeAll(async () => {
      frames = await read();
    });
    afterAll(() => {
      frames = [];
    });

    it.each(cellsOf(clipIndex))('gop $gop, q $q', { timeout: 300_000 }, async ({ gop, q }) => {
      const { width, height } = frames[0];
      const coded = gop === 1 ? frames.slice(0, MAX_LONE_PICTURES) : frames;
      const encoded = await encodeFrames(coded, { width, height, q, gop });
      expect(encoded.reconstruction).toHaveLength(coded.length);
      await streams.expectShown(encoded, `${name}, gop ${gop}, q ${q}`, MIN_PSNR_MPEG2DEC);
    });
  });
}

const readEnough = ({ path }: Clip) =>
  readClip(path, (width, height) => Math.min(MAX_PICTURES, Math.max(2, Math.floor(MAX_PELS / (width * height)))));

describe('decoders show the reconstruction of generated clips', () => {
  (['snow', 'cut', 'noise', 'fade', 'zoom', 'pan-subpel'] as const).forEach((kind, n) => {
    describeClip(kind, n, async () => [...generateSample({ kind, width: 176, height: 144, frames: 14, seed: 5 })]);
  });
});

describeWith('clips', 'decoders show the reconstruction of real clips', () => {
  realClips().forEach((clip, n) => {
    describeClip(clip.name, n, () => readEnough(clip));
  });
});

describeWithMpeg2dec('mpeg2dec', () => {
  it('is within 45 dB after a chain of 131 pictures, and shows the exact number of them', {
    timeout: 300_000,
  }, async () => {
    const size = { width: 96, height: 80 };
    const frames = generateSample({ kind: 'zoom', ...size, frames: 131, seed: 9 });
    const encoded = await encodeFrames(frames, { ...size, q: 3, gop: 131 });
    expect(encoded.reconstruction).toHaveLength(131);
    await streams.expectShown(encoded, 'chain', MIN_PSNR_MPEG2DEC);
  });
});

streams.describeSecondOpinion();
