// Tests of `encodeFiles`: it does what the command line does, tells what came of it, and leaves whole files or none.
import { getEventListeners } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { writePngFolder, writeY4m } from '../../samples/write-frames.js';
import { encodeFiles } from '../../src/encode-files/encode-files.js';
import type { EncodeFilesOptions } from '../../src/encode-files/encode-files-options.js';
import { ENCODER_OPTIONS } from '../../src/encoder/settings/option-table.js';
import { OptionError } from '../../src/errors.js';
import { runCliHere } from '../cli/run-cli.js';
import { expectSameFrames } from '../support/compare-frames.js';
import { decodeWithFfmpeg, framesFromY4m } from '../support/decoders.js';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';
import { writeLeftover } from '../support/write-leftover.js';

const folder = temporaryFolder();
readWithPackagedFfmpeg();
const at = (...parts: string[]) => join(folder, ...parts);
const FRAMES = 6;
const QUICK: EncodeFilesOptions = { estimator: 'zero', threads: 1, overwrite: true };

beforeAll(async () => {
  const sample = generateSample({ kind: 'pan', width: 48, height: 32, frames: FRAMES, seed: 3 });
  await writePngFolder(at('frames'), sample, () => {});
  await writeY4m(at('clip.y4m'), sample, 25, () => {});
  await writeY4m(at('slow.y4m'), sample, 15, () => {});
  const planes = framesFromY4m(readFileSync(at('clip.y4m'))).flatMap(({ y, u, v }) => [y, u, v]);
  writeFileSync(at('clip.yuv'), Buffer.concat(planes));
  const tone = ['-f', 'lavfi', '-i', 'sine=r=44100:d=0.5'];
  runPackagedFfmpeg('-i', at('clip.y4m'), ...tone, '-shortest', '-c:v', 'ffv1', '-c:a', 'pcm_s16le', at('movie.mkv'));
  const movie = readFileSync(at('movie.mkv'));
  writeFileSync(at('half.mkv'), movie.subarray(0, movie.length >> 1));
  writeFileSync(at('existing.mpg'), 'mine');
  writeFileSync(at('notes.txt'), 'hello\n');
});

