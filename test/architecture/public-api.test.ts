// The public entries: documented, built as typed, named in package.json.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { describe, expect, it } from 'vitest';
import { ROOT } from './source-tree.js';

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
/** The declarations that the build has rolled up from those of src/. */
const ENTRIES = {
  mpegpu: 'dist/package/index.d.ts',
  'mpegpu/node': 'dist/package/node.d.ts',
  'mpegpu/vision': 'dist/package/vision.d.ts',
  'mpegpu/farm': 'dist/package/farm.d.ts',
  'mpegpu/browser': 'dist/package/browser.d.ts',
} as const;
const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.base.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
const program = ts.createProgram(
  Object.values(ENTRIES).map(path => join(ROOT, path)),
  { ...options, composite: false, noEmit: true, noLib: true, types: [] },
);
const checker = program.getTypeChecker();

/** What an entry exports, behind its re-exports. */
function exportsOf(entry: keyof typeof ENTRIES): { name: string; symbol: ts.Symbol }[] {
  const source = program.getSourceFile(join(ROOT, ENTRIES[entry]))!;
  return checker.getExportsOfModule(checker.getSymbolAtLocation(source)!).map(symbol => ({
    name: symbol.name,
    symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  }));
}

const isDocumented = (symbol: ts.Symbol) => symbol.getDocumentationComment(checker).length > 0;

/** Methods and accessors of a class that its users see. */
function publicMembers(symbol: ts.Symbol): ts.Symbol[] {
  const statics = [...(symbol.exports?.values() ?? [])];
  return [...(symbol.members?.values() ?? []), ...statics].filter(({ declarations }) =>
    declarations?.some(
      member =>
        (ts.isMethodDeclaration(member) || ts.isAccessor(member)) &&
        !ts.isPrivateIdentifier(member.name) &&
        !(ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private),
    ),
  );
}

describe.each(Object.keys(ENTRIES) as (keyof typeof ENTRIES)[])('%s', entry => {
  const exported = exportsOf(entry);

  it('documents every export, and every method of its classes', () => {
    expect(exported.length).toBeGreaterThan(5);
    const bare = exported.flatMap(({ name, symbol }) => [
      ...(isDocumented(symbol) ? [] : [name]),
      ...(symbol.flags & ts.SymbolFlags.Class ? publicMembers(symbol) : [])
        .filter(member => !isDocumented(member))
        .map(member => `${name}.${member.name}`),
    ]);
    expect(bare).toEqual([]);
  });

  it('resolves as built, and gives the values that its types promise', () => {
    const script = `import('${entry}').then(module => console.log(JSON.stringify(Object.keys(module))))`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const values = exported.filter(({ symbol }) => symbol.flags & ts.SymbolFlags.Value).map(({ name }) => name);
    expect(JSON.parse(output).sort()).toEqual(values.sort());
  });
});

describe('package.json', () => {
  it('names files that are there', () => {
    const paths = Object.values(manifest.exports).flatMap(entry =>
      typeof entry === 'string' ? entry : Object.values(entry),
    );
    for (const path of [...paths, ...Object.values(manifest.bin)])
      expect(existsSync(join(ROOT, path)), path).toBe(true);
  });

  it('exports exactly the entries that are tested here', () => {
    const files = ['./package.json', './worker', './worker.js', './kernels.wasm', './reference-kernels.js']; // what is fetched, and has no exports
    const names = Object.keys(manifest.exports).filter(name => !files.includes(name));
    expect(names.map(name => name.replace(/^\./, 'mpegpu'))).toEqual(Object.keys(ENTRIES));
  });
});
