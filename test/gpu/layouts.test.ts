// The structs and bindings that TypeScript fills are those of the shaders.
import { describe, expect, it } from 'vitest';
import { InternalError } from '../../src/errors.js';
import { RGB_TO_FRAME } from '../../src/gpu/conversion/conversion-layouts.js';
import { SHADER_SOURCES as CONVERSION_SOURCES } from '../../src/gpu/conversion/shader-sources.js';
import { FILTER_LUMA } from '../../src/gpu/filter/filter-layouts.js';
import { SHADER_SOURCES as FILTER_SOURCES } from '../../src/gpu/filter/shader-sources.js';
import type { PassLayout } from '../../src/gpu/layouts.js';
import {
  BLOCK_SUMS,
  FULL_SEARCH,
  FULL_SEARCH_BITONIC,
  FULL_SEARCH_SSE,
  HALVE_PICTURE,
  MRMP_LEVEL,
  MRMP_SEARCH,
  SQUARE_SUMS,
  structWords,
} from '../../src/gpu/layouts.js';
import { LOCATE_PATTERN } from '../../src/gpu/pattern/pattern-layouts.js';
import { SHADER_SOURCES as PATTERN_SOURCES } from '../../src/gpu/pattern/shader-sources.js';
import { SHADER_SOURCES } from '../../src/gpu/shader-sources.js';
import { SHADER_SOURCES as SORT_SOURCES } from '../../src/gpu/sort/shader-sources.js';
import { SORT_ACROSS, SORT_TILES } from '../../src/gpu/sort/sort-layouts.js';
import { SHADER_SOURCES as STEREO_SOURCES } from '../../src/gpu/stereo/shader-sources.js';
import { STEREO_PASSES } from '../../src/gpu/stereo/stereo-layouts.js';

/** Names and types of a struct's fields, as the WGSL text has them. */
function fieldsOf(source: string, struct: string): { name: string; type: string }[] {
  const body = new RegExp(`struct ${struct} \\{([^}]*)\\}`).exec(source)?.[1];
  if (body === undefined) throw new Error(`no struct ${struct}`);
  return [...body.matchAll(/^\s*(\w+): ([^\n]+),$/gm)].map(([, name, type]) => ({ name, type }));
}

/** All shader files by name. */
const SOURCES: Readonly<Record<string, string>> = {
  ...SHADER_SOURCES,
  ...CONVERSION_SOURCES,
  ...FILTER_SOURCES,
  ...PATTERN_SOURCES,
  ...SORT_SOURCES,
  ...STEREO_SOURCES,
};

/** The WGSL text of a pass. */
function sourceOf({ files }: PassLayout): string {
  return files.map(file => SOURCES[file]).join('\n');
}

function bindingsOf(source: string): string[] {
  const names: string[] = [];
  for (const [, number, name] of source.matchAll(/@group\(0\) @binding\((\d+)\) var(?:<[^>]*>)? (\w+):/g)) {
    names[Number(number)] = name;
  }
  return names;
}

const PASSES: readonly (readonly [string, PassLayout])[] = [
  ['block_sums', BLOCK_SUMS],
  ['halve_picture', HALVE_PICTURE],
  ['full_search', FULL_SEARCH],
  ['full_search', FULL_SEARCH_BITONIC],
  ['square_sums', SQUARE_SUMS],
  ['full_search_sse', FULL_SEARCH_SSE],
  ['mrmp_search', MRMP_SEARCH],
  ['rgb_to_frame', RGB_TO_FRAME],
  ['filter_luma', FILTER_LUMA],
  ['locate_pattern', LOCATE_PATTERN],
  ['sort_tiles', SORT_TILES],
  ['sort_across', SORT_ACROSS],
  ...Object.values(STEREO_PASSES).map((pass): [string, PassLayout] => [pass.entryPoint, pass]),
];

describe.each(PASSES)('%s.wgsl', (file, layout) => {
  const source = sourceOf(layout);

  it('has the bindings of its layout', () => {
    expect(bindingsOf(source)).toEqual([...layout.bindings]);
  });

  it('has the entry point of its layout, named like the file', () => {
    expect(source).toMatch(new RegExp(`@compute @workgroup_size\\([^)]*\\)\\nfn ${layout.entryPoint}\\(`));
    expect(layout.entryPoint).toBe(file);
    expect(layout.files.at(-1)).toBe(file);
  });

  it('has the constants of its layout', () => {
    for (const [name, value] of Object.entries(layout.constants))
      expect(source).toContain(`const ${name} = ${value}u;`);
  });

  it('has the fields of its layout, all u32', () => {
    const fields = fieldsOf(source, layout.struct).filter(({ name }) => name !== 'levels');
    expect(fields).toEqual(layout.fields.map(name => ({ name, type: 'u32' })));
  });
});

describe('mrmp_search.wgsl', () => {
  const source = sourceOf(MRMP_SEARCH);

  it('has the levels of its layout behind a head of whole 16-byte units', () => {
    expect(fieldsOf(source, MRMP_LEVEL.struct)).toEqual(MRMP_LEVEL.fields.map(name => ({ name, type: 'u32' })));
    expect(fieldsOf(source, MRMP_SEARCH.struct).at(-1)).toEqual({
      name: 'levels',
      type: 'array<Level, MAX_LEVELS>',
    });
    expect(MRMP_SEARCH.fields.length % 4).toBe(0);
    expect(MRMP_LEVEL.fields.length % 4).toBe(0);
  });
});

describe('the shader files', () => {
  it('are all part of a pass', () => {
    const used = new Set(PASSES.flatMap(([, { files }]) => files));
    expect([...used].sort()).toEqual(Object.keys(SOURCES).sort());
  });
});

describe('structWords', () => {
  it('puts the values in the order of the fields', () => {
    expect(structWords(BLOCK_SUMS, { height: 2, pitch: 1 })).toEqual([1, 2]);
  });

  it.each([-1, 0.5, 2 ** 32, Number.NaN])('takes no %s for a u32', value => {
    expect(() => structWords(BLOCK_SUMS, { height: value, pitch: 1 })).toThrow(InternalError);
  });
});
