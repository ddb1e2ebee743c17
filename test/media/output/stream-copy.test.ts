// Tests of copying streams into other containers with ffmpeg.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { COPY_EXTENSIONS, containerForPath, copySourceExtension } from '../../../src/media/containers/container.js';
import { copyIntoContainer } from '../../../src/media/output/stream-copy.js';
import { VideoWriter } from '../../../src/media/output/video-writer.js';
import { decodeWithFfmpeg, everyFfmpeg, packagedFfmpeg } from '../../support/decoders.js';
import { ShownStreams } from '../../support/expect-shown.js';
import { runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { soundFrame } from '../containers/sound.js';
import { splitAccessUnits } from '../containers/split-access-units.js';

const folder = temporaryFolder();
const shown = new ShownStreams();
const FRAMES = 29;
const frameRate = { numerator: 24, denominator: 1 };

/** The same stream with B pictures as `.m1v` and as `.ts` with the times of every picture. */
const streamIn = (extension: string) => join(folder, `stream${extension}`);
runPackagedFfmpeg(
  '-f',
  'lavfi',
  '-i',
  'testsrc2=size=64x48:rate=24',
  '-frames:v',
  String(FRAMES),
  '-c:v',
  'mpeg1video',
  '-bf',
  '2',
  '-g',
  '9',
  streamIn('.ts'),
);
runPackagedFfmpeg('-i', streamIn('.ts'), '-c', 'copy', '-f', 'mpeg1video', streamIn('.m1v'));
runPackagedFfmpeg('-i', streamIn('.ts'), '-c', 'copy', '-f', 'mpeg', streamIn('.mpg'));
runPackagedFfmpeg('-i', streamIn('.m1v'), '-frames:v', '1', '-c:v', 'mpeg1video', streamIn('-of-one.m1v'));

const SOUND = { sampleRate: 48_000, channels: 2, bitRate: 192_000 } as const;

afterEach(() => {
  vi.unstubAllEnvs();
});

/**
 * The times at which a file's frames are shown, in seconds, by its time stamps; of AVI, which has none, those of its
 * pictures in coded order.
 */
function frameTimes(path: string): number[] {
  const frames = path.endsWith('.avi') ? ['-c', 'copy'] : ['-vsync', 'passthrough'];
  const args = ['-v', 'error', '-i', path, ...frames, '-f', 'framecrc', '-'];
  const lines = execFileSync(packagedFfmpeg(), args, { encoding: 'utf8' }).split('\n');
  const [, numerator, denominator] = /^#tb 0: (\d+)\/(\d+)/m.exec(lines.join('\n')) ?? [];
  return lines
    .filter(line => line.startsWith('0,'))
    .map(line => (Number(line.split(',')[1]) * Number(numerator)) / Number(denominator));
}

describe.each(everyFfmpeg())('with the $name', ({ name, path: ffmpegPath }) => {
  // MOV is written as MP4 is, and AVI holds neither a date nor a number by chance.
  const copiedTwice = ffmpegPath === packagedFfmpeg() ? COPY_EXTENSIONS : ['.mp4', '.mkv'];

  it.each(COPY_EXTENSIONS)(
    'every picture and its time come through to %s, and a second copy has the same bytes',
    async extension => {
      vi.stubEnv('FFMPEG_PATH', ffmpegPath);
      const [first, second] = [1, 2].map(copy => join(folder, `${copy} by ${name}${extension}`)) as [string, string];
      const input = streamIn(copySourceExtension(first));
      await copyIntoContainer({ input, output: first, frameRate, overwrite: true });
      await shown.expectFileShown(first, await decodeWithFfmpeg(streamIn('.m1v')), first);
      const times = frameTimes(first);
      expect(times).toHaveLength(FRAMES);
      // Matroska counts in milliseconds.
      times.forEach((time, i) => {
        expect(Math.abs(time - times[0]! - i / 24)).toBeLessThan(0.0011);
      });
      if (!copiedTwice.includes(extension)) return;
      await copyIntoContainer({ input, output: second, frameRate, overwrite: true });
      expect(readFileSync(first).equals(readFileSync(second))).toBe(true);
    },
  );

  /** Writes one picture with these frames of sound; returns its file. */
  async function onePicture(extension: string, frames: Uint8Array[]): Promise<string> {
    vi.stubEnv('FFMPEG_PATH', ffmpegPath);
    const path = join(folder, `sound${frames.length}${extension}`);
    const video = { width: 64, height: 48, frameRate };
    const writer = await VideoWriter.open(path, video, { overwrite: true, sound: { format: SOUND, frames } });
    const data = readFileSync(streamIn('-of-one.m1v'));
    await writer.write({ data, pictureType: 'I', displayNumber: 0, codedNumber: 0 });
    await writer.finish();
    return path;
  }

  it.each([1, 2])('an .avi of one picture with %i frames of sound is whole', async count => {
    const frames = Array.from({ length: count }, (_, i) => soundFrame(SOUND, i));
    const path = await onePicture('.avi', frames);
    expect(frameTimes(path)).toHaveLength(1);
    runPackagedFfmpeg('-i', path, '-map', '0:a', '-c', 'copy', '-f', 'data', streamIn('.sound'));
    expect(readFileSync(streamIn('.sound')).equals(Buffer.concat(frames))).toBe(true);
  });

  it.each(COPY_EXTENSIONS)('a sound without a frame is left out of %s', async extension => {
    expect(frameTimes(await onePicture(extension, []))).toHaveLength(1);
  });

  it.each(['.mkv', '.mov'])('a single frame of sound is called Layer II in %s', async extension => {
    const path = await onePicture(extension, [soundFrame(SOUND, 0)]);
    expect(readFileSync(path).includes(extension === '.mkv' ? 'A_MPEG/L2' : '.mp2')).toBe(true);
  });

  it.each(['.mp4', '.mov'])(
    'all pictures of %s last equally long where that is no whole tick of 90 kHz',
    async ending => {
      vi.stubEnv('FFMPEG_PATH', ffmpegPath);
      for (const numerator of [24_000, 60_000]) {
        const rate = { numerator, denominator: 1001 };
        const [input, output] = [join(folder, `${numerator}.ts`), join(folder, `${numerator}${ending}`)];
        const { writer: container } = containerForPath(input, { width: 64, height: 48, frameRate: rate });
        const units = splitAccessUnits(readFileSync(streamIn('.m1v')));
        writeFileSync(input, Buffer.concat([...units.flatMap(unit => container.write(unit)), ...container.end()]));
        await copyIntoContainer({ input, output, frameRate: rate, overwrite: true });
        const args = ['-v', 'error', '-i', output, '-c', 'copy', '-f', 'framecrc', '-'];
        const packets = execFileSync(packagedFfmpeg(), args, { encoding: 'utf8' }).match(/^0,.*$/gm)!;
        const decodingTicks = packets.map(packet => Number(packet.split(',')[1]));
        expect(decodingTicks).toEqual(units.map((_, n) => decodingTicks[0]! + n * 1001));
      }
    },
  );

  it.each(['.m1v', '.mpg'])('no picture is lost from %s', async extension => {
    vi.stubEnv('FFMPEG_PATH', ffmpegPath);
    const output = join(folder, `from${extension} by ${name}.mkv`);
    await copyIntoContainer({ input: streamIn(extension), output, frameRate, overwrite: true });
    await shown.expectFileShown(output, await decodeWithFfmpeg(streamIn('.m1v')), output);
  });
});

it('an elementary stream has the rate that is given, a fraction, too', async () => {
  vi.stubEnv('FFMPEG_PATH', packagedFfmpeg());
  const output = join(folder, 'fraction.avi');
  await copyIntoContainer({ input: streamIn('.m1v'), output, frameRate: { numerator: 24_000, denominator: 1001 } });
  const times = frameTimes(output);
  expect(times).toHaveLength(FRAMES);
  expect(times.at(-1)! - times[0]!).toBeCloseTo(((FRAMES - 1) * 1001) / 24_000, 4);
});

describe('a signal that ends ffmpeg before it says a word, as Ctrl-C in a terminal does', () => {
  /** Copies with an ffmpeg that such a signal ends, so many times; resolves to how often one was started to copy. */
  async function copyThrough(signal: string, times: number, output: string): Promise<number> {
    const [script, log] = [join(folder, 'ended-ffmpeg'), join(folder, `${signal}-${times}`)];
    const ends = `echo >> ${log}; [ $(wc -l < ${log}) -gt ${times} ] || kill -${signal} $$`;
    const lines = ['#!/bin/bash', `case "$*" in *"-c copy"*) ${ends};; esac`, `exec ${packagedFfmpeg()} "$@"`];
    writeFileSync(script, `${lines.join('\n')}\n`, { mode: 0o755 });
    vi.stubEnv('FFMPEG_PATH', script);
    await copyIntoContainer({ input: streamIn('.ts'), output: join(folder, output), frameRate });
    return readFileSync(log).length;
  }

  it.each(['INT', 'TERM', 'HUP'])('%s: it copies once more', async signal => {
    expect(await copyThrough(signal, 1, `${signal}.mp4`)).toBe(2);
    expect(await decodeWithFfmpeg(join(folder, `${signal}.mp4`))).toHaveLength(FRAMES);
  });

  it('which ffmpeg takes and tells: it copies once more', async () => {
    const [script, log] = [join(folder, 'telling-ffmpeg'), join(folder, 'told')];
    const tells = `[ -e ${log} ] || { echo > ${log}; echo "Exiting normally, received signal 2." >&2; exit 255; }`;
    const lines = ['#!/bin/bash', `case "$*" in *"-c copy"*) ${tells};; esac`, `exec ${packagedFfmpeg()} "$@"`];
    writeFileSync(script, `${lines.join('\n')}\n`, { mode: 0o755 });
    vi.stubEnv('FFMPEG_PATH', script);
    await copyIntoContainer({ input: streamIn('.ts'), output: join(folder, 'told.mp4'), frameRate });
    expect(readFileSync(log)).toHaveLength(1);
    expect(await decodeWithFfmpeg(join(folder, 'told.mp4'))).toHaveLength(FRAMES);
  });

  it('a second one, and a kill, are failures', async () => {
    await expect(copyThrough('INT', 2, 'twice.mp4')).rejects.toThrow(/ffmpeg ended with SIGINT, and gave no reason/);
    await expect(copyThrough('KILL', 1, 'killed.mp4')).rejects.toThrow(/ffmpeg ended with SIGKILL/);
    expect(readdirSync(folder).filter(name => /twice|killed/.test(name))).toEqual([]);
  });
});

it.runIf(process.platform !== 'win32')('another ffmpeg copies where the preferred one does not run', async () => {
  const bin = join(folder, 'broken');
  await mkdir(bin);
  writeFileSync(join(bin, 'ffmpeg'), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
  vi.stubEnv('FFMPEG_PATH', '');
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
  const onWarning = vi.fn();
  const output = join(folder, 'by-another.mp4');
  await copyIntoContainer({ input: streamIn('.ts'), output, frameRate, onWarning });
  expect(await decodeWithFfmpeg(output)).toHaveLength(FRAMES);
  const told = /broken\/ffmpeg does not run .*ffmpeg is used instead$/;
  expect(onWarning).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(told));
});

describe('a copy that fails', () => {
  it('leaves no file', async () => {
    const outputs = join(folder, 'failed');
    await mkdir(outputs);
    const input = join(folder, 'text.m1v');
    writeFileSync(input, 'no video');
    await expect(copyIntoContainer({ input, output: join(outputs, 'a.mp4'), frameRate })).rejects.toMatchObject({
      name: 'InputError',
      message: expect.stringMatching(/text\.m1v: its header does not say enough \(ffmpeg: /),
    });
    vi.stubEnv('FFMPEG_PATH', packagedFfmpeg()); // any is killed in the same way
    const reason = new Error('enough');
    const aborted = { input: streamIn('.ts'), output: join(outputs, 'a.mp4'), frameRate };
    await expect(copyIntoContainer({ ...aborted, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const abort = new AbortController();
    const copying = copyIntoContainer({ ...aborted, signal: abort.signal });
    setImmediate(() => abort.abort(reason));
    await expect(copying).rejects.toBe(reason);
    expect(readdirSync(outputs)).toEqual([]);
  });

  it('names the output by its own name where ffmpeg names the hidden file', async () => {
    const [script, output] = [join(folder, 'failing-ffmpeg'), join(folder, 'named.mp4')];
    writeFileSync(script, '#!/bin/sh\nfor last; do :; done\necho "[error] no way to write $last" >&2\nexit 1\n', {
      mode: 0o755,
    });
    vi.stubEnv('FFMPEG_PATH', script);
    const copying = copyIntoContainer({ input: streamIn('.ts'), output, frameRate });
    await expect(copying).rejects.toThrow(`stream.ts: ffmpeg cannot read it (no way to write ${output})`);
  });

  it('names another ending, an existing file and a missing folder', async () => {
    const copyTo = (output: string) => copyIntoContainer({ input: streamIn('.ts'), output, frameRate });
    await expect(copyTo(join(folder, 'a.ogg'))).rejects.toThrow('a stream is copied into .mp4, .mkv, .avi, .mov only');
    writeFileSync(join(folder, 'there.mp4'), '');
    await expect(copyTo(join(folder, 'there.mp4'))).rejects.toMatchObject({ option: 'overwrite' });
    await expect(copyTo(join(folder, 'nowhere', 'a.mp4'))).rejects.toMatchObject({ option: 'output' });
  });
});

shown.describeSecondOpinion();
