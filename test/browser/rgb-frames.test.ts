// Pictures of RGB that the CPU of a page converts: with a kernel as without one.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/requirements.js';
import { PackagePages, type PackageWindow } from './package-page.js';

describeWith('chromium', 'FrameConverter on the CPU', () => {
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

  it('loads a kernel for the fourth picture of a size, which changes no sample', async () => {
    const run = async () => {
      const { FrameConverter } = (window as unknown as PackageWindow).mpegpu;
      const loads = () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.wasm')).length;
      const random = (pels: number) => crypto.getRandomValues(new Uint8Array(pels));
      const noise = (width: number, height: number) => {
        const data = new Uint8ClampedArray(random(4 * width * height));
        for (let at = 3; at < data.length; at += 4) data[at] = 255;
        return new ImageData(data, width, height);
      };
      const converter = new FrameConverter({ convert: 'cpu' });
      const before = loads();
      const differences: number[] = [];
      const convert = async (image: ImageData) => {
        const { width, height } = image;
        const bgrx = Uint8Array.from(image.data, (_, at) => image.data[at + [2, 0, -2, 0][at % 4]!]!);
        const shape = { format: 'BGRX', codedWidth: width, codedHeight: height, timestamp: 0 } as const;
        const video = new VideoFrame(bgrx, { ...shape, colorSpace: { primaries: 'bt709', matrix: 'rgb' } });
        // One that has converted nothing has no kernel.
        const expected = await new FrameConverter({ convert: 'cpu' }).convert(image);
        for (const input of [image, video]) {
          const frame = await converter.convert(input);
          for (const plane of ['y', 'u', 'v'] as const) {
            differences.push(frame[plane].filter((value, index) => value !== expected[plane][index]).length);
          }
        }
        video.close();
      };
      await convert(noise(33, 19));
      const ofFew = loads() - before;
      for (let n = 0; n < 3; n++) await convert(noise(33, 19));
      for (let n = 0; n < 500 && loads() === before; n++) await new Promise(resolve => setTimeout(resolve, 10));
      await new Promise(resolve => setTimeout(resolve, 200));
      for (let n = 0; n < 4; n++) await convert(noise(33, 19));
      for (let n = 0; n < 4; n++) await convert(noise(48, 32));
      return { ofFew, hasLoaded: loads() > before, wrong: differences.filter(Boolean), count: differences.length };
    };
    const expected = { ofFew: 0, hasLoaded: true, wrong: [], count: 12 * 2 * 3 };
    expect(await page.evaluate(run)).toEqual(expected);
  });

  it('draws a VideoFrame whose pels a browser does not copy', async () => {
    const run = async () => {
      const { FrameConverter } = (window as unknown as PackageWindow).mpegpu;
      const pels = Uint8Array.from({ length: 4 * 32 * 16 }, (_, at) => (at % 4 === 3 ? 255 : (at * 7) % 256));
      const image = new ImageData(new Uint8ClampedArray(pels), 32, 16);
      const video = new VideoFrame(pels, { format: 'RGBX', codedWidth: 32, codedHeight: 16, timestamp: 0 });
      const copyTo = () => Promise.reject(new TypeError('Unable to copy data'));
      Object.defineProperty(video, 'copyTo', { value: copyTo });
      const [expected, frame] = [await new FrameConverter().convert(image), await new FrameConverter().convert(video)];
      video.close();
      return (['y', 'u', 'v'] as const).map(plane => frame[plane].join() === expected[plane].join());
    };
    expect(await page.evaluate(run)).toEqual([true, true, true]);
  });
});
