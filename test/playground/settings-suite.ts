// The tests of the playground's settings: its form and its address.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, launchChromium } from '../support/chromium.js';
import { CHEAPEST, IDLE, SMALL_AND_STILL } from './small-page.js';

/** Tests the playground that lies at an address. */
export function describeSettings(address: () => string): void {
  describe('the settings', () => {
    let browser: Chromium;
    let page: Page;

    beforeAll(async () => {
      browser = await launchChromium();
      page = await browser.newPage(SMALL_AND_STILL);
    });

    afterAll(() => browser?.close());

    /** Loads the playground anew, which encodes nothing: its form and its address are looked at. */
    const open = (query: string) => page.goto(`${address()}${IDLE}${query}`);
    const choosePreset = async () => {
      await page.selectOption('#preset', 'fast');
      return new URL(page.url()).searchParams.get('preset');
    };

    it('do not mind a wrong bit rate while the aim is quality', async () => {
      await open('');
      await page.selectOption('#rate', 'bitrate');
      for (const wrong of ['5', '']) {
        await page.fill('#kbits', wrong);
        expect(await choosePreset()).toBe('fastest'); // the form says why
      }
      await page.selectOption('#rate', 'quality');
      expect(await choosePreset()).toBe('fast');
    });

    it('that cannot be met are told of, as the encoder warns', async () => {
      await page.goto(`${address()}${CHEAPEST}&rate=bitrate&kbits=20`);
      await page.waitForSelector('#save-mpg:enabled');
      expect(await page.textContent('#status')).toMatch(/20 kbit\/s\. Warning: the bit rate is too low: .+ 31\.$/);
    });

    it.each(['&kbits=405', '&rate=bitrate&kbits=405', '&quality=63'])('go on from %s', async query => {
      await open(query);
      expect(await choosePreset()).toBe('fast');
      expect(page.url()).toContain(query);
    });
  });
}
