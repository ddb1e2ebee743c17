// The pages that people read, and their parts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, ROOT } from '../architecture/source-tree.js';

/** Every page, as a path from the root. */
export const PAGES: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...filesBelow('docs', ['.md']),
];

/** A page's text. */
export function textOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** A page without its blocks of code. */
export function proseOf(page: string): string {
  return textOf(page).replace(/^```[\s\S]*?^```$/gm, '');
}

/** A block of code in a page, and the line it starts at. */
export interface Example {
  readonly page: string;
  readonly line: number;
  readonly code: string;
}

/** The blocks of code of a page in a language: `sh`, `js`. */
export function examplesOf(page: string, language: string): Example[] {
  const text = textOf(page);
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(match => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    code: match[1]!,
  }));
}
