// The pages are as long as they may be, and the names of code in them are names that the code has.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, ROOT } from '../architecture/source-tree.js';
import { PAGES, proseOf, textOf } from './pages.js';

const MAX_README_LINES = 150;
const MAX_PROSE_COLUMNS = 160;
const MAX_TABLE_ROWS = 20;
const MAX_IMAGE_BYTES = 150_000;

const sources = ['src', 'bench', 'scripts', 'test'].flatMap(folder => filesBelow(folder, ['.ts', '.mjs', '.wgsl']));
const words = new Set(sources.flatMap(path => readFileSync(join(ROOT, path), 'utf8').match(/\w+/g) ?? []));

describe.each(PAGES)('%s', page => {
  it(`keeps its prose to ${MAX_PROSE_COLUMNS} columns`, () => {
    const wide = proseOf(page)
      .split('\n')
      .filter(line => line.length > MAX_PROSE_COLUMNS && !line.startsWith('|'));
    expect(wide).toEqual([]);
  });

  it('names symbols that the code has', () => {
    const symbols = [...proseOf(page).matchAll(/`([A-Za-z]+[a-z][A-Z]\w*)`/g)].map(match => match[1]!);
    expect(symbols.filter(symbol => !words.has(symbol))).toEqual([]);
  });
});

describe('README.md', () => {
  it(`has at most ${MAX_README_LINES} lines`, () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_README_LINES);
  });

  it('shows a small picture', () => {
    const images = [...proseOf('README.md').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(match => match[1]!);
    expect(images.length).toBeGreaterThan(0);
    for (const image of images) expect(statSync(join(ROOT, image)).size, image).toBeLessThan(MAX_IMAGE_BYTES);
  });
});

describe('the table of ARCHITECTURE.md', () => {
  const rows = [...proseOf('ARCHITECTURE.md').matchAll(/^\| .+ \| `([^`]+)` \| `([^`]+)` \|$/gm)];

  it(`has at most ${MAX_TABLE_ROWS} rows`, () => {
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.length).toBeLessThanOrEqual(MAX_TABLE_ROWS);
  });

  it.each(rows.map(([, name = '', path = '']) => [name, path]))('%s is in %s', (name, path) => {
    const word = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const definition = new RegExp(`(export (async )?(function|class|const) |(static )?async \\*?\\[?)${word}\\b`);
    expect(readFileSync(join(ROOT, path), 'utf8')).toMatch(definition);
  });
});
