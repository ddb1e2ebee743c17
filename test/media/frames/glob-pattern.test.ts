// Which files a glob pattern matches.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, win32 } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { expandGlob, partsOf } from '../../../src/media/frames/glob-pattern.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

const root = temporaryFolder();
const FILES = [
  ...['f1', 'f2', 'f08', 'f09', 'f10', 'f11', '.hidden', 'a(1)', 'a1', '!b', '+c', 'q]r', 's^t', 'back\\slash'],
  ...['one/x1', 'one/deep/x2', 'two/x3', '.secret/x4', 'take[1]/x5', 'take1/x6', 'per cent (2)/x7'],
];

beforeAll(() => {
  for (const name of FILES) {
    mkdirSync(join(root, dirname(name)), { recursive: true });
    writeFileSync(join(root, `${name}.png`), '');
  }
  mkdirSync(join(root, 'folder.png'));
  symlinkSync('nowhere.png', join(root, 'l1.png'));
  symlinkSync('f1.png', join(root, 'l2.png'));
  symlinkSync('one', join(root, 'linked'));
  symlinkSync('.', join(root, 'two', 'loop'));
});

const matchesOf = async (pattern: string) =>
  (await expandGlob(`${root}/${pattern}`)).map(path => path.slice(root.length + 1).replace(/\.png$/, '')).sort();

describe('a glob pattern', () => {
  it.each([
    ['f?.png', ['f1', 'f2']],
    ['f[0-1]*.png', ['f08', 'f09', 'f1', 'f10', 'f11']],
    ['f[!0-1]*.png', ['f2']],
    ['[!f]1.png', ['a1', 'l1']],
    ['[]q]*.png', ['q]r']],
    // A range counts, with as many digits as it is written with.
    ['f{9..11}.png', ['f10', 'f11']],
    ['f{08..10}.png', ['f08', 'f09', 'f10']],
    ['f{2..1}.png', ['f1', 'f2']],
    // Braces in braces.
    ['{f{1,0{8,9}},a1}.png', ['a1', 'f08', 'f09', 'f1']],
    ['{one,two}/*.png', ['one/x1', 'two/x3']],
    // Any folders, without hidden ones, and no folder twice.
    ['**/x*.png', ['one/deep/x2', 'one/x1', 'per cent (2)/x7', 'take1/x6', 'take[1]/x5', 'two/x3']],
    ['one/**/*.png', ['one/deep/x2', 'one/x1']],
    ['.*/*.png', ['.secret/x4']],
    ['.h*.png', ['.hidden']],
    // A link is what it leads to; one that leads nowhere is found, so that it is missed.
    ['l*.png', ['l1', 'l2']],
    ['link*/*.png', ['linked/x1']],
    // A folder that exists is taken as it is; a character with a backslash, too.
    ['take[1]/*.png', ['take[1]/x5']],
    ['take\\[1\\]/*.png', ['take[1]/x5']],
    ['tak[e][1]/*.png', ['take1/x6']],
    ['per cent (2)/*', ['per cent (2)/x7']],
    ['back\\\\*.png', ['back\\slash']],
    // What means nothing in a shell's pattern.
    ['?(1).png', ['a(1)']],
    ['{!b,+c}.png', ['!b', '+c']],
    ['s^?.png', ['s^t']],
    ['*[', []],
    ['nowhere/*.png', []],
    ['f1.png/*', []],
  ])('%s', async (pattern, matches) => {
    expect(await matchesOf(pattern)).toEqual(matches);
  });

  it('matches from the working directory on', async () => {
    expect((await expandGlob('package.jso?')).sort()).toEqual(['package.json']);
    expect(await expandGlob('./sr[c]/../package.jso[n]')).toEqual(['package.json']);
    expect(await expandGlob('src/../package.jso[n]')).toEqual(['package.json']);
  });

  it('of too many numbers is refused', async () => {
    await expect(expandGlob(`${root}/{1..1000000}.png`)).rejects.toThrow(
      `{1..1000000} stands for more than 100000 numbers`,
    );
    await expect(expandGlob(`${root}/{1..99999}.png`)).rejects.toThrow('cannot be used as a pattern');
  });
});

describe('the root of a pattern', () => {
  it.each([
    ['C:\\a\\f*.png', 'C:\\', ['a', 'f*.png']],
    ['C:/a/f*.png', 'C:/', ['a', 'f*.png']],
    ['\\\\server\\share\\a\\f*.png', '\\\\server\\share\\', ['a', 'f*.png']],
    ['\\a\\f*.png', '\\', ['a', 'f*.png']],
    ['\\\\?\\C:\\a\\f*.png', '\\\\?\\C:\\', ['a', 'f*.png']],
    ['a\\f*.png', '', ['a', 'f*.png']],
  ])('on Windows, of %s', (path, root, parts) => expect(partsOf(path, win32)).toEqual({ root, parts }));
  it.each([
    ['/a/f*.png', '/', ['a', 'f*.png']],
    ['a\\[/f*.png', '', ['a\\[', 'f*.png']],
  ])('elsewhere, of %s', (path, root, parts) => expect(partsOf(path, posix)).toEqual({ root, parts }));
});
