// The bindings, sizes and numbers that the simulator's TypeScript and its shaders share.
import { describe, expect, it } from 'vitest';
import {
  BLOCK_THREADS,
  OVERRIDE_TYPES,
  overrideName,
  ROW_THREADS,
  SNOW_PASSES,
} from '../../../samples/snow/gpu/layouts.js';
import { PALETTE } from '../../../samples/snow/picture/colours.js';
import { COLUMNS_PER_CELL, UNITS_PER_FLAKE } from '../../../samples/snow/scene.js';
import { SHADER_SOURCES } from '../../../samples/snow/shader-sources.js';

describe.each(Object.values(SNOW_PASSES))('$entryPoint.wgsl', ({ entryPoint, files, bindings }) => {
  const source = SHADER_SOURCES[entryPoint];

  it('has the bindings of its layout', () => {
    const found = [...source.matchAll(/@group\(0\) @binding\((\d+)\) var<[^>]*> (\w+):/g)];
    expect(found.map(([, number, name]) => [Number(number), name])).toEqual([...bindings.entries()]);
  });

  it('has its entry point in the last file, with the workgroup that TypeScript reckons with', () => {
    expect(files.at(-1)).toBe(entryPoint);
    const [, size] = new RegExp(`@compute @workgroup_size\\(([^)]*)\\)\\nfn ${entryPoint}\\(`).exec(source)!;
    expect([`${ROW_THREADS}`, BLOCK_THREADS.join(', '), 'THREADS']).toContain(size);
  });
});

describe('the shaders', () => {
  it('are all part of a pass', () => {
    const used = new Set(Object.values(SNOW_PASSES).flatMap(({ files }) => files as readonly string[]));
    expect([...used].sort()).toEqual(Object.keys(SHADER_SOURCES).sort());
  });

  it('have the numbers of a film as constants', () => {
    const found = [...SHADER_SOURCES.scene.matchAll(/^override (\w+): (\w+);$/gm)].map(([, name, type]) => [
      name,
      type,
    ]);
    expect(found).toEqual(Object.entries(OVERRIDE_TYPES).map(([name, type]) => [overrideName(name), type]));
    expect(SHADER_SOURCES.scene).toContain(`const COLUMNS_PER_CELL = ${COLUMNS_PER_CELL}u;`);
    expect(SHADER_SOURCES.settle_snow).toContain(`const UNITS_PER_FLAKE = ${UNITS_PER_FLAKE}u;`);
  });

  it('have the colours in the order of the palette', () => {
    const [, fields] = /struct Palette \{([^}]*)\}/.exec(SHADER_SOURCES.landscape)!;
    const names = [...fields.matchAll(/(\w+): vec4<f32>/g)].map(([, name]) => name);
    expect(names).toEqual(Object.keys(PALETTE).map(name => overrideName(name).toLowerCase()));
  });
});
