// Tests of running and stopping ffmpeg.
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startFfmpeg } from '../../src/media/ffmpeg.js';
import { FfmpegMessages } from '../../src/media/ffmpeg-messages.js';
import { openFrameSource } from '../../src/media/frames/open-frame-source.js';
import { openSound } from '../../src/media/sound/open-sound.js';
import { runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';
import { allFrames } from './test-frames.js';

const folder = temporaryFolder();

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

it.runIf(process.platform === 'linux')(
  'reads a file by the number that it has in this process, pictures and sound',
  async () => {
    const path = join(folder, 'numbered.mkv');
    const [pictures, sound] = ['testsrc2=size=48x32:rate=25:d=0.4', 'sine=d=0.4'];
    runPackagedFfmpeg('-f', 'lavfi', '-i', pictures, '-f', 'lavfi', '-i', sound, '-c:v', 'ffv1', '-c:a', 'flac', path);
    const file = openSync(path, 'r');
    try {
      expect(await allFrames(await openFrameSource(`/dev/fd/${file}`))).toHaveLength(10);
      const opened = await openSound(`/dev/fd/${file}`);
      expect(opened).toMatchObject({ name: `/dev/fd/${file}`, tracks: 1 });
      await opened?.close();
    } finally {
      closeSync(file);
    }
  },
);

it('keeps the whole description of its files, and only the end of what comes after it', () => {
  const messages = new FfmpegMessages('a.mkv');
  const description = Array.from({ length: 5000 }, (_, i) => `  Stream #0:${i}: Subtitle: subrip`);
  for (const line of [...description, "Output #0, yuv4mpegpipe, to 'pipe:1':"]) messages.add(line);
  expect(messages.lines).toHaveLength(5001);
  expect(messages.lines[0]).toBe(description[0]);
  for (let i = 0; i < 5000; i++) messages.add(`[info] frame ${i}`);
  expect(messages.lines.length).toBeLessThanOrEqual(200);
  expect(messages.lines.at(-1)).toBe('[info] frame 4999');
});

it('keeps no more than some lines of what never ends in a description', () => {
  const messages = new FfmpegMessages('a.mkv');
  for (let i = 0; i < 50_000; i++) messages.add(`[info] line ${i}`);
  expect(messages.lines.length).toBeLessThanOrEqual(20_000);
  expect(messages.lines.at(-1)).toBe('[info] line 49999');
});
