// Records: AssemblyScript and TypeScript must agree on every field, and no kernel may define a layout of its own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import asc from 'assemblyscript/asc';
import { describe, expect, it } from 'vitest';
import { KernelMemory } from '../../src/kernels/kernel-memory.js';
import { defineRecord, f64, i32, type MemoryRecord, type RecordAt } from '../../src/kernels/records/record.js';
import { ROOT } from '../architecture/source-tree.js';

const SOURCES = 'src/kernels/records';
const GENERATED = 'assembly/generated';
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const isRecord = (value: unknown): value is MemoryRecord => typeof value === 'object' && 'offsets' in (value ?? {});

const paths = readdirSync(join(ROOT, SOURCES)).map(file => `${SOURCES}/${file}`);
const modules = await Promise.all(
  paths.map(async path => ({ path, exported: (await import(join(ROOT, path))) as Record<string, unknown> })),
);
const records = modules.flatMap(({ path, exported }) =>
  Object.values(exported)
    .filter(isRecord)
    .map(record => ({ name: record.name, path, record })),
);
const assemblyFiles = (readdirSync(join(ROOT, 'assembly'), { recursive: true }) as string[])
  .filter(path => path.endsWith('.ts') && !path.startsWith('generated'))
  .map(path => `assembly/${path}`);

/** A WASM function that reads a field as a double, an array's entry by its index, and one that writes it. */
function probe({ name, fields }: MemoryRecord): string {
  const functions = Object.entries(fields).map(([field, { type, length, ...rest }]) => {
    const at = `changetype<${name}>(pointer).${field}`;
    const own = `export function ${name}_${field}`;
    if (length !== undefined) {
      const entry = `${at} + <usize>index * sizeof<${type}>()`;
      return (
        `${own}(pointer: usize, index: i32): f64 { return <f64>load<${type}>(${entry}); }\n` +
        `${own}_set(pointer: usize, value: f64, index: i32): void { store<${type}>(${entry}, <${type}>value); }`
      );
    }
    const isPointer = 'target' in rest;
    const value = isPointer ? `changetype<usize>(${at})` : at;
    const set = isPointer ? '' : `${at} = <${type}>value;`;
    return (
      `${own}(pointer: usize, index: i32): f64 { return <f64>${value}; }\n` +
      `${own}_set(pointer: usize, value: f64, index: i32): void { ${set} }`
    );
  });
  return functions.join('\n');
}

/** The probes of all records as a module on `memory`. */
async function compileProbes(memory: KernelMemory): Promise<Record<string, (...numbers: number[]) => number>> {
  const names = records.map(({ name }) => name).join(', ');
  const source = `import { ${names} } from './records';\n${records.map(({ record }) => probe(record)).join('\n')}\n`;
  const files = new Map([
    ['probe.ts', source],
    ['records.ts', read(`${GENERATED}/records.ts`)],
  ]);
  let binary: Uint8Array<ArrayBuffer> | undefined;
  const { error, stderr } = await asc.main(
    [
      ...['probe.ts', '--outFile', 'probe.wasm', '--runtime', 'stub'],
      ...['--importMemory', '--sharedMemory', '--maximumMemory', '65535', '--enable', 'threads'],
    ],
    {
      readFile: name => files.get(name) ?? null,
      writeFile: (_, contents) => {
        binary = contents as Uint8Array<ArrayBuffer>;
      },
      listFiles: () => [],
    },
  );
  expect(error, stderr.toString()).toBeNull();
  const { instance } = await WebAssembly.instantiate(binary!, { env: { memory: memory.wasm, abort: () => {} } });
  return instance.exports as never;
}

