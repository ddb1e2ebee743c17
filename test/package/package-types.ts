// The package's types, as programs of each kind see them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import ts from '@typescript/typescript6';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PackedPackage } from './installed-package.js';
import { hostWithLibrary } from './library-declarations.js';
import { userHome } from './user-home.js';

/** Files that pages load by their address: no program imports them. */
const FILES = ['./worker', './worker.js', './kernels.wasm', './reference-kernels.js', './package.json'];

/** The package is made of modules alone, and of `exports`: CommonJS and TypeScript's resolution before it have none. */
const NOT_FOR = ['node10', 'node16-cjs'];

const home = userHome.folder;
let packed: PackedPackage;

beforeAll(async () => {
  packed = await userHome.install();
});

describe('the types of the package', () => {
  it('have nothing that arethetypeswrong finds fault with', async () => {
    const tarball = createPackageFromTarballData(readFileSync(join(home, packed.filename)));
    const checked = await checkPackage(tarball, { excludeEntrypoints: FILES });
    if (!checked.types) throw new Error('the package has no types');
    expect(Object.keys(checked.entrypoints)).toEqual(expect.arrayContaining(['./node', './vision']));
    const problems = checked.problems.filter(
      problem => !('resolutionKind' in problem && NOT_FOR.includes(problem.resolutionKind)),
    );
    expect(problems).toEqual([]);
  });

  it('have no generic arrays of bytes, which TypeScript before 5.7 does not know', () => {
    const folder = join(home, 'node_modules', 'mpegpu', 'dist', 'package');
    const declarations = readdirSync(folder).filter(name => name.endsWith('.d.ts'));
    expect(declarations).toContain('browser.d.ts');
    const text = declarations.map(name => readFileSync(join(folder, name), 'utf8')).join('');
    expect(text.match(/.*\b(?:Int|Uint|Float|BigInt|BigUint)\w*Array<.*/g)).toBeNull();
  });

  it.each([
    ['bundler', { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }],
    ['nodenext', { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }],
  ])('hold for the program of a page, without those of Node: %s', (name, resolution) => {
    const program = join(home, `${name}.ts`);
    const source = `
      import { Encoder, type AccessUnit, type Frame } from 'mpegpu';
      export async function encode(frames: Iterable<Frame>, signal: AbortSignal): Promise<Blob> {
        const encoder = new Encoder({ width: 96, height: 64, frameRate: 25, signal });
        for (const frame of frames) await encoder.add(frame);
        const parts: AccessUnit[] = [];
        for await (const unit of encoder) parts.push(unit);
        return new Blob(parts.map(({ data }) => new Uint8Array(data)));
      }
      // @ts-expect-error: an option of another type
      new Encoder({ width: 96, height: 64, frameRate: 25, q: 'four' });
    `;
    writeFileSync(program, source);
    const options = {
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: [],
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    };
    const all = { ...options, target: ts.ScriptTarget.ES2022, ...resolution };
    const made = ts.createProgram([program], all, hostWithLibrary(all));
    const own = made.getSourceFiles().filter(({ fileName }) => fileName.startsWith(home));
    expect(own.length).toBeGreaterThanOrEqual(3);
    const found = own.flatMap(file => [...made.getSyntacticDiagnostics(file), ...made.getSemanticDiagnostics(file)]);
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });
});
