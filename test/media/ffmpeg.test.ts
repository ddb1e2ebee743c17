// Tests of running and stopping ffmpeg.
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { startFfmpeg } from '../../src/media/ffmpeg.js';
import { FfmpegMessages } from '../../src/media/ffmpeg-messages.js';
import { openFrameSource } from '../../src/media/frames/open-frame-source.js';
import { openSound } from '../../src/media/sound/open-sound.js';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';
import { allFrames } from './test-frames.js';

const folder = temporaryFolder();
readWithPackagedFfmpeg();
afterEach(() => void vi.unstubAllEnvs());

const long = join(folder, 'long.wav');
runPackagedFfmpeg('-f', 'lavfi', '-i', 'sine=d=30', long);

it('can be stopped at any moment, before it has begun too', async () => {
  const output = join(folder, 'stopped.wav');
  for (const moments of [0, 1, 5, 50]) {
    const run = await startFfmpeg({
      input: long,
      takesSound: true,
      inputOptions: ['-re'],
      output,
      outputOptions: ['-y'],
    });
    for (let i = 0; i < moments; i++) await new Promise(resolve => setImmediate(resolve));
    await run.stop();
    await run.stop();
    await expect(run.done).rejects.toMatchObject({ name: 'InputError', ending: 'SIGKILL' });
    await run.description;
  }
});

it('leaves no pipe open when it is stopped before all of its output has been read', async () => {
  const pipes = () => process.getActiveResourcesInfo().filter(name => name === 'PipeWrap').length;
  const before = pipes();
  const run = await startFfmpeg({ input: long, takesSound: true, outputOptions: ['-f', 's16le'] });
  await expect.poll(() => run.stdout.readableLength, { timeout: 60_000 }).toBeGreaterThan(1e6); // the pipe is full
  await run.stop();
  await expect.poll(pipes, { timeout: 60_000 }).toBeLessThanOrEqual(before);
});

it.runIf(process.platform === 'linux')(
  'reads a file by the number that it has in this process, pictures and sound',
  async () => {
    vi.stubEnv('FFMPEG_PATH', ''); // the machine's own
    const path = join(folder, 'numbered.mkv');
    const [pictures, sound] = ['testsrc2=size=48x32:rate=25:d=0.4', 'sine=d=0.4'];
    runPackagedFfmpeg('-f', 'lavfi', '-i', pictures, '-f', 'lavfi', '-i', sound, '-c:v', 'ffv1', '-c:a', 'flac', path);
    const file = openSync(path, 'r');
    try {
      expect(await allFrames(await openFrameSource(`/dev/fd/${file}`))).toHaveLength(10);
      expect(await allFrames(await openFrameSource(`/proc/self/fd/${file}`))).toHaveLength(10);
      const opened = await openSound(`/dev/fd/${file}`);
      expect(opened).toMatchObject({ name: `/dev/fd/${file}`, tracks: 1 });
      await opened?.close();
      rmSync(path);
      await expect(openFrameSource(`/dev/fd/${file}`)).rejects.toMatchObject({
        name: 'InputError',
        message: `/dev/fd/${file} cannot be read: there is no such file or folder (ENOENT)`,
      });
    } finally {
      closeSync(file);
    }
  },
);

it.runIf(process.platform !== 'win32').each([
  ['an interpreter that is not there', '#!/nowhere/sh\n'],
  ['no program', 'no program\n'],
  ['a library that is missing', '#!/bin/sh\nexit 127\n'],
  ['a file that may not be run', '#!/bin/sh\nexit 126\n'],
])('an ffmpeg that does not run is told as that: %s', async (_, script) => {
  const ffmpeg = join(folder, 'no-ffmpeg');
  writeFileSync(ffmpeg, script, { mode: 0o755 });
  const run = await startFfmpeg({ ffmpeg, input: 'unused', outputOptions: ['-f', 'avi'] });
  await expect(run.done).rejects.toMatchObject({
    name: 'UnsupportedError',
    message: expect.stringMatching(/no-ffmpeg does not run \(.+\): install ffmpeg, or set FFMPEG_PATH to one$/),
  });
  await run.description;
  expect(await text(run.stdout)).toBe('');
  await run.stop();
});

it.runIf(process.platform !== 'win32').each([0, 1])(
  'a program that says nothing as ffmpeg does is none: %i',
  async status => {
    const ffmpeg = join(folder, 'another-program');
    writeFileSync(ffmpeg, `#!/bin/sh\necho hello >&2\nexit ${status}\n`, { mode: 0o755 });
    const { done } = await startFfmpeg({ ffmpeg, input: 'unused', outputOptions: ['-f', 'avi'] });
    await expect(done).rejects.toMatchObject({
      name: 'UnsupportedError',
      message: `${ffmpeg} is no ffmpeg: install ffmpeg, or set FFMPEG_PATH to one`,
    });
  },
);

