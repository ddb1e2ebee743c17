import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian's package `chromium` puts it; MPEGPU_CHROMIUM names another. */
const CHROMIUM = process.env.MPEGPU_CHROMIUM ?? '/usr/bin/chromium';

/** Whether pages can be opened here. Throws where MPEGPU_REQUIRE_CHROMIUM=1 and they cannot; elsewhere says so. */
export function haveChromium(): boolean {
  if (existsSync(CHROMIUM)) return true;
  if (process.env.MPEGPU_REQUIRE_CHROMIUM === '1') {
    throw new Error(`${CHROMIUM} is missing, and MPEGPU_REQUIRE_CHROMIUM=1 asks for it: install Debian's chromium`);
  }
  console.warn(`${CHROMIUM} is missing: the tests of HTML pages are skipped (install Debian's chromium to run them)`);
  return false;
}

/** A headless Chromium; close it after the tests. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: ['--no-sandbox', '--disable-gpu'] });
}
