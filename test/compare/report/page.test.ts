// Tests of the report page in a browser.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { type Chromium, launchChromium } from '../../support/chromium.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { describeWith } from '../../support/requirements.js';
import {
  contrast,
  drawnFrames,
  expectLinear,
  FILES,
  lookAt,
  type PageSetting,
  pels,
  showsFrame,
  writeReport,
} from './written-report.js';

const folder = temporaryFolder();
const FRAMES = 14;

describeWith('chromium', 'the report in a browser', () => {
  let browser: Chromium;
  /** Of all tests: a page in a process of its own takes longer to start than the report to open. */
  let page: Page;
  let report: Awaited<ReturnType<typeof writeReport>>;
  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
    const size = { width: 112, height: 80 };
    report = await writeReport(join(folder, 'report.html'), 'some/<b>clips & "co"', {
      frames: [...generateSample({ kind: 'snow', ...size, frames: FRAMES, seed: 4 })],
      frameRate: 25,
      estimators: [
        'zero',
        'cpu-log',
        join(import.meta.dirname, '../../motion/fixtures/unsupported-estimator.mjs'),
        'cpu-full',
      ],
      settings: { option: 'q', values: [2, 4, 8, 14] },
      runs: 1,
      encoder: { threads: 1, range: { x: 8, y: 8 }, tools: { trellis: 'none' } },
    });
  });
  afterAll(() => browser?.close());

  const withReport = (setting: PageSetting, look: (page: Page) => Promise<void>) =>
    lookAt(page, report.path, setting, look);
  const desk = { width: 1280, height: 900 };

  it('plots the points of the data where they belong', () =>
    withReport(desk, async page => {
      const { comparison } = report;
      const rows = comparison.rows.filter(({ outcome }) => outcome === 'finished');
      const circles = (id: string) =>
        page.$$eval(`#plot-${id} .wide g[aria-label="dot"] circle`, dots =>
          dots.map(dot => ({
            x: Number(dot.getAttribute('cx')),
            y: Number(dot.getAttribute('cy')),
            title: dot.textContent,
          })),
        );
      const curve = rows.flatMap(({ encodes }) => encodes.map(({ bits, psnr }) => [Math.log(bits), psnr.y] as const));
      const dots = await circles('rate-distortion');
      expect(dots.length).toBe(12);
      expectLinear(
        dots.map(({ x }) => x),
        curve.map(([bits]) => bits),
      );
      expectLinear(
        dots.map(({ y }) => -y),
        curve.map(([, psnrY]) => psnrY),
      );
      expect(dots[0]!.title).toContain('zero, q 2');
      expectLinear(
        (await circles('rate-distortion-ssim')).map(({ y }) => -y),
        rows.flatMap(({ encodes }) => encodes.map(({ ssim }) => -Math.log(1 - ssim.y))),
      );
      const pictures = rows.flatMap(row => row.encodes.find(({ value }) => value === 4)!.pictures);
      for (const [id, value] of [
        ['bits', ({ bits }: (typeof pictures)[number]) => Math.log(bits)],
        ['psnr', ({ psnrY }: (typeof pictures)[number]) => psnrY],
        ['ssim', ({ ssimY }: (typeof pictures)[number]) => -Math.log(1 - ssimY)],
      ] as const) {
        const points = await circles(id);
        expect(points.length).toBe(3 * FRAMES);
        expectLinear(
          points.map(({ x }) => x),
          pictures.map(({ frame }) => frame),
        );
        expectLinear(
          points.map(({ y }) => -y),
          pictures.map(value),
        );
      }
      const bars = await page.$$eval('#plot-stages .wide g[aria-label="bar"] rect', all =>
        all.map(bar => Number(bar.getAttribute('width'))),
      );
      const stages = rows.flatMap(row => {
        const { codingMs, motionMs, writingMs, inputMs, otherMs } = row.encodes.find(({ value }) => value === 4)!
          .stages!;
        return [codingMs, motionMs, writingMs, inputMs, otherMs];
      });
      expect(bars.length).toBe(15);
      expectLinear(bars, stages);
    }));

  it('shows names as text, names for a screen reader, and why an estimator has no figures', () =>
    withReport(desk, async page => {
      expect(await page.textContent('h1')).toBe('<b>clips & "co"');
      expect(await page.$$('h1 b')).toEqual([]);
      expect(await page.textContent('.reasons')).toContain('no abacus was found on this machine');
      expect(await page.textContent('.facts')).toMatch(/range 8×8.*trellis none/);
      expect(
        await page.$$eval('.pane select', all => all.map(one => (one as HTMLSelectElement).options.length)),
      ).toEqual([3, 3]);
      const unnamed = await page.$$eval('button, select, input, canvas, svg, [tabindex], figure, section', all =>
        all
          .filter(one => {
            const label = one.getAttribute('aria-label') ?? one.closest('label')?.textContent;
            const by = one.getAttribute('aria-labelledby');
            const text = one.tagName === 'BUTTON' ? one.textContent : '';
            return !(label || text || (by && document.getElementById(by)?.textContent));
          })
          .map(one => one.outerHTML.slice(0, 80)),
      );
      expect(unnamed).toEqual([]);
      expect(await page.textContent('.method .made')).toContain("mpegpu compare 'some <clips>'");
    }));

  it('steps by keyboard', () =>
    withReport(desk, async page => {
      await showsFrame(page, 0);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await showsFrame(page, 2);
      await page.keyboard.press('ArrowLeft');
      await showsFrame(page, 1);
      expect(await page.textContent('#position')).toBe(`2 / ${FRAMES}`);
      await page.focus('.pane canvas');
      await page.keyboard.press('End');
      await showsFrame(page, FRAMES - 1);
      await page.keyboard.press('ArrowRight');
      expect(await drawnFrames(page)).toEqual([String(FRAMES - 1), String(FRAMES - 1)]);
      await page.keyboard.press('Home');
      await showsFrame(page, 0);
      await page.keyboard.press('Space');
      await showsFrame(page, 3);
      await page.keyboard.press('Space');
      expect(await page.textContent('#play')).toBe('Play');
    }));

  it('steps by mouse: buttons, slider and a click on a curve', () =>
    withReport(desk, async page => {
      await page.click('#next');
      await page.click('#next');
      await page.click('#previous');
      await showsFrame(page, 1);
      const { x, y, width, height } = (await page.locator('#frame').boundingBox())!;
      await page.mouse.click(x + width - 2, y + height / 2);
      await showsFrame(page, FRAMES - 1);
      const dot = page.locator('#plot-psnr .wide g[aria-label="dot"] circle').nth(5);
      await dot.scrollIntoViewIfNeeded();
      const at = (await dot.boundingBox())!;
      await page.mouse.click(at.x + at.width / 2, at.y + 25);
      await showsFrame(page, 5);
      const cursor = (await page.locator('#plot-psnr .wide .cursor').boundingBox())!;
      expect(Math.abs(cursor.x + cursor.width / 2 - at.x - at.width / 2)).toBeLessThan(1.5);
    }));

  it('zooms into plots by keys, by a selected range and by buttons, and back', () =>
    withReport(desk, async page => {
      const area = '#plot-rate-distortion .plot-area.wide';
      const look = () =>
        page.$eval(`${area} svg`, svg => ({
          dots: Array.from(svg.querySelectorAll('circle'), dot => Number(dot.getAttribute('cx'))),
          ticks: Array.from(svg.querySelectorAll('g[aria-label="x-axis tick label"]'))
            .filter(group => (group as SVGElement).style.display !== 'none')
            .flatMap(group =>
              Array.from(group.children, text => ({
                value: Number(text.textContent),
                x: Number(/[\d.]+/.exec(text.getAttribute('transform')!)![0]),
              })),
            ),
        }));
      const whole = await look();
      await page.focus(area);
      await page.keyboard.press('+');
      await page.keyboard.press('+');
      await page.keyboard.press('ArrowRight');
      const near = await look();
      expectLinear(near.dots, whole.dots);
      expect(near.dots.at(-1)! - near.dots[0]!).toBeCloseTo(2.25 * (whole.dots.at(-1)! - whole.dots[0]!), 3);
      expect(near.ticks.length).toBeGreaterThan(1);
      // Ticks stand where the scale of the plot has their values.
      const { comparison } = report;
      const kbits = comparison.rows.flatMap(({ encodes }) =>
        encodes.map(({ bits }) => Math.log((bits * comparison.framesPerSecond) / comparison.frames / 1000)),
      );
      expectLinear(
        [...near.dots, ...near.ticks.map(({ x }) => x)],
        [...kbits, ...near.ticks.map(({ value }) => Math.log(value))],
      );
      await page.keyboard.press('0');
      expect(await look()).toEqual(whole);
      expect(await drawnFrames(page)).toEqual(['0', '0']); // the arrow moved the plot, not the pictures
      await page.locator('#plot-psnr').scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await page.locator('#plot-psnr .plot-area.wide').boundingBox())!;
      await page.mouse.move(x + 0.3 * width, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + 0.6 * width, y + height / 2 + 4, { steps: 3 });
      await page.mouse.up();
      const shares = await page.$eval('#plot-psnr .wide .cursor', ({ dataset }) =>
        [dataset.from, dataset.to, dataset.first, dataset.last].map(Number),
      );
      const [from, to, first, last] = shares as [number, number, number, number];
      // The selected 0.3 of the plot has become the whole axis.
      expect((last - first) / (to - from)).toBeCloseTo((to - from) / 0.3, 1);
      expect(await page.$eval('#plot-psnr .wide .cursor', cursor => (cursor as HTMLElement).hidden)).toBe(true);
      await page.click('#plot-psnr .zoom-whole');
      expect(await page.$eval('#plot-psnr .wide .cursor', cursor => (cursor as HTMLElement).hidden)).toBe(false);
    }));

  it('zooms into pictures by whole numbers with square pels, in both panes', () =>
    withReport(desk, async page => {
      await showsFrame(page, 0);
      await page.keyboard.press('v');
      await page.focus('.pane canvas');
      await page.keyboard.press('+');
      expect(await page.textContent('#zoom')).toBe('6×');
      await page.waitForTimeout(150);
      const whole = await pels(page, 0);
      expect(await pels(page, 1)).toBe(whole); // the same source
      // All 6x6 pixels of a pel are equal, wherever pels begin.
      const largest = await page.$eval('.pane canvas', canvas => {
        const { width, height } = canvas as HTMLCanvasElement;
        const pixels = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height).data;
        const changes = Array.from({ length: 6 }, () => 0);
        for (let y = 0; y < height; y++) {
          for (let x = 1; x < width; x++) {
            const at = 4 * (y * width + x);
            if (pixels[at] !== pixels[at - 4]) changes[x % 6]!++;
          }
        }
        return changes.filter(count => count > 0).length;
      });
      expect(largest).toBe(1);
      await page.keyboard.press('Shift+ArrowRight');
      await page.waitForTimeout(150);
      expect(await pels(page, 0)).not.toBe(whole);
      await page.keyboard.press('0');
      expect(await page.textContent('#zoom')).toBe('whole picture');
    }));

  it('saves the files that it holds, and plots that stand alone', () =>
    withReport(desk, async page => {
      const save = async (selector: string) => {
        const [download] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
        return { name: download.suggestedFilename(), text: readFileSync((await download.path())!, 'utf8') };
      };
      expect(await save('.save-file')).toEqual({ name: 'a.csv', text: FILES[0]!.text });
      await page.click('#plot-rate-distortion .zoom-in');
      const { name, text } = await save('#plot-rate-distortion .save-svg');
      expect(name).toBe('rate-distortion.svg');
      expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      expect(text).not.toMatch(/var\(|currentColor|whole-/);
      expect(text).toContain('Rate and distortion, PSNR-Y');
      expect(text.match(/<circle/g)!.length).toBe(12);
    }));

  it('shows vectors, types, residuals and the estimators chosen', () =>
    withReport(desk, async page => {
      await page.keyboard.press('ArrowRight');
      await showsFrame(page, 1);
      const seen = new Set([await pels(page, 1)]);
      for (const key of ['v', 'e', 't', 'b', 'q', 'r']) {
        await page.keyboard.press(key);
        await page.waitForTimeout(150);
        seen.add(await pels(page, 1));
      }
      expect(seen.size).toBe(7);
      const before = await page.textContent('.pane:nth-child(2) .caption');
      await page.selectOption('.pane:nth-child(2) select', { label: 'zero' });
      await page.waitForFunction(
        old => document.querySelector('.pane:nth-child(2) .caption')!.textContent !== old,
        before,
      );
      const picture = report.comparison.rows[0]!.encodes.find(({ value }) => value === 4)!.pictures[1]!;
      const caption = await page.textContent('.pane:nth-child(2) .caption');
      expect(caption).toContain(`${picture.bits.toLocaleString('en')} bits`);
      expect(caption).toContain(`${picture.psnrY.toFixed(2)} dB`);
      expect(await page.textContent('.pane:nth-child(1) .caption')).toBe(caption);
    }));

  it('names the values of a macroblock that is clicked, or chosen by keys, in both panes', () =>
    withReport(desk, async page => {
      await page.keyboard.press('ArrowRight');
      await showsFrame(page, 1);
      const canvas = page.locator('.pane:nth-child(2) canvas');
      await canvas.scrollIntoViewIfNeeded();
      const { width, height } = (await canvas.boundingBox())!;
      const values = () => page.$$eval('.pane .values', all => all.map(one => one.textContent!));
      const says = (text: string) =>
        page.waitForFunction(
          wanted => Array.from(document.querySelectorAll('.values')).every(one => one.textContent!.includes(wanted)),
          text,
        );
      await canvas.click({ position: { x: 2.5 * (width / 7), y: 1.5 * (height / 5) } });
      await says('column 3, row 2');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Enter');
      await says('column 4, row 3');
      for (const key of ['ArrowUp', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
      await says('column 2, row 2');
      const [first, second] = (await values()).map(text =>
        Object.fromEntries(text.split(' · ').map(one => one.split(': '))),
      );
      expect(first.Coded).toMatch(/intra|predicted|skipped/);
      expect(Number(first.Bits)).toBeGreaterThanOrEqual(0);
      expect(Object.keys(second)).toEqual(expect.arrayContaining(['Macroblock', 'Coded', 'Bits', 'Scale']));
      expect(await drawnFrames(page)).toEqual(['1', '1']); // the arrows moved the choice, not the pictures
    }));

  it.each([
    ['a phone', 390, 844],
    ['a small phone', 320, 568],
    ['a desk', 1280, 900],
  ])('fits %s, light and dark, without scrolling sideways', async (_, width, height) => {
    const grounds = new Set<string>();
    await withReport({ width, height }, async page => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        expect(await page.isVisible('#plot-psnr .wide')).toBe(width > 620);
        expect(await page.isVisible('#plot-psnr .narrow')).toBe(width <= 620);
        const [ground, text] = await page.evaluate(() => {
          const { backgroundColor, color } = getComputedStyle(document.body);
          return [backgroundColor, color];
        });
        expect(contrast(ground!, text!)).toBeGreaterThan(10);
        grounds.add(ground!);
      }
    });
    expect(grounds.size).toBe(2);
  });
});
