// Opens HTML pages in a headless Chromium.
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM } from './requirements.js';

/** How to launch a Chromium. */
export interface ChromiumOptions {
  /** Further arguments. */
  readonly args?: readonly string[];
}

/** A headless Chromium; close it after the tests. */
export function launchChromium({ args = [] }: ChromiumOptions = {}): Promise<Browser> {
  const all = ['--no-sandbox', '--disable-gpu', ...args];
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: all });
}