describe('record layouts', () => {
  it('were found', () => expect(records.length).toBeGreaterThanOrEqual(6));

  it('survive a round trip: what TypeScript writes, WASM reads, and the other way round', async () => {
    const memory = new KernelMemory(1 << 16);
    const wasm = await compileProbes(memory);
    for (const { name, record } of records) {
      const at = record.allocate(memory) as RecordAt<typeof record.fields> & Record<string, number | Uint8Array>;
      // Every entry of the record gets a value of its own before any is read, so that an overlap shows.
      const entries = Object.entries(record.fields).flatMap(([field, { length }], i) =>
        length === undefined
          ? [{ field, index: -1, value: 101 + i }]
          : [0, length - 1].map((index, last) => ({ field, index, value: 2 * i + last + 1 })),
      );
      const places = at as unknown as Record<string, number> & Record<string, Uint8Array>;
      for (const { field, index, value } of entries) {
        if (index < 0) places[field] = value as never;
        else (places[field] as Uint8Array)[index] = value;
      }
      for (const { field, index, value } of entries) {
        const key = `${name}_${field}`;
        expect(wasm[key]!(at.pointer, index), key).toBe(value);
      }
      for (const { field, index, value } of entries) {
        const isPointer = 'target' in record.fields[field]!;
        if (!isPointer) wasm[`${name}_${field}_set`]!(at.pointer, value + 7, index);
        const now = index < 0 ? places[field] : (places[field] as Uint8Array)[index];
        expect(now, `${name}.${field}`).toBe(isPointer ? value : value + 7);
      }
      const used = Math.max(
        ...Object.entries(record.fields).map(([field, { type, length = 1 }]) => {
          const bytes = { u8: 1, i16: 2, i32: 4, usize: 4, f32: 4, f64: 8 }[type];
          expect(record.offsets[field]! % bytes, `${name}.${field} is aligned`).toBe(0);
          return record.offsets[field]! + length * bytes;
        }),
      );
      expect(record.bytes, name).toBe(used);
    }
  });

  it.each(records)('$name is drawn as it is', ({ record, path }) => {
    // Either a row for each field, with its offset, or a ruler of offsets above names of fields that belong together.
    const text = read(path);
    const start = text.indexOf(`defineRecord('${record.name}'`);
    const drawing = text.slice(text.lastIndexOf('/**', start), start);
    const rows = [...drawing.matchAll(/^ \* {5}(\d+) +([a-z]\w*)\b/gm)];
    for (const [, offset, field] of rows) expect(record.offsets[field!], `${path}: ${field}`).toBe(Number(offset));
    const end = drawing.match(/^ \* {5}(\d+)$/m);
    if (rows.length > 0) expect(Number(end?.[1]), `${path}: bytes`).toBe(record.bytes);
    const ruler = drawing.match(/^ \* {5}(0(?: {2,}\d+)+)$/m);
    expect(rows.length > 0 || ruler !== null, `${path} has a drawing`).toBe(true);
    if (!ruler) return;
    const marks = ruler[1]!.trim().split(/ +/).map(Number);
    const starts = new Set([...Object.values(record.offsets), record.bytes]);
    for (const mark of marks) expect(starts.has(mark), `${path}: something begins at ${mark}`).toBe(true);
    expect(marks.at(-1), `${path}: bytes`).toBe(record.bytes);
  });

  it('lays fields out as C does', () => {
    const { offsets, bytes } = defineRecord('Example', { a: i32, b: f64, c: i32 });
    expect([offsets, bytes]).toEqual([{ a: 0, b: 8, c: 16 }, 20]);
  });

  it('are defined once: no file of assembly/ has a constant of a shared name or a class of a record', () => {
    const generated = `${read(`${GENERATED}/records.ts`)}\n${read(`${GENERATED}/tables.ts`)}`;
    const shared = new Set([...generated.matchAll(/^export (?:class|const) (\w+)/gm)].map(([, name]) => name!));
    const upperSnake = (field: string) => field.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase();
    for (const { record } of records) for (const field of Object.keys(record.fields)) shared.add(upperSnake(field));
    expect(shared.has('MAX_TRIED_VECTORS') && shared.has('TRIED_COUNT') && shared.has('SearchJob')).toBe(true);
    for (const path of assemblyFiles) {
      const own = [...read(path).matchAll(/\b(?:class|const|let) (\w+)/g)].map(([, name]) => name!);
      expect(
        own.filter(name => shared.has(name)),
        path,
      ).toEqual([]);
    }
  });
});
