// Writes dist/mpegpu.cdx.json: a CycloneDX list of the packages that users install: `npm run sbom`.
// npm makes it, from a manifest without what development needs: `--omit dev` would leave out what both need.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = name => JSON.parse(readFileSync(join(root, name), 'utf8'));

const { devDependencies: _, scripts: __, ...manifest } = read('package.json');
const { packages, ...lock } = read('package-lock.json');
const { '': own, ...others } = packages;
const { devDependencies: ___, ...ownForUsers } = own;
const installed = Object.entries(others).filter(([, { dev }]) => !dev);

const temporary = mkdtempSync(join(tmpdir(), 'mpegpu-sbom-'));
try {
  const folder = join(temporary, manifest.name); // npm names the list after it
  mkdirSync(folder);
  const forUsers = { ...lock, packages: { '': ownForUsers, ...Object.fromEntries(installed) } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(forUsers));
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const list = execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, 'dist', 'mpegpu.cdx.json'), list);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
