// Options of a FrameConverter that do not exist, and GPUs that are of no use to it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FrameConverter } from '../../src/browser/frames/frame-converter.js';
import { describeWith } from '../support/requirements.js';
import { PackagePages, type PackageWindow } from './package-page.js';

it('are refused by name', () => {
  const options = { convert: 'cpu' as const, backround: 'red' };
  expect(() => new FrameConverter(options)).toThrow("the option 'backround' does not exist; did you mean background?");
});

describeWith('chromium', 'a GPU', () => {
  let pages: PackagePages;

  beforeAll(async () => {
    pages = await PackagePages.open({}, { gpu: true });
  });

  afterAll(async () => {
    expect(pages?.errors).toEqual([]);
    await pages?.close();
  });

  it.each([
    ['fails', 'UnsupportedError: the GPU cannot be used: broken'],
    ['never answers', 'UnsupportedError: the GPU has not answered for 120 s'],
  ])('that %s is an UnsupportedError where it is asked for', async (what, expected) => {
    const page = await pages.newPage();
    const run = (neverAnswers: boolean) => {
      const { mpegpu } = window as unknown as PackageWindow;
      const wait = setTimeout;
      window.setTimeout = ((call: () => void, ms = 0) => wait(call, ms / 1000)) as typeof setTimeout;
      GPU.prototype.requestAdapter = async () => {
        if (neverAnswers) await new Promise(() => {});
        throw new TypeError('broken');
      };
      const converter = new mpegpu.FrameConverter({ convert: 'gpu' });
      const canvas = new OffscreenCanvas(16, 16);
      canvas.getContext('2d');
      return converter.convert(canvas).then(() => 'nothing', String);
    };
    expect(await page.evaluate(run, what === 'never answers')).toBe(expected);
  });

  it('that no longer answers is replaced by the CPU', async () => {
    const page = await pages.newPage();
    const run = async () => {
      const { mpegpu } = window as unknown as PackageWindow;
      const converter = new mpegpu.FrameConverter({ convert: 'gpu' });
      const canvas = new OffscreenCanvas(16, 16);
      canvas.getContext('2d')!.fillRect(0, 0, 16, 16);
      await converter.convert(canvas); // opens the GPU
      const wait = setTimeout;
      window.setTimeout = ((call: () => void, ms = 0) => wait(call, ms / 100)) as typeof setTimeout;
      let asked = 0;
      GPUBuffer.prototype.mapAsync = () => {
        asked++;
        return new Promise(() => {});
      };
      const lumas = [await converter.convert(canvas), await converter.convert(canvas)].map(({ y }) => y[0]);
      return { asked, lumas };
    };
    expect(await page.evaluate(run)).toEqual({ asked: 1, lumas: [16, 16] });
  });
});
