// Opens HTML pages in a headless Chromium, which the files of a worker share.
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';
import { CHROMIUM } from './requirements.js';

/** For WebGPU on a software GPU, which compiles shaders as in test/gpu/test-gpu.ts. */
const SOFTWARE_GPU = [
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--enable-dawn-features=disable_workgroup_init,disable_robustness,disable_polyfills_on_integer_div_and_mod',
];

/** Gives pages a camera and a microphone. */
const CAMERA = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/** How to launch a Chromium. */
export interface ChromiumOptions {
  /** Whether it has WebGPU on a software GPU; false by default. */
  readonly gpu?: boolean;
}

/** The pages that tests have in a Chromium. */
export class Chromium {
  /** By the options of their pages, as JSON. */
  readonly #contexts = new Map<string, Promise<BrowserContext>>();

  constructor(private readonly browser: Browser) {}

  /** A new page. Pages with the same options share what the browser keeps, such as compiled scripts. */
  async newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const key = JSON.stringify(options);
    const context = this.#contexts.get(key) ?? this.browser.newContext(options);
    this.#contexts.set(key, context);
    return (await context).newPage();
  }

  newBrowserCDPSession(): Promise<CDPSession> {
    return this.browser.newBrowserCDPSession();
  }

  /** Closes the pages. */
  async close(): Promise<void> {
    const contexts = [...this.#contexts.values()];
    this.#contexts.clear();
    for (const context of contexts) await (await context).close();
  }
}

/** Those that run, without a GPU and with one. Playwright ends them with this process. */
const running = new Map<boolean, Promise<Browser>>();

/** A headless Chromium, with a camera; close it after the tests. */
export async function launchChromium({ gpu = false }: ChromiumOptions = {}): Promise<Chromium> {
  const args = ['--no-sandbox', '--disable-gpu', ...CAMERA, ...(gpu ? SOFTWARE_GPU : [])];
  if (!running.has(gpu)) running.set(gpu, chromium.launch({ executablePath: CHROMIUM, headless: true, args }));
  const browser = await running.get(gpu)!;
  if (browser.isConnected()) return new Chromium(browser);
  running.delete(gpu);
  return launchChromium({ gpu });
}
