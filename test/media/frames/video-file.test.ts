// Tests of reading video files through ffmpeg.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import type { Frame } from '../../../src/picture/frame.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { decodeWithFfmpeg, everyFfmpeg, framesFromY4m, packagedFfmpeg } from '../../support/decoders.js';
import { makeTestStream, runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { livingFfmpegs } from '../living-ffmpegs.js';
import { allFrames } from '../test-frames.js';

const folder = temporaryFolder();
const FRAMES = 12;
const { original, stream } = makeTestStream(folder, { width: 64, height: 48, frames: FRAMES });
const originals = framesFromY4m(readFileSync(original));
const lossless = join(folder, 'name with: colon & spaces.mkv');
runPackagedFfmpeg('-i', original, '-c:v', 'ffv1', `file:${lossless}`);
/** Far more than the pipes hold: 300 frames of 345,600 bytes. */
const long = join(folder, 'long.mkv');
runPackagedFfmpeg('-f', 'lavfi', '-i', 'color=gray:size=640x360:rate=24:duration=12.5', '-c:v', 'mpeg4', long);

afterEach(() => {
  vi.unstubAllEnvs();
});

it('loses nothing to a reader that is slower than ffmpeg, however much is in the pipes when ffmpeg exits', async () => {
  // It starts in a tenth of the time, and the pipes are the same.
  vi.stubEnv('FFMPEG_PATH', packagedFfmpeg());
  const readSlowly = async (frames: number) => {
    const clip = join(folder, `slow-${frames}.mkv`);
    const picture = `color=gray:size=352x288:rate=25:duration=${frames / 25}`;
    runPackagedFfmpeg('-f', 'lavfi', '-i', picture, '-c:v', 'ffv1', clip);
    const source = await openFrameSource(clip);
    let read = 0;
    for await (const _ of source.frames()) if (read++ === 0) await new Promise(resolve => setTimeout(resolve, 700));
    await source.close();
    return read;
  };
  const lengths = [8, 9, 15, 16, 17];
  expect(await Promise.all(lengths.map(readSlowly))).toEqual(lengths);
});

const onLinux = it.runIf(process.platform === 'linux');

describe.each(everyFfmpeg())('with the $name', ({ path: ffmpegPath }) => {
  const openWith = (input: string, options = {}) => {
    vi.stubEnv('FFMPEG_PATH', ffmpegPath);
    return openFrameSource(input, options);
  };

  it('gives the frames of a lossless video, size, rate and count known beforehand', async () => {
    const source = await openWith(lossless);
    expect(source).toMatchObject({
      name: lossless,
      width: 64,
      height: 48,
      frameRate: { numerator: 25, denominator: 1 },
      frameCount: FRAMES,
    });
    expectSameFrames(await allFrames(source), originals);
  });

  it('gives each picture of an elementary stream once', async () => {
    const source = await openWith(stream);
    expect(source.frameCount).toBeUndefined();
    expectSameFrames(await allFrames(source), await decodeWithFfmpeg(stream));
  });

  it('stops after the frames that are asked for', async () => {
    const source = await openWith(lossless, { frames: 5 });
    expect(source.frameCount).toBe(5);
    expectSameFrames(await allFrames(source), originals.slice(0, 5));
  });

  it('resamples to the rate that is given, at the same speed', async () => {
    const source = await openWith(lossless, { frameRate: { numerator: 50, denominator: 1 } });
    expect(source).toMatchObject({ frameRate: { numerator: 50, denominator: 1 }, frameCount: 2 * FRAMES });
    const doubled = originals.flatMap(frame => [frame, frame]);
    // ffmpeg may leave out the repetition of the last frame.
    const frames = await allFrames(source);
    expect(frames.length).toBeGreaterThanOrEqual(2 * FRAMES - 1);
    expectSameFrames(frames, doubled.slice(0, frames.length));
  });

  // With the machine's own ffmpeg, one rate of which pictures lie right between two others, and one without any.
  const RATES = [
    ['60', 25],
    ['30000/1001', 25],
    ...(ffmpegPath === packagedFfmpeg()
      ? [
          ['50', 25],
          ['30', 24],
        ]
      : []),
  ] as [string, number][];

  it.each(RATES)('shows each picture at its time where pictures of %s per second become %d', async (rate, fps) => {
    const flash = join(folder, `flash-${rate.replace('/', '-')}.mkv`);
    const picture = `color=gray:size=16x16:rate=${rate}:d=3,geq=lum='if(between(T,0.999,1.199),235,40)':cb=128:cr=128`;
    runPackagedFfmpeg('-f', 'lavfi', '-i', picture, '-c:v', 'ffv1', flash);
    const frames = await allFrames(await openWith(flash, { frameRate: { numerator: fps, denominator: 1 } }));
    expect(frames).toHaveLength(3 * fps);
    expect(frames.findIndex(({ y }) => y[0]! > 140)).toBe(fps);
  });

  it('keeps how long the pictures of a slide show are shown, the last one, too', async () => {
    const slides = join(folder, 'slides.mkv');
    runPackagedFfmpeg('-f', 'lavfi', '-i', 'testsrc2=size=16x16:rate=1:d=3', '-c:v', 'ffv1', slides);
    const frames = await allFrames(await openWith(slides, { frameRate: { numerator: 24, denominator: 1 } }));
    expect(frames).toHaveLength(3 * 24);
  });

  it('keeps that where pictures are changed, too', async () => {
    const slides = join(folder, 'slides.gif'); // GIF has alpha: its pictures are put on a background
    const source = 'testsrc2=size=16x16:rate=25:d=0.12';
    runPackagedFfmpeg('-f', 'lavfi', '-i', source, '-final_delay', '300', slides);
    const count = async (options: object) => (await allFrames(await openWith(slides, options))).length;
    const changes = { damage: 'error', scale: { width: 8, height: 8 } };
    expect(await count({ frameRate: { numerator: 30, denominator: 1 }, ...changes })).toBeCloseTo(3.08 * 30, -1);
    expect(await count(changes)).toBe(3.08 * 25);
  });

  it('shows material of variable rate at its speed', async () => {
    const gap = join(folder, 'gap.mkv');
    // Frames 4 to 7 are missing, with the times of the others kept.
    runPackagedFfmpeg('-i', original, '-vf', "select='not(between(n,4,7))'", '-vsync', 'vfr', '-c:v', 'ffv1', gap);
    const held = originals.map((frame, i) => (i >= 4 && i <= 7 ? originals[i < 6 ? 3 : 8] : frame));
    const frames = await allFrames(await openWith(gap));
    expect(frames).toHaveLength(FRAMES);
    expectSameFrames([...frames.slice(0, 4), ...frames.slice(8)], [...held.slice(0, 4), ...held.slice(8)]);
  });

  onLinux('leaves no ffmpeg behind when the reader leaves early', async () => {
    for await (const frame of (await openWith(long)).frames()) {
      expect(frame.width).toBe(640);
      expect(livingFfmpegs()).toHaveLength(1);
      break;
    }
    expect(livingFfmpegs()).toEqual([]);
  });

  it('says of a file that is no video what that means', async () => {
    const text = join(folder, 'text.mp4');
    writeFileSync(text, 'this is no video\n'.repeat(50));
    await expect(openWith(text)).rejects.toMatchObject({
      name: 'InputError',
      message: `${text}: it is text, no video`,
    });
    const sound = join(folder, 'sound.mka');
    runPackagedFfmpeg('-f', 'lavfi', '-i', 'sine=duration=0.1', '-c:a', 'pcm_s16le', sound);
    await expect(openWith(sound)).rejects.toMatchObject({
      name: 'InputError',
      message: expect.stringMatching(/sound.mka: it has no pictures$/),
    });
  });

  onLinux('refuses a video larger than MPEG-1 holds, and stops ffmpeg', async () => {
    const large = join(folder, 'large.mkv');
    runPackagedFfmpeg(
      '-f',
      'lavfi',
      '-i',
      'color=gray:size=4112x1000:rate=25',
      '-frames:v',
      '3',
      '-c:v',
      'mpeg4',
      large,
    );
    await expect(openWith(large)).rejects.toThrow(`${large} is 4112x1000; MPEG-1 pictures are 1x1 to 4095x2800 pels`);
    expect(livingFfmpegs()).toEqual([]);
  });
});

// Any ffmpeg is killed in the same way.
onLinux('leaves no ffmpeg behind when the reader closes or aborts', async () => {
  vi.stubEnv('FFMPEG_PATH', packagedFfmpeg());
  await (await openFrameSource(long)).close();
  expect(livingFfmpegs()).toEqual([]);

  const abort = new AbortController();
  const reason = new Error('enough');
  const source = await openFrameSource(long);
  const seen: Frame[] = [];
  const reading = (async () => {
    for await (const frame of source.frames(abort.signal)) {
      seen.push(frame);
      if (seen.length === 3) abort.abort(reason);
    }
  })();
  await expect(reading).rejects.toBe(reason);
  expect(seen).toHaveLength(3);
  expect(livingFfmpegs()).toEqual([]);

  // Its rate is known when ffmpeg runs: another one is started, with a filter.
  await (await openFrameSource(long, { frameRate: { numerator: 10, denominator: 1 } })).close();
  expect(livingFfmpegs()).toEqual([]);
});

it('waits for its reader: what ffmpeg is ahead by does not grow with the video', async () => {
  vi.stubEnv('FFMPEG_PATH', packagedFfmpeg());
  const source = await openFrameSource(long);
  const held = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const before = held();
  let frames = 0;
  let largest = 0;
  for await (const frame of source.frames()) {
    frames += frame.height === 360 ? 1 : 0;
    // Time for ffmpeg to run ahead, if nothing held it.
    if (frames % 75 === 0) {
      await new Promise(resolve => setTimeout(resolve, 20));
      largest = Math.max(largest, held() - before);
    }
  }
  expect(frames).toBe(300);
  // The whole video has 104 MB; the pipe holds 1 MB.
  expect(largest).toBeLessThan(20e6);
});

it('takes another ffmpeg where the preferred one does not run, and says so', async () => {
  const bin = join(folder, 'broken');
  mkdirSync(bin);
  const script = '#!/bin/sh\necho "error while loading shared libraries" >&2\nexit 127\n';
  writeFileSync(join(bin, 'ffmpeg'), script, { mode: 0o755 });
  vi.stubEnv('FFMPEG_PATH', '');
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
  const onWarning = vi.fn();
  expectSameFrames(await allFrames(await openFrameSource(lossless, { onWarning })), originals);
  expect(onWarning).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/broken\/ffmpeg does not run \(error while loading.*is used instead$/),
  );
});

