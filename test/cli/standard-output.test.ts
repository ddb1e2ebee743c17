// A standard output that takes nothing, or not everything: one line on standard error, and the exit status says so.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { writeY4m } from '../../samples/write-frames.js';
import { runCommandLine } from '../../src/cli/command-line.js';
import { writeReport } from '../../src/cli/standard-output.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { CLI, listing } from './run-cli.js';

const folder = temporaryFolder();
const input = join(folder, 'in.y4m');

beforeAll(() =>
  writeY4m(input, generateSample({ kind: 'pan', width: 32, height: 32, frames: 2, seed: 5 }), 25, () => {}),
);
afterEach(() => vi.restoreAllMocks());

/** Runs the command line here, with a standard output whose writes fail with `error`. */
async function runFailing(args: readonly string[], error: { code: string; errno: number }) {
  let stderr = '';
  vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    stderr += text;
    return true;
  });
  vi.spyOn(process.stdout, 'write').mockImplementation((_: unknown, ...rest: unknown[]) => {
    const done = rest.find(argument => typeof argument === 'function');
    done?.(Object.assign(new Error(`${error.code}: as the system says it, write`), error));
    return true;
  });
  return { status: await runCommandLine(args), stderr };
}

const ENOSPC = { code: 'ENOSPC', errno: -constants.errno.ENOSPC };
const EPIPE = { code: 'EPIPE', errno: -constants.errno.EPIPE };

const COMMANDS = [
  ['the report of encode', ['encode', input, '-o', join(folder, 'a.m1v'), '--estimator', 'zero', '--json']],
  ['the summary of encode', ['encode', input, '-o', join(folder, 'b.m1v'), '--estimator', 'zero']],
  ['the summary of estimate', ['estimate', input, '--estimator', 'zero']],
  ['the help', ['--help']],
  ['the help of a command', ['compare', '--help']],
  ['the version', ['--version']],
] as const;

it.each(COMMANDS)('full: %s', async (_, args) => {
  const { status, stderr } = await runFailing(args, ENOSPC);
  expect(stderr).toBe('mpegpu: standard output cannot be written: ENOSPC: no space left on device\n');
  expect(status).toBe(1);
});

it.each(COMMANDS.slice(2))('closed: %s', async (_, args) => {
  expect(await runFailing(args, EPIPE)).toEqual({ status: 141, stderr: '' });
});

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

it.runIf(existsSync('/dev/full'))('full: a stream, to a device', async () => {
  const args = [CLI, 'encode', input, '-o', '-', '--recon', 'r.y4m', '--estimator', 'zero'];
  const { status, stderr } = await runInto('/dev/full', process.execPath, args);
  expect(stderr).toBe('mpegpu: standard output cannot be written: ENOSPC: no space left on device\n');
  expect(status).toBe(1);
  expect(listing(folder).filter(name => /^\.|^r/.test(name))).toEqual([]);
});

it.runIf(existsSync('/bin/bash'))('full: a file that takes a part', async () => {
  const path = join(folder, 'help.txt');
  const limited = `ulimit -f 1; exec '${process.execPath}' '${CLI}' encode --help`;
  const { status, stderr } = await runInto(path, '/bin/bash', ['-c', limited]);
  expect(statSync(path).size).toBe(1024);
  expect(stderr).toMatch(/^mpegpu: standard output cannot be written: EFBIG[^\n]*\n$/);
  expect(status).toBe(1);
});

it.each([0, 1, 250_001])(
  'a report of %i pictures, which may be longer than a string can be, is written in pieces',
  async count => {
    const pieces: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((text: unknown, ...rest: unknown[]) => {
      pieces.push(text as string);
      rest.find(argument => typeof argument === 'function')?.();
      return true;
    });
    const pictures = Array.from({ length: count }, (_, frame) => ({ frame }));
    await writeReport({ bits: 5 }, pictures);
    vi.restoreAllMocks();
    expect(JSON.parse(pieces.join(''))).toEqual({ bits: 5, pictures });
    expect(pieces.at(-1)).toBe(']}\n');
    expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThan(2_000_000);
  },
);
