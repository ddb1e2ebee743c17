// The tests of snow in the wind, which the playground computes on the page's GPU.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type Chromium, launchChromium } from '../support/chromium.js';
import { decodeWithFfmpeg } from '../support/decoders.js';
import { collectTroubles } from './page-troubles.js';
import { CHEAPEST, SMALL_AND_STILL } from './small-page.js';

/** The smallest film: a GPU made of software takes a third of a second for a picture. */
const SETTINGS = `${CHEAPEST}&flakes=8192`;
/** How often the page is asked: it need not draw for that. */
const RARELY = { polling: 50 };
const BUTTON = '[data-source="sample:snow-wind"]';

/** Tests the playground that lies at an address, in browsers of their own. Files are saved in `folder`. */
export function describeLiveSnow(address: () => string, folder: string): void {
  describe('snow in the wind', () => {
    let browser: Chromium;
    const troubles: string[] = [];

    /** A page of the browser with a source. */
    const open = async (source: string): Promise<Page> => {
      const page = await browser.newPage({ acceptDownloads: true, ...SMALL_AND_STILL });
      collectTroubles(page, troubles);
      await page.goto(address() + SETTINGS.replace('snow', source));
      return page;
    };

    const inBrowser = (title: string, options: { readonly gpu: boolean }, test: () => Promise<void>) =>
      it(title, async () => {
        browser = await launchChromium(options);
        try {
          await test();
          expect(troubles).toEqual([]);
        } finally {
          await browser.close();
        }
      });

    inBrowser('is encoded and shown while it is computed, until it is stopped', { gpu: true }, async () => {
      const page = await open('snow');
      expect(await page.isVisible('#flakes')).toBe(false);
      await page.click(BUTTON);
      await page.waitForFunction(
        () => document.querySelector<HTMLElement>('#output')!.style.aspectRatio === '176 / 100',
        undefined,
        RARELY,
      );
      await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      expect(await page.textContent('#status')).toBe('Encoding Snow in the wind (GPU)…');
      expect(await page.inputValue('#flakes')).toBe('8192');
      const { spread, error } = await page.evaluate(() => {
        const [source, output] = ['#source', '#output'].map(id => {
          const canvas = document.querySelector<HTMLCanvasElement>(id)!;
          const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
          return data.filter((_, at) => at % 4 === 1);
        });
        const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
        const greens = [...source!];
        const middle = mean(greens);
        return {
          spread: mean(greens.map(green => Math.abs(green - middle))),
          error: mean(greens.map((green, at) => Math.abs(green - output![at]!))),
        };
      });
      expect(spread).toBeGreaterThan(10); // sky, ground and snow
      expect(error).toBeLessThan(5);
      await page.click('#stop');
      await page.waitForFunction(
        () => /pictures of/.test(document.querySelector('#status')!.textContent!),
        undefined,
        RARELY,
      );
      expect(await page.isVisible('#stop')).toBe(false);
      const [, count] = /, (\d+) pictures of 176×100: /.exec((await page.textContent('#status'))!)!;
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-mpg')]);
      const file = join(folder, 'snow.mpg');
      await download.saveAs(file);
      const decoded = await decodeWithFfmpeg(file);
      expect(decoded.length).toBe(Number(count));
      expect(decoded.length).toBeLessThan(250); // it would have gone on for ten seconds of the film
    });

    inBrowser('says in one sentence where there is no GPU', { gpu: false }, async () => {
      const saysWhy = (page: Page, reason: string) =>
        page.waitForFunction(
          text => document.querySelector('#trouble')!.textContent!.startsWith(text),
          `This snow is computed on a GPU. ${reason}`,
          RARELY,
        );
      const page = await open('snow-wind');
      await saysWhy(page, 'No usable GPU: the browser has WebGPU and offers no GPU');
      await page.waitForSelector('#stop', { state: 'hidden' });
      await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, 'gpu')); // as in an older browser
      await page.click(BUTTON);
      await saysWhy(page, 'This browser offers no WebGPU here');
    });
  });
}
