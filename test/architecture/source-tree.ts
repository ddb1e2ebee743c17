// The project's files and what they import, read from the sources.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The project's root folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Made by the build from other sources, and never committed. */
const GENERATED = [
  'src/kernels/simd-binary.ts',
  'src/kernels/vision-binary.ts',
  'src/gpu/shader-sources.ts',
  ...['conversion', 'pattern', 'sort', 'stereo'].map(part => `src/gpu/${part}/shader-sources.ts`),
  'samples/snow/shader-sources.ts',
  'src/compare/report/viewer/viewer-script.ts',
];

/** Folders with code of the project. */
export const CODE_FOLDERS = [
  'src',
  'assembly',
  'test',
  'bench',
  'samples',
  'examples',
  'scripts',
  'playground',
] as const;

/** Endings of code. */
export const CODE_ENDINGS = ['.ts', '.mjs', '.wgsl'] as const;

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
  readonly tree: ts.SourceFile;
  readonly imports: readonly Import[];
}

/** Every file below a folder of the project with one of these endings, as paths from the root. */
export function filesBelow(folder: string, endings: readonly string[]): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && endings.some(ending => entry.name.endsWith(ending)))
    .map(entry => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter(path => !GENERATED.includes(path) && !/(^|\/)(generated|results|node_modules)\//.test(path))
    .sort();
}

/** All TypeScript files below a folder of the project, with what they import. */
export function sourceFiles(folder = 'src'): SourceFile[] {
  return filesBelow(folder, ['.ts']).map(path => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    return { path, text, tree, imports: importsOf(tree, path) };
  });
}

function importsOf(tree: ts.SourceFile, path: string): Import[] {
  const imports: Import[] = [];
  const add = (specifier: ts.Node | undefined, kind: Import['kind']) => {
    if (specifier && ts.isStringLiteral(specifier)) imports.push({ target: targetOf(specifier.text, path), kind });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node.importClause) ? 'type' : 'static');
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node) ? 'type' : 'static');
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], 'dynamic');
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
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
