// `npm start`, where nothing was built before: what it makes and says.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../architecture/source-tree.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';

/** A folder with the files that git knows or would take, and the installed packages: nothing is built in it. */
function freshTree(): string {
  const folder = temporaryFolder();
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\0');
  for (const name of names.filter(name => /^(assembly|samples|scripts|src)\/|^[^/]+\.json$/.test(name))) {
    if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(folder, name));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

it('npm start builds, makes a film, encodes it, and says how to play it', () => {
  const folder = temporaryFolder();
  const clone = freshTree();
  const command = [join(clone, 'scripts', 'start.mjs'), '--frames', '2', '--to', folder];
  const said = execFileSync(process.execPath, command, { cwd: clone, encoding: 'utf8' });
  const video = join(folder, 'out.mpg');
  expect(readFileSync(video).readUInt32BE(0)).toBe(0x1ba);
  for (const words of ['assembly/ to WebAssembly', 'a film of 2 frames', 'src/ to dist/', '2 frames, 640x480']) {
    expect(said).toContain(words);
  }
  for (const player of ['ffplay', 'mpv', 'vlc']) expect(said).toMatch(new RegExp(`^  ${player} .*${video}$`, 'm'));
  expect(said).toMatch(/^ {2}node dist\/package\/mpegpu\.js encode .*out\.ts$/m);
  expect(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts.start).toBe('node scripts/start.mjs');
});
