// Pages in Chromium encode to the bytes that Node gives.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EncoderOptions } from '../../src/encoder/options.js';
import type { Frame } from '../../src/picture/frame.js';
import { launchChromium } from '../support/chromium.js';
import { encodeFrames } from '../support/encode.js';
import { describeWith } from '../support/requirements.js';
import { serve, type WebServer } from '../support/web-server.js';

const PACKAGE = join(import.meta.dirname, '..', '..', 'dist', 'package', 'browser');
const SIZE = { width: 96, height: 64 };
const FRAMES = 12;

/** A frame of a pattern that moves: the same function runs in the page. */
function frameOf({ width, height }: typeof SIZE, number: number): Frame {
  const y = new Uint8Array(width * height);
  for (let at = 0; at < y.length; at++) {
    const [x, line] = [(at % width) + 2 * number, Math.floor(at / width) + number];
    y[at] = 128 + 50 * Math.sin(x / 5) + 40 * Math.cos(line / 7) + ((x * 7 + line * 13) % 16);
  }
  const u = new Uint8Array((width * height) / 4).map((_, at) => 100 + ((at + number) % 40));
  return { width, height, y, u, v: u.map(value => 255 - value) };
}

const PAGE = `<!doctype html><title>encode</title><script type="module">
import { Encoder } from './index.js';
const frameOf = ${frameOf.toString()};
window.encode = async (size, count, options) => {
  const encoder = new Encoder({ ...size, frameRate: 25, estimator: 'cpu-predictive', ...options });
  const parts = [];
  const taken = (async () => { for await (const unit of encoder) parts.push(unit.data); })();
  for (let number = 0; number < count; number++) await encoder.add(frameOf(size, number));
  await encoder.finish();
  await taken;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return { digest: [...digest].map(byte => byte.toString(16).padStart(2, '0')).join(''), threads: encoder.statistics.threads };
};
window.isReady = true;
</script>`;

describeWith('chromium', 'an encode in a page', () => {
  let browser: Browser;
  let servers: readonly WebServer[];

  beforeAll(async () => {
    browser = await launchChromium();
    servers = await Promise.all([false, true].map(isIsolated => serve(PACKAGE, { isIsolated, pages: { '/': PAGE } })));
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all(servers?.map(server => server.close()) ?? []);
  });

  it.each<[isIsolated: boolean, options: Partial<EncoderOptions>]>([
    [false, { threads: 1 }],
    [true, { threads: 1 }],
  ])('gives the bytes of Node, isolated: %s, %j', async (isIsolated, options) => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', error => errors.push(error.message));
    await page.goto(servers[Number(isIsolated)]!.url);
    await page.waitForFunction('window.isReady');
    type Encode = (...args: unknown[]) => Promise<{ digest: string }>;
    const run = (given: unknown[]) => (window as unknown as { encode: Encode }).encode(...given);
    const { digest } = await page.evaluate(run, [SIZE, FRAMES, options]);
    const frames = Array.from({ length: FRAMES }, (_, number) => frameOf(SIZE, number));
    const { stream } = await encodeFrames(frames, { ...SIZE, ...options });
    expect(digest).toBe(createHash('sha256').update(stream).digest('hex'));
    expect(errors).toEqual([]);
    await page.close();
  });
});
