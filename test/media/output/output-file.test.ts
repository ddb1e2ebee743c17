// Tests of output files: when they appear, what is kept, what is removed.

import { getEventListeners } from 'node:events';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { hiddenPath } from '../../../src/media/output/hidden-name.js';
import { OutputFile } from '../../../src/media/output/output-file.js';
import { OutputPlace } from '../../../src/media/output/output-place.js';
import { formatRun, thisRun } from '../../../src/media/output/run-identity.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

const root = temporaryFolder();
let folders = 0;
function freshFolder(): string {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  return folder;
}

it('appears under its own name only when it is complete', async () => {
  const folder = freshFolder();
  const path = join(folder, 'out.mpg');
  const file = await OutputFile.open(path);
  await file.write(Buffer.from('abc'));
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\.out\.mpegpu-.+\.mpg$/)]);
  expect(file).toMatchObject({ path, bytesWritten: 3 });
  await file.finish();
  expect(readdirSync(folder)).toEqual(['out.mpg']);
  expect(readFileSync(path, 'latin1')).toBe('abc');
});

it('writes pieces of any size in the order of the calls, awaited or not', async () => {
  const pieces = fc.array(fc.oneof(fc.nat(300), fc.integer({ min: 200_000, max: 600_000 })), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(pieces, async lengths => {
      const path = join(freshFolder(), 'out.bin');
      const file = await OutputFile.open(path);
      const buffers = lengths.map((length, i) => Buffer.alloc(length, i + 1));
      await Promise.all(buffers.map(buffer => file.write(buffer)));
      await file.finish();
      expect(readFileSync(path).equals(Buffer.concat(buffers))).toBe(true);
    }),
    { numRuns: 8 },
  );
});

