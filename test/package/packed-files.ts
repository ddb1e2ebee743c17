// What `npm pack` makes: its files, its declared entries, its pages; and it runs where it is installed.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import ts from '@typescript/typescript6';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { writeY4m } from '../../samples/write-frames.js';
import { ROOT } from '../architecture/source-tree.js';
import { examplesOf } from '../docs/pages.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { type PackedPackage, unpackPackage } from './installed-package.js';
import { hostWithLibrary } from './library-declarations.js';
import { userHome } from './user-home.js';

const MAX_PACKED_BYTES = 935_000;
const MAX_FILES = 190;

const run = promisify(execFile);
/** A folder of someone who uses the package, with what it depends on. */
const home = temporaryFolder();
const installed = join(home, 'node_modules', 'mpegpu');
let packed: PackedPackage;

beforeAll(async () => {
  packed = await userHome.install();
  await unpackPackage(join(userHome.folder, packed.filename), home);
  // Its dependencies, as npm would install them.
  const dependencies = readdirSync(join(ROOT, 'node_modules')).filter(name => !name.startsWith('.'));
  for (const name of dependencies) symlinkSync(join(ROOT, 'node_modules', name), join(home, 'node_modules', name));
});

describe('the package', () => {
  it('is small, and holds neither sources nor tests', () => {
    expect(packed.size).toBeLessThanOrEqual(MAX_PACKED_BYTES);
    expect(packed.files.length).toBeLessThanOrEqual(MAX_FILES);
    const paths = packed.files.map(({ path }) => path);
    const legal =
      /^(dist\/package\/(browser\/(mpegpu\/)?)?[\w-]+\.(js|d\.ts)|dist\/package\/thread-loader\.cjs|dist\/package\/browser\/mpegpu\/kernels\.wasm|docs\/.+\.(md|svg|webp)|[A-Z]+\.md|LICENSE|package\.json)$/;
    expect(paths.filter(path => !legal.test(path))).toEqual([]);
  });

  it('has nothing that publint finds fault with', async () => {
    const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages.map(message => formatMessage(message, pkg))).toEqual([]);
  });

  it('has pages whose links lead to files of the package', () => {
    const pages = packed.files.map(({ path }) => path).filter(path => path.endsWith('.md'));
    expect(pages).toContain('README.md');
    for (const page of pages) {
      const prose = readFileSync(join(installed, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
      for (const [, target = ''] of prose.matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const file = join(installed, dirname(page), target);
        expect(existsSync(file), `${page}: ${target}`).toBe(true);
        expect(relative(installed, file).startsWith('..'), `${page}: ${target}`).toBe(false);
      }
    }
  });

  it('has entries for browsers that import nothing of Node and no packages', () => {
    const files = ['index.js', 'browser.js', 'mpegpu/worker.js'];
    for (const file of files) {
      const text = readFileSync(join(installed, 'dist', 'package', 'browser', file), 'utf8');
      const imports = [...text.matchAll(/\b(?:from|import)\s*["']([^"']+)["']/g)].map(([, target = '']) => target);
      expect(imports.filter(target => !/^\.\.?\//.test(target))).toEqual([]);
      const own = imports.map(target => join(dirname(file), target));
      files.push(...own.filter(name => !files.includes(name)));
    }
    expect(files.length).toBeGreaterThan(3);
  });

  it('starts threads and processes from files that it has', () => {
    const code = readdirSync(join(installed, 'dist', 'package')).filter(name => name.endsWith('.js'));
    const texts = code.map(name => readFileSync(join(installed, 'dist', 'package', name), 'utf8'));
    const named = texts.flatMap(text =>
      // A long line may end within a string.
      [...text.replaceAll('\\\n', '').matchAll(/"([a-z]+-(?:worker|process)\.js)"/g)].map(found => found[1]),
    );
    expect([...new Set(named)].sort()).toEqual(code.filter(name => /-(worker|process)\.js$/.test(name)).sort());
    expect(named.length).toBeGreaterThan(3);
  });
});

describe('mpegpu', () => {
  it('starts with few files, and without the packages that only some commands need', () => {
    const folder = join(installed, 'dist', 'package');
    const loaded = new Set(['mpegpu.js']);
    const packages = new Set<string>();
    for (const name of loaded) {
      const text = readFileSync(join(folder, name), 'utf8');
      for (const [, from = ''] of text.matchAll(/(?:^|;)\s*import\s(?:[^'"();]*?from )?'([^']+)'/gm)) {
        if (from.startsWith('./')) loaded.add(from.slice(2));
        else if (!from.startsWith('node:')) packages.add(from);
      }
    }
    // Each file takes about a millisecond.
    expect(loaded.size).toBeGreaterThan(3);
    expect(loaded.size).toBeLessThanOrEqual(6);
    expect([...packages]).toEqual(['commander']);
  });
});

describe('a program that uses the package', () => {
  const estimator = examplesOf('docs/estimators.md', 'js').find(({ code }) => code.startsWith('// my-estimator.mjs'))!;
  const size = { width: 96, height: 64 };
  const frames = () => generateSample({ kind: 'pan', ...size, frames: 6, seed: 3 });

  it('has types, without those of a browser', () => {
    const program = join(home, 'program.ts');
    const source = `
      import { Encoder, InputError, type AccessUnit, type Frame } from 'mpegpu';
      import { DamagedInput, openFrameSource, VideoWriter } from 'mpegpu/node';
      const source = await openFrameSource('frames');
      const format = { width: source.width, height: source.height, frameRate: { numerator: 25, denominator: 1 } };
      const video = await VideoWriter.open('out.mpg', format);
      const encoder = new Encoder({ ...format, q: 4 });
      for await (const frame of source.frames()) await encoder.add(frame satisfies Frame);
      for await (const unit of encoder) await video.write(unit satisfies AccessUnit);
      export const error: InputError | undefined = undefined as DamagedInput | undefined;
      // @ts-expect-error: an option of another type
      new Encoder({ ...format, q: 'four' });
    `;
    writeFileSync(program, source);
    const { ES2022: target } = ts.ScriptTarget;
    const { NodeNext: module } = ts.ModuleKind;
    const options = { target, module, strict: true, noEmit: true, types: ['node'], lib: ['lib.es2022.d.ts'] };
    const all = { ...options, typeRoots: [join(ROOT, 'node_modules', '@types')] };
    const made = ts.createProgram([program], all, hostWithLibrary(all));
    const own = made.getSourceFiles().filter(({ fileName }) => fileName.startsWith(home));
    expect(own.length).toBeGreaterThanOrEqual(3);
    const found = own.flatMap(file => [...made.getSyntacticDiagnostics(file), ...made.getSemanticDiagnostics(file)]);
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });

  it('can read what an error says that it does not catch: Node shows the line that throws it, too', async () => {
    const program = `
      import { Encoder } from 'mpegpu';
      new Encoder({ width: 96, height: 64, frameRate: 25, bframes: 2 });
    `;
    const failed = run(process.execPath, ['--input-type=module', '-e', program], { cwd: home });
    const { stderr } = await failed.then(
      () => expect.fail('it ends well'),
      (error: { stderr: string }) => error,
    );
    expect(stderr).toContain("OptionError: the option 'bframes' does not exist; did you mean bFrames?");
    expect(stderr.length).toBeLessThan(2500);
  });

  it('encodes with three threads and an estimator of its own, as the command line does', async () => {
    writeFileSync(join(home, 'my-estimator.mjs'), estimator.code);
    await writeY4m(join(home, 'clip.y4m'), frames(), 25, () => {});
    const command = [join(home, 'node_modules', 'mpegpu', 'dist', 'package', 'mpegpu.js'), 'encode', 'clip.y4m'];
    const flags = ['-o', 'clip.m1v', '--q', '5', '--threads', '3', '--estimator', './my-estimator.mjs', '--json'];
    const { stdout } = await run(process.execPath, [...command, ...flags], { cwd: home });
    const program = `
      import { Encoder } from 'mpegpu';
      import { openFrameSource, VideoWriter } from 'mpegpu/node';
      const source = await openFrameSource('clip.y4m');
      const format = { width: ${size.width}, height: ${size.height}, frameRate: { numerator: 25, denominator: 1 } };
      const video = await VideoWriter.open('library.m1v', format);
      const onWarning = message => { throw new Error(message); };
      const encoder = new Encoder({ ...format, q: 5, threads: 3, estimator: './my-estimator.mjs', onWarning });
      const write = async () => {
        for await (const unit of encoder) await video.write(unit);
        await video.finish();
      };
      const written = write();
      for await (const frame of source.frames()) await encoder.add(frame);
      await encoder.finish();
      await written;
    `;
    await run(process.execPath, ['--input-type=module', '-e', program], { cwd: home });
    expect(JSON.parse(stdout)).toMatchObject({ frames: 6, estimator: 'still', threads: 3, warnings: [] });
    const bytes = readFileSync(join(home, 'clip.m1v'));
    expect(bytes.readUInt32BE(0)).toBe(0x1b3);
    expect(readFileSync(join(home, 'library.m1v')).equals(bytes)).toBe(true);
  });
});
