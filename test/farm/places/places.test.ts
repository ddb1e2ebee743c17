// Places: which URLs mean something, what a machine allows, and that a store keeps things whole.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { InputError } from '../../../src/errors.js';
import { readWhole } from '../../../src/farm/places/object-store.js';
import { parsePlace, placeIn } from '../../../src/farm/places/place-url.js';
import { Places } from '../../../src/farm/places/places.js';

const folder = mkdtempSync(join(tmpdir(), 'farm-places-'));
const root = join(folder, 'root');
mkdirSync(join(root, 'clips'), { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the URL of a place', () => {
  it.each([
    ['file:clips/a.y4m', { scheme: 'file', path: 'clips/a.y4m' }],
    ['file:./clips//a b%.y4m', { scheme: 'file', path: 'clips/a b%.y4m' }],
    ['file:..a/b', { scheme: 'file', path: '..a/b' }],
    ['s3://films/a/b.mpg', { scheme: 's3', bucket: 'films', key: 'a/b.mpg' }],
  ])('%s', (url, place) => {
    expect(parsePlace(url)).toEqual(place);
  });

  it.each([
    ...['file:', 'file:/etc/passwd', 'file:///etc/passwd', 'file:../a', 'file:a/../../b', 'file:a\\b', 'file:a\0b'],
    ...[
      's3://films',
      's3://films/',
      's3://Films/a',
      's3:///a',
      's3://films/in/../a',
      'http://here/a',
      'concat:a',
      'clip.y4m',
      '',
    ],
  ])('%j is none', url => {
    expect(() => parsePlace(url)).toThrow(/is no place of a farm; legal: file:PATH/);
  });

  it('of a name in a folder', () => {
    expect([placeIn('file:a/', 'b'), placeIn('s3://films/a', 'b/c')]).toEqual(['file:a/b', 's3://films/a/b/c']);
  });
});

describe('a machine', () => {
  const places = (roots: ConstructorParameters<typeof Places>[0]) => new Places(roots, join(folder, 'scratch'));

  it('allows what lies below its root', async () => {
    expect(await places({ file: root }).inputPath('file:clips/a.y4m')).toBe(join(root, 'clips/a.y4m'));
    const path = join(realpathSync(root), 'clips');
    expect(await places({ file: '/' }).inputPath(`file:${path.slice(1)}`)).toBe(path);
  });

  it('refuses links that lead out of its root, and roots that are not there', async () => {
    symlinkSync('/etc', join(root, 'etc'));
    writeFileSync(join(folder, 'secret'), '');
    symlinkSync(join(folder, 'secret'), join(root, 'clips/secret.y4m'));
    // To a folder whose name begins as the root's does, and to files that are not there.
    mkdirSync(`${root}-other`);
    symlinkSync(`${root}-other`, join(root, 'other'));
    symlinkSync(join(folder, 'later.mpg'), join(root, 'later.mpg'));
    symlinkSync('../../later', join(root, 'clips/later'));
    for (const name of ['a/b', 'c']) mkdirSync(join(root, name), { recursive: true });
    symlinkSync(join(root, 'c'), join(root, 'a/b/c'));
    symlinkSync('../../later', join(root, 'c/up')); // seen from a/b/c, it would lie below the root
    symlinkSync('clips/own.mpg', join(root, 'own.mpg'));
    symlinkSync('circle', join(root, 'circle'));
    const machine = places({ file: root });
    const out = ['other/new.mpg', 'later.mpg', 'clips/later', 'clips/later/new.mpg', 'a/b/c/up'];
    for (const url of out.map(path => `file:${path}`)) {
      await expect(machine.requireWritable(url, true)).rejects.toThrow(`${url} leads out of the root`);
    }
    await expect(machine.requireWritable('file:own.mpg', true)).resolves.toBeUndefined();
    await expect(machine.inputPath('file:circle')).resolves.toBe(join(root, 'circle')); // whoever reads it says so
    await expect(machine.inputPath('file:etc/passwd')).rejects.toThrow(/leads out of the root/);
    await expect(machine.inputPath('file:clips/secret.y4m')).rejects.toThrow(/leads out of the root/);
    await expect(machine.store('file:etc/new')).rejects.toThrow(/leads out of the root/);
    await expect(places({ file: join(folder, 'none') }).store('file:a')).rejects.toThrow(/root .* is not there/);
  });

  it('refuses what it has not named', async () => {
    await expect(places({}).store('file:a')).rejects.toThrow(InputError);
    await expect(places({ file: root }).store('s3://films/a')).rejects.toThrow(/no bucket .*allowed: none/);
    await expect(places({ s3: ['films/in'] }).store('s3://films/input/a')).rejects.toThrow(/allowed: films\/in/);
  });

  it('keeps what only it needs where nobody else looks', async () => {
    const machine = places({});
    expect(statSync(dirname(await machine.scratchPath('sound.mp2'))).mode & 0o777).toBe(0o700);
    await machine.close();
    expect(existsSync(join(folder, 'scratch'))).toBe(false);
  });

  it('keeps an output that is there', async () => {
    writeFileSync(join(root, 'old.mpg'), 'old');
    const machine = places({ file: root });
    await expect(machine.requireWritable('file:old.mpg', false)).rejects.toThrow(/exists already/);
    await expect(machine.requireWritable('file:old.mpg', true)).resolves.toBeUndefined();
    await expect(machine.requireWritable('file:new.mpg', false)).resolves.toBeUndefined();
    expect(readdirSync(root).filter(name => /old|new/.test(name))).toEqual(['old.mpg']);
  });

  it('refuses an output in a folder that takes none', async () => {
    await expect(places({ file: '/proc' }).requireWritable('file:new.mpg', false)).rejects.toMatchObject({
      name: 'OptionError',
      message: expect.stringMatching(/^output \/proc\/new\.mpg cannot be written: E/),
    });
  });

  it('has stores that keep things whole, and nothing beside them', async () => {
    const store = await places({ file: root }).store('file:store');
    expect(await store.open('a/b')).toBeUndefined();
    await store.put('a/b', new Uint8Array([1, 2, 3]));
    await store.put('a/b', new Uint8Array([4, 5]));
    writeFileSync(join(folder, 'local'), 'text');
    await store.putFile('a/c', join(folder, 'local'));
    expect([...(await readWhole(store, 'a/b'))!]).toEqual([4, 5]);
    expect(await (await store.open('a/c'))!.read(1, 3)).toEqual(new Uint8Array([101, 120]));
    await expect(store.putFile('a/d', join(folder, 'none'))).rejects.toThrow('ENOENT');
    expect(readdirSync(join(root, 'store/a')).sort()).toEqual(['b', 'c']);
    expect(await store.open('a')).toBeUndefined();
    await expect(store.open('../old.mpg')).rejects.toThrow(/leads out of the store/);
    await expect(store.put('a/../../old.mpg', new Uint8Array(1))).rejects.toThrow(/leads out of the store/);
  });
});
