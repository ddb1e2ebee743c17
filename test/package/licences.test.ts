// The licences of all that npm installs for users are those that docs/licences.md states.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/source-tree.js';
import { proseOf, textOf } from '../docs/pages.js';

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
}

/** Licences that ask for no more than a notice. */
const PERMISSIVE = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Unlicense'];

/** Programs and shared libraries under other licences: none of them becomes part of our code. */
const OTHERS: readonly (readonly [package_: RegExp, licence: RegExp])[] = [
  [/^@ffmpeg-installer\//, /^(GPLv3|LGPL-2\.1|https:\/\/git\.ffmpeg\.org\/.*LICENSE\.md)$/],
  [/^@img\/sharp-libvips-/, /^LGPL-3\.0-or-later$/],
  [/^@img\/sharp-(win32|wasm32)/, /^Apache-2\.0 AND LGPL-3\.0-or-later( AND MIT)?$/],
  [/^async$/, /^none$/], // its file LICENSE is MIT
];

const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, Locked> };
const manifest = JSON.parse(textOf('package.json')) as Record<
  'dependencies' | 'optionalDependencies',
  Record<string, string>
>;
const direct = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });

/** What users install on one platform or another: name and licence. */
const installed = Object.entries(packages)
  .filter(([path, { dev }]) => path !== '' && !dev)
  .map(([path, { license = 'none' }]) => ({ name: path.replace(/^.*node_modules\//, ''), licence: license }));

describe('licences', () => {
  it('of every package that users install are legal', () => {
    expect(installed.length).toBeGreaterThan(100);
    const illegal = installed.filter(
      ({ name, licence }) =>
        !PERMISSIVE.includes(licence) && !OTHERS.some(([names, legal]) => names.test(name) && legal.test(licence)),
    );
    expect(illegal).toEqual([]);
  });

  it('of the package without one are in a file', () => {
    expect(readFileSync(join(ROOT, 'node_modules', 'async', 'LICENSE'), 'utf8')).toContain('Permission is hereby');
  });

  it('of the packages that are imported are in docs/licences.md', () => {
    const rows = [...proseOf('docs/licences.md').matchAll(/^\| `([^`]+)` \| ([^|]+) \| [^|]+ \|$/gm)];
    const stated = rows
      .map(([, name = '', licence = '']) => [name, licence])
      .filter(([name]) => direct.includes(name!));
    const licenceOf = (name: string) => packages[`node_modules/${name}`]!.license;
    expect(stated.sort()).toEqual(direct.map(name => [name, licenceOf(name)]).sort());
  });
});

describe('npm run sbom', () => {
  let list: { readonly bomFormat: string; readonly components: readonly { name: string; licenses?: unknown[] }[] };

  beforeAll(() => {
    execFileSync(process.execPath, [join(ROOT, 'scripts', 'sbom.mjs')], { stdio: 'pipe' });
    list = JSON.parse(textOf('dist/mpegpu.cdx.json')) as typeof list;
  });

  it('lists what users install, with licences, and nothing of ours', () => {
    expect(list.bomFormat).toBe('CycloneDX');
    const names = list.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(direct));
    expect(names).not.toContain('typescript');
    const bare = list.components.filter(({ licenses }) => !licenses?.length).map(({ name }) => name);
    // npm takes names of SPDX only: not GPLv3.
    expect(bare.filter(name => !name.startsWith('@ffmpeg-installer/'))).toEqual(['async']);
  });
});
