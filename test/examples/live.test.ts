// The live example in Chromium: each picture is shown without waiting for the next one, and a new viewer joins at once.
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { describeWith } from '../support/requirements.js';

const EXAMPLE = fileURLToPath(new URL('../../examples/live/', import.meta.url));

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
  );
}

describeWith('chromium', 'examples/live', () => {
  it('shows each picture before the next frame is drawn, to viewers who come later, too', async () => {
    const { serveLive } = await import(pathToFileURL(`${EXAMPLE}server.mjs`).href);
    const { NUMBER_BITS, BLOCK_PELS } = await import(pathToFileURL(`${EXAMPLE}draw-frame.mjs`).href);
    const pace = heldPace();
    const live: LiveServer = await serveLive({ port: 0, pace });
    const browser = await launchChromium();
    try {
      const pages: Page[] = [];
      const join = async () => {
        const page = await browser.newPage();
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
});
