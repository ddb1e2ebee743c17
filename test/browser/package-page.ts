// A page of Chromium that has loaded the package: what tests of `mpegpu/browser` run in.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type * as browserEntry from '../../src/browser.js';
import type * as core from '../../src/index.js';
import { type Chromium, launchChromium } from '../support/chromium.js';
import { KEPT, serve, type WebServer } from '../support/web-server.js';
import { patternFrame } from './moving-frames.js';

const PACKAGE = join(import.meta.dirname, '..', '..', 'dist', 'package', 'browser');

/** What the page has, for the functions that run in it. */
export interface PackageWindow {
  readonly mpegpu: typeof core & typeof browserEntry;
  readonly patternFrame: typeof patternFrame;
}

const PAGE = `<!doctype html><title>mpegpu</title>
<script type="importmap">{ "imports": { "mpegpu": "./index.js", "mpegpu/browser": "./browser.js" } }</script>
<script type="module">
import * as core from './index.js';
import * as browser from './browser.js';
window.mpegpu = { ...core, ...browser };
window.patternFrame = ${patternFrame.toString()};
</script>`;

/** A Chromium with a server of the package. */
export class PackagePages {
  /** What went wrong in the pages without being caught. */
  readonly errors: string[] = [];

  private constructor(
    private readonly browser: Chromium,
    private readonly server: WebServer,
  ) {}

  /** With texts by their paths on the server; isolated from others or not; with a GPU or none. */
  static async open(
    pages: Readonly<Record<string, string>> = {},
    { isIsolated = false, gpu = false }: { readonly isIsolated?: boolean; readonly gpu?: boolean } = {},
  ): Promise<PackagePages> {
    const server = await serve(PACKAGE, { pages: { '/': PAGE, ...pages }, isIsolated, headers: KEPT });
    return new PackagePages(await launchChromium({ gpu }), server);
  }

  /** A new page that has loaded the package; or another one by its path. */
  async newPage(path = ''): Promise<Page> {
    const page = await this.browser.newPage();
    page.on('pageerror', error => this.errors.push(error.message));
    await page.goto(this.server.url + path);
    if (path === '') await page.waitForFunction('window.patternFrame');
    return page;
  }

  /** Workers that run in any page. */
  async workers(): Promise<number> {
    const session = await this.browser.newBrowserCDPSession();
    const { targetInfos } = await session.send('Target.getTargets');
    await session.detach();
    return targetInfos.filter(({ type }) => type === 'worker').length;
  }

  /** The seconds of CPU time that each process of a page has used, by its number. */
  async pageProcesses(): Promise<ReadonlyMap<number, number>> {
    const session = await this.browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]));
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.close();
  }
}
