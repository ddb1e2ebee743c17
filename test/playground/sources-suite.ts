// The tests of what the playground says and does with cameras and files.
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, launchChromium } from '../support/chromium.js';
import { CHEAPEST, IDLE, SMALL_AND_STILL } from './small-page.js';

const NOTES = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no film') };

/** The page's module that reads films. */
const FILM_READER = /film-source/;

/** What the page has for these tests. */
interface WatchedWindow {
  /** Tracks of the camera, and their copies. */
  tracks: MediaStreamTrack[];
  /** Gives the camera that was asked for. */
  allowCamera: () => void;
}

/** Keeps the tracks, and gives a camera when the test says so. */
function watchCamera(): void {
  const own = globalThis as unknown as WatchedWindow;
  own.tracks = [];
  const isAllowed = new Promise<void>(resolve => {
    own.allowCamera = resolve;
  });
  const keep = (stream: MediaStream) => {
    own.tracks.push(...stream.getTracks());
    return stream;
  };
  const getUserMedia = MediaDevices.prototype.getUserMedia;
  MediaDevices.prototype.getUserMedia = async function (constraints) {
    const stream = keep(await getUserMedia.call(this, constraints));
    await isAllowed;
    return stream;
  };
  const clone = MediaStream.prototype.clone;
  MediaStream.prototype.clone = function () {
    return keep(clone.call(this));
  };
}

/** What a page's address says for a browser that cannot decode films. */
const WITHOUT_WEBCODECS = '&without=webcodecs';

/** Makes the browser such a one. */
function leaveOutWebCodecs(): void {
  if (location.search.endsWith('&without=webcodecs')) Reflect.deleteProperty(globalThis, 'VideoDecoder');
}

/** Two images of one shape, which make the shortest film. */
async function twoImages() {
  const image = sharp({ create: { width: 32, height: 32, channels: 3, background: 'teal' } });
  const buffer = await image.png().toBuffer();
  return ['1.png', '2.png'].map(name => ({ name, mimeType: 'image/png', buffer }));
}

