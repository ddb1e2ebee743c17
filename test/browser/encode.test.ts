// Pages in Chromium encode to the bytes that Node gives, whatever threads and GPU they have.
import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EncoderOptions } from '../../src/encoder/options.js';
import { type Chromium, launchChromium } from '../support/chromium.js';
import { encodeFrames } from '../support/encode.js';
import { describeWith } from '../support/requirements.js';
import { IS_SOAK } from '../support/soak.js';
import type { WebServer } from '../support/web-server.js';
import { encodeIn, type PageEncode, servePages } from './encode-page.js';
import { FRAMES, movingFrames, SIZE } from './moving-frames.js';

const TWINS: Readonly<Record<string, string>> = { 'gpu-full': 'cpu-full', 'gpu-mrmp': 'cpu-mrmp' };
/** The search is short, so that a software GPU has little to do. */
const RANGE = { x: 5, y: 5 };
/** So many frames are searched on a software GPU: the lookahead's, and some more. */
const FRAMES_ON_GPU = 12;

/** Coder threads are started with the first picture. */
const EARLY_CODERS = { threads: 4, preset: 'smallest', expectedFrames: 1_000_000 } as const;

/** So many frames are enough for them. */
const FRAMES_OF_CODERS = 16;

describeWith('chromium', 'an encode in a browser', () => {
  let browser: Chromium;
  let servers: readonly WebServer[];
  const pages = new Map<string, Promise<Page>>();
  const digests = new Map<string, Promise<string>>();
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium({ gpu: true });
    servers = await Promise.all([false, true].map(servePages));
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all(servers?.map(server => server.close()) ?? []);
  });

  async function open(isIsolated: boolean, path = ''): Promise<Page> {
    const page = await browser.newPage();
    page.on('pageerror', error => faults.push(error.message));
    await page.goto(`${servers[Number(isIsolated)]!.url}${path}`);
    return page;
  }

  /** The page that is used for all encodes in this place. */
  function pageFor(isIsolated: boolean, path = ''): Promise<Page> {
    const key = `${isIsolated} ${path}`;
    if (!pages.has(key)) pages.set(key, open(isIsolated, path));
    return pages.get(key)!;
  }

  /** What Node's one thread gives with the CPU twin. */
  function expectedDigest({ estimator, range, preset }: Partial<EncoderOptions>, frames = FRAMES): Promise<string> {
    const name = typeof estimator === 'string' ? (TWINS[estimator] ?? estimator) : 'cpu-predictive';
    const key = `${name} ${preset} ${frames}`;
    const digest = async () => {
      const given = { ...SIZE, estimator: name, ...(range && { range }), ...(preset && { preset }) };
      const { stream } = await encodeFrames(movingFrames().slice(0, frames), given);
      return createHash('sha256').update(stream).digest('hex');
    };
    if (!digests.has(key)) digests.set(key, digest());
    return digests.get(key)!;
  }

  /** A page for one encode in a worker, which ends before those that it has started (see worker-starter.ts). */
  async function onOwnPage<T>(isIsolated: boolean, use: (page: Page) => Promise<T>): Promise<T> {
    const page = await open(isIsolated);
    const result = await use(page);
    await page.close();
    return result;
  }

  /** Until no worker of the page is left. */
  async function expectNoWorkers(page: Page): Promise<void> {
    await expect.poll(() => page.workers().length, { timeout: 10_000 }).toBe(0);
  }

  it.each<[isIsolated: boolean, given: PageEncode]>([
    [false, { options: { threads: 1 } }],
    [false, { options: { threads: 4 } }],
    [false, { options: { threads: 4 }, inWorker: true }],
    [false, { options: { threads: 4, estimator: 'cpu-mrmp', range: RANGE } }],
    [false, { options: {} }],
    [false, { options: { threads: 2, workerUrl: 'mpegpu/worker.js', kernelsUrl: './mpegpu/kernels.wasm' } }],
    [true, { options: { threads: 1 }, inWorker: true }],
    [true, { options: { threads: 4 } }],
    [true, { options: { threads: 4 }, inWorker: true }],
    [true, { options: {} }],
  ])('has the bytes of Node, isolated: %s, %j', async (isIsolated, given) => {
    const digest = await expectedDigest(given.options);
    const use = async (page: Page) => {
      expect(await encodeIn(page, given)).toMatchObject({ digest, warnings: [], waits: 0 });
      if (!given.inWorker) await expectNoWorkers(page);
    };
    await (given.inWorker ? onOwnPage(isIsolated, use) : use(await pageFor(isIsolated)));
  });

  const gpuCases: [estimator: string, threads: number, isIsolated: boolean][] = [
    ['gpu-mrmp', 1, false],
    ['gpu-mrmp', 4, true],
    ['gpu-full', 4, false],
  ];
  if (IS_SOAK) gpuCases.push(['gpu-mrmp', 1, true], ['gpu-mrmp', 4, false]);
  if (IS_SOAK) gpuCases.push(['gpu-full', 1, false], ['gpu-full', 1, true], ['gpu-full', 4, true]);
  it.each(gpuCases)(
    '%s has the bytes of its CPU twin, threads: %i, isolated: %s',
    async (estimator, threads, isolated) => {
      const options = { estimator, threads, range: RANGE };
      const encoded = await encodeIn(await pageFor(isolated), { options, frames: FRAMES_ON_GPU });
      const digest = await expectedDigest(options, FRAMES_ON_GPU);
      expect(encoded).toMatchObject({ digest, warnings: [], waits: 0 });
      expect(encoded.device).toMatch(/WebGPU/);
    },
    60_000,
  );

  const lostCases: [threads: number, path: string, workerUrl?: string][] = [[1, 'lost.html']];
  if (IS_SOAK) lostCases.push([4, '', 'losing-worker.js']);
  it.each(lostCases)(
    'goes on without a GPU that is lost on the way, threads: %i',
    async (threads, path, workerUrl) => {
      const options = { estimator: 'gpu-mrmp', threads, range: RANGE, ...(workerUrl && { workerUrl }) };
      const encoded = await encodeIn(await pageFor(true, path), { options });
      expect(encoded.warnings).toEqual([expect.stringMatching(/^gpu-mrmp: .*; the CPU goes on in its place/)]);
      expect(encoded).toMatchObject({ digest: await expectedDigest(options), waits: 0 });
    },
    60_000,
  );

  it('takes a CPU for auto where the GPU is a program, and says why', async () => {
    const encoded = await encodeIn(await pageFor(false), { options: { estimator: 'auto', threads: 1 } });
    expect(encoded).toMatchObject({ digest: await expectedDigest({}), device: 'CPU, WebAssembly SIMD' });
  });

  describe('without threads', () => {
    const LOOKAHEAD = 'no thread starts for the lookahead';
    it.each<[what: string, isIsolated: boolean, path: string, given: PageEncode, warning: RegExp | undefined]>([
      ['with no workers', false, '', { options: {}, withoutWorkers: true }, undefined],
      ['with no workers, asked for', true, '', { options: { threads: 4 }, withoutWorkers: true }, /no workers here/],
      [
        'refused by a policy',
        true,
        'no-workers.html',
        { options: { threads: 4 } },
        /worker\.js did not load .*workerUrl/,
      ],
      [
        'at a wrong address',
        false,
        '',
        { options: { threads: 4, workerUrl: 'no.js' } },
        /http:\S+\/no\.js did not load/,
      ],
      [
        'of no module',
        true,
        '',
        { options: { threads: 4, workerUrl: 'mpegpu/kernels.wasm' } },
        /kernels\.wasm did not load/,
      ],
    ])('%s: the same bytes, and one warning', async (_, isIsolated, path, given, warning) => {
      const encoded = await encodeIn(await pageFor(isIsolated, path), given);
      expect(encoded).toMatchObject({ digest: await expectedDigest({}), waits: 0 });
      const [first = '', ...others] = encoded.warnings;
      if (warning) expect(first).toMatch(warning);
      expect(first.startsWith(LOOKAHEAD)).toBe(warning !== undefined);
      for (const other of others) expect(other).toMatch(/^no coder thread starts/);
    });
  });

  it.each([false, true])('codes in threads side by side where memory is shared, in a worker: %s', async inWorker => {
    const options = { ...EARLY_CODERS, workerUrl: 'watched-worker.js' };
    const use = (page: Page) => encodeIn(page, { options, awaitsCoders: true, inWorker, frames: FRAMES_OF_CODERS });
    const encoded = await (inWorker ? onOwnPage(true, use) : use(await pageFor(true)));
    const digest = await expectedDigest(options, FRAMES_OF_CODERS);
    expect(encoded).toMatchObject({ digest, warnings: [], waits: 0 });
    expect(encoded.codedInThreads).toBeGreaterThan(0);
  });

  it('survives coder threads that die', async () => {
    const options = { ...EARLY_CODERS, workerUrl: 'watched-worker.js?dies' };
    const encoded = await encodeIn(await pageFor(true), { options, awaitsCoders: true, frames: FRAMES_OF_CODERS });
    expect(encoded).toMatchObject({ digest: await expectedDigest(options, FRAMES_OF_CODERS), waits: 0 });
    for (const warning of encoded.warnings) expect(warning).toMatch(/^a coder thread died \(.*the worker dies/);
    expect(encoded.warnings).not.toEqual([]);
  });

  it.each([
    [{ kernelsUrl: 'no.wasm' }, /^the kernels cannot be loaded from http:\S+\/no\.wasm \(the server answers 404\)$/],
    [{ kernelsUrl: 'mpegpu/worker.js' }, /^the kernels cannot be loaded from http:\S+\/worker\.js \(.*magic/],
    [{ workerUrl: 'http://' }, /^workerUrl 'http:\/\/' is not a URL$/],
  ])('names a wrong address: %j', async (options, message) => {
    const { error } = await encodeIn(await pageFor(false), { options: { threads: 1, ...options } });
    expect(error).toMatch(message);
  });

  it.each([false, true])('that is aborted ends its workers, isolated: %s', { timeout: 60_000 }, async isIsolated => {
    const page = await pageFor(isIsolated);
    let most = 0;
    page.on('worker', () => {
      most = Math.max(most, page.workers().length);
    });
    // Chromium left workers behind in one end of a dozen when those that they had started ended at the same time.
    for (let abortAt = 2; abortAt < FRAMES; abortAt += IS_SOAK ? 1 : 9) {
      const { error } = await encodeIn(page, { options: { threads: 4 }, abortAt });
      expect(error).toBe('enough');
      await expectNoWorkers(page);
    }
    expect(most).toBeGreaterThan(0);
  });

  it.each([false, true])('that is aborted ends workers that still load, isolated: %s', async isIsolated => {
    const page = await pageFor(isIsolated);
    const options = { threads: 4, expectedFrames: 1_000_000, workerUrl: 'late-worker.js' };
    const encoding = encodeIn(page, { options });
    const workers = isIsolated ? options.threads + 1 : 1;
    await expect.poll(() => page.workers().length, { timeout: 10_000 }).toBe(workers);
    await page.evaluate('abortEncode()');
    expect(await encoding).toMatchObject({ error: 'enough', warnings: [] });
    await expectNoWorkers(page);
  });

  it('ends with its page', async () => {
    const session = await browser.newBrowserCDPSession();
    const workers = async () => {
      const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] });
      return targetInfos.filter(({ url, type }) => type === 'worker' && url.startsWith('http'));
    };
    const others = new Set((await workers()).map(({ targetId }) => targetId));
    const targets = async () => (await workers()).filter(({ targetId }) => !others.has(targetId)).length;
    const page = await pageFor(true);
    const started = page.waitForEvent('worker');
    const endless = { options: { threads: 4, preset: 'smallest' }, frames: Number.MAX_SAFE_INTEGER } as const;
    encodeIn(page, endless).catch(() => {}); // the page is closed before
    await started;
    await expect.poll(targets).toBeGreaterThan(0);
    await page.close();
    await expect.poll(targets, { timeout: 10_000 }).toBe(0);
    await session.detach();
  });

  it('throws nothing that nobody catches', () => {
    expect(faults).toEqual([]);
  });
});
