// Tests of changing pictures while they are read: what is refused and how, damage as a warning, and rates.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FfmpegMessages } from '../../../src/media/ffmpeg-messages.js';
import { DamagedInput } from '../../../src/media/frames/damaged-input.js';
import { openFrameRanges } from '../../../src/media/frames/frame-ranges.js';
import type { FrameSourceOptions } from '../../../src/media/frames/frame-source.js';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import type { Frame } from '../../../src/picture/frame.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { everyFfmpeg, packagedFfmpeg } from '../../support/decoders.js';
import { runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { allFrames } from '../test-frames.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const FRAMES = 24;
runPackagedFfmpeg(
  ...['-f', 'lavfi', '-i', 'testsrc2=size=48x32:rate=24,format=yuv420p', '-f', 'lavfi', '-i', 'sine'],
  ...['-map', '0', '-frames:v', String(FRAMES), at('clip.y4m')],
  ...['-map', '0', '-frames:v', String(FRAMES), '-c:v', 'mpeg4', at('clip.mp4')],
  ...[
    '-map',
    '0',
    '-frames:v',
    String(FRAMES),
    '-c:v',
    'libx264',
    '-g',
    '4',
    '-movflags',
    '+faststart',
    at('h264.mp4'),
  ],
  ...['-map', '0', '-frames:v', String(FRAMES), '-c:v', 'flv1', '-g', '1', at('clip.flv')],
  ...['-map', '0', '-frames:v', '2', '-c:v', 'ffv1', '-colorspace', 'bt709', '-color_range', 'pc', at('full.mkv')],
  ...['-map', '0', '-frames:v', '2', '-c:v', 'ffv1', '-pix_fmt', 'yuva420p', at('alpha.mkv')],
  ...['-map', '0', '-frames:v', '3', '-pix_fmt', 'yuv422p', at('422.y4m')],
  ...['-map', '0', '-frames:v', '8', '-vf', 'setfield=tff', '-c:v', 'ffv1', at('fields.mkv')],
  ...[
    '-map',
    '0',
    '-frames:v',
    '2',
    '-c:v',
    'ffv1',
    '-pix_fmt',
    'yuv420p10le',
    '-color_trc',
    'smpte2084',
    at('pq.mkv'),
  ],
);
for (const [name, format] of [['clip.y4m', 'yuv420p']] as const) {
  runPackagedFfmpeg('-i', at(name), '-pix_fmt', format, '-f', 'rawvideo', at('clip.yuv'));
}

afterEach(() => {
  vi.unstubAllEnvs();
});

async function read(path: string, options: FrameSourceOptions = {}) {
  vi.stubEnv('FFMPEG_PATH', process.env.FFMPEG_PATH || packagedFfmpeg());
  const warnings: string[] = [];
  const source = await openFrameSource(path, { ...options, onWarning: message => warnings.push(message) });
  return { source, frames: await allFrames(source), warnings };
}

const size = { width: 48, height: 32 };

describe('a crop', () => {
  it.each([
    ['clip.mp4', {}],
    ['clip.y4m', {}],
    ['422.y4m', {}],
    ['clip.yuv', { size }],
  ])('that leaves the pictures of %s is refused, not moved', async (name, options) => {
    for (const crop of [
      { width: 48, height: 32, x: 1, y: 0 },
      { width: 16, height: 16, x: 0, y: 17 },
    ]) {
      await expect(read(at(name), { ...options, crop })).rejects.toMatchObject({
        name: 'OptionError',
        option: 'crop',
        message: expect.stringMatching(/^crop \d+x\d+\+\d+\+\d+ does not lie within .*(mp4|y4m|yuv)/),
      });
    }
  });

  it.each([
    [{ crop: { width: 0, height: 4, x: 0, y: 0 } }, 'crop'],
    [{ crop: { width: 4, height: 4, x: -1, y: 0 } }, 'crop'],
    [{ scale: { width: 4096, height: 16 } }, 'scale'],
    [{ scale: { width: 16.5, height: 16 } }, 'scale'],
    [{ crop: null }, 'crop'],
    [{ crop: 10n }, 'crop'],
    [{ scale: null }, 'scale'],
    [{ scale: 0 }, 'scale'],
    [{ size: null }, 'size'],
    [{ aspect: '4:0' }, 'aspect'],
    [{ aspect: 'wide' }, 'aspect'],
    [{ background: 'whitish' }, 'background'],
  ] as const)('%o is refused by name', async (options, option) => {
    await expect(openFrameSource(at('clip.y4m'), options as FrameSourceOptions)).rejects.toMatchObject({
      name: 'OptionError',
      option,
    });
  });
});

describe('pictures that are changed', () => {
  const part = { crop: { width: 20, height: 14, x: 3, y: 5 } } as const;
  const cut = (frame: Frame): Frame => {
    const rows = (plane: Uint8Array, stride: number, width: number, height: number, x: number, y: number) =>
      Buffer.concat(
        Array.from({ length: height }, (_, i) => plane.subarray((y + i) * stride + x, (y + i) * stride + x + width)),
      );
    const [u, v] = [frame.u, frame.v].map(plane => rows(plane, 24, 10, 7, 1, 2)) as [Buffer, Buffer];
    return { width: 20, height: 14, y: rows(frame.y, 48, 20, 14, 3, 5), u, v };
  };

  it('are the right part, whatever they come from, and from any frame on', async () => {
    const whole = (await read(at('clip.y4m'))).frames;
    const stdin = () => Readable.from([readFileSync(at('clip.y4m'))]);
    const expected = whole.map(cut);
    expectSameFrames((await read(at('clip.y4m'), part)).frames, expected);
    const raw = await read(at('clip.yuv'), { ...part, size });
    expectSameFrames(raw.frames, expected);
    expect(raw.source.pelAspect).toBeUndefined(); // as before
    expectSameFrames((await read('-', { ...part, stdin: stdin() })).frames, expected);
    const later = await read(at('clip.y4m'), { ...part, start: { frame: 20 }, frames: 3 });
    expectSameFrames(later.frames, expected.slice(20, 23));
    expect(later.source.frameCount).toBe(3);
    expectSameFrames((await read(at('clip.yuv'), { ...part, size, start: { frame: 22 } })).frames, expected.slice(22));
  });

  it('are deinterlaced the same from any frame on', async () => {
    vi.stubEnv('FFMPEG_PATH', packagedFfmpeg());
    const all = (await read(at('fields.mkv'), { deinterlace: true })).frames;
    const ranges = await openFrameRanges(at('fields.mkv'), { deinterlace: true });
    for (const first of [5, 2]) {
      const range: Frame[] = [];
      for await (const frame of ranges.frames({ first, count: 2 })) range.push(frame);
      expectSameFrames(range, all.slice(first, first + 2));
    }
    await ranges.close();
  });

  it('end with the fault of their source, after the frames before it', async () => {
    const bytes = readFileSync(at('422.y4m'));
    writeFileSync(at('cut.y4m'), bytes.subarray(0, bytes.length - 100));
    const frames: Frame[] = [];
    const reading = (async () => {
      for await (const frame of (await openFrameSource(at('cut.y4m'))).frames()) frames.push(frame);
    })();
    await expect(reading).rejects.toThrow(/cut\.y4m is truncated: frame 2/);
    await expect(reading).rejects.toBeInstanceOf(DamagedInput);
    expect(frames).toHaveLength(2);
    writeFileSync(at('cut.y4m'), bytes.subarray(0, 200));
    await expect(read(at('cut.y4m'))).rejects.toThrow(/cut\.y4m is truncated: frame 0/);
  });

  it('end when they are closed, left or aborted', async () => {
    vi.stubEnv('FFMPEG_PATH', packagedFfmpeg());
    for await (const _ of (await openFrameSource(at('clip.y4m'), part)).frames()) break;
    await (await openFrameSource(at('clip.yuv'), { ...part, size })).close();
    const abort = new AbortController();
    const reason = new Error('enough');
    const reading = (async () => {
      for await (const _ of (await openFrameSource(at('clip.y4m'), part)).frames(abort.signal)) abort.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
  });
});

it('high dynamic range is refused with advice where ffmpeg lacks the filters', async () => {
  writeFileSync(at('ffmpeg'), `#!/bin/bash\nexec ${packagedFfmpeg()} "\${@//zscale/nozscale}"\n`, { mode: 0o755 });
  vi.stubEnv('FFMPEG_PATH', at('ffmpeg'));
  await expect(read(at('pq.mkv'))).rejects.toMatchObject({
    name: 'InputError',
    message: expect.stringMatching(
      /pq\.mkv has high dynamic range \(PQ\).* lacks the filters zscale.*FFMPEG_PATH to one$/,
    ),
  });
});

it.each(everyFfmpeg())('high dynamic range without its matrix or primaries is of BT.2020: $name', async ({ path }) => {
  vi.stubEnv('FFMPEG_PATH', path);
  const tags = ['-colorspace', 'bt2020nc', '-color_primaries', 'bt2020'];
  const tagged = async (name: string, ...given: string[]) => {
    const coding = ['-c:v', 'ffv1', '-pix_fmt', 'yuv420p10le', '-color_trc', 'arib-std-b67', ...given];
    runPackagedFfmpeg('-i', at('clip.y4m'), '-frames:v', '2', ...coding, at(name));
    const { frames, warnings } = await read(at(name));
    expect(warnings).toEqual([expect.stringMatching(/high dynamic range \(HLG\).* it is tone-mapped/)]);
    return frames;
  };
  const expected = await tagged('both.mkv', ...tags);
  expectSameFrames(await tagged('neither.mkv'), expected);
  if (path !== packagedFfmpeg()) return; // it says each as it says both
  expectSameFrames(await tagged('matrix.mkv', ...tags.slice(0, 2)), expected);
  expectSameFrames(await tagged('primaries.mkv', ...tags.slice(2)), expected);
});

it('what the pictures are, and the sound, are known of a file with many tracks', async () => {
  writeFileSync(at('words.srt'), '1\n00:00:00,000 --> 00:00:01,000\nhello\n');
  runPackagedFfmpeg(
    ...['-i', at('clip.y4m'), '-i', at('words.srt'), '-f', 'lavfi', '-i', 'sine=duration=1'],
    ...['-map', '0', '-map', '2', ...Array(80).fill(['-map', '1']).flat()],
    ...['-c:v', 'mpeg2video', '-flags:v', '+ildct+ilme', '-vf', 'setfield=tff', at('tracks.mkv')],
  );
  const { warnings, source, frames } = await read(at('tracks.mkv'));
  expect(frames).toHaveLength(FRAMES);
  expect(warnings).toEqual([expect.stringMatching(/tracks\.mkv is interlaced/), expect.stringMatching(/subtitles/)]);
  expect(source).toMatchObject({ soundTracks: 1, frameCount: FRAMES });
});

it('y4m that is played at another rate is told', async () => {
  const { warnings, frames } = await read(at('clip.y4m'), { frameRate: { numerator: 30, denominator: 1 } });
  expect(frames).toHaveLength(FRAMES);
  expect(warnings).toEqual([expect.stringMatching(/clip\.y4m is played at 30 frames per second, not at its own 24/)]);
});

describe('damage', () => {
  it('is one warning with counts', async () => {
    const bytes = readFileSync(at('h264.mp4'));
    for (let i = 0; i < 60; i++) bytes[1600 + ((i * 397) % (bytes.length - 1700))]! ^= 1 << (i & 7);
    writeFileSync(at('flipped.mp4'), bytes);
    const { warnings } = await read(at('flipped.mp4'), { damage: 'warn' });
    expect(warnings).toEqual([
      expect.stringMatching(
        /flipped\.mp4 is damaged or ends early: ffmpeg reports \d+ faults: \d+ times '.*' .*\(after \d+ p/,
      ),
    ]);
    await expect(read(at('flipped.mp4'), { damage: 'error' })).rejects.toBeInstanceOf(DamagedInput);
  });

  it.each([
    [1, [/: its header says about 24 pictures \(after 1 picture\)$/]],
    [21, [/: its header says about 24 pictures \(after 21 pictures\)$/]],
    [22, []], // durations are rounded
    [FRAMES, []],
  ])('is found by the number of pictures where ffmpeg says nothing: %d', async (count, told) => {
    const bytes = readFileSync(at('clip.flv'));
    writeFileSync(at('short.flv'), bytes.subarray(0, tagsOf(bytes)[1 + count]));
    const { warnings, frames } = await read(at('short.flv'), { damage: 'warn' });
    expect([frames.length, ...warnings]).toEqual([count, ...told.map(text => expect.stringMatching(text))]);
    expect((await read(at('short.flv'), { damage: 'warn', frames: 1 })).warnings).toEqual([]);
  });

  it('is not that a sound goes on after the last picture', async () => {
    const sound = ['-f', 'lavfi', '-i', 'sine=duration=3'];
    runPackagedFfmpeg('-i', at('clip.y4m'), ...sound, '-c:v', 'mpeg4', at('longer-sound.mp4'));
    const { warnings, frames } = await read(at('longer-sound.mp4'));
    expect([frames.length, ...warnings]).toEqual([FRAMES]);
  });

  /** Where the tags of FLV start, and their end: one of the file, one a picture. Each has 15 bytes and its contents. */
  function tagsOf(bytes: Buffer): number[] {
    const starts = [13];
    for (let at = 13; at < bytes.length; starts.push(at)) at += 15 + bytes.readUIntBE(at + 1, 3);
    return starts;
  }

  it('counts repeated lines, and faults that differ in numbers as one kind', () => {
    const messages = new FfmpegMessages('a.mp4');
    messages.add('[h264 @ 0x1] [error] error while decoding MB 5 7, bytestream -4');
    expect(messages.damage).toBe("ffmpeg reports 'error while decoding MB 5 7, bytestream -4'");
    messages.add('    Last message repeated 3 times');
    messages.add('[h264 @ 0x1] [error] error while decoding MB 1 2, bytestream 40');
    messages.add('[mov @ 0x1] [info] nothing');
    messages.add('    Last message repeated 9 times');
    messages.add('[ffv1 @ 0x1] [error] CRC mismatch 5FA1B2C3!at 0.4 seconds');
    expect(messages.damage).toBe(
      "ffmpeg reports 6 faults: 5 times 'error while decoding MB N N, bytestream N', once 'CRC mismatch N!at N.N seconds'",
    );
  });
});

it('text is no video', async () => {
  for (const text of ['hello\n', 'a line of text\r\n'.repeat(2000), '\x1b[31mred\x1b[0m\n']) {
    writeFileSync(at('a.txt'), text);
    for (const options of [{}, { crop: { width: 1, height: 1, x: 0, y: 0 } }]) {
      await expect(read(at('a.txt'), options)).rejects.toThrow(`${at('a.txt')}: it is text, no video`);
    }
  }
});

it.each([
  ['pq.mkv', 'PQ', {}],
  ['full.mkv', 'full range, BT.709', { toBt601: true }],
  ['alpha.mkv', 'alpha', {}],
])('a pipe whose pictures would need a second look is refused: %s', async (name, kinds, options) => {
  const fifo = at(`pipe-${name}`);
  execFileSync('mkfifo', [fifo]);
  const writing = writeFile(fifo, readFileSync(at(name))).catch(() => {});
  await expect(read(fifo, options)).rejects.toThrow(
    `${fifo} is a pipe, and its pictures (${kinds}) are converted from files only`,
  );
  await writing;
});
