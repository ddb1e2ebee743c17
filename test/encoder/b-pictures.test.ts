// B pictures are shown in order, with every number of them between anchors and in every container.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import type { EncoderOptions } from '../../src/encoder/options.js';
import { VideoWriter } from '../../src/media/output/video-writer.js';
import { systemFfmpeg } from '../support/decoders.js';
import { type Encoded, encodeFrames } from '../support/encode.js';
import { ShownStreams } from '../support/expect-shown.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { timedStreams } from '../support/time-stamps.js';

const folder = temporaryFolder();
const streams = new ShownStreams();
const [width, height] = [64, 48];
const FRAME_RATE = { numerator: 25, denominator: 1 };
const frames = [...generateSample({ kind: 'pan-subpel', width, height, frames: 20, seed: 11 })];

const encode = (options: Partial<EncoderOptions>) =>
  encodeFrames(frames, { width, height, gop: 9, adaptiveTypes: false, ...options });

const shownTypes = ({ units }: Encoded) =>
  [...units]
    .sort((a, b) => a.displayNumber - b.displayNumber)
    .map(unit => unit.pictureType)
    .join('');

describe.each([true, false])('open groups: %s', openGop => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7])('%i B pictures between anchors are shown in order', async bFrames => {
    const encoded = await encode({ bFrames, openGop });
    const runs = shownTypes(encoded).match(/B+/g) ?? [];
    expect(Math.max(0, ...runs.map(run => run.length))).toBe(bFrames);
    expect(encoded.reconstruction).toHaveLength(frames.length);
    await streams.expectShown(encoded, `${bFrames} B pictures, open groups ${openGop}`);
  });
});

const EXTENSIONS = ['m1v', 'mpg', 'ts', 'mp4', 'mkv', 'avi', 'mov'];
const pathOf = (extension: string) => join(folder, `container.${extension}`);

describe('B pictures', () => {
  let encoded: Encoded;
  beforeAll(async () => {
    encoded = await encode({ bFrames: 2, openGop: true });
  });

  it.each(EXTENSIONS)('are shown in order in .%s, each once', async extension => {
    const video = await VideoWriter.open(pathOf(extension), { width, height, frameRate: FRAME_RATE });
    for (const unit of encoded.units) await video.write(unit);
    await video.finish();
    expect(shownTypes(encoded)).toContain('BBI');
    expect(encoded.reconstruction).toHaveLength(frames.length);
    await streams.expectFileShown(pathOf(extension), encoded.reconstruction, extension);
  });
});

const system = systemFfmpeg();

it.skipIf(system === undefined)("in the machine's own ffmpeg, pictures have times a frame apart", () => {
  // An elementary stream and AVI carry no presentation times; ffmpeg's guesses have gaps, in its own AVI files too.
  const timed = EXTENSIONS.filter(extension => !['m1v', 'avi'].includes(extension));
  const shown = timedStreams(system!, timed.map(pathOf), { isDecoded: true, level: 'error' });
  for (const [file, { timeBase, packets }] of shown.entries()) {
    expect(packets).toHaveLength(frames.length);
    const [numerator, denominator] = timeBase.split('/').map(Number);
    const times = packets.map(({ pts }) => (pts * numerator!) / denominator!);
    for (let n = 1; n < times.length; n++) {
      expect(times[n]! - times[n - 1]!, `picture ${n} of .${timed[file]}`).toBeCloseTo(1 / 25, 2);
    }
  }
});

streams.describeSecondOpinion();
