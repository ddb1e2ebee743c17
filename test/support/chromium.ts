// Opens HTML pages in a headless Chromium.
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM } from './requirements.js';

/** A headless Chromium; close it after the tests. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: ['--no-sandbox', '--disable-gpu'] });
}
