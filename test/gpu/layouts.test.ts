// The structs and bindings that TypeScript fills are those of the shaders.
import { describe, expect, it } from 'vitest';
import { InternalError } from '../../src/errors.js';
import {
  BLOCK_SUMS,
  FULL_SEARCH,
  HALVE_PICTURE,
  MAX_LEVELS,
  MRMP_LEVEL,
  MRMP_SEARCH,
  SQUARE_SUMS,
  SQUARED_SEARCH,
  structWords,
} from '../../src/gpu/layouts.js';
import { SHADER_SOURCES } from '../../src/gpu/shader-sources.js';

/** Names and types of a struct's fields, as the WGSL text has them. */
function fieldsOf(source: string, struct: string): { name: string; type: string }[] {
  const body = new RegExp(`struct ${struct} \\{([^}]*)\\}`).exec(source)?.[1];
  if (body === undefined) throw new Error(`no struct ${struct}`);
  return [...body.matchAll(/^\s*(\w+): ([^\n]+),$/gm)].map(([, name, type]) => ({ name, type }));
}

function bindingsOf(source: string): string[] {
  const names: string[] = [];
  for (const [, number, name] of source.matchAll(/@group\(0\) @binding\((\d+)\) var<[^>]*> (\w+):/g)) {
    names[Number(number)] = name;
  }
  return names;
}

const PASSES = {
  block_sums: BLOCK_SUMS,
  halve_picture: HALVE_PICTURE,
  full_search: FULL_SEARCH,
  square_sums: SQUARE_SUMS,
  squared_search: SQUARED_SEARCH,
  mrmp_search: MRMP_SEARCH,
};

describe.each(Object.entries(PASSES))('%s.wgsl', (file, layout) => {
  const source = SHADER_SOURCES[file as keyof typeof SHADER_SOURCES];

  it('has the bindings of its layout', () => {
    expect(bindingsOf(source)).toEqual([...layout.bindings]);
  });

  it('has the entry point of its layout, named like the file', () => {
    expect(source).toMatch(new RegExp(`@compute @workgroup_size\\([^)]*\\)\\nfn ${layout.entryPoint}\\(`));
    expect(layout.entryPoint).toBe(file);
  });

  it('has the fields of its layout, all u32', () => {
    const fields = fieldsOf(source, layout.struct).filter(({ name }) => name !== 'levels');
    expect(fields).toEqual(layout.fields.map(name => ({ name, type: 'u32' })));
  });
});

describe('mrmp_search.wgsl', () => {
  const source = SHADER_SOURCES.mrmp_search;

  it('has the levels of its layout behind a head of whole 16-byte units', () => {
    expect(fieldsOf(source, MRMP_LEVEL.struct)).toEqual(MRMP_LEVEL.fields.map(name => ({ name, type: 'u32' })));
    expect(fieldsOf(source, MRMP_SEARCH.struct).at(-1)).toEqual({
      name: 'levels',
      type: `array<Level, ${MAX_LEVELS}>`,
    });
    expect(MRMP_SEARCH.fields.length % 4).toBe(0);
    expect(MRMP_LEVEL.fields.length % 4).toBe(0);
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
