// The begin of a process that encodes, and its end when its worker has died.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { EncoderHost } from '../../../src/farm/worker/encoder-host.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { hasEnded, until } from '../farm-site.js';

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
