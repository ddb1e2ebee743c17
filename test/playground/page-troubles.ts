// What a page complains of.
import type { Page } from 'playwright-core';

/** Adds to `troubles` every error of the page that nobody catches, and every error in its console. */
export function collectTroubles(page: Page, troubles: string[]): void {
  page.on('pageerror', error => troubles.push(error.message));
  page.on('console', message => message.type() === 'error' && troubles.push(message.text()));
}
