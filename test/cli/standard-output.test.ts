// A standard output that takes nothing, or not everything: one line on standard error, and the exit status says so.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { writeY4m } from '../../samples/write-frames.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { CLI, listing } from './run-cli.js';

const folder = temporaryFolder();

beforeAll(() =>
  writeY4m(
    join(folder, 'in.y4m'),
    generateSample({ kind: 'pan', width: 32, height: 32, frames: 2, seed: 5 }),
    25,
    () => {},
  ),
);

/** Runs a program to its end with `path` as its standard output. */
async function runInto(path: string, program: string, args: readonly string[]) {
  const file = openSync(path, 'w');
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', file, 'pipe'] });
  closeSync(file);
  let stderr = '';
  child.stderr!.on('data', bytes => {
    stderr += bytes;
  });
  const status = await new Promise(resolve => child.on('close', resolve));
  return { status, stderr };
}

describe.runIf(existsSync('/dev/full'))('a full standard output', () => {
  it.each([
    ['a stream', 'encode in.y4m -o - --estimator zero'],
    ['the report', 'encode in.y4m -o a.m1v --estimator zero --json'],
    ['the summary of estimate', 'estimate in.y4m --estimator zero'],
    ['the help', '--help'],
  ])('%s', async (_, args) => {
    const { status, stderr } = await runInto('/dev/full', process.execPath, [CLI, ...args.split(' ')]);
    expect(stderr).toBe('mpegpu: standard output cannot be written: ENOSPC: no space left on device\n');
    expect(status).toBe(1);
    expect(listing(folder).filter(name => name.startsWith('.'))).toEqual([]);
  });
});

it.runIf(existsSync('/bin/bash'))('a file that takes only a part is a failure', async () => {
  const path = join(folder, 'help.txt');
  const limited = `ulimit -f 1; exec '${process.execPath}' '${CLI}' encode --help`;
  const { status, stderr } = await runInto(path, '/bin/bash', ['-c', limited]);
  expect(statSync(path).size).toBe(1024);
  expect(stderr).toMatch(/^mpegpu: standard output cannot be written: EFBIG[^\n]*\n$/);
  expect(status).toBe(1);
});
