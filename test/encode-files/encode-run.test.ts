// A run that is stopped, that fails, or that takes another ffmpeg: what it keeps and says; nothing of it goes on.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { writeY4m } from '../../samples/write-frames.js';
import { encodeFiles } from '../../src/encode-files/encode-files.js';
import { type EncodeFilesOptions, jobFor } from '../../src/encode-files/encode-files-options.js';
import { type EncodeJob, runEncode, type VideoOutput } from '../../src/encode-files/encode-run.js';
import { runFirstPass } from '../../src/encode-files/first-pass.js';
import { framesUntilStopped } from '../../src/encode-files/open-input.js';
import { NO_PROGRESS } from '../../src/encode-files/progress.js';
import { Interrupted } from '../../src/encode-files/stops.js';
import { Encoder } from '../../src/encoder/encoder.js';
import { FrameSample } from '../../src/encoder/tuning/frame-sample.js';
import { OutputError } from '../../src/errors.js';
import type { FrameSource } from '../../src/media/frames/frame-source.js';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';

const folder = temporaryFolder();
readWithPackagedFfmpeg();
const at = (...parts: string[]) => join(folder, ...parts);
const QUICK: EncodeFilesOptions = { estimator: 'zero', threads: 1, preset: 'fastest' };
const TWO_PASSES = { bitrate: 90_000, passes: 2, matrix: 'tuned' } as const;
const HEADER = 'YUV4MPEG2 W48 H32 F25:1 Ip A1:1 C420jpeg\n';

beforeAll(async () => {
  const sample = generateSample({ kind: 'pan', width: 48, height: 32, frames: 6, seed: 3 });
  await writeY4m(at('clip.y4m'), sample, 25, () => {});
  // More than what pipes hold: ffmpeg does not end by itself.
  runPackagedFfmpeg('-f', 'lavfi', '-i', 'sine=r=8000:d=900', at('long.flac'));
  runPackagedFfmpeg('-f', 'lavfi', '-i', 'color=size=48x32:rate=25:d=20', '-c:v', 'ffv1', at('movie.mkv'));
});

/** What a run has shown of its progress. */
interface Shown {
  readonly label: string | undefined;
  readonly fps: number | undefined;
  last: number;
  isStopped: boolean;
}

/** A run, its signals, and what it has said. */
interface Run {
  readonly job: EncodeJob;
  readonly stop: AbortController;
  readonly abort: AbortController;
  readonly notes: string[];
  readonly shown: Shown[];
  readonly start: () => ReturnType<typeof runEncode>;
}

/** A run to be started; `onUpdate` is called with each picture of each part. */
async function run(
  input: string,
  output: string,
  options: EncodeFilesOptions,
  onUpdate: (run: Run, label: string | undefined) => void = () => {},
  more: Partial<EncodeJob> = {},
): Promise<Run> {
  const notes: string[] = [];
  const shown: Shown[] = [];
  const onWarning = (note: string) => void notes.push(note);
  const made = await jobFor(input, output, { ...QUICK, ...options }, { onWarning, onProgress: () => {} });
  const showProgress: EncodeJob['showProgress'] = (_, { label, frameRate } = {}) => {
    const fps = frameRate && frameRate.numerator / frameRate.denominator;
    const part: Shown = { label, fps, last: 0, isStopped: false };
    shown.push(part);
    return {
      begin: () => {},
      update: done => {
        part.last = done;
        onUpdate(all, label);
      },
      stop: () => {
        part.isStopped = true;
      },
    };
  };
  const [stop, abort] = [new AbortController(), new AbortController()];
  const job = { ...made, showProgress, ...more };
  const start = () => runEncode(job, { stop: stop.signal, abort: abort.signal });
  const all: Run = { job, stop, abort, notes, shown, start };
  return all;
}

/** Standard input with some y4m, which stays open. */
async function* openEnd(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
  await new Promise(() => {});
}

/** An output that keeps nothing. */
function nowhere(more: Partial<VideoOutput>): Partial<EncodeJob> {
  const nothing = async () => {};
  const video = { place: undefined, soundFrames: 0, write: nothing, complete: nothing, discard: nothing, ...more };
  return { output: '-', standardOutput: () => video };
}