it('writes all bytes where the system takes a part at a time', async () => {
  const path = join(freshFolder(), 'out.bin');
  const file = await OutputFile.open(path);
  const handle = await open(root);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const write = prototype.write as (bytes: Uint8Array, offset: number, length: number) => Promise<unknown>;
  const writePart = function (this: FileHandle, bytes: Uint8Array, offset = 0) {
    return write.call(this, bytes, offset, Math.min(999, bytes.length - offset));
  };
  const parts = vi.spyOn(prototype, 'write').mockImplementation(writePart as FileHandle['write']);
  const bytes = Uint8Array.from({ length: 3000 }, (_, i) => i % 251);
  await file.write(bytes);
  await file.finish();
  expect(parts).toHaveBeenCalledTimes(4);
  parts.mockRestore();
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

it('lets bytes be reused once a write resolves', async () => {
  const path = join(freshFolder(), 'out.bin');
  const file = await OutputFile.open(path);
  const bytes = new Uint8Array(1);
  for (let i = 0; i < 5; i++) {
    bytes[0] = 65 + i;
    await file.write(bytes);
  }
  await file.finish();
  expect(readFileSync(path, 'latin1')).toBe('ABCDE');
});

it('is kept as .partial, in place of an older one', async () => {
  const folder = freshFolder();
  const path = join(folder, 'out.mpg');
  writeFileSync(`${path}.partial`, 'older');
  const file = await OutputFile.open(path);
  await file.write(Buffer.from('half'));
  expect(await file.keepPartial()).toBe(`${path}.partial`);
  expect(readdirSync(folder)).toEqual(['out.mpg.partial']);
  expect(readFileSync(`${path}.partial`, 'latin1')).toBe('half');
});

it('leaves nothing when it is discarded, twice or after finish without harm', async () => {
  const folder = freshFolder();
  const file = await OutputFile.open(join(folder, 'out.mpg'));
  await file.write(Buffer.from('x'));
  await file.discard();
  await file.discard();
  expect(readdirSync(folder)).toEqual([]);
  await expect(file.write(Buffer.from('y'))).rejects.toThrow('has been closed');
  const finished = await OutputFile.open(join(folder, 'kept.mpg'));
  await finished.finish();
  await finished.discard();
  expect(readdirSync(folder)).toEqual(['kept.mpg']);
});

it('replaces an existing file only with overwrite, and only at the end', async () => {
  const path = join(freshFolder(), 'out.mpg');
  writeFileSync(path, 'before');
  await expect(OutputFile.open(path)).rejects.toMatchObject({
    name: 'OptionError',
    option: 'overwrite',
    message: `output ${path} exists already: choose another name, or use overwrite`,
  });
  const file = await OutputFile.open(path, { overwrite: true });
  await file.write(Buffer.from('after'));
  expect(readFileSync(path, 'latin1')).toBe('before');
  await file.finish();
  expect(readFileSync(path, 'latin1')).toBe('after');
});

it.each([
  [
    'a missing folder',
    (folder: string) => join(folder, 'nowhere', 'out.mpg'),
    /^output folder does not exist: .*nowhere \(for .*out\.mpg; make it first\)$/,
  ],
  ['a folder as its name', (folder: string) => folder, /is a folder: a file name is needed$/],
  ['the name of a folder to be', (folder: string) => join(folder, 'b.m1v/'), /ends like the name of a folder/],
  ['no name', () => '', /the name of an output is empty/],
  [
    'a name that is no text',
    () => new URL('file:///tmp/a.mpg') as never,
    /^output .*a\.mpg" is not the name of a file$/,
  ],
  [
    'a name of 256 bytes',
    (folder: string) => join(folder, `${'n'.repeat(252)}.mpg`),
    /n\.mpg cannot be written: ENAMETOO/,
  ],
])('refuses %s', async (_, pathIn, message) => {
  const folder = freshFolder();
  await expect(OutputFile.open(pathIn(folder))).rejects.toMatchObject({
    name: 'OptionError',
    option: 'output',
    message: expect.stringMatching(message),
  });
  expect(readdirSync(folder)).toEqual([]);
});

it('takes bytes alone: of a text it would write zeros', async () => {
  for (const none of [undefined, 'text', [1, 2], new Float32Array(2)]) {
    const file = await OutputFile.open(join(freshFolder(), 'a.bin'));
    await expect(file.write(none as never)).rejects.toThrow(`a.bin: write takes a Uint8Array, not ${typeof none}`);
    await expect(file.finish()).rejects.toThrow('write takes a Uint8Array');
    await file.discard();
  }
});

it.runIf(existsSync('/dev/null'))('writes straight to a device', async () => {
  const file = await OutputFile.open('/dev/null');
  await file.write(Buffer.from('gone'));
  await file.finish();
  const again = await OutputFile.open('/dev/null');
  await again.discard();
  expect(existsSync('/dev/null')).toBe(true);
});

it.runIf(existsSync('/dev/full'))('says when the disk is full, for every later write too', async () => {
  const file = await OutputFile.open('/dev/full');
  await file.write(Buffer.alloc(10));
  await expect(file.write(Buffer.alloc(300_000))).rejects.toMatchObject({
    name: 'OutputError',
    message: expect.stringMatching(/^\/dev\/full cannot be written: ENOSPC/),
  });
  await expect(file.finish()).rejects.toThrow('ENOSPC');
  await file.discard();
});

it('is on the disk before it has its name, and has none if the disk fails', async () => {
  const folder = freshFolder();
  const path = join(folder, 'out.mpg');
  const file = await OutputFile.open(path);
  const other = await OutputFile.open(join(folder, 'other.mpg'));
  const handle = await open(root);
  const atSync: boolean[] = [];
  const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementation(async () => {
    atSync.push(existsSync(path));
  });
  await file.finish();
  expect(atSync).toEqual([false]);
  sync.mockRejectedValue(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', errno: -5 }));
  await expect(other.finish()).rejects.toMatchObject({
    name: 'OutputError',
    message: `${join(folder, 'other.mpg')} cannot be written: EIO: i/o error`,
  });
  sync.mockRestore();
  await handle.close();
  expect(readdirSync(folder)).toEqual(['out.mpg']);
});

it('is kept as a part when it cannot get its name, and tells the name that was asked for', async () => {
  const folder = freshFolder();
  const path = join(folder, 'out.mpg');
  const file = await OutputFile.open(path, { overwrite: true });
  mkdirSync(path);
  const error = await file.finish().catch((reason: Error) => reason);
  expect(error).toMatchObject({ name: 'OutputError', message: expect.stringMatching(/out\.mpg cannot be written: E/) });
  expect((error as Error).message).not.toContain('.mpegpu-');
  expect(readdirSync(folder)).toEqual(['out.mpg', 'out.mpg.partial']);
});

it('leaves nothing when a folder has the name of the part that is to be kept', async () => {
  const folder = freshFolder();
  const file = await OutputFile.open(join(folder, 'out.mpg'));
  mkdirSync(join(folder, 'out.mpg.partial'));
  await expect(file.keepPartial()).rejects.toMatchObject({
    name: 'OutputError',
    message: expect.stringMatching(/out\.mpg\.partial cannot be written/),
  });
  expect(readdirSync(folder)).toEqual(['out.mpg.partial']);
});

it('does not replace a file that appears during the run', async () => {
  const folder = freshFolder();
  const path = join(folder, 'out.mpg');
  const file = await OutputFile.open(path);
  writeFileSync(path, 'of another run');
  await expect(file.finish()).rejects.toMatchObject({
    name: 'OutputError',
    message: expect.stringContaining('EEXIST'),
  });
  expect(readdirSync(folder)).toEqual(['out.mpg', 'out.mpg.partial']);
  expect(readFileSync(path, 'latin1')).toBe('of another run');
});

it('is removed by an abort, at once', async () => {
  const folder = freshFolder();
  const giveUp = new AbortController();
  const file = await OutputFile.open(join(folder, 'out.mpg'), { signal: giveUp.signal });
  expect(readdirSync(folder)).toHaveLength(1);
  giveUp.abort(new Error('given up'));
  expect(readdirSync(folder)).toEqual([]);
  await expect(file.finish()).rejects.toThrow('given up');
  expect(readdirSync(folder)).toEqual([]);
});

it.runIf(existsSync('/dev/null'))('is not opened after an abort, a device neither', async () => {
  const folder = freshFolder();
  const signal = AbortSignal.abort(new Error('given up'));
  for (const path of [join(folder, 'out.mpg'), '/dev/null']) {
    await expect(OutputFile.open(path, { signal })).rejects.toThrow('given up');
  }
  expect(readdirSync(folder)).toEqual([]);
});

it.each(['finish', 'keepPartial', 'discard'] as const)('listens to no signal after %s', async end => {
  const { signal } = new AbortController();
  const file = await OutputFile.open(join(freshFolder(), 'out.mpg'), { signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await file[end]();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('leaves nothing when a file that helps to make it cannot be made, or cannot be opened', async () => {
  const folder = freshFolder();
  const place = await OutputPlace.prepare(join(folder, 'out.mp4'));
  place.addScratch('.ts');
  expect(() => place.addScratch('.ts')).toThrow(/out\.mp4 cannot be written: EEXIST/);
  expect(readdirSync(folder)).toEqual([]);
  const other = await OutputPlace.prepare(join(folder, 'out.mp4'));
  const scratch = other.addScratch('.ts');
  rmSync(scratch);
  await expect(OutputFile.openAt(other, scratch)).rejects.toMatchObject({ name: 'OptionError', option: 'output' });
  expect(readdirSync(folder)).toEqual([]);
});

it('has its own name in place of hidden ones in what other programs say, however they write them', async () => {
  const file = join(freshFolder(), '$& (1)+.mp4');
  // From here, and by the root.
  for (const path of [relative(process.cwd(), file), join(relative(process.cwd(), '/'), file)]) {
    const place = await OutputPlace.prepare(path);
    const scratch = place.addScratch('.ts');
    for (const name of [place.writePath, scratch]) {
      for (const text of [name, resolve(name), `file:${resolve(name)}`]) {
        expect(place.withoutHiddenNames(`${text}: no room`)).toBe(`${path}: no room`);
      }
    }
    place.remove();
  }
});

it.each(['there', 'gone'])(
  'replaces a symbolic link itself, and only with overwrite, whose target is %s',
  async target => {
    const folder = freshFolder();
    const path = join(folder, 'link.mpg');
    writeFileSync(join(folder, 'there'), 'untouched');
    symlinkSync(target, path);
    await expect(OutputFile.open(path)).rejects.toMatchObject({ option: 'overwrite' });
    const file = await OutputFile.open(path, { overwrite: true });
    await file.write(Buffer.from('new'));
    await file.finish();
    expect(lstatSync(path).isSymbolicLink()).toBe(false);
    expect(readFileSync(path, 'latin1')).toBe('new');
    expect(readFileSync(join(folder, 'there'), 'latin1')).toBe('untouched');
    expect(readdirSync(folder)).toEqual(['link.mpg', 'there']);
  },
);

it.runIf(existsSync('/dev/fd/0'))('writes to an open file where its descriptor is named', async () => {
  const path = join(freshFolder(), 'redirected');
  const descriptor = openSync(path, 'w');
  const file = await OutputFile.open(`/dev/fd/${descriptor}`);
  await file.write(Buffer.from('through'));
  await file.finish();
  closeSync(descriptor);
  expect(readFileSync(path, 'latin1')).toBe('through');
});

it.each([
  ['letters', `${'n'.repeat(251)}.mpg`],
  ['letters of several bytes', `${'é'.repeat(120)}😀😀.mpg`],
  ['an ending', `n.${'m'.repeat(253)}`],
])('may have the longest name that there is, of %s', async (_, name) => {
  const folder = freshFolder();
  const file = await OutputFile.open(join(folder, name));
  await file.finish();
  expect(readdirSync(folder)).toEqual([name]);
  const again = await OutputFile.open(join(folder, name), { overwrite: true });
  const kept = await again.keepPartial();
  expect(kept.endsWith('.partial')).toBe(true);
  expect(existsSync(kept)).toBe(true);
  expect(readdirSync(folder)).toHaveLength(2);
});

it('has a hidden name with room for the ending of a file that helps to make it, whatever the run', () => {
  const hidden = basename(hiddenPath(`${'n'.repeat(251)}.mp4`)).replace(formatRun(thisRun()), 'r'.repeat(30));
  expect(Buffer.byteLength(`${hidden}.m1v`)).toBeLessThanOrEqual(255);
});
