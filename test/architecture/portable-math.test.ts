// What engines do differently is not asked for where bytes depend on it.
import ts from '@typescript/typescript6';
import { expect, it } from 'vitest';
import { parseSource, sourceFiles } from './source-files.js';

/** Folders whose numbers are only shown. */
const SHOWN = /^src\/(compare|farm|viewer)\//;
/** What ECMAScript leaves to the engine: "an implementation-approximated Number value". */
const APPROXIMATED = /\bMath\.(a?(cos|sin|tan)h?|atan2|cbrt|exp|expm1|hypot|log|log10|log1p|log2|pow)\b/;

/** A line of code with such an operator; only files that have one are parsed. */
const HAS_POWER = /^(?!\s*[/*]).*\w\)* \*\* /m;

const files = sourceFiles().filter(({ path }) => !SHOWN.test(path));

it('no function of Math that engines round differently decides anything', () => {
  const wrong = files.filter(({ text }) => APPROXIMATED.test(text.replace(/^\s*(\*|\/\/|\/\*).*$/gm, '')));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

it('** only squares, or makes whole powers of two', () => {
  const wrong: string[] = [];
  for (const { path } of files.filter(({ text }) => HAS_POWER.test(text))) {
    const tree = parseSource(path);
    const visit = (node: ts.Node): void => {
      if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AsteriskAsteriskToken) {
        const [base, exponent] = [node.left.getText(tree), node.right.getText(tree)];
        if (exponent !== '2' && (base !== '2' || /[./]/.test(exponent))) wrong.push(`${path}: ${node.getText(tree)}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  expect(wrong).toEqual([]);
});

it('what fill of a subarray returns is not kept: Firefox 153 reads zeros from it, once it optimizes', () => {
  const wrong = sourceFiles().filter(({ text }) => /\.subarray\([^;]*\)\s*\.fill\(/.test(text));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});