it.runIf(process.platform === 'linux')('an ffmpeg whose start the system refuses at once is told as that', async () => {
  const run = await startFfmpeg({ ffmpeg: '/bin/true', input: 'unused', outputOptions: ['x'.repeat(1 << 18)] });
  await expect(run.done).rejects.toThrow(/^\/bin\/true does not run \(spawn E2BIG\): install ffmpeg/);
  expect(await text(run.stdout)).toBe('');
  await run.stop();
});

it.runIf(process.platform !== 'win32')('what is still in the pipe when ffmpeg has failed comes, too', async () => {
  const ffmpeg = join(folder, 'failing-ffmpeg');
  const bytes = 3_000_000; // more than pipe and stream take, so that the end of it waits for the reader
  writeFileSync(ffmpeg, `#!/bin/sh\nhead -c ${bytes} /dev/zero 2>&- &\necho '[error] broken' >&2\nexit 1\n`, {
    mode: 0o755,
  });
  const run = await startFfmpeg({ ffmpeg, input: 'unused', outputOptions: ['-f', 'avi'] });
  await expect(run.done).rejects.toMatchObject({ ending: 'status 1' });
  await run.description;
  expect(await text(run.stdout)).toHaveLength(bytes);
});

it.runIf(process.platform !== 'win32')('an ffmpeg that goes on after its output may end by itself', async () => {
  const ffmpeg = join(folder, 'late-ffmpeg');
  writeFileSync(ffmpeg, "#!/bin/sh\necho '[info] late' >&2\necho output\nexec >&-\nsleep 0.2\n", { mode: 0o755 });
  const run = await startFfmpeg({ ffmpeg, input: 'unused', outputOptions: ['-f', 'avi'] });
  expect(await text(run.stdout)).toBe('output\n');
  run.stdout.destroy();
  await run.done;
  await run.stop();
});

it.runIf(process.platform !== 'win32')('each of two runs that begin at once has its own ffmpeg', async () => {
  const start = (name: string) => {
    const ffmpeg = join(folder, name);
    writeFileSync(ffmpeg, `#!/bin/sh\necho ${name}\n`, { mode: 0o755 });
    return startFfmpeg({ ffmpeg, input: 'unused', outputOptions: ['-f', 'avi'] });
  };
  const runs = await Promise.all([start('one'), start('other')]);
  expect(await Promise.all(runs.map(({ stdout }) => text(stdout)))).toEqual(['one\n', 'other\n']);
});

it('is not started with a signal that is aborted, and ends with one that is aborted later', async () => {
  const [abort, reason] = [new AbortController(), new Error('enough')];
  const job = { input: 'film', outputOptions: ['-f', 'yuv4mpegpipe'], signal: abort.signal };
  const run = await startFfmpeg({ ...job, stdin: new PassThrough() });
  abort.abort(reason);
  await expect(run.done).rejects.toMatchObject({ ending: 'SIGKILL' });
  await expect(startFfmpeg(job)).rejects.toBe(reason);
});

it('ends when what it reads fails', async () => {
  const stdin = Readable.from(
    (async function* () {
      yield Buffer.from('YUV4MPEG2 W16 H16 F25:1\n');
      throw new Error('the network has gone');
    })(),
  );
  const run = await startFfmpeg({ input: 'film', stdin, outputOptions: ['-f', 'yuv4mpegpipe'] });
  await expect(run.done).rejects.toThrow(/^film: /);
  await run.stop();
});

it('ends when what it reads fails at once', async () => {
  const stdin = new PassThrough();
  const run = await startFfmpeg({ input: 'film', stdin, outputOptions: ['-f', 'yuv4mpegpipe'] });
  stdin.destroy(new Error('the network has gone'));
  await expect(run.done).rejects.toThrow(/^film: /);
});

it('keeps the whole description of its files, and only the end of what comes after it', () => {
  const messages = new FfmpegMessages('a.mkv');
  const description = Array.from({ length: 5000 }, (_, i) => `  Stream #0:${i}: Subtitle: subrip`);
  for (const line of [...description, "Output #0, yuv4mpegpipe, to 'pipe:1':"]) messages.add(line);
  expect(messages.lines).toHaveLength(5001);
  expect(messages.lines[0]).toBe(description[0]);
  for (let i = 0; i < 5000; i++) messages.add(`[info] frame ${i}`);
  expect(messages.lines).toHaveLength(200);
  expect(messages.lines.at(-1)).toBe('[info] frame 4999');
});

it('keeps no more than some lines of what never ends in a description', () => {
  const messages = new FfmpegMessages('a.mkv');
  for (let i = 0; i < 50_000; i++) messages.add(`[info] line ${i}`);
  expect(messages.lines.length).toBeLessThanOrEqual(20_000);
  expect(messages.lines.at(-1)).toBe('[info] line 49999');
});
