// B pictures are shown in order, with every number of them between anchors and in every container.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import type { EncoderOptions } from '../../src/encoder/options.js';
import { VideoWriter } from '../../src/media/output/video-writer.js';
import { expectSameFrames } from '../support/compare-frames.js';
import { decodeWithFfmpeg, everyFfmpeg } from '../support/decoders.js';
import { type Encoded, encodeFrames } from '../support/encode.js';
import { ShownStreams } from '../support/expect-shown.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { onPath } from '../support/programs.js';

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

/** Every ffmpeg shows the reconstruction of a file, in its order. */
async function expectShownInFile(path: string, { reconstruction }: Encoded, what: string): Promise<void> {
  expect(reconstruction).toHaveLength(frames.length);
  for (const ffmpeg of everyFfmpeg()) {
    expectSameFrames(await decodeWithFfmpeg(path, ffmpeg.path), reconstruction, `${what}, ${ffmpeg.name}`);
  }
}

describe.each([true, false])('open groups: %s', openGop => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7])('%i B pictures between anchors are shown in order', async bFrames => {
    const encoded = await encode({ bFrames, openGop });
    const runs = shownTypes(encoded).match(/B+/g) ?? [];
    expect(Math.max(0, ...runs.map(run => run.length))).toBe(bFrames);
    expect(encoded.reconstruction).toHaveLength(frames.length);
    await streams.expectShown(encoded, `${bFrames} B pictures, open groups ${openGop}`);
  });
});

const ffprobe = onPath('ffprobe');

/** Presentation times in seconds of the pictures that a decoder shows, in its order. */
function shownTimes(path: string): number[] {
  const what = ['-select_streams', 'v:0', '-show_entries', 'frame=best_effort_timestamp_time', '-of', 'json'];
  const answer = execFileSync(ffprobe!, ['-v', 'error', ...what, path], { encoding: 'utf8' });
  const { frames: shown } = JSON.parse(answer) as { frames: { best_effort_timestamp_time: string }[] };
  return shown.map(frame => Number(frame.best_effort_timestamp_time));
}

describe.each(['m1v', 'mpg', 'ts', 'mp4', 'mkv', 'avi', 'mov'])('B pictures in .%s', extension => {
  const path = join(folder, `container.${extension}`);
  let encoded: Encoded;
  beforeAll(async () => {
    encoded = await encode({ bFrames: 2, openGop: true });
    const video = await VideoWriter.open(path, { width, height, frameRate: FRAME_RATE });
    for (const unit of encoded.units) await video.write(unit);
    await video.finish();
  });

  it('are shown in order, each once', async () => {
    expect(shownTypes(encoded)).toContain('BBI');
    await expectShownInFile(path, encoded, extension);
  });

  // An elementary stream and AVI carry no presentation times; ffprobe's guesses have gaps, in ffmpeg's own AVI files
  // too.
  const hasTimes = !['m1v', 'avi'].includes(extension);
  it.runIf(ffprobe && hasTimes)('have times a frame apart', () => {
    const times = shownTimes(path);
    expect(times).toHaveLength(frames.length);
    for (let n = 1; n < times.length; n++) expect(times[n]! - times[n - 1]!, `picture ${n}`).toBeCloseTo(1 / 25, 2);
  });
});

streams.describeSecondOpinion();
