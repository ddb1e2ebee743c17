// The programs of docs/browser.md compile against the published types, and run in a page.
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { transform } from 'esbuild';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../architecture/source-tree.js';
import { examplesOf } from '../docs/pages.js';
import { describeWith } from '../support/requirements.js';
import { PackagePages } from './package-page.js';

/** The programs that the tests call functions of. */
const programs = examplesOf('docs/browser.md', 'ts').filter(({ code }) => /'mpegpu\/browser'/.test(code));
const paths = programs.map((_, index) => join(ROOT, `page-example-${index}.mts`));

it('the programs compile strictly against the published types and those of a browser', () => {
  expect(programs.length).toBeGreaterThanOrEqual(3);
  const options: ts.CompilerOptions = {
    ...{ module: ts.ModuleKind.ES2022, moduleResolution: ts.ModuleResolutionKind.Bundler, types: [] },
    ...{ target: ts.ScriptTarget.ES2022, lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'] },
    ...{ strict: true, exactOptionalPropertyTypes: true, skipDefaultLibCheck: true, noEmit: true },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = path => paths.includes(path) || fileExists(path);
  host.getSourceFile = (path, version, ...rest) => {
    const program = programs[paths.indexOf(path)];
    return program ? ts.createSourceFile(path, program.code, version) : getSourceFile(path, version, ...rest);
  };
  const errors = ts
    .getPreEmitDiagnostics(ts.createProgram(paths, options, host))
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  expect(errors).toEqual([]);
});

describeWith('chromium', 'the programs', () => {
  let pages: PackagePages;
  let page: Page;

  beforeAll(async () => {
    const compiled = await Promise.all(programs.map(({ code }) => transform(code, { loader: 'ts' })));
    const scripts = compiled.map(({ code }, index) => [`/example${index}.js`, code] as const);
    const all = programs.map((_, index) => `export * from './example${index}.js';`).join('\n');
    pages = await PackagePages.open({ ...Object.fromEntries(scripts), '/examples.js': all });
    page = await pages.newPage();
    const content = "import * as examples from './examples.js'; window.examples = examples;";
    await page.addScriptTag({ type: 'module', content });
    await page.waitForFunction('window.examples');
  });

  afterAll(() => pages?.close());

  it('encode images, a canvas and a camera', async () => {
    await page.evaluate(() => document.body.append(Object.assign(document.createElement('input'), { type: 'file' })));
    const buffer = await sharp({ create: { width: 32, height: 16, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    await page.setInputFiles('input', { name: 'a.png', mimeType: 'image/png', buffer });
    const run = async () => {
      const { examples } = window as unknown as { examples: Record<string, (...given: unknown[]) => Promise<never>> };
      const canvas = Object.assign(document.createElement('canvas'), { width: 48, height: 32 });
      const context = canvas.getContext('2d')!;
      const images: Blob = await examples.encodeImages!(document.querySelector('input'));
      const drawn: Blob = await examples.encodeCanvas!(canvas, (n: number) => context.fillRect(n, 0, 1, 32));
      const camera: string = await examples.recordCamera!(0.5);
      const head = async (blob: Blob) => [...new Uint8Array(await blob.slice(0, 4).arrayBuffer())];
      return { images: await head(images), drawn: await head(drawn), packets: drawn.size / 188, camera };
    };
    const { packets, camera, ...heads } = await page.evaluate(run);
    expect(heads).toEqual({ images: [0, 0, 1, 0xba], drawn: [0x47, 0x40, 0, expect.any(Number)] });
    expect(Number.isInteger(packets) && packets >= 100).toBe(true);
    expect(camera).toMatch(/^\d+ frames, [\d.]+ bit\/s, \d+ repeated, \d+ left out$/);
    expect(pages.errors).toEqual([]);
  });
});
