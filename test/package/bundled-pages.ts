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
import { BUNDLERS, startViteServer } from './bundlers.js';
import { userHome } from './user-home.js';

const SIZE = { width: 96, height: 64 };
const FRAMES = 12;

/** The content policy of a strict page: neither inline scripts, nor `eval`, nor blobs. */
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";

/** A frame: the page makes the same. */
function frameOf(number: number): Frame {
  const y = Uint8Array.from(
    { length: 96 * 64 },
    (_, at) => 128 + 90 * Math.sin(((at % 96) + 2 * number) / 5 + at / 400),
  );
  return { width: 96, height: 64, y, u: new Uint8Array(48 * 32).fill(100 + number), v: new Uint8Array(48 * 32) };
}

/** The page's module. Where frames come slowly, threads run before the last one. */
const MAIN = `import { Encoder } from 'mpegpu';
const frameOf = ${frameOf};
window.encode = async (options, pauseMs) => {
  const warnings = [];
  const onWarning = message => warnings.push(message);
  const encoder = new Encoder({ width: 96, height: 64, frameRate: 25, estimator: 'cpu-predictive', onWarning, ...options });
  const stream = [];
  const taken = (async () => { for await (const { data } of encoder) stream.push(...data); })();
  for (let number = 0; number < ${FRAMES}; number++) {
    await encoder.add(frameOf(number));
    await new Promise(resolve => setTimeout(resolve, pauseMs));
  }
  await encoder.finish();
  await taken;
  return { stream, warnings, threads: encoder.statistics.threads };
};
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
  let expected: string;

  beforeAll(async () => {
    await userHome.install();
    writeFileSync(join(home, 'main.js'), MAIN);
    writeFileSync(
      join(home, 'index.html'),
      '<!doctype html><title>page</title><script type="module" src="main.js"></script>',
    );
    browser = await launchChromium();
    const frames = Array.from({ length: FRAMES }, (_, number) => frameOf(number));
    expected = digestOf((await encodeFrames(frames, SIZE)).stream);
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
    type Encode = (options: object, pauseMs: number) => Promise<PageResult>;
    const encode = ({ options, pauseMs }: { options: object; pauseMs: number }) =>
      (window as unknown as { encode: Encode }).encode(options, pauseMs);
    const results = [
      await page.evaluate(encode, { options: { threads: 1 }, pauseMs: 0 }),
      await page.evaluate(encode, { options: { threads: 2 }, pauseMs: 25 }),
      await page.evaluate(encode, { options: { threads: 1, kernels: 'reference' }, pauseMs: 0 }),
    ];
    await page.close();
    return { results, errors, workers };
  }

  function expectNodesBytes({ results, errors, workers }: Awaited<ReturnType<typeof encodeAt>>): void {
    expect(errors).toEqual([]);
    expect(results.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(results.map(({ stream }) => digestOf(Uint8Array.from(stream)))).toEqual([expected, expected, expected]);
    expect(workers.length).toBeGreaterThan(0);
  }

  it.each(Object.keys(BUNDLERS))('runs under a strict policy, bundled by %s', async name => {
    const out = join(home, 'out', name);
    mkdirSync(out, { recursive: true });
    const warnings = await BUNDLERS[name]!(home, out);
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
  });

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
