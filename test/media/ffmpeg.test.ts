// Tests of finding, running and stopping ffmpeg.
import { accessSync, chmodSync, constants, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeFfmpeg, findFfmpeg, makeExecutable, startFfmpeg } from '../../src/media/ffmpeg.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';

const folder = temporaryFolder();

it('takes FFMPEG_PATH before all else', async () => {
  const path = join(folder, 'my-ffmpeg');
  writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 });
  expect(await findFfmpeg({ FFMPEG_PATH: path })).toBe(path);
});

it('refuses a FFMPEG_PATH that cannot be run rather than take another', async () => {
  for (const path of [join(folder, 'nowhere'), folder]) {
    await expect(findFfmpeg({ FFMPEG_PATH: path })).rejects.toMatchObject({
      name: 'UnsupportedError',
      message: `FFMPEG_PATH is ${path}, which is not an executable file`,
    });
  }
});

it('finds the ffmpeg that npm installed, and its version', async () => {
  expect(await findFfmpeg({})).toMatch(/@ffmpeg-installer/);
  const { version } = await describeFfmpeg();
  expect(version).toMatch(/^ffmpeg version /);
});

it.runIf(process.platform !== 'win32')('gives a file back its execute permission', async () => {
  const path = join(folder, 'not-executable');
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, 0o644);
  expect(await makeExecutable(path)).toBe(true);
  accessSync(path, constants.X_OK);
  expect(await makeExecutable(join(folder, 'nowhere'))).toBe(false);
});

it('can be stopped at any moment, before its process exists too', async () => {
  for (const moments of [0, 1, 5, 50]) {
    const run = await startFfmpeg({
      input: 'unused',
      inputOptions: ['-re', '-f', 'lavfi', '-i', 'color=duration=600'],
      output: join(folder, 'stopped.avi'),
      outputOptions: ['-c:v', 'mpeg4'],
    });
    for (let i = 0; i < moments; i++) await new Promise(resolve => setImmediate(resolve));
    await run.stop();
    await run.stop();
    await expect(run.done).rejects.toMatchObject({ name: 'InputError' });
    await run.description;
  }
});