/** The processes that this one has started. */
function processes(): number {
  return process.getActiveResourcesInfo().filter(name => name === 'ProcessWrap').length;
}

describe('a stop', () => {
  const stopAtOnce = ({ stop }: Run) => stop.abort();
  const endless = () => ({ stdin: openEnd(readFileSync(at('clip.y4m'))) });

  it('keeps all outputs as parts, and says nothing of sound that would have gone on', async () => {
    mkdirSync(at('parts'));
    const files = { recon: at('parts/a.y4m'), vectors: at('parts/a.jsonl'), audio: at('long.flac') };
    const { start, notes, shown } = await run('-', at('parts/a.mpg'), { ...endless(), ...files }, stopAtOnce);
    const { audio, audioNote, output, interrupted, statistics } = await start();
    expect([output, interrupted, audioNote, notes]).toEqual([at('parts/a.mpg.partial'), true, null, []]);
    expect(audio!.seconds).toBeLessThan(1);
    expect(readdirSync(at('parts'))).toEqual(['a.jsonl.partial', 'a.mpg.partial', 'a.y4m.partial']);
    expect(shown).toEqual([{ label: undefined, fps: 25, last: statistics.frames, isStopped: true }]);
  });

  it('before the first picture keeps nothing', async () => {
    mkdirSync(at('none'));
    const showProgress = () => {
      stopped.stop.abort();
      return NO_PROGRESS;
    };
    const stdin = openEnd(Buffer.from(`${HEADER}FRAME\n`));
    const stopped = await run('-', at('none/a.mpg'), { stdin }, undefined, { showProgress });
    expect(await stopped.start()).toMatchObject({ output: undefined, interrupted: true });
    expect(readdirSync(at('none'))).toEqual([]);
  });

  it('of a run to standard output says so', async () => {
    const { start } = await run('-', at('a.m1v'), endless(), stopAtOnce, nowhere({}));
    expect(await start()).toMatchObject({ output: 'standard output', interrupted: true });
  });

  it.each([
    ['pass 1 of 2', 'interrupted in the first pass: nothing was kept', 1],
    ['matrix', 'interrupted while the matrix was tuned: nothing was kept', 2],
  ])('in the part %s keeps nothing', async (label, message, parts) => {
    const stopThere = ({ stop }: Run, part: string | undefined) => part === label && stop.abort();
    const { start, shown } = await run(at('clip.y4m'), at('no.m1v'), TWO_PASSES, stopThere);
    await expect(start()).rejects.toMatchObject({ name: 'Interrupted', message });
    expect(readdirSync(folder).filter(name => name.includes('no.m1v'))).toEqual([]);
    expect(shown.map(({ isStopped }) => isStopped)).toEqual(Array.from({ length: parts }, () => true));
  });

  it('names what then goes wrong, but for outputs that fail, and another interruption', async () => {
    const failing = async (error: Error) => {
      const complete = () => Promise.reject(error);
      const { start } = await run('-', at('a.m1v'), endless(), stopAtOnce, nowhere({ complete }));
      return start().catch(reason => reason);
    };
    const cause = new Error('a bolt of lightning');
    const message = 'interrupted; then an error came, so nothing was kept: a bolt of lightning';
    expect(await failing(cause)).toMatchObject({ name: 'Interrupted', message, cause });
    for (const error of [new OutputError('the disk is full'), new Interrupted('twice')]) {
      expect(await failing(error)).toBe(error);
    }
  });
});

it('shows each part of two passes, at the rate of the pictures', async () => {
  const { start, shown } = await run(at('clip.y4m'), at('shown.m1v'), TWO_PASSES);
  await start();
  const done = { last: 6, isStopped: true };
  expect(shown).toEqual([
    { label: 'pass 1 of 2', fps: 25, ...done },
    { label: 'matrix', fps: undefined, last: expect.any(Number), isStopped: true },
    { label: 'pass 2 of 2', fps: 25, ...done },
  ]);
});

it('ends when its output fails, although the input does not', async () => {
  const error = new OutputError('the disk is full');
  const stdin = openEnd(readFileSync(at('clip.y4m')));
  const { start } = await run('-', at('a.m1v'), { stdin }, () => {}, nowhere({ write: () => Promise.reject(error) }));
  await expect(start()).rejects.toBe(error);
});