describe('encodeFiles', () => {
  it.each<[input: string, output: string, options: EncodeFilesOptions, flags: string]>([
    ['frames', 'a.mpg', { q: 6 }, '--q 6'],
    ['movie.mkv', 'a.ts', { quality: 60, scale: { width: 32, height: 32 } }, '--quality 60 --scale 32x32'],
    ['clip.y4m', 'a.m1v', { bitrate: 90_000, passes: 2, matrix: 'tuned' }, '--bitrate 90k --passes 2 --matrix tuned'],
    ['clip.yuv', 'b.m1v', { size: { width: 48, height: 32 }, matrix: 'standard' }, '--size 48x32 --matrix standard'],
    [
      'clip.y4m',
      'a.mpeg',
      { frames: 4, frameRate: 29.97, audio: 'movie.mkv' },
      '--frames 4 --fps 29.97 --audio movie.mkv',
    ],
  ])('of %s to %s gives the bytes of mpegpu encode', async (input, output, options, flags) => {
    const { audio } = options;
    const progress: [number, number | undefined][] = [];
    const onProgress = (done: number, expected: number | undefined) => void progress.push([done, expected]);
    const files = { ...(audio !== undefined && { audio: at(audio) }), onProgress };
    const result = await encodeFiles(at(input), at(output), { ...QUICK, ...options, ...files });
    const line = `encode ${input} -o cli-${output} --estimator zero --threads 1 --overwrite --quiet ${flags}`;
    const { status, stderr } = await runCliHere(line.split(' '), { cwd: folder });
    expect(status, stderr).toBe(0);
    const bytes = readFileSync(at(output));
    expect(bytes.equals(readFileSync(at(`cli-${output}`)))).toBe(true);
    const frames = options.frames ?? FRAMES;
    expect(result).toMatchObject({ output: at(output), bytes: bytes.length, frames, warnings: expect.any(Array) });
    expect(result.bitRate).toBeCloseTo(
      (result.bits * result.frameRate.numerator) / result.frameRate.denominator / frames,
    );
    const counted = progress.map(([done]) => done);
    const inOrder = Array.from({ length: frames }, (_, i) => i + 1);
    expect(counted.slice(-frames)).toEqual(inOrder);
    if (options.passes === 2) expect(counted.slice(0, frames)).toEqual(inOrder);
    else expect(counted).toHaveLength(frames);
    if (input !== 'movie.mkv') expect(progress.at(-1)).toEqual([frames, frames]);
    const hasSound = input === 'movie.mkv' || audio !== undefined;
    expect(result.sound?.sampleRate).toBe(hasSound ? 44_100 : undefined);
    expect(result.soundNote === undefined).toBe(hasSound);
  });

  it('writes what a decoder shows, and the vectors; callbacks see it too', async () => {
    const shown: number[] = [];
    const types: string[] = [];
    const { psnr, statistics } = await encodeFiles(at('frames'), at('shown.m1v'), {
      ...QUICK,
      recon: at('shown.y4m'),
      vectors: at('shown.jsonl'),
      onReconstruction: (_, displayNumber) => void shown.push(displayNumber),
      onPicture: ({ type }) => void types.push(type),
    });
    const recon = framesFromY4m(readFileSync(at('shown.y4m')));
    expectSameFrames(await decodeWithFfmpeg(at('shown.m1v')), recon, 'encodeFiles');
    expect(shown).toEqual(Array.from({ length: FRAMES }, (_, i) => i));
    expect(types.length).toBe(FRAMES);
    expect(readFileSync(at('shown.jsonl'), 'utf8').trim().split('\n')).toHaveLength(FRAMES);
    expect(psnr).toEqual(statistics.psnr);
  });

  it('reads standard input from whatever gives bytes', async () => {
    const bytes = readFileSync(at('clip.y4m'));
    const stdin = (async function* () {
      for (let i = 0; i < bytes.length; i += 1000) yield bytes.subarray(i, i + 1000);
    })();
    await encodeFiles('-', at('piped.m1v'), { ...QUICK, stdin });
    await encodeFiles(at('clip.y4m'), at('unpiped.m1v'), QUICK);
    expect(readFileSync(at('piped.m1v')).equals(readFileSync(at('unpiped.m1v')))).toBe(true);
  });

  it('tells each thing once, though two passes meet it twice', async () => {
    const told: string[] = [];
    const leftover = writeLeftover(at('told.m1v'));
    const twice = {
      bitrate: 300_000,
      passes: 2,
      frameRate: 24,
      onWarning: (message: string) => void told.push(message),
    } as const;
    const { warnings } = await encodeFiles(at('half.mkv'), at('told.m1v'), { ...QUICK, ...twice });
    expect(warnings).toEqual(told);
    const of = (words: RegExp) => told.filter(message => words.test(message));
    expect(of(/^removed what a killed run had left/)).toHaveLength(1);
    expect(of(/damaged or ends early/)).toHaveLength(1);
    expect(of(/no place for sound: there is no sound \(audio none says so beforehand\)$/)).toHaveLength(1);
    expect(existsSync(leftover)).toBe(false);
  });

  it('takes an option that is undefined for one that is left out', async () => {
    const own = 'passes audio audioBitrate frames size crop scale aspect background recon vectors stdin overwrite';
    const more = 'deinterlace toBt601 damage onProgress'.split(' ');
    const names = [...Object.keys(ENCODER_OPTIONS), ...own.split(' '), ...more];
    const none = Object.fromEntries(names.map(name => [name, undefined]));
    for (const ending of ['mpg', 'ts']) {
      const given = { preset: 'fast', threads: 1, estimator: 'cpu-log' } as const;
      await encodeFiles(at('clip.y4m'), at(`given.${ending}`), given);
      await encodeFiles(at('clip.y4m'), at(`undefined.${ending}`), { ...none, ...given });
      expect(readFileSync(at(`undefined.${ending}`)).equals(readFileSync(at(`given.${ending}`))), ending).toBe(true);
    }
  });

  it('tells of a damaged video, or rejects it', async () => {
    const told: string[] = [];
    const half = { ...QUICK, audio: 'none' as const, onWarning: (message: string) => void told.push(message) };
    const { frames, warnings } = await encodeFiles(at('half.mkv'), at('half.mpg'), half);
    expect(frames).toBeLessThan(FRAMES);
    expect(warnings).toEqual(told);
    expect(told.join()).toMatch(/half\.mkv is damaged or ends early/);
    mkdirSync(at('strict'));
    await expect(
      encodeFiles(at('half.mkv'), at('strict', 'a.mpg'), { ...half, damage: 'error' }),
    ).rejects.toMatchObject({
      name: 'InputError',
      message: expect.stringMatching(/half\.mkv is damaged or ends early.*: nothing was kept$/),
    });
    expect(readdirSync(at('strict'))).toEqual([]);
  });
});

