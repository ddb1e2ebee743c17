import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, ROOT } from '../architecture/source-tree.js';

const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...filesBelow('docs', ['.md'])];
const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');
/** A page without its blocks of code. */
const proseOf = (page: string) => textOf(page).replace(/^```[\s\S]*?^```$/gm, '');

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

describe.each(pages)('%s', page => {
  it('has links that lead somewhere', () => {
    for (const [, target = ''] of proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), path);
      expect(existsSync(file), `${page}: ${target}`).toBe(true);
      expect(relative(ROOT, file).startsWith('..'), `${page}: ${target}`).toBe(false);
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

describe('the pipeline of ARCHITECTURE.md', () => {
  const rows = [...proseOf('ARCHITECTURE.md').matchAll(/^\| .+ \| `([^`]+)` \| `([^`]+)` \|$/gm)];

  it('was found', () => expect(rows.length).toBeGreaterThan(15));

  it.each(rows.map(([, name = '', path = '']) => [name, path]))('%s is in %s', (name, path) => {
    const word = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const definition = new RegExp(`(export (async )?(function|class|const) |(static )?async \\*?\\[?)${word}\\b`);
    expect(readFileSync(join(ROOT, path), 'utf8')).toMatch(definition);
  });
});
