// What a page can take once is refused when it is taken again.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/requirements.js';
import { PackagePages, type PackageWindow } from './package-page.js';

const SIZE = { width: 48, height: 32 };

describeWith('chromium', 'a page', () => {
  let pages: PackagePages;
  let page: Page;

  beforeAll(async () => {
    pages = await PackagePages.open();
    page = await pages.newPage();
  });

  afterAll(async () => {
    expect(pages?.errors).toEqual([]);
    await pages?.close();
  });

  it('reads a video once: later reads are refused, and leave the file of the user as it is', async () => {
    const run = async ([width, height]: [number, number]) => {
      const { mpegpu, patternFrame } = window as unknown as PackageWindow;
      const encode = () => mpegpu.encodeVideo([patternFrame(width, height, 0)], { estimator: 'cpu-predictive' });
      const root = await navigator.storage.getDirectory();
      const handle = await root.getFileHandle('kept.mpg', { create: true });
      const writable = await handle.createWritable();
      await writable.write('old content');
      await writable.close();
      const [read, locked, raced, begun] = [encode(), encode(), encode(), encode()];
      const isFull = (await read.blob()).size > 0;
      const reader = locked.stream.getReader();
      const told = (attempt: Promise<unknown>) => attempt.then(() => 'nothing', String);
      const refused = [
        await told(read.blob()),
        await told(read.saveTo(handle)),
        await told(read.pipeTo(new WritableStream())),
        await told(locked.saveTo(handle)),
      ];
      refused.push(...(await Promise.all([told(raced.saveTo(handle)), raced.blob().then(String), told(raced.blob())])));
      await reader.cancel(new Error('no more'));
      reader.releaseLock();
      refused.push(await told(locked.saveTo(handle)));
      const first = begun.stream.getReader();
      await first.read();
      first.releaseLock();
      refused.push(await told(begun.blob()), await told(begun.saveTo(handle)));
      const content = await (await handle.getFile()).text();
      const removed = await root.removeEntry('kept.mpg').then(() => 'yes', String);
      return { isFull, refused, content, removed };
    };
    const once = 'InputError: the video is read already: it can be read once';
    const found = await page.evaluate(run, [SIZE.width, SIZE.height] as [number, number]);
    expect(found).toEqual({
      ...{ isFull: true, content: 'old content', removed: 'yes' },
      refused: [once, once, once, once, once, '[object Blob]', once, 'Error: no more', once, once],
    });
  });

  it('refuses a stream that something else reads', async () => {
    const run = async () => {
      const { mpegpu } = window as unknown as PackageWindow;
      const stream = new ReadableStream();
      stream.getReader();
      return mpegpu.openFrames(stream).then(() => 'nothing', String);
    };
    expect(await page.evaluate(run)).toBe('InputError: the ReadableStream is locked: something else reads it');
  });

  it('iterates the frames of a source once', async () => {
    const run = async ([width, height]: [number, number]) => {
      const { mpegpu, patternFrame } = window as unknown as PackageWindow;
      const frames = await mpegpu.openFrames([0, 1].map(number => patternFrame(width, height, number)));
      const count = async () => {
        let taken = 0;
        for await (const _ of frames) taken++;
        return taken;
      };
      return [await count(), await count().catch(String)];
    };
    const found = await page.evaluate(run, [SIZE.width, SIZE.height] as [number, number]);
    expect(found).toEqual([2, 'InputError: the frames are iterated already: they can be taken once']);
  });
});