it('leaves nothing with a signal that outlives it', async () => {
  const { signal } = new AbortController();
  await encodeFiles(at('clip.y4m'), at('signalled.m1v'), { ...QUICK, signal });
  await expect(encodeFiles(at('notes.txt'), at('signalled.m1v'), { ...QUICK, signal })).rejects.toThrow();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('an abort', () => {
  const reason = new Error('enough');

  it.each<[when: string, input: string, options: (stop: AbortController) => EncodeFilesOptions]>([
    [
      'before the start',
      'clip.y4m',
      stop => {
        stop.abort(reason);
        return {};
      },
    ],
    ['after two pictures', 'movie.mkv', stop => ({ onProgress: done => done === 2 && stop.abort(reason) })],
    [
      'in the first of two passes',
      'clip.y4m',
      stop => ({ bitrate: 90_000, passes: 2, onProgress: () => stop.abort(reason) }),
    ],
    [
      'while the estimator does not answer',
      'clip.y4m',
      stop => {
        const traits = { name: 'stuck', runsOn: 'js', exhaustive: false } as const;
        const estimate = () => {
          stop.abort(reason);
          return new Promise<never>(() => {});
        };
        return { estimator: async () => ({ traits, device: 'a test', estimate, close: async () => {} }) };
      },
    ],
    [
      'while the input gives no more',
      '-',
      stop => ({
        stdin: (async function* () {
          yield readFileSync(at('clip.y4m'));
          stop.abort(reason);
          await new Promise(() => {});
        })(),
      }),
    ],
    [
      'while the input gives nothing',
      '-',
      stop => {
        setTimeout(() => stop.abort(reason), 20);
        return {
          stdin: (async function* () {
            yield await new Promise<Uint8Array>(() => {});
          })(),
        };
      },
    ],
  ])('%s rejects with its reason, and leaves nothing', async (when, input, options) => {
    const place = at(`abort ${when}`);
    mkdirSync(place);
    const stop = new AbortController();
    const more = { ...options(stop), recon: join(place, 'b.y4m'), signal: stop.signal };
    const encoding = encodeFiles(input === '-' ? input : at(input), join(place, 'a.mpg'), { ...QUICK, ...more });
    await expect(encoding).rejects.toBe(reason);
    expect(readdirSync(place)).toEqual([]);
  });
});

describe('a callback that fails', () => {
  const reason = new Error('the database is away');
  const fails = () => {
    throw reason;
  };

  it.each<[name: string, callbacks: EncodeFilesOptions]>([
    ['onProgress', { onProgress: fails }],
    ['an asynchronous onProgress', { onProgress: async done => done === 2 && fails() }],
    ['an asynchronous onProgress in the first pass', { bitrate: 90_000, passes: 2, onProgress: async () => fails() }],
    ['onWarning', { bitrate: 1000, onWarning: fails }],
    ['an asynchronous onWarning', { bitrate: 1000, onWarning: async () => fails() }],
    ['an asynchronous onPicture', { onPicture: async () => fails() }],
  ])('%s: rejects with its reason, and leaves nothing', async (name, callbacks) => {
    const place = at(`failed ${name}`);
    mkdirSync(place);
    await expect(encodeFiles(at('clip.y4m'), join(place, 'a.mpg'), { ...QUICK, ...callbacks })).rejects.toBe(reason);
    expect(readdirSync(place)).toEqual([]);
  });

  it('after the end, fails nothing', async () => {
    let end: (_: unknown) => void = () => {};
    const ended = new Promise(resolve => (end = resolve));
    const onProgress = async () => ended.then(fails);
    await encodeFiles(at('clip.y4m'), at('ended.m1v'), { ...QUICK, onProgress });
    end(undefined);
    await expect(ended.then(fails)).rejects.toBe(reason);
  });
});

describe('a mistake', () => {
  it.each<[input: string, output: string, options: object, message: string | RegExp]>([
    ['clip.y4n', 'x.mpg', {}, /^no such file or folder: .*clip\.y4n \(did you mean clip\.y4m\?\)$/],
    ['clip.y4m', 'x.mgp', {}, /ends in \.mgp \(did you mean \.mpg\?\): use one of /],
    [
      'clip.y4m',
      'existing.mpg',
      { overwrite: false },
      /existing\.mpg exists already: choose another name, or use overwrite$/,
    ],
    ['clip.y4m', 'existing.mpg', { overwrite: undefined }, /existing\.mpg exists already/],
    ['clip.y4m', 'clip.y4m', {}, /^output and the input are both .*: choose another file for one$/],
    ['clip.y4m', 'existing.mpg', { audio: at('existing.mpg') }, /^output and audio are both .*existing\.mpg: choose/],
    ['clip.y4m', 'x.mpg', { vectors: at('x.mpg') }, /^vectors and output are both .*x\.mpg: choose/],
    ['clip.y4m', 'x.mpg', { recon: '-' }, /^recon - is not possible: use a file/],
    ['clip.y4m', '-', {}, "output '-' is not the name of a file"],
    ['clip.y4m', 'x.mpg', { bitRate: 3 }, "the option 'bitRate' does not exist; did you mean bitrate?"],
    ['clip.y4m', 'x.mpg', { fames: 3 }, "the option 'fames' does not exist; did you mean frames?"],
    [
      'clip.y4m',
      'x.mpg',
      { width: 3 },
      "the option 'width' does not exist; the type EncodeFilesOptions lists the legal ones",
    ],
    ['clip.y4m', 'x.mpg', { preset: 'fats' }, /^preset 'fats' does not exist \(did you mean fast\?\); legal: /],
    ['clip.y4m', 'x.mpg', { damage: 'eror' }, /^damage 'eror' does not exist \(did you mean error\?\); legal: /],
    ['clip.y4m', 'x.mpg', { frameRate: 15 }, /^frameRate 15 is not one of MPEG-1's rates; legal: /],
    ['slow.y4m', 'x.mpg', {}, /has 15 frames per second.*: choose one with frameRate; legal: /],
    ['clip.y4m', 'x.mpg', { frames: 0 }, 'frames 0 is not a whole number of 1 or more'],
    ['clip.y4m', 'x.mpg', { passes: 2 }, 'passes 2 needs bitrate'],
    ['clip.y4m', 'x.mpg', { passes: 3 }, 'passes 3 does not exist; legal: 1, 2'],
    ['clip.y4m', 'x.mpg', { frames: '3' }, "frames '3' is not a whole number of 1 or more"],
    ['clip.y4m', 'x.mpg', { frames: { first: 3 } }, 'frames {"first":3} is not a whole number of 1 or more'],
    [
      'clip.y4m',
      'x.mpg',
      { matrix: 'tune' },
      "matrix 'tune' does not exist (did you mean tuned?); legal: standard, flat, tuned",
    ],
    ['clip.y4m', 'x.mpg', { recon: 'r.yuv' }, 'recon r.yuv would be y4m: give it a name that ends in .y4m'],
    ['clip.y4m', 'x.mpg', { matrix: 'tuned' }, 'matrix tuned needs passes 2'],
    ['clip.y4m', 'x.mpg', { target: 'jsmpeg' }, /^target jsmpeg is for \.ts, which JSMpeg plays, not for .*x\.mpg$/],
    ['clip.y4m', 'x.mpg', { target: 'vcd' }, /^target vcd needs .*: scale and frameRate change it$/],
    ['clip.y4m', 'x.mpg', { audio: 'nnoe' }, /^audio nnoe cannot be read: .* \(did you mean none\?\)$/],
    ['clip.y4m', 'x.m1v', { audio: 'notes.txt' }, /^audio notes\.txt: .*x\.m1v takes the bare video stream/],
    [
      'clip.y4m',
      'x.mpg',
      { audio: 'none', audioBitrate: 64_000 },
      /^audioBitrate is for sound, which audio none leaves out/,
    ],
    ['clip.y4m', 'x.mpg', { audioBitrate: '64k' }, /^audioBitrate '64k' is not .* Layer II; legal: .*, 384000 /],
    ['movie.mkv', 'x.mpg', { audioBitrate: 384_000 }, /^audioBitrate 384000 is .* one channel; legal: 32000, /],
    [
      'clip.y4m',
      'x.mpg',
      { crop: { width: 64, height: 8, x: 0, y: 0 } },
      /^crop 64x8\+0\+0 does not lie within .*, which is 48x32$/,
    ],
    ['clip.y4m', 'x.mpg', { recon: 'none/r.y4m' }, /^output folder does not exist: none/],
    ['clip.y4m', 'x.mpg', { recon: 5 }, 'recon 5 is not the name of a file'],
    ['clip.y4m', 'x.mpg', { vectors: null }, 'vectors null is not the name of a file'],
    ['clip.y4m', 'x.mpg', { overwrite: 'yes' }, "overwrite 'yes' is not true or false"],
    ['clip.y4m', 'x.mpg', { deinterlace: 5 }, 'deinterlace 5 is not true or false'],
    ['clip.y4m', 'x.mpg', { stdin: 5 }, 'stdin 5 is not a stream of bytes, or another iterable of them'],
    ['clip.y4m', 'x.mpg', { signal: 5 }, 'signal 5 is not an AbortSignal'],
    ['clip.y4m', 'x.mpg', { onProgress: 5 }, 'onProgress 5 is not a function'],
    ['clip.y4m', 'x.mpg', { onWarning: 5 }, 'onWarning 5 is not a function'],
    ['clip.y4m', 'x.mpg', { onPicture: 'log' }, "onPicture 'log' is not a function"],
    ['clip.y4m', 'x.mpg', { q: 4, quality: 50 }, 'q and quality exclude each other: choose one'],
    ['notes.txt', 'x.mpg', {}, /notes\.txt: it is text, no video$/],
  ])('of %s to %s with %o says what would be right', async (input, output, options, message) => {
    const encoding = encodeFiles(at(input), output === '-' ? output : at(output), { ...QUICK, ...options });
    const error: Error = await encoding.then(
      () => new Error('it was encoded'),
      (reason: Error) => reason,
    );
    expect(['OptionError', 'InputError'], error.message).toContain(error.name);
    if ('recon' in options) expect(error).toHaveProperty('option', 'recon');
    if (typeof message === 'string') expect(error.message).toBe(message);
    else expect(error.message).toMatch(message);
    expect(readdirSync(folder).filter(name => /\bx\.|^\.x/.test(name))).toEqual([]);
  });

  it.each([null, 5])('of options that are %s says what would be right', async options => {
    const encoding = encodeFiles(at('clip.y4m'), at('x.mpg'), options as unknown as EncodeFilesOptions);
    await expect(encoding).rejects.toThrow(new OptionError('options', `the options are ${options}, not an object`));
  });

  it('of an output that is no name says so', async () => {
    await expect(encodeFiles(at('clip.y4m'), 5 as never)).rejects.toThrow('output 5 is not the name of a file');
  });
});