/** Tests the playground that lies at an address. */
export function describeSources(address: () => string): void {
  describe('a source', () => {
    let browser: Chromium;
    let page: Page;

    beforeAll(async () => {
      browser = await launchChromium();
      page = await browser.newPage(SMALL_AND_STILL);
      await page.addInitScript(watchCamera);
      await page.addInitScript(leaveOutWebCodecs);
    });

    afterAll(() => browser?.close());

    /** Loads the page anew: what it did before ends. */
    const open = (query = IDLE) => page.goto(address() + query);
    const expectTrouble = async (text: string) => {
      await expect.poll(() => page.textContent('#trouble'), { interval: 20, timeout: 30_000 }).toBe(text);
      expect(await page.isVisible('#trouble')).toBe(true);
    };
    const trackStates = () =>
      page.evaluate(() => (globalThis as unknown as WatchedWindow).tracks.map(track => track.readyState));
    const liveTracks = async () => (await trackStates()).filter(state => state === 'live').length;
    const allowCamera = () => page.evaluate(() => (globalThis as unknown as WatchedWindow).allowCamera());

    it('that is a camera goes on in another size, is off at the end, and ends when it is pulled out', async () => {
      await open();
      await allowCamera();
      await page.click('#camera');
      await page.waitForSelector('#stop', { state: 'visible' });
      const isShownIn = (shape: string) =>
        page.waitForFunction(
          wanted =>
            document.querySelector<HTMLElement>('#output')!.style.aspectRatio === wanted &&
            Number(/\d+$/.exec(document.querySelector('#position')!.textContent!)) > 5,
          shape,
          { polling: 50 },
        );
      await isShownIn('176 / 132'); // a page that has shown nothing has no shape yet, and keeps none for 320 / 240
      // Each goes on with a copy of the stream before it. The last size is the cheapest to encode.
      for (const [size, shape] of [
        ['320', '320 / 240'],
        ['176', '176 / 132'],
      ] as const) {
        await page.selectOption('#size', size);
        await isShownIn(shape);
        expect(await liveTracks()).toBe(1);
      }
      await page.click('#stop');
      await expect.poll(() => liveTracks()).toBe(0);
      await page.waitForSelector('#save-mpg:enabled');
      await page.click('#camera');
      await page.waitForSelector('#save-mpg:disabled');
      await isShownIn('176 / 132');
      await page.evaluate(() => {
        for (const track of (globalThis as unknown as WatchedWindow).tracks) track.stop();
      });
      await page.waitForSelector('#save-mpg:enabled');
      const [, pictures] = /, (\d+) pictures/.exec((await page.textContent('#status'))!)!;
      expect(Number(pictures)).toBeLessThan(25 * 10); // a clip that is full
    });

    it('that is stopped before its first picture ends at once, and the page says so', async () => {
      await open();
      await page.evaluate(() => {
        HTMLMediaElement.prototype.play = () => new Promise(() => {}); // a camera that never starts
      });
      await page.click('#camera');
      await allowCamera();
      await page.waitForSelector('#stop', { state: 'visible' });
      await page.click('#stop');
      await expectTrouble('Camera was stopped before its first picture');
      await expect.poll(() => liveTracks()).toBe(0);
      await page.waitForSelector('#stop', { state: 'hidden' });
    });

    it('that is chosen while the camera is asked for stays', async () => {
      await open();
      await page.click('#camera');
      await expect.poll(() => liveTracks()).toBe(1);
      await page.click('[data-source="sample:zoom"]');
      await allowCamera();
      await expect.poll(() => liveTracks()).toBe(0);
      expect(new URL(page.url()).searchParams.get('source')).toBe('sample:zoom');
    });

    it('has the same 40 pictures for each in a race that starts before they are there', async () => {
      await open();
      const lengths = await page.evaluate(
        () =>
          new Promise<string[]>(resolve => {
            const laps = document.querySelector<HTMLElement>('#laps')!;
            const seen = new Set<string>();
            const observer = new MutationObserver(() => {
              for (const [, length] of laps.textContent!.matchAll(/picture \d+ of (\d+)/g)) seen.add(length!);
              // The last one that runs without a GPU has begun.
              if (/cpu-full[\d.]+ pictures\/spicture/.test(laps.textContent!)) resolve([...seen]);
            });
            observer.observe(laps, { childList: true });
            document.querySelector<HTMLElement>('[data-source="sample:zoom"]')!.click();
            document.querySelector<HTMLElement>('#race')!.click();
          }),
      );
      expect(lengths).toEqual(['40']);
    });

    it('that takes long is named at once, and what came of the one before cannot be saved under its name', async () => {
      await open();
      await page.setInputFiles('#files', await twoImages());
      await page.waitForSelector('#save-mpg:enabled');
      await page.route(FILM_READER, () => {}); // what reads films does not come
      await page.setInputFiles('#files', { name: 'film.webm', mimeType: 'video/webm', buffer: Buffer.alloc(1) });
      await page.waitForSelector('#save-mpg:disabled', { timeout: 5000 });
      expect(await page.textContent('#status')).toBe('Encoding film.webm…');
      await page.unroute(FILM_READER);
    });

    it('that cannot be read leaves nothing of the one before, and says why in a race, too', async () => {
      await open(CHEAPEST);
      await page.waitForSelector('#output[data-picture]');
      await page.setInputFiles('#files', NOTES);
      await page.waitForSelector('#trouble', { state: 'visible' });
      await page.waitForSelector('#output:not([data-picture])');
      expect(await page.textContent('#picture-text')).toBe('');
      const isBlank = (canvas: Element) => {
        const { width, height } = canvas as HTMLCanvasElement;
        const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
        return data.every(value => value === 0);
      };
      for (const id of ['source', 'output']) expect(await page.$eval(`#${id}`, isBlank), id).toBe(true);
      await page.click('#race');
      await page.waitForSelector('#laps[data-over]');
      expect(await page.textContent('#laps')).toBe(await page.textContent('#trouble'));
    });

    it('that is a camera says why it is not there', async () => {
      await open();
      // The source of the page fails for want of a GPU, and may say so late.
      await page.waitForSelector('#trouble:not([hidden])');
      for (const [name, text] of [
        ['NotAllowedError', 'The camera was not allowed: allow it in the address bar'],
        ['NotFoundError', 'There is no camera here'],
        ['NotReadableError', 'The camera cannot be read: another program may use it'],
        ['AbortError', 'The camera does not start: why'],
      ] as const) {
        await page.evaluate(error => {
          MediaDevices.prototype.getUserMedia = () => Promise.reject(new DOMException('why', error));
        }, name);
        await page.click('#camera');
        await expectTrouble(text);
      }
    });

    it('that is a film says that it needs WebCodecs', async () => {
      await open(`${IDLE}${WITHOUT_WEBCODECS}`);
      await page.setInputFiles('#files', { ...NOTES, name: 'film.webm', mimeType: 'video/webm' });
      await expectTrouble('film.webm cannot be read: films take WebCodecs, which this browser does not offer here');
      expect(await page.textContent('#offers')).toContain('WebCodecs. Not in this browser: films cannot be read.');
    });

    it('gives its name, in any alphabet, to what is saved', async () => {
      await open();
      const image = sharp({ create: { width: 32, height: 32, channels: 3, background: 'teal' } });
      const buffer = await image.png().toBuffer();
      await page.setInputFiles('#files', { name: 'Zürich, 映画 2.png', mimeType: 'image/png', buffer });
      await page.waitForFunction(() =>
        document.querySelector('#status')!.textContent!.startsWith('Zürich, 映画 2.png, 25'),
      );
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-mpg')]);
      expect(download.suggestedFilename()).toBe('zürich-映画-2-fastest.mpg');
    });

    it('of images has one shape', async () => {
      await open();
      const images = [
        [64, 48],
        [128, 96],
        [48, 64],
      ].map(async ([width, height]) => ({
        name: `${width}x${height}.png`,
        mimeType: 'image/png',
        buffer: await sharp({ create: { width: width!, height: height!, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      }));
      const [small, large, turned] = await Promise.all(images);
      await page.setInputFiles('#files', [small!, large!]);
      await page.waitForFunction(() =>
        document.querySelector('#status')!.textContent!.startsWith('2 images, 2 pictures'),
      );
      await page.setInputFiles('#files', [small!, turned!]);
      await expectTrouble('64x48.png has another shape than 48x64.png: give images of one shape');
      await expect.poll(() => page.workers().length).toBe(0);
    });
  });
}
