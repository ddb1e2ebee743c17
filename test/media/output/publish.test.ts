// Several outputs get their names together, or none does.
import fs, {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { OutputFile } from '../../../src/media/output/output-file.js';
import { publish } from '../../../src/media/output/publish.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

const root = temporaryFolder();
let folder = root;
const at = (name: string) => join(folder, name);
const textOf = (name: string) => readFileSync(at(name), 'latin1');

beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
});

/** Outputs that are complete, in this order. */
async function complete(names: readonly string[], overwrite: boolean) {
  const places = [];
  for (const name of names) {
    const file = await OutputFile.open(at(name), { overwrite });
    await file.write(Buffer.from(`new ${name}`));
    await file.complete();
    places.push(file.place);
  }
  return places;
}

it('all appear, over older files', async () => {
  writeFileSync(at('a'), 'old a');
  const places = await complete(['a', 'b', 'c'], true);
  expect(publish(places)).toEqual(['a', 'b', 'c'].map(at));
  expect(readdirSync(folder)).toEqual(['a', 'b', 'c']);
  expect(['a', 'b', 'c'].map(textOf)).toEqual(['new a', 'new b', 'new c']);
});

it.runIf(process.platform !== 'win32')('have the permissions of the files that they replace', async () => {
  for (const name of ['a', 'b']) writeFileSync(at(name), 'old', { mode: 0o600 });
  chmodSync(at('b'), 0o664);
  publish(await complete(['a', 'b'], true));
  expect(['a', 'b'].map(name => statSync(at(name)).mode & 0o777)).toEqual([0o600, 0o664]);
});

it.each([true, false])('if one cannot, those before it go again; overwrite: %s', async overwrite => {
  const places = await complete(['a', 'b', 'c'], overwrite);
  mkdirSync(at('c'));
  expect(() => publish(places)).toThrow(
    /c cannot be written: E.+ is whole in .+a\.partial, .+b\.partial, .+c\.partial$/,
  );
  expect(readdirSync(folder)).toEqual(['a.partial', 'b.partial', 'c', 'c.partial']);
  expect(['a', 'b', 'c'].map(name => textOf(`${name}.partial`))).toEqual(['new a', 'new b', 'new c']);
});

it('if one cannot, and parts cannot either, nothing is left', async () => {
  const places = await complete(['a', 'b'], false);
  mkdirSync(at('b'));
  mkdirSync(at('b.partial'));
  expect(() => publish(places)).toThrow(/b cannot be written: E[^;]+; no part of it could be kept$/);
  expect(readdirSync(folder)).toEqual(['b', 'b.partial']);
});

it('if one cannot, what those before it replaced is put back', async () => {
  writeFileSync(at('a'), 'old a');
  symlinkSync('a', at('b'));
  const places = await complete(['a', 'b', 'c'], true);
  mkdirSync(at('c'));
  expect(() => publish(places)).toThrow(/c cannot be written: E/);
  expect(readdirSync(folder)).toEqual(['a', 'a.partial', 'b', 'b.partial', 'c', 'c.partial']);
  expect(textOf('a')).toBe('old a');
  expect(readlinkSync(at('b'))).toBe('a');
});

it('if one cannot replace an older one, no second name of the older one is left', async () => {
  writeFileSync(at('a'), 'old a');
  const places = await complete(['a', 'b'], true);
  const { renameSync } = fs;
  const rename = vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    if (to === at('a')) throw Object.assign(new Error('EIO: i/o error, rename'), { code: 'EIO' });
    renameSync(from, to);
  });
  syncBuiltinESMExports();
  expect(() => publish(places)).toThrow(/a cannot be written: EIO/);
  rename.mockRestore();
  syncBuiltinESMExports();
  expect(readdirSync(folder)).toEqual(['a', 'a.partial', 'b.partial']);
  expect(textOf('a')).toBe('old a');
});

it('parts are kept together, too', async () => {
  writeFileSync(at('a.partial'), 'older part');
  const places = await complete(['a', 'b'], false);
  mkdirSync(at('b.partial'));
  expect(() => publish(places, { asPartial: true })).toThrow(/b\.partial cannot be written: E/);
  expect(readdirSync(folder)).toEqual(['a.partial', 'b.partial']);
  expect(textOf('a.partial')).toBe('older part');
});

it.each([
  { code: 'EIO', what: 'a disk that fails', fails: true },
  { code: 'ERR_ACCESS_DENIED', what: "Node's permission model, which has no fsyncSync", fails: false },
])('a folder that is not flushed: $what', async ({ code, fails }) => {
  const file = await OutputFile.open(at('a'), {});
  const flush = vi.spyOn(fs, 'fsyncSync').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
  syncBuiltinESMExports();
  const outcome = await file.finish().then(
    () => 'finished',
    error => error.message,
  );
  expect(flush).toHaveBeenCalled();
  flush.mockRestore();
  syncBuiltinESMExports();
  if (fails) expect(outcome).toMatch(/the folder .* cannot be written to the disk/);
  else expect(outcome).toBe('finished');
  expect(readdirSync(folder)).toEqual(['a']);
});
