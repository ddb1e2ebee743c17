// The package as `npm pack` makes it, in the folder of someone who uses it.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../architecture/source-tree.js';

const run = promisify(execFile);

/** What `npm pack` says of the tarball. */
export interface PackedPackage {
  /** Its size in bytes. */
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
  readonly filename: string;
}

/** Packs the package into the folder `home`. */
export async function packPackage(home: string): Promise<PackedPackage> {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', home];
  const { stdout } = await run('npm', args, { cwd: ROOT });
  const [packed] = JSON.parse(stdout) as [PackedPackage];
  return packed;
}

/** Unpacks a tarball into node_modules of `home`, without what the package depends on. */
export async function unpackPackage(tarball: string, home: string): Promise<void> {
  const installed = join(home, 'node_modules', 'mpegpu');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  writeFileSync(join(home, 'package.json'), '{ "type": "module", "private": true }');
}
