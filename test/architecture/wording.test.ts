// Spelling of the standard's words, the length of comments, and words that no file of the project says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CODE_ENDINGS, CODE_FOLDERS, filesBelow, ROOT } from './source-tree.js';

const MAX_COMMENT_COLUMNS = 120;
/** The one place that keeps a former spelling: a name in the JSON of `mpegpu compare`. */
const FORMER_JSON_KEY = /\bquantisers\b/g;
/** Bounds are called MAX_ and MIN_. */
const OTHER_BOUNDS = /\b(MOST|LEAST|GREATEST|FURTHEST|LONGEST|LARGEST|SMALLEST|FEWEST)_[A-Z]/;

const code = CODE_FOLDERS.flatMap(folder => filesBelow(folder, CODE_ENDINGS));
const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...filesBelow('docs', ['.md'])];

/** `file:line` of every line that `isWrong`. */
function lines(paths: readonly string[], isWrong: (line: string) => boolean): string[] {
  return paths.flatMap(path =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, i) => (isWrong(line) ? [`${path}:${i + 1}`] : [])),
  );
}

describe('wording', () => {
  it('spells quantizer as the standard does', () => {
    const own = 'test/architecture/wording.test.ts';
    const wrong = lines(
      [...code, ...pages].filter(path => path !== own),
      line => /quantis/i.test(line.replace(FORMER_JSON_KEY, '')),
    );
    expect(wrong).toEqual([]);
  });

  it('calls bounds MAX_ and MIN_', () => {
    expect(lines(code, line => OTHER_BOUNDS.test(line))).toEqual([]);
  });

  it(`keeps comments to ${MAX_COMMENT_COLUMNS} columns`, () => {
    const wide = lines(code, line => line.length > MAX_COMMENT_COLUMNS && /^\s*(\*|\/\/|\/\*)/.test(line));
    expect(wide).toEqual([]);
  });
});
