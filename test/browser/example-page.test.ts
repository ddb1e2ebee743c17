// examples/page: a file through mediabunny and WebCodecs becomes a download, and JSMpeg shows the camera.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../architecture/source-tree.js';
import { decodeWithFfmpeg } from '../support/decoders.js';
import { runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';
import { describeWith } from '../support/requirements.js';
import { PackagePages } from './package-page.js';

const FRAMES = 10;
/** The page answers at once where cores are free. */
const SOON = { timeout: 10_000 };
const folder = temporaryFolder();
const EXAMPLE = join(ROOT, 'examples', 'page');
const IMPORTS = '<script type="importmap">{ "imports": { "mpegpu/browser": "./browser.js" } }</script>';

describeWith('chromium', 'the example of a page', () => {
  let pages: PackagePages;
  let page: Page;

  beforeAll(async () => {
    const entryPoints = [join(EXAMPLE, 'page.mjs')];
    const { outputFiles } = await build({
      ...{ entryPoints, bundle: true, write: false, format: 'esm', platform: 'browser' },
      external: ['mpegpu/*'],
    });
    const html = readFileSync(join(EXAMPLE, 'index.html'), 'utf8').replace('<script type="module"', `${IMPORTS}$&`);
    const texts = { '/example.html': html, '/page.mjs': outputFiles[0]!.text };
    pages = await PackagePages.open(texts);
    page = await pages.newPage('example.html');
  });

  afterAll(() => pages?.close());

  it.each([
    ['that says its colours', ['-colorspace', 'bt470bg']],
    ['of standard definition that says none', []],
  ])('makes an .mpg of an .mp4 %s, of the same pictures', async (_, colours) => {
    const source = join(folder, `clip${colours.length}.mp4`);
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=25', '-frames:v', String(FRAMES)];
    runPackagedFfmpeg(...picture, '-pix_fmt', 'yuv420p', '-c:v', 'libvpx-vp9', ...colours, source);
    const download = page.waitForEvent('download');
    await page.setInputFiles('#file', source);
    const saved = join(folder, (await download).suggestedFilename());
    await (await download).saveAs(saved);
    expect(saved).toMatch(/clip\d\.mpg$/);
    const [made, expected] = await Promise.all([decodeWithFfmpeg(saved), decodeWithFfmpeg(source)]);
    expect(made).toHaveLength(FRAMES);
    for (const [number, { y, u }] of made.entries()) {
      const other = expected[number]!;
      expect(meanDifference(y, other.y), `luma of frame ${number}`).toBeLessThan(3);
      expect(meanDifference(u, other.u), `chroma of frame ${number}`).toBeLessThan(3);
    }
    expect(await page.textContent('#result')).toMatch(/^10 frames of 64x48 in [\d.]+ s, [\d.]+ dB, \d+ bytes$/);
  });

  it('says how far it is at any rate, and that nothing was lost', async () => {
    const source = join(folder, 'quick.mp4');
    const picture = ['-f', 'lavfi', '-i', 'color=black:size=64x48:rate=50', '-frames:v', String(FRAMES)];
    runPackagedFfmpeg(...picture, '-pix_fmt', 'yuv420p', '-c:v', 'libvpx-vp9', source);
    await page.evaluate(() => {
      const bar = document.querySelector('progress')!;
      const values: number[] = [];
      new MutationObserver(() => values.push(bar.value)).observe(bar, { attributes: true });
      Object.assign(globalThis, { values });
    });
    const download = page.waitForEvent('download');
    await page.setInputFiles('#file', source);
    await download;
    await expect.poll(() => page.textContent('#result'), SOON).toMatch(/ of 64x48 in [\d.]+ s, exact, \d+ bytes$/);
    const values = await page.evaluate<number[]>('values');
    for (const tenths of [5, 9, 10]) expect(values.map(value => Math.round(10 * value))).toContain(tenths);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    await page.setInputFiles('#file', []);
    expect(pages.errors).toEqual([]);
  });

  it('says why the camera does not start, and can start it later', async () => {
    expect(await page.getByRole('img', { name: 'The camera' }).count()).toBe(1);
    const refused = await pages.newPage('example.html');
    await refused.evaluate(() => {
      MediaDevices.prototype.getUserMedia = () =>
        Promise.reject(new DOMException('Permission denied', 'NotAllowedError'));
    });
    await refused.click('#camera');
    await expect.poll(() => refused.textContent('#state'), SOON).toBe('Permission denied');
    expect(await refused.isEnabled('#camera')).toBe(true);
    expect(await refused.textContent('#camera')).toBe('Start');
    await refused.evaluate(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }));
    await refused.click('#camera');
    await expect
      .poll(() => refused.textContent('#state'), SOON)
      .toBe('a page gets a camera from https or localhost only');
    await refused.route('**/worker.js', route => route.abort());
    await refused.goto(refused.url());
    await refused.click('#camera');
    await expect
      .poll(() => refused.textContent('#state'), SOON)
      .toMatch(/^the worker of the encoder could not start: /);
    expect(await refused.textContent('#camera')).toBe('Start');
    expect(await refused.getByRole('img', { name: 'The camera' }).count()).toBe(1);
    await refused.close();
    expect(pages.errors).toEqual([]);
  });

  it.each(['', ', and again'])('plays the camera by JSMpeg, until it is stopped%s', async () => {
    await page.click('#camera');
    // Black until the first picture is shown; Chromium's false camera is green.
    const isShown = () => {
      const canvas = document.querySelector('canvas')!;
      const copy = Object.assign(document.createElement('canvas'), { width: 8, height: 8 }).getContext('2d')!;
      copy.drawImage(canvas, 0, 0, 8, 8);
      const { data } = copy.getImageData(0, 0, 8, 8);
      return data.some((value, at) => at % 4 === 1 && value > 60);
    };
    await page.waitForFunction(isShown, undefined, { polling: 'raf' });
    await page.click('#camera');
    await expect.poll(() => pages.workers(), SOON).toBe(0);
    expect(await page.textContent('#camera')).toBe('Start');
    expect(pages.errors).toEqual([]);
  });
});

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, value, at) => sum + Math.abs(value - b[at]!), 0) / a.length;
}
