// The process that encodes for a worker: its begin, what it tells of its steps, and its end.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { StepProgress } from '../../../src/farm/steps/farm-task.js';
import { EncoderHost } from '../../../src/farm/worker/encoder-host.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { encodersOf, hasEnded, until } from '../farm-site.js';

const ENTRY = fileURLToPath(new URL('../../../dist/farm/worker/encoder-process.js', import.meta.url));
/** As soon as the process has been told of its machine, its thread does nothing else any more. */
const STUCK = `data:text/javascript,setInterval(() => {
  if (process.listenerCount('disconnect') > 0) process.send('stuck', () => { for (;;); });
}, 10)`;
/** A worker that prints the id of such a process, once that is stuck. */
const WORKER = `
  const [entry, stuck] = process.argv.slice(1);
  const { fork } = require('node:child_process');
  const child = fork(entry, { execArgv: ['--import', stuck], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  child.send({ machine: { roots: {}, scratch: '/nowhere' } });
  child.once('message', () => console.log(child.pid));
`;
let worker: ChildProcess | undefined;
afterEach(() => worker?.kill('SIGKILL'));

it('ends after kill -9 of its worker, although its thread is stuck', async () => {
  worker = spawn(process.execPath, ['-e', WORKER, ENTRY, STUCK], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(worker.stdout!, 'data');
  const encoder = Number(line);
  expect(hasEnded(encoder)).toBe(false);
  worker.kill('SIGKILL');
  await until('the process that encodes has ended', () => hasEnded(encoder));
});

it('begins without what a killed one has left: an input that was fetched may be another one now', async () => {
  const scratch = join(temporaryFolder(), 'scratch');
  mkdirSync(join(scratch, 'input'), { recursive: true });
  writeFileSync(join(scratch, 'input/film.y4m'), 'old');
  const host = new EncoderHost({ roots: {}, scratch });
  const places = { input: 'file:in.y4m', output: 'file:out.mpg', store: 'file:store' };
  const request = { ...places, reading: {}, options: {}, sound: { audio: 'none' }, overwrite: true };
  const step = { version: '1', job: 'job', run: 'run', ...places };
  const told = { onProgress: () => {}, onWarning: () => {} };
  const run = { signal: new AbortController().signal, stallMs: 60_000, ...told };
  await expect(host.run({ kind: 'plan', step, request }, run)).rejects.toThrow(/names none/);
  expect(existsSync(join(scratch, 'input'))).toBe(false);
  await host.close();
});

it('tries a step again that found no file descriptor: it is no mistake of the request', async () => {
  const full = `data:text/javascript,import files from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    files.open = async () => { throw Object.assign(new Error('full'), { code: 'EMFILE' }); };
    syncBuiltinESMExports();`;
  vi.stubEnv('NODE_OPTIONS', `--import=${encodeURI(full)}`);
  const root = temporaryFolder();
  writeFileSync(join(root, 'film.y4m'), 'YUV4MPEG2 W16 H16 F25:1');
  const host = new EncoderHost({ roots: { file: root }, scratch: join(root, 'scratch') });
  const places = { input: 'file:film.y4m', output: 'file:out.mpg', store: 'file:store' };
  const request = { ...places, reading: {}, options: {}, sound: { audio: 'none' }, overwrite: true };
  const step = { version: '1', job: 'job', run: 'run', ...places };
  const told = { onProgress: () => {}, onWarning: () => {} };
  const run = { signal: new AbortController().signal, stallMs: 60_000, ...told };
  await expect(host.run({ kind: 'plan', step, request }, run)).rejects.toMatchObject({
    failure: { isMistake: false, reason: expect.stringMatching(/too many files open \(EMFILE\)/) },
  });
  await host.close();
  vi.unstubAllEnvs();
});

describe('a step', () => {
  const root = temporaryFolder();
  const host = new EncoderHost({ roots: { file: root }, scratch: join(root, 'scratch'), threads: 1 });
  const places = { input: 'file:film.y4m', output: 'file:out.mpg', store: 'file:store' };
  const reason = new Error('the job was cancelled');
  beforeAll(() => {
    const frame = `FRAME\n${'x'.repeat(384)}`;
    writeFileSync(join(root, 'film.y4m'), `YUV4MPEG2 W16 H16 F25:1 It A1:1 C420jpeg\n${frame}${frame}`);
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(root, 'endless.wav')]);
  });
  afterEach(() => void vi.useRealTimers());
  afterAll(() => host.close());

  /** Plans the film, with the sound of a file. `onStart` is called with the processes when they have begun to. */
  function plan(audio: string, signal: AbortSignal, onStart: (encoders: number[]) => void = () => {}) {
    const options = { q: 4, estimator: 'zero', preset: 'fastest' } as const;
    const request = { ...places, reading: {}, options, sound: { audio }, overwrite: true };
    const heard = { frames: 0, warnings: [] as string[] };
    const onProgress = ({ frames }: StepProgress) => {
      heard.frames = frames;
    };
    const onWarning = (warning: string) => {
      heard.warnings.push(warning);
      onStart(encodersOf(process.pid));
    };
    const step = { version: '1', job: 'job', run: 'run', ...places };
    const run = { signal, stallMs: 60_000, onProgress, onWarning };
    return { heard, result: host.run({ kind: 'plan', step, request }, run) };
  }

  it('is told while it is done, and leaves nothing that listens or waits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { signal } = new AbortController();
    const warnings = [expect.stringMatching(/film\.y4m is interlaced, top field first/)];
    const first = plan('none', signal);
    expect(await first.result).toMatchObject({ frames: 2, chunks: 1, needsFirstPass: false });
    expect(first.heard.warnings).toEqual(warnings);
    const second = plan('none', signal);
    expect(await second.result).toEqual(await first.result);
    expect([first.heard.warnings, second.heard.warnings]).toEqual([warnings, warnings]);
    expect([vi.getTimerCount(), getEventListeners(signal, 'abort')]).toEqual([0, []]);
  });

  it('that is over before it begins is not done', async () => {
    await expect(plan('none', AbortSignal.abort(reason)).result).rejects.toBe(reason);
  });

  it.runIf(process.platform === 'linux')('fails when its process is killed, and an abort kills it', async () => {
    const killed = plan('file:endless.wav', new AbortController().signal, encoders => {
      for (const encoder of encoders) process.kill(encoder, 'SIGKILL');
    });
    const failure = { reason: 'the process that encodes has ended (SIGKILL)', isMistake: false };
    await expect(killed.result).rejects.toMatchObject({ name: 'StepError', failure });
    const stop = new AbortController();
    const seen: number[] = [];
    const aborted = plan('file:endless.wav', stop.signal, encoders => {
      seen.push(...encoders);
      stop.abort(reason);
    });
    await expect(aborted.result).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
    await until('it has ended', () => seen.every(hasEnded));
  });
});
