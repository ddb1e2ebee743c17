// Tests of running and stopping ffmpeg.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startFfmpeg } from '../../src/media/ffmpeg.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';

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
