// Frames from what a page has: their colours are those of Node's path, and of the arithmetic in doubles.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeImage } from '../../src/media/images/image-decoder.js';
import { rgbToFrame } from '../../src/picture/rgb-to-frame.js';
import { describeWith } from '../support/requirements.js';
import { PackagePages, type PackageWindow } from './package-page.js';

/** Odd, so that the last column and row of chroma count twice. */
const SIZE = { width: 33, height: 19 };

type Planes = readonly (readonly number[])[];

/** Saturated and grey pels, edges and ramps; the last lines half transparent where `alpha` is 4. */
function pels(channels: 3 | 4): Uint8Array {
  return Uint8Array.from({ length: channels * SIZE.width * SIZE.height }, (_, at) => {
    const [pel, channel] = [Math.floor(at / channels), at % channels];
    const [x, y] = [pel % SIZE.width, Math.floor(pel / SIZE.width)];
    if (channel === 3) return y > 12 ? 40 * (y - 12) : 255;
    if (y < 6) return ((x >> 2) >> channel) % 2 ? 255 : 0;
    return (x * 7 + y * (11 + 5 * channel)) % 256;
  });
}

/** The largest difference between samples of two frames. */
function difference(a: Planes, b: Planes): number {
  expect(a.map(plane => plane.length)).toEqual(b.map(plane => plane.length));
  return Math.max(...a.flatMap((plane, index) => plane.map((value, at) => Math.abs(value - b[index]![at]!))));
}

describeWith('chromium', 'FrameConverter', () => {
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

  it('gives the frame of Node for a PNG, as an image file, bitmap, element, canvas or pels', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mpegpu-frames-'));
    const found: Record<string, number> = {};
    for (const channels of [3, 4] as const) {
      const png = await sharp(pels(channels), { raw: { ...SIZE, channels } })
        .png()
        .toBuffer();
      const file = join(folder, `${channels}.png`);
      await writeFile(file, png);
      const { y, u, v } = rgbToFrame(await decodeImage(file));
      const run = async ([url, hasAlpha]: [string, boolean]) => {
        const converter = new (window as unknown as PackageWindow).mpegpu.FrameConverter();
        const blob = await (await fetch(url)).blob();
        const bitmap = await createImageBitmap(blob);
        const image = new Image();
        image.src = url;
        await image.decode();
        const drawn = <Canvas extends HTMLCanvasElement | OffscreenCanvas>(canvas: Canvas) => {
          const context = canvas.getContext('2d') as CanvasRenderingContext2D;
          context.drawImage(bitmap, 0, 0);
          return { canvas, data: context.getImageData(0, 0, bitmap.width, bitmap.height) };
        };
        const element = Object.assign(document.createElement('canvas'), { width: bitmap.width, height: bitmap.height });
        const { canvas } = drawn(element);
        const { canvas: offscreen, data } = drawn(new OffscreenCanvas(bitmap.width, bitmap.height));
        // Not of the bitmap: Chromium multiplies such pels by their alpha and does not say so.
        const shape = { format: 'RGBA', codedWidth: bitmap.width, codedHeight: bitmap.height, timestamp: 0 } as const;
        const video = new VideoFrame(data.data, shape);
        const sample = { toVideoFrame: () => new VideoFrame(data.data, shape), close: () => {} };
        const opaque = new VideoFrame(bitmap, { timestamp: 0, alpha: 'discard' });
        const inputs = { blob, bitmap, image, canvas, offscreen, data, video, sample };
        const frames: [string, number[][]][] = [];
        for (const [name, input] of Object.entries({ ...inputs, ...(hasAlpha ? {} : { opaque }) })) {
          const { y, u, v } = await converter.convert(input);
          frames.push([name, [[...y], [...u], [...v]]]);
        }
        video.close();
        opaque.close();
        return frames;
      };
      const frames = await page.evaluate(run, [`data:image/png;base64,${png.toString('base64')}`, channels === 4] as [
        string,
        boolean,
      ]);
      for (const [name, planes] of frames) found[`${channels} ${name}`] = difference(planes, [[...y], [...u], [...v]]);
    }
    await rm(folder, { recursive: true });
    const names = ['blob', 'bitmap', 'image', 'canvas', 'offscreen', 'data', 'video', 'sample'];
    expect(found).toEqual({
      ...Object.fromEntries([...names, 'opaque'].map(name => [`3 ${name}`, 0])),
      ...Object.fromEntries(names.map(name => [`4 ${name}`, 1])), // how alpha is rounded
    });
  });
});
