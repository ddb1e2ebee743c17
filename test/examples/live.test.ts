// The live example in Chromium: each picture is shown without waiting for the next one, and a new viewer joins at once.
import { spawnSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Chromium, launchChromium } from '../support/chromium.js';
import { describeWith } from '../support/requirements.js';

const EXAMPLE = fileURLToPath(new URL('../../examples/live/', import.meta.url));

/** A small page has little to draw. */
const SMALL = { viewport: { width: 320, height: 240 } };
/** How often a page is asked: it need not draw for that. */
const NOW_AND_THEN = { polling: 50 };

interface LiveServer {
  readonly address: { readonly port: number };
  readonly viewers: ReadonlyMap<unknown, boolean>;
  close(): Promise<void>;
}

/** Frames become due when the test says so. */
function heldPace() {
  const due: number[] = [];
  let wake = () => {};
  let isOver = false;
  return {
    push(number: number) {
      due.push(number);
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = due.shift();
        if (next !== undefined) yield next;
        else if (isOver) return;
        else await new Promise<void>(resolve => (wake = resolve));
      }
    },
  };
}

/** Waits until the page shows the picture with this number. */
async function waitForPicture(page: Page, number: number, bits: number, blockPels: number): Promise<void> {
  await page.waitForFunction(
    ([wanted, count, pels]) => {
      const shown = document.querySelector('canvas')!;
      const copy = new OffscreenCanvas(count * pels, pels).getContext('2d')!;
      copy.drawImage(shown, 0, 0);
      const { data, width } = copy.getImageData(0, 0, count * pels, pels);
      const isWhite = (bit: number) => data[4 * ((pels / 2) * width + (bit + 0.5) * pels)]! > 128;
      let found = 0;
      for (let bit = 0; bit < count; bit++) if (isWhite(bit)) found |= 1 << bit;
      return found === wanted;
    },
    [number, bits, blockPels] as const,
    NOW_AND_THEN,
  );
}

/** Whether the canvas shows Chromium's false camera. */
function isGreen(): boolean {
  const canvas = document.querySelector('canvas')!;
  const copy = new OffscreenCanvas(8, 8).getContext('2d')!;
  copy.drawImage(canvas, 0, 0, 8, 8);
  return copy.getImageData(0, 0, 8, 8).data.some((value, at) => at % 4 === 1 && value > 60);
}

