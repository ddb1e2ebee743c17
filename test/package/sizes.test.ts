// What a page downloads: the sum of its files, each compressed by gzip as a server sends them.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/source-tree.js';
import { proseOf } from '../docs/pages.js';

const FOLDER = join(ROOT, 'dist', 'package', 'browser');

/** Most bytes of an encode on one thread, and most that GPU estimators add. */
const MAX_CPU_BYTES = 90_600;
const MAX_GPU_BYTES = 21_700;
/** Most bytes that a bit rate adds. */
const MAX_RATE_BYTES = 6_000;
/** Most bytes that threads add. */
const MAX_THREADS_BYTES = 18_900;
/** Most bytes that the sort adds to the GPU's code. */
const MAX_SORT_BYTES = 4_000;
/** Most bytes that an encode in chunks adds. */
const MAX_CHUNKS_BYTES = 5_000;
/** Most files of an encode on one thread. */
const MAX_FILES = 4;

/** The file whose name starts so. */
const fileOf = (name: string) => readdirSync(FOLDER).find(file => file.startsWith(`${name}-`))!;

/** These files and those that they import from the start. */
function filesOf(...entries: readonly string[]): ReadonlySet<string> {
  const files = new Set(entries.map(name => join(FOLDER, name)));
  for (const path of files) {
    if (!path.endsWith('.js')) continue;
    const imports = readFileSync(path, 'utf8').matchAll(/\b(?:from|import)\s*"(\.[^"]+)"/g);
    for (const [, target = ''] of imports) files.add(join(dirname(path), target));
  }
  return files;
}

const bytesOf = (files: ReadonlySet<string>) =>
  [...files].reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0);

describe('what a page downloads', () => {
  const cpu = filesOf('index.js', 'mpegpu/kernels.wasm');
  const gpu = filesOf('index.js', 'mpegpu/kernels.wasm', fileOf('gpu'));
  const rate = filesOf('index.js', 'mpegpu/kernels.wasm', fileOf('rate'));
  const chunks = filesOf('index.js', 'mpegpu/kernels.wasm', fileOf('chunks'));
  // What workers load in any case.
  const beforeThreads = new Set([...gpu, ...rate]);
  // A worker imports the GPU's code from the start, so that bundlers can make one file of it.
  const threads = filesOf('index.js', 'mpegpu/kernels.wasm', fileOf('gpu'), fileOf('threads'), 'mpegpu/worker.js');
  const [sort, conversion] = ['sort', 'conversion'].map(name =>
    filesOf('index.js', 'mpegpu/kernels.wasm', fileOf('gpu'), fileOf(name)),
  ) as [ReadonlySet<string>, ReadonlySet<string>];

  it('is small for an encode on one thread, and comes in few files', () => {
    expect(bytesOf(cpu)).toBeLessThanOrEqual(MAX_CPU_BYTES);
    expect(cpu.size).toBeLessThanOrEqual(MAX_FILES);
  });

  it('grows little with GPU estimators and with threads', () => {
    expect(gpu.size).toBe(cpu.size + 1);
    expect(bytesOf(gpu) - bytesOf(cpu)).toBeLessThanOrEqual(MAX_GPU_BYTES);
    expect(bytesOf(threads) - bytesOf(beforeThreads)).toBeLessThanOrEqual(MAX_THREADS_BYTES);
  });

  it.each([
    ['a bit rate', rate, MAX_RATE_BYTES],
    ['an encode in chunks', chunks, MAX_CHUNKS_BYTES],
  ])('grows little with %s', (_, files, most) => {
    expect(files.size).toBe(cpu.size + 1);
    expect(bytesOf(files) - bytesOf(cpu)).toBeLessThanOrEqual(most);
  });

  it('has the sort in a file of its own, which nothing else loads', () => {
    expect(sort.size).toBe(gpu.size + 1);
    expect(threads.has(join(FOLDER, fileOf('sort')))).toBe(false);
    expect(bytesOf(sort) - bytesOf(gpu)).toBeLessThanOrEqual(MAX_SORT_BYTES);
  });

  it('is what docs/browser.md says', () => {
    const stated = [
      ...proseOf('docs/browser.md').matchAll(/^\| [^|]+ \| (\d+(?:\.\d)?) kB(?: more)? \| \d+ \|$/gm),
    ].map(([, kilobytes]) => Number(kilobytes));
    const sizes = [
      bytesOf(cpu),
      bytesOf(gpu) - bytesOf(cpu),
      bytesOf(rate) - bytesOf(cpu),
      bytesOf(threads) - bytesOf(beforeThreads),
      bytesOf(sort) - bytesOf(gpu),
      bytesOf(conversion) - bytesOf(gpu),
      bytesOf(chunks) - bytesOf(cpu),
    ];
    const kilobytes = sizes.map(size => size / 1000);
    expect(stated).toHaveLength(kilobytes.length);
    for (const [index, value] of kilobytes.entries()) expect(Math.abs(stated[index]! / value - 1)).toBeLessThan(0.1);
  });
});
