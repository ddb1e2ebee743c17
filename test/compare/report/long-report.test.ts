// The report of a real clip stays small enough, and opens.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { launchChromium } from '../../support/chromium.js';
import { readClip, realClips } from '../../support/clips.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { describeWith } from '../../support/requirements.js';
import { IS_SOAK } from '../../support/soak.js';
import { lookAt, showsFrame, writeLongReport } from './written-report.js';

const folder = temporaryFolder();

describeWith('chromium', 'the report in a browser', () => {
  // 15 MB of 150 pictures; for every commit 14 of them, by the same measure.
  const count = IS_SOAK ? 150 : 14;
  describeWith('clips', `of ${count} pictures and four estimators`, () => {
    it('stays below 0.1 MB a picture and opens', async () => {
      const clip = realClips().find(({ name }) => name === 'foreman_cif_150.mkv')!;
      const frames = await readClip(clip.path, count);
      const long = await writeLongReport(join(folder, 'long.html'), clip.name, frames, [
        'first',
        'second',
        'third',
        'fourth',
      ]);
      expect(frames.length).toBe(count);
      expect(Buffer.byteLength(long.html)).toBeLessThan(100_000 * count);
      const browser = await launchChromium();
      try {
        await lookAt(await browser.newPage(), long.path, { width: 1280, height: 900 }, async page => {
          await showsFrame(page, 0);
          // From the start of the navigation to both panes drawn, where the machine has nothing else to do.
          if (IS_SOAK) expect(await page.evaluate(() => performance.now())).toBeLessThan(2000);
          expect(await page.$$eval('.pane option', all => all.length)).toBe(8);
          await page.focus('.pane canvas');
          await page.keyboard.press('End');
          await showsFrame(page, count - 1);
        });
      } finally {
        await browser.close();
      }
    });
  });
});
