// The addresses of files that a page gives: absolute, so that workers can be told of them.
import { OptionError } from './errors.js';

/**
 * The absolute address of a file that a page names, perhaps by an address relative to the page's; undefined where none
 * is given, and on Node, which has no page. Throws an OptionError that names `option` where it is no URL.
 */
export function pageUrl(option: string, given: string | URL | undefined): string | undefined {
  const { document, location } = globalThis as { document?: { baseURI: string }; location?: { href: string } };
  const base = document?.baseURI ?? location?.href;
  if (given === undefined || base === undefined) return undefined;
  try {
    return new URL(given, base).href;
  } catch {
    throw new OptionError(option, named => `${named(option)} '${given}' is not a URL`);
  }
}
