// Every output is on the disk before it has its name, and its name before the command ends.
import fs from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { writeY4m } from '../../samples/write-frames.js';
import { readWithPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';
import { runCliHere } from './run-cli.js';

/** What happened to files, in order; a file is known by its inode, whatever its name. */
type Step = { readonly step: 'flush' | 'name'; readonly inode: number };

const root = temporaryFolder();
readWithPackagedFfmpeg();
const steps: Step[] = [];
const restores: (() => void)[] = [];

/** Puts something in the place of a function of `owner` until the test ends. */
function replace<Owner extends object>(owner: Owner, name: keyof Owner, replacement: unknown): void {
  const original = owner[name];
  owner[name] = replacement as Owner[keyof Owner];
  restores.push(() => {
    owner[name] = original;
  });
}

/** Has every flush noted, and every name that a file gets. */
async function watch(failure?: Error): Promise<void> {
  steps.length = 0;
  const { fsyncSync, linkSync, renameSync, fstatSync, lstatSync } = fs;
  replace(fs, 'fsyncSync', (descriptor: number) => {
    steps.push({ step: 'flush', inode: fstatSync(descriptor).ino });
    if (failure && fstatSync(descriptor).isDirectory()) throw failure;
    fsyncSync(descriptor);
  });
  for (const [name, original] of Object.entries({ linkSync, renameSync })) {
    replace(fs, name as 'linkSync', (from: string, to: string) => {
      steps.push({ step: 'name', inode: lstatSync(from).ino });
      original(from, to);
    });
  }
  syncBuiltinESMExports();
  const handle = await open(root);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const { sync } = prototype;
  replace(prototype, 'sync', async function (this: FileHandle) {
    const { ino } = await this.stat();
    await sync.call(this);
    steps.push({ step: 'flush', inode: ino });
  });
}

afterEach(() => {
  for (const restore of restores.splice(0)) restore();
  syncBuiltinESMExports();
});

beforeAll(async () => {
  fs.mkdirSync(join(root, 'other'));
  await writeY4m(
    join(root, 'clip.y4m'),
    generateSample({ kind: 'pan', width: 32, height: 32, frames: 3, seed: 1 }),
    25,
    () => {},
  );
});

/** A file was flushed, then named; then the folder with the name was flushed. */
function expectLasting(path: string): void {
  const { ino: inode } = fs.statSync(path);
  const folder = fs.statSync(dirname(path)).ino;
  const named = steps.findLastIndex(({ step, inode: other }) => step === 'name' && other === inode);
  const isFlush = (of: number) => (each: Step) => each.step === 'flush' && each.inode === of;
  expect(named, `${basename(path)} got its name`).toBeGreaterThanOrEqual(0);
  expect(steps.slice(0, named).some(isFlush(inode)), `${basename(path)} was flushed before`).toBe(true);
  expect(steps.slice(named).some(isFlush(folder)), `its folder was flushed after`).toBe(true);
}

describe('an output is flushed, named, and its name flushed', () => {
  it.each([
    ['encode clip.y4m -o a.mpg --recon a-recon.y4m --vectors a.jsonl', ['a.mpg', 'a-recon.y4m', 'a.jsonl']],
    ['encode clip.y4m -o b.mkv', ['b.mkv']],
    ['encode clip.y4m -o a.mpg --overwrite', ['a.mpg']],
    ['encode clip.y4m -o f.m1v --recon other/f.y4m', ['f.m1v', 'other/f.y4m']],
    ['plan clip.y4m -o plan.json', ['plan.json']],
    ['encode-chunk plan.json 0 -o 0.chunk', ['0.chunk']],
    ['assemble plan.json 0.chunk -o c.m1v', ['c.m1v']],
    ['estimate clip.y4m --vectors e.jsonl --overlay overlay', ['e.jsonl', 'overlay/pair0000-vectors.png', 'overlay']],
    ['compare clip.y4m --estimators zero --qs 8 --report report.html --csv r.csv', ['report.html', 'r.csv']],
  ])('by %s', async (command, files) => {
    await watch();
    const run = await runCliHere([...command.split(' '), '--quiet'], { cwd: root });
    expect(run).toMatchObject({ status: 0, stderr: '' });
    for (const file of files) {
      if (file !== 'overlay') expectLasting(join(root, file));
      else expect(steps.slice(0, 3)).toContainEqual({ step: 'flush', inode: fs.statSync(root).ino });
    }
  });
});

describe('a folder that cannot be flushed', () => {
  it('is an error where the disk fails, and none where a file system flushes no folders', async () => {
    const failing = Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
    await watch(failing);
    const run = await runCliHere(['encode', 'clip.y4m', '-o', 'd.m1v', '--quiet'], { cwd: root });
    expect(run).toMatchObject({ status: 1 });
    expect(run.stderr).toMatch(/^mpegpu: the folder \. cannot be written to the disk: .*\n$/);
    for (const restore of restores.splice(0)) restore();
    await watch(Object.assign(new Error('EINVAL: invalid argument, fsync'), { code: 'EINVAL' }));
    const other = await runCliHere(['encode', 'clip.y4m', '-o', 'e.m1v', '--quiet'], { cwd: root });
    expect(other).toMatchObject({ status: 0, stderr: '' });
  });
});
