// Files: their length, their names, and that modules keep no state.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from '@typescript/typescript6';
import { describe, expect, it } from 'vitest';
import { parseSource } from './source-files.js';
import { CODE_ENDINGS, CODE_FOLDERS, filesBelow, ROOT } from './source-tree.js';

const MAX_LINES = 350;
/** A thing lives where its idea lives, not in a drawer. */
const DRAWERS = /^(utils?|helpers?|misc|common|shared|types|constants|lib)$/;

/** What a variable of a module begins with, as Biome formats it. Only files that have it are parsed. */
const MAY_VARY = /^(export |declare )*(let|var)\b/m;

const code = CODE_FOLDERS.flatMap(folder => filesBelow(folder, CODE_ENDINGS));

describe('files', () => {
  it('were found', () => expect(code.length).toBeGreaterThan(200));

  it(`have at most ${MAX_LINES} lines`, () => {
    const long = code
      .map(path => ({ path, lines: readFileSync(join(ROOT, path), 'utf8').trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > MAX_LINES);
    expect(long).toEqual([]);
  });

  it('have names in kebab-case that say what is in them', () => {
    for (const path of code) {
      const [name = ''] = basename(path).split('.');
      expect(name, path).toMatch(path.endsWith('.wgsl') ? /^[a-z0-9]+(_[a-z0-9]+)*$/ : /^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(name, path).not.toMatch(DRAWERS);
    }
  });

  it('keep no mutable state in a module', () => {
    for (const path of filesBelow('src', ['.ts'])) {
      if (!MAY_VARY.test(readFileSync(join(ROOT, path), 'utf8'))) continue;
      const tree = parseSource(path);
      const mutable = tree.statements.filter(
        statement =>
          ts.isVariableStatement(statement) &&
          !(statement.declarationList.flags & ts.NodeFlags.Const) &&
          !statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword),
      );
      expect(
        mutable.map(statement => statement.getText(tree)),
        path,
      ).toEqual([]);
    }
  });
});
