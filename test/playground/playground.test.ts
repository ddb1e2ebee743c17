// The playground in Chromium, used as a person would use it.
import { copyFileSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Chromium, launchChromium } from '../support/chromium.js';
import { decodeWithFfmpeg, systemFfmpeg } from '../support/decoders.js';
import { runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';
import { psnr } from '../support/psnr.js';
import { describeWith } from '../support/requirements.js';
import { KEPT, serve, type WebServer } from '../support/web-server.js';
import { describeLiveSnow } from './live-snow-suite.js';
import { collectTroubles } from './page-troubles.js';
import { describeSettings } from './settings-suite.js';
import { IDLE } from './small-page.js';
import { describeSources } from './sources-suite.js';

const PLAYGROUND = join(import.meta.dirname, '..', '..', 'playground');
const folder = temporaryFolder();
const FILM = join(folder, 'film.webm');
const FRAMES = 12;
/** Without how many threads: the page chooses. */
const ANY_THREADS = IDLE.replace('&threads=1', '');

/** Packages that the page loads as they are, and where it has them. */
const PACKAGES = {
  mediabunny: './mediabunny.js',
  mpegpu: './mpegpu/index.js',
  'mpegpu/browser': './mpegpu/browser.js',
};

/**
 * Builds the page into a folder. Rollup would take four times as long to leave out what is not used, and to read the
 * library that reads films, of which the page gets its makers' bundle, and this package with its worker: that Vite
 * bundles them is tested in test/package/bundled-pages.ts.
 */
async function buildPage(outDir: string): Promise<void> {
  const rollupOptions = { external: Object.keys(PACKAGES), output: { paths: PACKAGES } };
  await build({
    root: PLAYGROUND,
    configFile: join(PLAYGROUND, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir, minify: false, rollupOptions: { ...rollupOptions, treeshake: false } },
    worker: { rollupOptions: { treeshake: false } },
  });
  const modules = join(PLAYGROUND, '..', 'node_modules');
  const bundle = join(modules, 'mediabunny', 'dist', 'bundles', 'mediabunny.min.mjs');
  copyFileSync(bundle, join(outDir, 'assets', 'mediabunny.js'));
  cpSync(join(PLAYGROUND, '..', 'dist', 'package', 'browser'), join(outDir, 'assets', 'mpegpu'), { recursive: true });
}

describeWith('chromium', 'the playground', () => {
  let browser: Chromium;
  let server: WebServer;
  let page: Page;
  const troubles: string[] = [];

  beforeAll(async () => {
    const source = `testsrc2=size=96x64:rate=25:duration=${FRAMES / 25}`;
    runPackagedFfmpeg('-f', 'lavfi', '-i', source, '-c:v', 'libvpx', '-pix_fmt', 'yuv420p', '-b:v', '2M', FILM);
    const outDir = join(folder, 'site', 'in', 'a', 'folder');
    await buildPage(outDir);
    server = await serve(join(folder, 'site'), { headers: KEPT });
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 }, acceptDownloads: true });
    collectTroubles(page, troubles);
    await page.goto(`${server.url}in/a/folder/${IDLE}`);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Drops files on the page, as its system does. */
  const drop = async (type: string, files: Readonly<Record<string, Buffer>>) => {
    const data = await page.evaluateHandle(
      ([fileType, contents]) => {
        const transfer = new DataTransfer();
        for (const [name, base64] of contents) {
          const content = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
          transfer.items.add(new File([content], name, { type: fileType }));
        }
        return transfer;
      },
      [type, Object.entries(files).map(([name, bytes]) => [name, bytes.toString('base64')] as const)] as const,
    );
    for (const event of ['dragenter', 'drop']) await page.dispatchEvent('#stage', event, { dataTransfer: data });
  };
  /** Asks the page now and then: it need not draw for that. */
  const until = <Given>(isSo: (given: Given) => boolean, given?: Given) =>
    page.waitForFunction(isSo as (given: unknown) => boolean, given, { polling: 50 });
  const says = (id: string, text: string) =>
    until(([selector, wanted]) => document.querySelector(selector!)!.textContent!.includes(wanted!), [`#${id}`, text]);
  const pels = () => page.$eval('#output', canvas => (canvas as HTMLCanvasElement).toDataURL());
  const changes = (before: string) =>
    until(old => (document.querySelector('#output') as HTMLCanvasElement).toDataURL() !== old, before);
  const points = () => page.$$eval('#points circle', circles => circles.length);
  const values = () =>
    page.$$eval('#values dd', all => all.map(one => `${one.previousSibling!.textContent}: ${one.textContent}`));
  const save = async (container: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#save-${container}`)]);
    const path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    return path;
  };

  it('encodes a film that is dropped, plays it, and gives files that ffmpeg decodes to what the page says', async () => {
    await drop('video/webm', { 'film.webm': readFileSync(FILM) });
    await says('status', `film.webm, ${FRAMES} pictures of 96×64`);
    expect(await points()).toBe(1);
    expect(await page.isVisible('#drop')).toBe(false);
    await changes(await pels());
    await page.click('#play'); // a page that plays draws all the time: from here on it rests
    const mpg = await save('mpg');
    const ts = await save('ts');
    expect([mpg, ts].map(path => path.slice(folder.length + 1))).toEqual(['film-fastest.mpg', 'film-fastest.ts']);
    const ffmpeg = systemFfmpeg();
    const film = await decodeWithFfmpeg(FILM, ffmpeg);
    const decoded = await decodeWithFfmpeg(mpg, ffmpeg);
    expect(decoded.length).toBe(FRAMES);
    expect(await decodeWithFfmpeg(ts, ffmpeg)).toEqual(decoded);
    // The encoder's PSNR is that of its reconstruction and of what the page gave it: both are what ffmpeg decodes.
    const luma = decoded.map((frame, number) => 10 ** (-psnr(film[number]!, frame).y / 10));
    const mean = -10 * Math.log10(luma.reduce((sum, error) => sum + error, 0) / FRAMES);
    const said = Number((await page.textContent('#runs tbody td:nth-child(3)'))!);
    expect(said).toBeCloseTo(mean, 1);
  });

  it('turns a film as its file says', async () => {
    const [upright, turned] = [join(folder, 'upright.mp4'), join(folder, 'turned.mp4')];
    runPackagedFfmpeg('-i', FILM, '-c:v', 'libvpx-vp9', '-b:v', '2M', upright);
    runPackagedFfmpeg('-i', upright, '-c', 'copy', '-metadata:s:v:0', 'rotate=90', turned);
    await drop('video/mp4', { 'turned.mp4': readFileSync(turned) });
    await says('status', 'pictures of 64×96');
    const [shown] = await decodeWithFfmpeg(await save('mpg'), systemFfmpeg());
    const [wanted] = await decodeWithFfmpeg(turned, systemFfmpeg());
    expect(psnr(wanted!, shown!).y).toBeGreaterThan(30);
    await drop('video/webm', { 'film.webm': readFileSync(FILM) });
    await says('status', `film.webm, ${FRAMES} pictures of 96×64`);
  });

  it('steps, and shows each layer and the values of a macroblock that is clicked', async () => {
    await page.click('#next');
    await page.evaluate(() => {
      const slider = document.querySelector<HTMLInputElement>('#frame')!;
      slider.value = '3';
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await page.waitForSelector('#output[data-picture="3"]');
    expect(await page.textContent('#position')).toBe(`4 / ${FRAMES}`);
    await says('picture-text', 'P picture');
    const seen = new Set([await pels()]);
    for (const id of ['types', 'bits', 'scales', 'vectors'].map(name => `layer-${name}`).concat('base-residual')) {
      const before = await pels();
      await page.click(`#${id}`);
      await changes(before);
      seen.add(await pels());
    }
    expect(seen.size).toBe(6);
    await page.click('#base-picture');
    const { width, height } = (await page.locator('#output').boundingBox())!;
    await page.click('#output', { position: { x: 2.5 * (width / 6), y: 1.5 * (height / 4) } });
    await says('values', 'column 3, row 2');
    expect((await values()).join()).toMatch(/Coded: .*Bits: \d+.*Scale: /);
    await page.click('#curves figure:nth-child(2) svg', { position: { x: 100, y: 50 } });
    await until(() => (document.querySelector('#output') as HTMLElement).dataset.picture !== '3');
  });

  it('adds a point for another preset and aim, and keeps the settings in its address', async () => {
    await page.selectOption('#preset', 'fast');
    await until(() => document.querySelectorAll('#points circle').length === 2);
    expect(new URL(page.url()).searchParams.get('preset')).toBe('fast');
    await page.selectOption('#rate', 'bitrate');
    await until(() => document.querySelectorAll('#runs tbody tr').length === 3);
    await says('curves', 'steady 400 kbit/s');
    expect(await page.$$eval('#runs tbody th', all => all.map(one => one.textContent))).toEqual([
      'fastest, cpu-predictive, quality 60',
      'fast, cpu-predictive, quality 60',
      'fast, cpu-predictive, 400 kbit/s',
    ]);
    await page.selectOption('#seconds', '30');
    await until(() => document.querySelectorAll('#runs tbody tr').length === 1); // another clip
    expect(new URL(page.url()).searchParams.get('seconds')).toBe('30');
  });

  it('encodes images that are dropped together, in the order of the numbers in their names', async () => {
    const colours = { 'shot10.png': 'blue', 'shot9.png': 'lime', 'shot1.png': 'red' };
    const size = { width: 64, height: 48, channels: 3 } as const;
    const png = async ([name, background]: [string, string]) =>
      [
        name,
        await sharp({ create: { ...size, background } })
          .png()
          .toBuffer(),
      ] as const;
    await drop('image/png', Object.fromEntries(await Promise.all(Object.entries(colours).map(png))));
    await says('status', '3 images, 3 pictures of 64×48');
    const shown: number[] = [];
    for (const number of [0, 1, 2]) {
      await page.evaluate(to => {
        const slider = document.querySelector<HTMLInputElement>('#frame')!;
        slider.value = String(to);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }, number);
      await page.waitForSelector(`#output[data-picture="${number}"]`);
      const middle = await page.$eval('#source', canvas => {
        const { width, height } = canvas as HTMLCanvasElement;
        const context = (canvas as HTMLCanvasElement).getContext('2d')!;
        return [...context.getImageData(width >> 1, height >> 1, 1, 1).data.subarray(0, 3)];
      });
      shown.push(middle.indexOf(Math.max(...middle)));
    }
    expect(shown).toEqual([0, 1, 2]);
  });

  it('races the estimators over the same pictures, and says why one does not run', async () => {
    await page.click('#race');
    await page.waitForSelector('#laps[data-over]');
    const lanes = await page.$$eval('#laps li', all => all.map(one => one.textContent!));
    expect(lanes.length).toBe(5);
    for (const lane of lanes) expect(lane).toMatch(/pictures\/s.*kB$|gpu-.*(adapter|GPU|WebGPU)/);
    expect(lanes.filter(lane => lane.startsWith('cpu')).join()).toMatch(
      /(cpu-\w+\d[\d.]* pictures\/s\d[\d.]* kB,?){3}/,
    );
  });

  it('says in one line what cannot be decoded, and goes on', async () => {
    await drop('text/plain', { 'notes.txt': Buffer.from('no film') });
    await says('trouble', 'notes.txt cannot be decoded by this browser');
    await drop('image/png', { 'broken.png': Buffer.from('no image') });
    await says('trouble', 'broken.png is an image that this browser cannot decode');
    expect((await page.textContent('#trouble'))!.split('\n').length).toBe(1);
    await page.click('[data-source="sample:zoom"]');
    await page.waitForSelector('#trouble', { state: 'hidden' });
    await says('picture-text', 'I picture');
  });

  it("shows the estimator's vectors beside the coder's", async () => {
    await drop('video/webm', { 'film.webm': readFileSync(FILM) });
    await says('status', `film.webm, ${FRAMES} pictures of 96×64`);
    const { width, height } = (await page.locator('#output').boundingBox())!;
    await page.click('#output', { position: { x: width / 4, y: height / 4 } });
    await says('values', 'Macroblock');
    await page.click('#next');
    await until(() => (document.querySelector('#output') as HTMLElement).dataset.picture !== '0');
    expect((await values()).join()).not.toContain("Estimator's");
    const before = await pels();
    await page.click('#layer-searched');
    await changes(before);
    await says('values', "Estimator's, past anchor");
  });

  it('can be used by keys alone', async () => {
    await page.goto(`${server.url}in/a/folder/${ANY_THREADS}`);
    const focused = () => page.evaluate(() => document.activeElement!.id || document.activeElement!.textContent);
    const tabTo = async (wanted: string) => {
      for (let i = 0; i < 40 && (await focused()) !== wanted; i++) await page.keyboard.press('Tab');
      expect(await focused()).toBe(wanted);
    };
    const choosing = page.waitForEvent('filechooser'); // the browser is told of it before the key
    await tabTo('files');
    await page.keyboard.press('Space');
    await (await choosing).setFiles(FILM);
    await tabTo('preset');
    expect(await page.inputValue('#preset')).toBe('fastest');
    await tabTo('output');
    await says('status', `film.webm, ${FRAMES} pictures`);
    await page.keyboard.press('Space');
    expect(await page.textContent('#play')).toBe('Play');
    await page.keyboard.press('Enter');
    await says('values', 'column 4, row 3');
    await page.keyboard.press('ArrowLeft');
    await says('values', 'column 3, row 3');
    await page.keyboard.press('Escape');
    const shown = Number(await page.getAttribute('#output', 'data-picture'));
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector(`#output[data-picture="${Math.min(shown + 1, FRAMES - 1)}"]`);
    await page.keyboard.press('t');
    expect(await page.isChecked('#layer-types')).toBe(true);
    await tabTo('save-mpg');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toBe('film-fastest.mpg');
  });

  it('names everything for a screen reader, and fits a phone', async () => {
    const unnamed = await page.$$eval('button, select, input, canvas, svg, [role=group], section', all =>
      all
        .filter(one => {
          const by = one.getAttribute('aria-labelledby');
          const label = one.getAttribute('aria-label') ?? one.closest('label')?.textContent;
          return !(label || (by && document.getElementById(by)?.textContent) || one.textContent?.trim());
        })
        .map(one => one.outerHTML.slice(0, 80)),
    );
    expect(unnamed).toEqual([]);
    // Whoever speaks to the page says what stands on a button.
    const otherNames = await page.$$eval('button[aria-label]', all =>
      all
        .map(({ textContent, ariaLabel }) => ({ text: textContent!.toLowerCase(), name: ariaLabel!.toLowerCase() }))
        .filter(({ text, name }) => /[a-z]/.test(text) && !name.includes(text)),
    );
    expect(otherNames).toEqual([]);
    expect(await page.getByRole('slider', { name: 'Quality', exact: true }).count()).toBe(1);
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 780 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    expect((await page.textContent('#offers'))!).toMatch(/Shared memory\. This page is not isolated.*WebGPU\. /);
  });

  it('has written no error to the console', () => expect(troubles).toEqual([]));

  describeSettings(() => `${server.url}in/a/folder/`);
  describeSources(() => `${server.url}in/a/folder/`);
  describeLiveSnow(() => `${server.url}in/a/folder/`, folder);
});
