// Links, paths and scripts that the pages name lead somewhere.
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/source-tree.js';
import { PAGES, proseOf, textOf } from './pages.js';

/** The anchors of a page's headings, as GitHub makes them: of equal ones, the second ends with `-1`. */
function anchorsOf(page: string): string[] {
  const seen = new Map<string, number>();
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}

describe.each(PAGES)('%s', page => {
  it('has links that lead somewhere', () => {
    for (const [, target = ''] of proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), path);
      expect(existsSync(file), `${page}: ${target}`).toBe(true);
      expect(relative(ROOT, file).startsWith('..'), `${page}: ${target}`).toBe(false);
      // A browser shows no drawing in a file that names no namespace.
      if (path.endsWith('.svg')) expect(textOf(relative(ROOT, file))).toMatch(/^<svg [^>]*xmlns="/);
      if (anchor !== undefined) expect(anchorsOf(relative(ROOT, file)), `${page}: ${target}`).toContain(anchor);
    }
  });

  it('names files and folders that are there', () => {
    const paths = [...proseOf(page).matchAll(/`((?:src|test|bench|scripts|samples|assembly|docs|\.ci)\/[\w./-]*)`/g)];
    for (const [, path = ''] of paths) {
      const isMadeByRunning = /^(bench\/results|samples\/generated)\//.test(path);
      expect(isMadeByRunning || existsSync(join(ROOT, path)), `${page}: ${path}`).toBe(true);
    }
  });

  it('names scripts that package.json has', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = [...textOf(page).matchAll(/\bnpm (?:run ([\w:]+)|(start|test))\b/g)].map(
      match => match[1] ?? match[2],
    );
    for (const name of named) expect(Object.keys(scripts), `${page}: npm run ${name}`).toContain(name);
  });
});

describe('docs/decisions', () => {
  const index = proseOf('docs/decisions/README.md');
  const decisions = PAGES.filter(page => /^docs\/decisions\/(?!README)/.test(page));

  it('has pages', () => expect(decisions.length).toBeGreaterThan(20));

  it.each(decisions)('%s is in the index once, and says what was decided and why', page => {
    expect(index.split(`(${page.replace('docs/decisions/', '')})`)).toHaveLength(2);
    const headings = [...proseOf(page).matchAll(/^## (.+)$/gm)].map(match => match[1]);
    expect(headings.slice(0, 2)).toEqual(['Decided', 'Why']);
  });
});
