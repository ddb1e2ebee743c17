// Tests of finding ffmpeg.
import { accessSync, chmodSync, constants, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeFfmpeg, findFfmpeg, makeExecutable } from '../../src/media/find-ffmpeg.js';
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

it('finds the ffmpeg that npm installed, its version and its age', async () => {
  for (const none of [{}, { FFMPEG_PATH: '' }]) expect(await findFfmpeg(none)).toMatch(/@ffmpeg-installer/);
  const description = await describeFfmpeg({});
  expect(description).toMatchObject({ from: 'npm', year: 2018, version: expect.stringMatching(/^ffmpeg version /) });
});

it('takes a relative FFMPEG_PATH from the folder of this process', async () => {
  const path = join(folder, 'relative-ffmpeg');
  writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 });
  expect(await findFfmpeg({ FFMPEG_PATH: relative(process.cwd(), path) })).toBe(path);
});

/** Puts a program called ffmpeg into a folder of its own; returns the folder. */
function fakeFfmpeg(name: string, script: string): string {
  const bin = join(folder, name);
  mkdirSync(bin);
  writeFileSync(join(bin, 'ffmpeg'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return bin;
}

describe.runIf(process.platform !== 'win32')('the ffmpeg on the PATH', () => {
  it('is preferred to the one that npm installed', async () => {
    const version = 'ffmpeg version 8.0 Copyright (c) 2000-2025 the FFmpeg developers';
    const PATH = fakeFfmpeg('new', `printf '${version}\\r\\nbuilt with gcc\\r\\n'`);
    expect(await findFfmpeg({ PATH })).toBe(join(PATH, 'ffmpeg'));
    expect(await describeFfmpeg({ PATH })).toEqual({ path: join(PATH, 'ffmpeg'), from: 'PATH', year: 2025, version });
  });

  it('is not looked for in the folder of this process, which an empty part of the PATH would name', async () => {
    const home = process.cwd();
    process.chdir(fakeFfmpeg('here', 'exit 0'));
    try {
      expect(await findFfmpeg({ PATH: `${delimiter}/nowhere${delimiter}` })).toMatch(/@ffmpeg-installer/);
    } finally {
      process.chdir(home);
    }
  });

  it('is found from the folder of this process where the PATH names a folder from there, and stays the same', async () => {
    const bin = fakeFfmpeg('below', 'exit 0');
    const PATH = `/nowhere${delimiter}${relative(process.cwd(), bin)}`;
    expect(await findFfmpeg({ PATH })).toBe(join(bin, 'ffmpeg'));
  });

  it('is told, with its reason, where none is left that runs', async () => {
    const FFMPEG_PATH = join(fakeFfmpeg('dead', 'echo "no library" >&2; echo now >&2; exit 127'), 'ffmpeg');
    await expect(describeFfmpeg({ FFMPEG_PATH })).rejects.toMatchObject({
      name: 'UnsupportedError',
      message: expect.stringMatching(/dead\/ffmpeg does not run \(no library\): install ffmpeg, or set/),
    });
  });

  it('is told where it is another program', async () => {
    const FFMPEG_PATH = join(fakeFfmpeg('other', 'exit 0'), 'ffmpeg');
    await expect(describeFfmpeg({ FFMPEG_PATH })).rejects.toThrow(
      `${FFMPEG_PATH} is no ffmpeg: install ffmpeg, or set`,
    );
  });

  it('has the year of its copyright, or none', async () => {
    for (const [said, year] of [
      ['Copyright (c) 2024 the FFmpeg developers', 2024],
      ['', undefined],
    ] as const) {
      const PATH = fakeFfmpeg(`year-${year}`, `echo 'ffmpeg version 8.0 ${said}'; echo 'built in 1999'`);
      expect(await describeFfmpeg({ PATH })).toMatchObject({ version: `ffmpeg version 8.0 ${said}` });
      expect((await describeFfmpeg({ PATH })).year).toBe(year);
    }
  });

  it('is passed over if it does not run', async () => {
    const PATH = fakeFfmpeg('broken', 'echo "error while loading shared libraries" >&2; exit 127');
    expect(await describeFfmpeg({ PATH })).toMatchObject({ from: 'npm' });
  });
});

it.runIf(process.platform !== 'win32')('gives a file back its execute permission', async () => {
  const path = join(folder, 'not-executable');
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, 0o644);
  expect(await makeExecutable(path)).toBe(true);
  accessSync(path, constants.X_OK);
  expect(await makeExecutable(join(folder, 'nowhere'))).toBe(false);
  chmodSync(path, 0o711);
  expect(await makeExecutable(path)).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o711);
});