describeWith('chromium', 'examples/live', () => {
  let browser: Chromium;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(() => browser?.close());

  it('shows each picture before the next frame is drawn, to viewers who come later, too', async () => {
    const { serveLive } = await import(pathToFileURL(`${EXAMPLE}server.mjs`).href);
    const { NUMBER_BITS, BLOCK_PELS } = await import(pathToFileURL(`${EXAMPLE}draw-frame.mjs`).href);
    const pace = heldPace();
    const live: LiveServer = await serveLive({ port: 0, pace });
    try {
      const pages: Page[] = [];
      const join = async () => {
        const page = await browser.newPage(SMALL);
        pages.push(page);
        await page.goto(`http://localhost:${live.address.port}/`);
        await expect.poll(() => live.viewers.size, { timeout: 30_000 }).toBe(pages.length);
      };
      const show = async (number: number) => {
        pace.push(number);
        for (const page of pages) await waitForPicture(page, number, NUMBER_BITS, BLOCK_PELS);
      };
      await join();
      for (const number of [0, 1, 2, 3]) await show(number);
      await join();
      // Without a key frame the second viewer would wait for the end of the group.
      for (const number of [4, 5]) await show(number);
      // Frames 6 to 8 come too late to be drawn.
      for (const number of [9, 10]) await show(number);
    } finally {
      pace.end();
      await live.close();
      await browser.close();
    }
  });

  it('sends the camera of a page to viewers, who join at key frames, and leaves frames out when the line is slow', async () => {
    const { serveLive } = await import(pathToFileURL(`${EXAMPLE}server.mjs`).href);
    const live: LiveServer = await serveLive({ port: 0, source: 'camera' });
    const url = `http://localhost:${live.address.port}/`;
    try {
      const camera = await browser.newPage(SMALL);
      const asked: string[] = [];
      camera.on('websocket', socket => socket.on('framereceived', ({ payload }) => void asked.push(String(payload))));
      await camera.goto(`${url}camera#top`); // sockets have no fragments
      const counts = async () =>
        (/^(\d+) frames sent, (\d+) left out$/.exec((await camera.textContent('#state'))!) ?? []).slice(1).map(Number);
      await expect.poll(async () => (await counts())[0], { timeout: 30_000 }).toBeGreaterThan(2);
      const pages: Page[] = [];
      for (const viewers of [1, 2]) {
        const viewer = await browser.newPage(SMALL);
        await viewer.goto(`${url}#${viewers}`);
        // Black until the first picture is shown. No group begins by itself within ten seconds.
        await viewer.waitForFunction(isGreen, undefined, { ...NOW_AND_THEN, timeout: 8000 });
        expect(live.viewers.size).toBe(viewers);
        pages.push(viewer);
      }
      for (const viewer of pages) await viewer.close();
      expect(asked).toEqual(['key frame', 'key frame']);
      const second = await browser.newPage(SMALL);
      await second.goto(`${url}camera`);
      await expect.poll(() => second.textContent('#state')).toBe('Another page has the camera.');
      const [, before = 0] = await counts();
      await camera.evaluate(() => Object.defineProperty(WebSocket.prototype, 'bufferedAmount', { get: () => 1e6 }));
      await expect.poll(async () => (await counts())[1], { timeout: 30_000 }).toBeGreaterThan(before + 10);
      const [sent] = await counts();
      await expect.poll(async () => (await counts())[1], { timeout: 30_000 }).toBeGreaterThan(before + 15);
      expect((await counts())[0]).toBe(sent);
    } finally {
      await live.close();
    }
  });

  it('gives the place of a camera that has ended to another page', async () => {
    const { serveLive } = await import(pathToFileURL(`${EXAMPLE}server.mjs`).href);
    const live: LiveServer = await serveLive({ port: 0, source: 'camera' });
    try {
      const open = async () => {
        const page = await browser.newPage(SMALL);
        await page.addInitScript(() => {
          const getUserMedia = MediaDevices.prototype.getUserMedia;
          MediaDevices.prototype.getUserMedia = async function (constraints) {
            const stream = await getUserMedia.call(this, constraints);
            Object.assign(globalThis, { endCamera: () => stream.getTracks()[0]!.stop() });
            return stream;
          };
        });
        // Its address may have a query.
        expect((await page.goto(`http://localhost:${live.address.port}/camera?again`))!.status()).toBe(200);
        await expect.poll(() => page.textContent('#state'), { timeout: 30_000 }).toMatch(/frames sent/);
        return page;
      };
      const first = await open();
      await first.evaluate('endCamera()');
      await expect.poll(() => first.textContent('#state'), { timeout: 10_000 }).toBe('The camera has ended.');
      await open();
    } finally {
      await live.close();
    }
  });

  it('says where a page gets a camera, on a page that gets none', async () => {
    const { serveLive } = await import(pathToFileURL(`${EXAMPLE}server.mjs`).href);
    const live: LiveServer = await serveLive({ port: 0, source: 'camera' });
    try {
      const page = await browser.newPage(SMALL);
      // As on a page from http of another machine.
      await page.addInitScript(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }));
      await page.goto(`http://localhost:${live.address.port}/camera`);
      const only = 'Error: a page gets a camera from https or localhost only';
      await expect.poll(() => page.textContent('#state')).toBe(only);
    } finally {
      await live.close();
    }
  });

  it('says that its port is taken', async () => {
    const { serveLive } = await import(pathToFileURL(`${EXAMPLE}server.mjs`).href);
    const live: LiveServer = await serveLive({ port: 0, source: 'camera' });
    try {
      const { port } = live.address;
      const { status, stderr } = spawnSync(process.execPath, [`${EXAMPLE}server.mjs`, String(port)], {
        encoding: 'utf8',
      });
      expect(stderr).toMatch(/^listen EADDRINUSE: address already in use \S+\n$/);
      expect(status).toBe(1);
    } finally {
      await live.close();
    }
  });
});
