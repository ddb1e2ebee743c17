// The folders: which there are, how full they may be, and that tests and SIMD kernels mirror src/.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CODE_ENDINGS, CODE_FOLDERS, filesBelow, ROOT } from './source-tree.js';

/** More files than this side by side want a folder of their own. */
const MAX_FILES_PER_FOLDER = 16;
/** Folders of test/ that stand for no folder of src/. */
const OTHER_TESTS =
  /^test\/(architecture|browser|docs|examples|fuzz|package|playground|samples|soak|support)(\/|$)|\/fixtures$/;
/** The top of src/: the layers and the two entries. */
const TOP = [
  'bitstream',
  'browser',
  'browser.ts',
  'chunks',
  'cli',
  'compare',
  'counted.ts',
  'dct',
  'encode-files',
  'encoder',
  'errors.ts',
  'farm',
  'farm.ts',
  'given-options.ts',
  'gpu',
  'index.ts',
  'kernels',
  'macroblock',
  'media',
  'motion',
  'nearest-name.ts',
  'node.ts',
  'page-url.ts',
  'pattern',
  'picture',
  'platform-types.ts',
  'portable-math.ts',
  'sort-on-gpu.ts',
  'stereo',
  'threads',
  'viewer',
  'vision.ts',
  'worker.ts',
];

const foldersOf = (files: readonly string[]) => [...new Set(files.map(path => dirname(path)))].sort();
const sources = filesBelow('src', CODE_ENDINGS);
const code = CODE_FOLDERS.flatMap(folder => filesBelow(folder, CODE_ENDINGS));

describe('folders', () => {
  it('at the top of src are the layers', () => {
    expect(readdirSync(join(ROOT, 'src')).sort()).toEqual(TOP);
  });

  it(`hold at most ${MAX_FILES_PER_FOLDER} files each`, () => {
    const full = foldersOf(sources)
      .map(folder => ({ folder, files: sources.filter(path => dirname(path) === folder).length }))
      .filter(({ files }) => files > MAX_FILES_PER_FOLDER);
    expect(full).toEqual([]);
  });

  it('of src are all named in ARCHITECTURE.md', () => {
    const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    const unnamed = foldersOf(sources).filter(
      folder => folder !== 'src' && ![folder, basename(folder)].some(name => page.includes(`\`${name}\``)),
    );
    expect(unnamed).toEqual([]);
  });

  it('of test mirror those of src', () => {
    const folders = foldersOf(filesBelow('test', CODE_ENDINGS)).filter(folder => !OTHER_TESTS.test(folder));
    expect(folders.length).toBeGreaterThan(20);
    const strays = folders.filter(folder => !existsSync(join(ROOT, folder.replace(/^test/, 'src'))));
    expect(strays).toEqual([]);
  });

  it('of assembly mirror those of src', () => {
    const folders = foldersOf(filesBelow('assembly', CODE_ENDINGS));
    expect(folders).toContain('assembly/dct');
    const strays = folders.filter(folder => !existsSync(join(ROOT, folder.replace(/^assembly/, 'src'))));
    expect(strays).toEqual([]);
  });
});

/** The first line of a file; of a command, the line after `#!`. */
function opening(path: string): string {
  const [first = '', second = ''] = readFileSync(join(ROOT, path), 'utf8').split('\n', 2);
  return first.startsWith('#!') ? second : first;
}

describe('files', () => {
  it('open with a line that says what they are for', () => {
    const silent = code.filter(path => !/^\/\/ \S.{6,116}\.$/.test(opening(path)));
    // The hashes of whole streams stay as they are, to the byte.
    expect(silent.filter(path => path !== 'test/encoder/golden.test.ts')).toEqual([]);
  });

  it('of one folder open with different lines', () => {
    const openings = code.map(path => `${dirname(path)}: ${opening(path)}`);
    expect(openings.filter((line, i) => openings.indexOf(line) !== i)).toEqual([]);
  });
});
