// A process that may open no more files: what cannot be started is an error that says so.
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packagedFfmpeg } from '../support/decoders.js';
import { runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';

const SCRIPT = fileURLToPath(new URL('fixtures/few-descriptors.mjs', import.meta.url));
const SHORT = 'this process has too many files open (EMFILE)';

it.runIf(process.platform === 'linux')('no ffmpeg and no other process starts without file descriptors', async () => {
  const folder = temporaryFolder();
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  const ffmpeg = join(programs, 'ffmpeg'); // that of npm is there, too, and must not be tried as well
  symlinkSync(packagedFfmpeg(), ffmpeg);
  const film = join(folder, 'film.mkv');
  const sound = ['-itsoffset', '0.4', '-f', 'lavfi', '-i', 'sine=d=0.4'];
  runPackagedFfmpeg('-f', 'lavfi', '-i', 'color=size=32x32:d=0.2', ...sound, '-c:v', 'ffv1', '-c:a', 'flac', film);
  const limited = ['-c', 'ulimit -n 400; exec "$0" "$@"', process.execPath, SCRIPT, folder];
  const env = { ...process.env, PATH: `${programs}:${process.env.PATH}`, FFMPEG_PATH: '' };
  const { stdout, stderr } = await promisify(execFile)('bash', limited, { env });
  expect(stderr).toBe('');
  const lines = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { what: string; result: unknown });
  const told = (name: string) => lines.filter(({ what }) => what === name).map(({ result }) => result);
  const notStarted = `UnsupportedError: ${ffmpeg} cannot be started: ${SHORT}`;
  expect(told('pictures')).toEqual([5, notStarted]);
  // Two ffmpegs look for the sound: with one of them alone, it would begin at another moment.
  expect(told('sound').filter(result => result !== notStarted)).toContain(31);
  expect(told('sound').filter(result => result !== notStarted && result !== 31)).toEqual([]);
  expect(told('chosen sound')).toEqual([`InputError: ${film} cannot be read: ${SHORT}`]);
  const output = `${join(folder, 'out.mp4')} cannot be written: ${ffmpeg} cannot be started: ${SHORT}`;
  expect(told('output')).toEqual([`OutputError: ${output}`]);
  expect(told('left')).toEqual([[]]);
  expect(told('step')).toEqual([expect.stringMatching(/^StepError: the process that encodes cannot run: .*EMFILE/)]);
  expect(told('queue')).toEqual([expect.stringMatching(/^UnsupportedError: its process cannot be started: .*EMFILE/)]);
  expect(told('warning')).toEqual([]);
});
