// Opens HTML pages in a headless Chromium.
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM } from './requirements.js';

/** A headless Chromium, with further arguments; close it after the tests. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  const all = ['--no-sandbox', '--disable-gpu', ...args];
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: all });
}
