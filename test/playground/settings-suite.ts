// The tests of the playground's settings: its form and its address.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, launchChromium } from '../support/chromium.js';

const QUERY = '?source=sample%3Asnow&preset=fastest&size=176&estimator=cpu-predictive&threads=1';

/** Tests the playground that lies at an address, in a browser of its own. */
export function describeSettings(address: () => string): void {
  describe('the settings', () => {
    let browser: Chromium;

    beforeAll(async () => {
      browser = await launchChromium();
    });

    afterAll(() => browser?.close());

    const open = async (query: string): Promise<Page> => {
      const page = await browser.newPage({ reducedMotion: 'reduce' });
      await page.goto(`${address()}${QUERY}${query}`);
      return page;
    };
    const choosePreset = async (page: Page) => {
      await page.selectOption('#preset', 'fast');
      return new URL(page.url()).searchParams.get('preset');
    };

    it('do not mind a wrong bit rate while the aim is quality', async () => {
      const page = await open('');
      await page.selectOption('#rate', 'bitrate');
      for (const wrong of ['5', '']) {
        await page.fill('#kbits', wrong);
        expect(await choosePreset(page)).toBe('fastest'); // the form says why
      }
      await page.selectOption('#rate', 'quality');
      expect(await choosePreset(page)).toBe('fast');
    });

    it('that cannot be met are told of, as the encoder warns', async () => {
      const page = await open('&rate=bitrate&kbits=20');
      await page.waitForSelector('#save-mpg:enabled');
      expect(await page.textContent('#status')).toMatch(/20 kbit\/s\. Warning: the bit rate is too low: .+ 31\.$/);
    });

    it.each(['&kbits=405', '&rate=bitrate&kbits=405', '&quality=63'])('go on from %s', async query => {
      const page = await open(query);
      expect(await choosePreset(page)).toBe('fast');
      expect(page.url()).toContain(query);
    });
  });
}
