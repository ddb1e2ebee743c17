// The bit rate of live encodes: the rate in the long run, and the decoder's buffer, which no picture may exceed.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { MACROBLOCK_INTRA } from '../../../src/bitstream/tables/macroblock-codes.js';
import { Encoder } from '../../../src/encoder/encoder.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import type { PictureReport } from '../../../src/encoder/report/picture-report.js';
import { OptionError } from '../../../src/errors.js';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import type { Frame } from '../../../src/picture/frame.js';
import { CLIPS_FOLDER } from '../../support/clips.js';
import { encodeFrames } from '../../support/encode.js';
import { readWithPackagedFfmpeg } from '../../support/ffmpeg-clips.js';
import { reasonMissing } from '../../support/requirements.js';
import { verifyVbv } from '../../support/vbv-verifier.js';

const SIZE = { width: 64, height: 48 };
const FRAME_RATE = 25;
const LIVE = { ...SIZE, frameRate: FRAME_RATE, latency: 'low', preset: 'fastest' } as const satisfies EncoderOptions;

/** More macroblocks: an I picture takes many times what a picture has. */
const LARGE = { width: 160, height: 128 };

/** The middle of foreman. */
const FACE = { width: 192, height: 160, x: 80, y: 64 };

/** A quiet scene, noise, which takes the most bits, and a scene again. */
const HARD: readonly Frame[] = [
  ...generateSample({ kind: 'snow', ...SIZE, frames: 10, seed: 1 }),
  ...generateSample({ kind: 'noise', ...SIZE, frames: 8, seed: 1 }),
  ...generateSample({ kind: 'pan', ...SIZE, frames: 12, seed: 4 }),
];

describe('the bounds of a live stream', () => {
  it.each<Partial<EncoderOptions>>([
    { bitrate: 200_000, gop: 6 },
    { bitrate: 60_000, gop: 12, preset: 'balanced' },
    { bitrate: 300_000, gop: 4, intraRefresh: 'columns' },
    { bitrate: 200_000, maxrate: 300_000, vbvBytes: 8192 },
    { bitrate: 200_000, cbr: true, vbvBytes: 10_240, gop: 5 },
    { bitrate: 150_000, gop: 1_000, slices: 'rows' },
  ])('hold with key frames and left-out frames at any time: %o', async options => {
    const parts: Uint8Array[] = [];
    const encoder = new Encoder({ ...LIVE, ...options });
    const taken = (async () => {
      for await (const { data } of encoder) parts.push(data);
    })();
    for (const [n, frame] of HARD.entries()) {
      // Two key frames in a row, within noise, too.
      if ([3, 4, 11, 12, 13, 20].includes(n)) encoder.requestKeyFrame();
      await encoder.add(frame);
      if (n % 9 === 8) await encoder.leaveOut(2);
    }
    await encoder.finish();
    await taken;
    const { violations, pictures } = verifyVbv(Buffer.concat(parts));
    expect(violations).toEqual([]);
    expect(pictures).toHaveLength(HARD.length + 6);
  });

  it('are four pictures of the rate by default, where the sparsest I picture leaves room', async () => {
    const { stream } = await encodeFrames(HARD.slice(0, 3), { ...LIVE, bitrate: 2_000_000 });
    const { bufferBits, bitRate } = verifyVbv(stream);
    expect(bitRate).toBe(2_000_000);
    expect(bufferBits).toBe(16_384 * Math.ceil((4 * 2_000_000) / FRAME_RATE / 16_384));
  });

  it('leave room for a key frame in a long group, too', async () => {
    const encoder = new Encoder({
      ...LIVE,
      ...LARGE,
      bitrate: 24_000,
      gop: 250,
      onPicture: ({ type }) => void types.push(type),
    });
    const types: string[] = [];
    const taken = (async () => {
      for await (const _ of encoder);
    })();
    for (const frame of generateSample({ kind: 'pan', ...LARGE, frames: 100, seed: 4 })) {
      if (types.length === 60) encoder.requestKeyFrame();
      await encoder.add(frame);
    }
    await encoder.finish();
    await taken;
    expect(types.join('')).toMatch(/^IP{59,90}IP+$/);
  });

  it('hold where a group is longer than it should be: each macroblock is intra once in 132 pictures', async () => {
    const run = new Uint16Array((LARGE.width * LARGE.height) / 256);
    let [longest, groups] = [0, 0];
    const count = ({ type, macroblockTypes }: PictureReport) => {
      if (type === 'I') groups++;
      for (const [address, flags] of macroblockTypes().entries()) {
        run[address] = flags & MACROBLOCK_INTRA ? 0 : run[address]! + 1;
      }
      longest = Math.max(longest, ...run);
    };
    const frames = generateSample({ kind: 'pan', ...LARGE, frames: 280, seed: 4 });
    const options = { ...LIVE, ...LARGE, bitrate: 8_000, gop: 100 };
    await encodeFrames(frames, { ...options, onPicture: count });
    expect(groups).toBe(1);
    expect(longest).toBeGreaterThan(99);
    expect(longest).toBeLessThan(132);
  });

  it('are refused where not even the sparsest picture fits', () => {
    expect(() => new Encoder({ ...LIVE, bitrate: 1000 })).toThrow(OptionError);
    expect(() => new Encoder({ ...LIVE, bitrate: 200_000, vbvBytes: 2048 })).not.toThrow();
    const large = { ...LIVE, width: 640, height: 480 };
    expect(() => new Encoder({ ...large, bitrate: 200_000, vbvBytes: 2048 })).toThrow(/give vbvBytes at least/);
    const columns = { ...large, bitrate: 100_000, intraRefresh: 'columns', gop: 20 } as const;
    expect(() => new Encoder(columns)).toThrow(
      /all columns intra every 20 pictures .* at least \d+, or a greater gop$/,
    );
  });
});

describe.skipIf(reasonMissing('clips') !== undefined)('on a real clip', () => {
  readWithPackagedFfmpeg();
  const frames: Frame[] = [];
  beforeAll(async () => {
    const source = await openFrameSource(join(CLIPS_FOLDER, 'foreman_cif_150.mkv'), { crop: FACE });
    for await (const frame of source.frames()) frames.push(frame);
  });

  it.each<Partial<EncoderOptions>>([
    { gop: 25 },
    { gop: 50, intraRefresh: 'columns' },
    { gop: 25, maxrate: 450_000, vbvBytes: 10_240 },
  ])('the rate is kept within 3 %% from a second on, and so are the bounds: %o', async options => {
    const bitrate = 300_000;
    const reports: PictureReport[] = [];
    const { stream } = await encodeFrames(frames, {
      ...LIVE,
      ...{ width: FACE.width, height: FACE.height, bitrate, ...options },
      onPicture: report => void reports.push(report),
    });
    expect(verifyVbv(stream).violations).toEqual([]);
    const later = reports.slice(FRAME_RATE);
    const bits = later.reduce((sum, report) => sum + report.bits, 0);
    const rate = (bits * FRAME_RATE) / later.length / bitrate;
    expect(Math.abs(rate - 1)).toBeLessThan(0.03);
  });
});
