// Pages that import the package, built by bundlers, encode to the bytes that Node gives.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Frame } from '../../src/picture/frame.js';
import { type Chromium, launchChromium } from '../support/chromium.js';
import { encodeFrames } from '../support/encode.js';
import { describeWith } from '../support/requirements.js';
import { serve } from '../support/web-server.js';
import { BUNDLERS, startViteServer, viteForOwnWorker } from './bundlers.js';
import { userHome } from './user-home.js';

const SIZE = { width: 48, height: 32 };
const FRAMES = 12;
/** The readable kernels are slow: a picture that is predicted shows that a page gets them. */
const READABLE_FRAMES = 2;

/** The content policy of a strict page: neither inline scripts, nor `eval`, nor blobs. */
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";

/** A frame: the page makes the same. */
function frameOf(number: number): Frame {
  const y = Uint8Array.from(
    { length: 48 * 32 },
    (_, at) => 128 + 90 * Math.sin(((at % 48) + 2 * number) / 5 + at / 400),
  );
  return { width: 48, height: 32, y, u: new Uint8Array(24 * 16).fill(100 + number), v: new Uint8Array(24 * 16) };
}

/** The page's module. Where frames come slowly, threads run before the last one. */
const MAIN = `import { Encoder } from 'mpegpu';
const frameOf = ${frameOf};
globalThis.encode = async (options, frames, pauseMs) => {
  const warnings = [];
  const onWarning = message => warnings.push(message);
  const encoder = new Encoder({ width: 48, height: 32, frameRate: 25, estimator: 'cpu-predictive', onWarning, ...options });
  const stream = [];
  const taken = (async () => { for await (const { data } of encoder) stream.push(...data); })();
  for (let number = 0; number < frames; number++) {
    await encoder.add(frameOf(number));
    await new Promise(resolve => setTimeout(resolve, pauseMs));
  }
  await encoder.finish();
  await taken;
  return { stream, warnings, threads: encoder.statistics.threads };
};
`;

/** A worker that encodes, and the module of a page that has it encode. */
const OWN_WORKER = `import './main.js';
onmessage = async ({ data }) => postMessage(await encode(...data));
`;
const OWN_WORKER_PAGE = `const worker = new Worker(new URL('./own-worker.js', import.meta.url), { type: 'module' });
window.encode = (...given) => new Promise(resolve => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.postMessage(given);
});
`;

interface PageResult {
  readonly stream: number[];
  readonly warnings: string[];
  readonly threads: number;
}

const home = userHome.folder;
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
/** webpack says so of workers that start workers of the same file. */
const KNOWN_WARNING = /^Circular dependency between chunks with runtime/;

const isNodes = /\b(?:from|import|require)\s*\(?\s*["'](?:node:|piscina|webgpu)/;

describeWith('chromium', 'a page that imports the package', () => {
  let browser: Chromium;
  let expected: readonly string[];

  beforeAll(async () => {
    await userHome.install();
    writeFileSync(join(home, 'main.js'), MAIN);
    writeFileSync(join(home, 'own-worker.js'), OWN_WORKER);
    writeFileSync(join(home, 'own-worker-page.js'), OWN_WORKER_PAGE);
    writeFileSync(
      join(home, 'index.html'),
      '<!doctype html><title>page</title><script type="module" src="main.js"></script>',
    );
    browser = await launchChromium();
    const digest = async (count: number) => {
      const frames = Array.from({ length: count }, (_, number) => frameOf(number));
      return digestOf((await encodeFrames(frames, SIZE)).stream);
    };
    const whole = await digest(FRAMES);
    expected = [whole, whole, await digest(READABLE_FRAMES)];
  });

  afterAll(() => browser?.close());

  /** Encodes in the page at `url`, on one thread and on two; the errors of the page, and whether workers ran. */
  async function encodeAt(url: string) {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', error => errors.push(error.message));
    const workers: string[] = [];
    page.on('worker', worker => workers.push(worker.url()));
    await page.goto(url);
    await page.waitForFunction('window.encode');
    type Encode = (options: object, frames: number, pauseMs: number) => Promise<PageResult>;
    const encode = (options: object, frames: number, pauseMs = 0) =>
      page.evaluate(given => (window as unknown as { encode: Encode }).encode(...given), [options, frames, pauseMs] as [
        object,
        number,
        number,
      ]);
    const results = [
      await encode({ threads: 1 }, FRAMES),
      await encode({ threads: 2 }, FRAMES, 25),
      await encode({ threads: 1, kernels: 'reference' }, READABLE_FRAMES),
    ];
    await page.close();
    return { results, errors, workers };
  }

  function expectNodesBytes({ results, errors, workers }: Awaited<ReturnType<typeof encodeAt>>): void {
    expect(errors).toEqual([]);
    expect(results.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(results.map(({ stream }) => digestOf(Uint8Array.from(stream)))).toEqual(expected);
    expect(workers.length).toBeGreaterThan(0);
  }

  it.each(Object.entries({ ...BUNDLERS, 'vite, in a worker of its own': viteForOwnWorker }))(
    'runs under a strict policy, bundled by %s',
    async (name, bundle) => {
      const out = join(home, 'out', name);
      mkdirSync(out, { recursive: true });
      const warnings = await bundle(home, out);
      expect(warnings.filter(warning => !KNOWN_WARNING.test(warning))).toEqual([]);
      const code = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.js'));
      expect(code.filter(path => isNodes.test(readFileSync(join(out, path), 'utf8')))).toEqual([]);
      const pages = { '/': '<!doctype html><title>page</title><script type="module" src="app.js"></script>' };
      const server = await serve(out, { isIsolated: true, pages, headers: { 'Content-Security-Policy': POLICY } });
      try {
        expectNodesBytes(await encodeAt(server.url));
      } finally {
        await server.close();
      }
    },
  );

  it("runs on Vite's development server", async () => {
    const warnings: string[] = [];
    const server = await startViteServer(home, warnings);
    try {
      await server.listen();
      expectNodesBytes(await encodeAt(server.resolvedUrls!.local[0]!));
      expect(warnings).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