it('takes another ffmpeg where the preferred one lacks a decoder, and says so', async () => {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const lack = '[error] Decoding requested, but no decoder found for: ffv1';
  const script = `#!/bin/sh\necho "${lack}" >&2\nexit 1\n`;
  writeFileSync(join(bin, 'ffmpeg'), script, { mode: 0o755 });
  vi.stubEnv('FFMPEG_PATH', '');
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
  const onWarning = vi.fn();
  expectSameFrames(await allFrames(await openFrameSource(lossless, { onWarning })), originals);
  const warning = new RegExp(
    `: this ffmpeg cannot decode it \\(ffmpeg: .*ffv1\\) \\(${bin}/ffmpeg\\); .*ffmpeg is used instead$`,
  );
  expect(onWarning.mock.calls).toEqual([[expect.stringMatching(warning)]]);
});

it.each(['yuv444p', 'yuv420p10le', 'bgr0', 'yuvj420p'])('every ffmpeg gives the same pels of %s', async format => {
  const clip = join(folder, `${format}.avi`);
  const codec = format === 'yuvj420p' ? 'mjpeg' : 'ffv1';
  runPackagedFfmpeg('-i', original, '-frames:v', '2', '-vf', 'scale=37:-1', '-pix_fmt', format, '-c:v', codec, clip);
  const [first, ...others] = everyFfmpeg();
  vi.stubEnv('FFMPEG_PATH', first.path);
  const expected = await allFrames(await openFrameSource(clip));
  for (const { path, name } of others) {
    vi.stubEnv('FFMPEG_PATH', path);
    expectSameFrames(await allFrames(await openFrameSource(clip)), expected, name);
  }
});

it('needs no ffmpeg for y4m', async () => {
  vi.stubEnv('FFMPEG_PATH', join(folder, 'no-such-ffmpeg'));
  expectSameFrames(await allFrames(await openFrameSource(original)), originals);
  await expect(openFrameSource(lossless)).rejects.toMatchObject({
    name: 'UnsupportedError',
    message: `FFMPEG_PATH is ${join(folder, 'no-such-ffmpeg')}, which is not an executable file`,
  });
});

it('reads the y4m that ffmpeg pipes in', async () => {
  const [ffmpeg] = everyFfmpeg();
  const output = execFileSync(ffmpeg.path, ['-v', 'error', '-i', lossless, '-f', 'yuv4mpegpipe', '-'], {
    maxBuffer: 1 << 26,
  });
  const { Readable } = await import('node:stream');
  expectSameFrames(await allFrames(await openFrameSource('-', { stdin: Readable.from([output]) })), originals);
});
