// Hidden files that a killed run has left: whose they are, and when they are removed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { hiddenPath } from '../../../src/media/output/hidden-name.js';
import { removeLeftoversIn } from '../../../src/media/output/leftovers.js';
import { OutputFile } from '../../../src/media/output/output-file.js';
import { formatRun, hasEnded, type RunIdentity, thisRun } from '../../../src/media/output/run-identity.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

const root = temporaryFolder();
const own = thisRun();
const gone: RunIdentity = { ...own, pid: spawnSync(process.execPath, ['--version']).pid };
let folder = root;
let said: string[] = [];
const onLeftover = (message: string) => said.push(message);

beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
  said = [];
});

/** Makes a hidden file of `run` for the output `name`; returns its name. */
function hiddenOf(run: RunIdentity, name: string, scratchEnding = ''): string {
  const path = `${hiddenPath(join(folder, name)).replace(formatRun(own), formatRun(run))}${scratchEnding}`;
  writeFileSync(path, 'half');
  return basename(path);
}

it('a run has ended if its process has gone, or if another one has its number', () => {
  expect(hasEnded(own)).toBe(false);
  expect(hasEnded(gone)).toBe(true);
  expect(hasEnded({ ...own, start: 'never' })).toBe(true);
  expect(hasEnded({ ...gone, machine: 'ffffff' })).toBeUndefined();
});

it.runIf(process.platform === 'linux')('a run that goes on is known by the number and the start of its process', () => {
  const parent = { ...own, pid: process.ppid };
  expect(hasEnded({ ...parent, start: 'earlier' })).toBe(true);
  expect(readdirSync('/proc')).toContain(String(process.ppid));
});

/** The state of a process and its start, fields 3 and 22 of its line, as proc(5) has it. */
function stateOf(pid: number): { state: string; start: string } {
  const [state = '', ...others] = /^\d+ \(.*\) (.*)$/s
    .exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))![1]!
    .split(' ');
  return { state, start: Number(others[18]).toString(36) };
}

/** Runs a shell's line until the test ends; resolves to the number that it prints. */
async function started(line: string, shell = '/bin/sh'): Promise<{ child: ChildProcess; pid: number }> {
  const child = spawn(shell, ['-c', line], { stdio: ['pipe', 'pipe', 'ignore'] });
  const [printed] = await once(child.stdout!, 'data');
  return { child, pid: Number(printed) };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(resolve => setTimeout(resolve, 5));
}

describe.runIf(process.platform === 'linux')('another run', () => {
  it('goes on while its process has the same start, whatever the name of its program', async () => {
    const shell = join(folder, 'odd) Z 1 2 (sh');
    symlinkSync('/bin/sh', shell);
    const { child, pid } = await started('echo $$; read line', shell);
    const { start } = stateOf(pid);
    expect(hasEnded({ ...own, pid, start })).toBe(false);
    expect(hasEnded({ ...own, pid, start: `${start}0` })).toBe(true);
    child.kill();
  });

  it('has ended when its process waits only to be asked for its exit status', async () => {
    // `sleep` does not know of the child that the shell before it had, and asks for no exit status.
    const { child, pid } = await started('exec 3<&0; cat <&3 & echo $!; exec sleep 60');
    await until(() => readFileSync(`/proc/${child.pid}/comm`, 'latin1') === 'sleep\n');
    child.stdin!.end();
    await until(() => stateOf(pid).state === 'Z');
    expect(hasEnded({ ...own, pid, start: stateOf(pid).start })).toBe(true);
    child.kill();
  });
});

it('one that cannot be removed is named', async () => {
  const name = hiddenOf(gone, 'out.mpg').replace('out', 'taken');
  mkdirSync(join(folder, name));
  await removeLeftoversIn(folder, onLeftover);
  expect(readdirSync(folder)).toEqual([name]);
  expect(said).toEqual([
    expect.stringMatching(/^removed .*\.out\./),
    `left ${join(folder, name)}: another machine may be writing there; if none is, remove it`,
  ]);
});

it('the next run of the same output removes and names them', async () => {
  const names = [hiddenOf(gone, 'out.mp4'), hiddenOf(gone, 'out.mp4', '.ts')];
  const others = [hiddenOf(gone, 'other.mp4'), hiddenOf(gone, 'out.y4m'), hiddenOf(own, 'out.mp4')];
  writeFileSync(join(folder, '.out.mp4'), 'of the user');
  const file = await OutputFile.open(join(folder, 'out.mp4'), { onLeftover });
  await file.finish();
  expect(readdirSync(folder).sort()).toEqual([...others, '.out.mp4', 'out.mp4'].sort());
  expect(said).toEqual([expect.stringMatching(/^removed what a killed run had left behind: /)]);
  for (const name of names) expect(said[0]).toContain(join(folder, name));
});

it('those of another machine stay, and are named', async () => {
  const name = hiddenOf({ ...gone, machine: '012345' }, 'out.mpg');
  await removeLeftoversIn(folder, onLeftover);
  expect(readdirSync(folder)).toEqual([name]);
  expect(said).toEqual([expect.stringMatching(/^left .*012345.*another machine may be writing there/)]);
});

it('are left alone where nobody is told', async () => {
  const name = hiddenOf(gone, 'out.mpg');
  const file = await OutputFile.open(join(folder, 'out.mpg'));
  await file.discard();
  expect(readdirSync(folder)).toEqual([name]);
});
