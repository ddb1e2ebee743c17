// `npm start`: what it makes and says. That it builds all where nothing was built before, .ci/run shows.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../architecture/source-tree.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';

it('npm start builds, makes a film, encodes it, and says how to play it', () => {
  const folder = temporaryFolder();
  const command = [join(ROOT, 'scripts', 'start.mjs'), '--frames', '2', '--to', folder];
  const said = execFileSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
  const video = join(folder, 'out.mpg');
  expect(readFileSync(video).readUInt32BE(0)).toBe(0x1ba);
  for (const words of ['assembly/ to WebAssembly', 'a film of 2 frames', 'src/ to dist/', '2 frames, 640x480']) {
    expect(said).toContain(words);
  }
  for (const player of ['ffplay', 'mpv', 'vlc']) expect(said).toMatch(new RegExp(`^  ${player} .*${video}$`, 'm'));
  expect(said).toMatch(/^ {2}node dist\/package\/mpegpu\.js encode .*out\.ts$/m);
  expect(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts.start).toBe('node scripts/start.mjs');
});