it('knows the length of a short input, and codes no B pictures for .ts, however it is spelled', async () => {
  const types: string[] = [];
  const onPicture: EncodeJob['onPicture'] = ({ type }) => void types.push(type);
  const options = { preset: 'balanced', threads: undefined } as object;
  const { start } = await run(at('clip.y4m'), at('short.TS'), options, undefined, { onPicture });
  expect((await start()).statistics.threads).toBe(1); // more are of no use
  expect(types).toEqual(['I', 'P', 'P', 'P', 'P', 'P']);
});

it('a first pass gives its encoder the frames in place, but not those that the sample keeps', async () => {
  const memories: unknown[] = [];
  const frames: FrameSource['frames'] = async function* (_, memory) {
    memories.push(memory);
    yield* [];
  };
  const source = { name: 'a test', width: 48, height: 32, frames, close: async () => {} };
  const { signal } = new AbortController();
  const pass = { source, frameRate: { numerator: 25, denominator: 1 }, showProgress: () => NO_PROGRESS, signal };
  for (const sample of [undefined, new FrameSample()]) {
    const encoder = new Encoder({ width: 48, height: 32, frameRate: 25, threads: 1, estimator: 'zero', q: 4 });
    await runFirstPass({ ...pass, sample }, { stop: signal, abort: signal }, () => encoder);
    expect(memories.pop()).toBe(sample ? undefined : encoder);
  }
});

it('takes a failure of ffmpeg for the interruption that comes a moment later: Ctrl-C ends it, too', async () => {
  const stop = new AbortController();
  const frames: FrameSource['frames'] = async function* () {
    setTimeout(() => stop.abort(), 1);
    throw new Error('ffmpeg was ended by SIGINT');
  };
  const source = { name: 'a test', width: 48, height: 32, frames, close: async () => {} };
  const read = framesUntilStopped(source, stop.signal);
  expect(await read.next()).toEqual({ done: true, value: undefined });
  await expect(framesUntilStopped(source, new AbortController().signal).next()).rejects.toThrow('ended by SIGINT');
});

it.runIf(process.platform !== 'win32').each([
  ['movie.mkv', 'by-another.mp4', 'long.flac'], // pictures, sound and the copy
  ['clip.y4m', 'by-another.avi', 'none'], // the copy alone
])('says once that the ffmpeg on the PATH does not run: %s to %s', async (input, output, audio) => {
  mkdirSync(at('bin'), { recursive: true });
  writeFileSync(at('bin', 'ffmpeg'), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
  vi.stubEnv('FFMPEG_PATH', '');
  vi.stubEnv('PATH', `${at('bin')}:${process.env.PATH}`);
  const options = { ...QUICK, frames: 6, audio: audio === 'none' ? audio : at(audio) };
  const { sound, warnings } = await encodeFiles(at(input), at(output), options).finally(() => vi.unstubAllEnvs());
  expect(sound === undefined).toBe(audio === 'none');
  const told = warnings.filter(warning => /bin\/ffmpeg does not run .*ffmpeg is used instead$/.test(warning));
  expect(told).toHaveLength(1);
});

describe('a failure ends ffmpeg', () => {
  const error = new Error('a bolt of lightning');
  const fail = () => {
    throw error;
  };

  it.each<[when: string, options: EncodeFilesOptions, more: Partial<EncodeJob>, message: RegExp]>([
    ['when the output is there already', {}, {}, /exists already/],
    ['in the first pass', { bitrate: 90_000, passes: 2, overwrite: true }, {}, /lightning/],
    ['in the last pass', { overwrite: true }, {}, /lightning/],
    ['where the sound is not written', { overwrite: true }, nowhere({}), /lightning/],
  ])('%s', async (_, options, more, message) => {
    writeFileSync(at('there.mpg'), 'mine');
    const before = processes();
    const { start } = await run(at('movie.mkv'), at('there.mpg'), { audio: at('long.flac'), ...options }, fail, more);
    await expect(start()).rejects.toThrow(message);
    await expect.poll(processes).toBe(before);
    expect(readFileSync(at('there.mpg'), 'latin1')).toBe('mine');
  });
});
