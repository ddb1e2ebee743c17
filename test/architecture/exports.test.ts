// What a file exports, another file uses.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CODE_ENDINGS, CODE_FOLDERS, filesBelow, ROOT } from './source-tree.js';

/** A value that a file exports; types are part of the declarations of others. */
const EXPORTED = /^export (?:async )?(?:abstract )?(?:function\*?|class|const|let) (\w+)/gm;
/** Comments, as far as they are not in a string. */
const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

it('nothing is exported that no other file uses', () => {
  const files = CODE_FOLDERS.flatMap(folder => filesBelow(folder, [...CODE_ENDINGS, '.html'])).map(path => {
    const text = readFileSync(join(ROOT, path), 'utf8').replace(COMMENTS, '');
    return { path, text, words: new Set(text.match(/\w+/g)) };
  });
  const users = new Map<string, number>();
  for (const { words } of files) for (const word of words) users.set(word, (users.get(word) ?? 0) + 1);
  const unused = files
    .filter(({ path }) => /^(src|assembly)\//.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(EXPORTED)].filter(([, name]) => users.get(name!) === 1).map(([, name]) => `${path}: ${name}`),
    );
  expect(unused).toEqual([]);
});
