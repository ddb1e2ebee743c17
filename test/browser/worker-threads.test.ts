// An encoder in a worker of an isolated page has threads of its own, and takes them with it when it ends.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeFrames } from '../support/encode.js';
import { describeWith } from '../support/requirements.js';
import { patternFrame } from './moving-frames.js';
import { PackagePages, type PackageWindow } from './package-page.js';

const SIZE = { width: 96, height: 64 };
const FRAMES = 30;

/** A worker that can start no workers. */
const LONELY_WORKER = `
import './mpegpu/worker.js';
globalThis.Worker = class {
  constructor() {
    throw new Error('a worker has started one');
  }
};
`;

/** Whether there is a process with this number. */
function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

describeWith('chromium', 'WorkerEncoder with threads', () => {
  let pages: PackagePages;
  let page: Page;

  beforeAll(async () => {
    pages = await PackagePages.open({ '/lonely-worker.js': LONELY_WORKER }, { isIsolated: true });
    page = await pages.newPage();
  });

  afterAll(() => pages?.close());

  it('gives the bytes of one thread, and after an abort and at the end no thread is left', async () => {
    const run = async ([size, count]: [typeof SIZE, number]) => {
      const { mpegpu, patternFrame } = window as unknown as PackageWindow;
      const options = { ...size, frameRate: 25, threads: 3, estimator: 'cpu-predictive' } as const;
      const encoder = new mpegpu.WorkerEncoder({ ...options, workerUrl: 'mpegpu/worker.js' });
      for (let number = 0; number < count; number++) {
        await encoder.add(patternFrame(size.width, size.height, number));
      }
      await encoder.finish();
      const bytes: number[] = [];
      for await (const { data } of encoder) bytes.push(...data);
      const abort = new AbortController();
      const aborted = new mpegpu.WorkerEncoder({ ...options, signal: abort.signal });
      const added = (async () => {
        for (let number = 0; ; number++) {
          await aborted.add(patternFrame(size.width, size.height, number));
          if (number === 40) abort.abort(new Error('enough'));
        }
      })();
      return { bytes, reason: await added.catch(String), isIsolated: crossOriginIsolated };
    };
    const { bytes, ...rest } = await page.evaluate(run, [SIZE, FRAMES] as [typeof SIZE, number]);
    const frames = Array.from({ length: FRAMES }, (_, number) => patternFrame(SIZE.width, SIZE.height, number));
    const { stream } = await encodeFrames(frames, SIZE);
    expect(Buffer.from(bytes).equals(stream)).toBe(true);
    expect(rest).toEqual({ reason: 'Error: enough', isIsolated: true });
    await expect.poll(() => pages.workers(), { timeout: 5000 }).toBe(0);
    expect(pages.errors).toEqual([]);
  });

  it('has its threads from the page, and they end with it whenever it is aborted', async () => {
    const run = async ([size, last]: [typeof SIZE, number]) => {
      const { mpegpu, patternFrame } = window as unknown as PackageWindow;
      const warnings: string[] = [];
      const abort = new AbortController();
      const encoder = new mpegpu.WorkerEncoder({
        ...size,
        frameRate: 25,
        threads: 3,
        estimator: 'cpu-predictive',
        signal: abort.signal,
        workerUrl: 'lonely-worker.js',
        onWarning: message => warnings.push(message),
      });
      for (let number = 0; number < last; number++) {
        await encoder.add(patternFrame(size.width, size.height, number));
      }
      const { threads } = encoder.statistics;
      abort.abort(new Error('enough'));
      return { warnings, threads, reason: await encoder.finish().catch(String) };
    };
    for (const last of [1, 5, 15, 40]) {
      const result = await page.evaluate(run, [SIZE, last] as [typeof SIZE, number]);
      expect(result).toEqual({ warnings: [], threads: 3, reason: 'Error: enough' });
      await expect.poll(() => pages.workers(), { timeout: 5000 }).toBe(0);
    }
    expect(pages.errors).toEqual([]);
  });

  it('leaves no worker and no process when its page is closed in the middle', async () => {
    const run = (size: typeof SIZE) => {
      const { mpegpu, patternFrame } = window as unknown as PackageWindow;
      const options = { ...size, frameRate: 25, threads: 4, estimator: 'cpu-predictive' } as const;
      const encoder = new mpegpu.WorkerEncoder({ ...options, workerUrl: 'mpegpu/worker.js' });
      void (async () => {
        for (let number = 0; ; number++) await encoder.add(patternFrame(size.width, size.height, number % 8));
      })();
      void (async () => {
        for await (const unit of encoder) void unit;
      })();
    };
    const before = await pages.pageProcesses();
    await page.evaluate(run, SIZE);
    // The encoder, its lookahead, and some of its coders and of those that analyse.
    await expect.poll(() => pages.workers(), { timeout: 10_000 }).toBeGreaterThanOrEqual(4);
    const during = await pages.pageProcesses();
    const used = [...during].map(([id, seconds]) => ({ id, seconds: seconds - (before.get(id) ?? 0) }));
    const { id: busiest } = used.reduce((most, one) => (one.seconds > most.seconds ? one : most));
    expect(isRunning(busiest)).toBe(true);
    await page.close();
    await expect.poll(() => pages.workers(), { timeout: 10_000 }).toBe(0);
    await expect.poll(async () => (await pages.pageProcesses()).has(busiest), { timeout: 10_000 }).toBe(false);
    // The browser lists it no more, and it may still be ending.
    await expect.poll(() => isRunning(busiest), { timeout: 10_000 }).toBe(false);
    expect(pages.errors).toEqual([]);
  });
});
