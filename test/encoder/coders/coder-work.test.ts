// A coder thread that gets a picture while it codes another one.
import { afterEach, expect, it, vi } from 'vitest';
import type { CodedPicture } from '../../../src/encoder/coders/coded-picture.js';
import { Coder, coderSettings } from '../../../src/encoder/coders/coder.js';
import { coderWork } from '../../../src/encoder/coders/coder-work.js';
import type { PictureJob } from '../../../src/encoder/picture/picture-job.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';

afterEach(() => {
  vi.restoreAllMocks();
});

it('codes it when the other one is coded, or has failed', async () => {
  const events: string[] = [];
  vi.spyOn(Coder, 'create').mockResolvedValue({
    async code({ quantizerScale }: PictureJob) {
      events.push(`${quantizerScale} begins`);
      await new Promise(setImmediate);
      events.push(`${quantizerScale} ends`);
      if (quantizerScale === 2) throw new Error('a field of the wrong size');
      return { pictureHeader: quantizerScale } as CodedPicture;
    },
  } as Partial<Coder> as Coder);
  const settings = coderSettings(resolveOptions({ width: 16, height: 16, frameRate: 25 }));
  const { port1, port2 } = new MessageChannel();
  const { tasks } = coderWork({ settings, part: {} as never, quantizers: {} as never, analysisPort: port1 });
  await tasks.open();
  const job = (quantizerScale: number) =>
    ({ quantizerScale, picture: { y: new Uint8Array(0) }, around: [] }) as unknown as PictureJob;
  const [first, second, third] = [1, 2, 3].map(scale => tasks.code(job(scale)));
  await expect(second).rejects.toThrow('a field of the wrong size');
  expect(await Promise.all([first, third])).toEqual([{ pictureHeader: 1 }, { pictureHeader: 3 }]);
  expect(events).toEqual([1, 2, 3].flatMap(scale => [`${scale} begins`, `${scale} ends`]));
  port2.close();
});
