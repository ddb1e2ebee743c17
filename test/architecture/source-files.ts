// What the project's files import, read from the sources.
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from '@typescript/typescript6';
import { filesBelow, ROOT } from './source-tree.js';

/** One import of a source file. */
export interface Import {
  /** A path from the root (`src/errors.ts`), or the name of a package. */
  readonly target: string;
  readonly kind: 'static' | 'dynamic' | 'type';
}

/** A TypeScript file, or an AssemblyScript one. */
export interface SourceFile {
  /** Path from the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

/** A file of the project, parsed; its nodes do not know their parents. */
export function parseSource(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest);
}

/** All TypeScript files below a folder of the project, with what they import. */
export function sourceFiles(folder = 'src'): SourceFile[] {
  return filesBelow(folder, ['.ts']).map(path => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, imports: importsOf(path, text) };
  });
}

/** Statements that may import, as Biome formats them: they begin a line and end with a semicolon. */
const STATEMENTS = /^(import|export)\b[^;]*'[^';]+';/gm;
const CALL = /\bimport\s*\(/;

/** What a file imports. The whole of it is parsed, in 2 ms, only where a call may import. */
function importsOf(path: string, text: string): Import[] {
  const read = CALL.test(text) ? text : (text.match(STATEMENTS) ?? []).join('\n');
  const tree = ts.createSourceFile(path, read, ts.ScriptTarget.Latest);
  const imports: Import[] = [];
  const add = (specifier: ts.Node | undefined, kind: Import['kind']) => {
    if (specifier && ts.isStringLiteral(specifier)) {
      imports.push({ target: targetOf(specifier.text, tree.fileName), kind });
    }
  };
  for (const statement of tree.statements) {
    if (ts.isImportDeclaration(statement)) {
      add(statement.moduleSpecifier, isTypeOnly(statement.importClause) ? 'type' : 'static');
    } else if (ts.isExportDeclaration(statement)) {
      add(statement.moduleSpecifier, isTypeOnly(statement) ? 'type' : 'static');
    }
  }
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], 'dynamic');
    }
    ts.forEachChild(node, visit);
  };
  if (CALL.test(text)) visit(tree);
  return imports;
}

/** Whether nothing of an import or export is left in the JavaScript. */
function isTypeOnly(clause: ts.ImportClause | ts.ExportDeclaration | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const names = ts.isImportClause(clause) ? (clause.name ? undefined : clause.namedBindings) : clause.exportClause;
  if (!names || !(ts.isNamedImports(names) || ts.isNamedExports(names))) return false;
  return (names.elements as ts.NodeArray<ts.ImportOrExportSpecifier>).every(element => element.isTypeOnly);
}

function targetOf(specifier: string, from: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const path = relative(ROOT, resolve(ROOT, dirname(from), specifier)).replaceAll('\\', '/');
  return /\.(js|ts)$/.test(path) ? path.replace(/\.js$/, '.ts') : `${path}.ts`; // AssemblyScript leaves the ending out
}
