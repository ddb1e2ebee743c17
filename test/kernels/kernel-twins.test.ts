// Twins pair by path: each kernel is defined in a file of src/ and in the file of the same path in assembly/.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KernelMemory } from '../../src/kernels/kernel-memory.js';
import { createReferenceKernels } from '../../src/kernels/reference-kernels.js';
import { createReferenceVisionKernels } from '../../src/kernels/reference-vision-kernels.js';
import { createVisionKernels } from '../../src/kernels/select-vision-kernels.js';
import { createSimdKernels } from '../../src/kernels/simd-kernels.js';
import { ROOT } from '../architecture/source-tree.js';

const memory = new KernelMemory(1 << 16);
const namesOf = (kernels: object) =>
  Object.entries(kernels)
    .filter(([, value]) => typeof value === 'function')
    .map(([name]) => name)
    .sort();
const coding = namesOf(createReferenceKernels(memory));
const vision = namesOf(createReferenceVisionKernels(memory));
const contract = [...coding, ...vision].sort();

/** The readable kernels by the path of their file below src/ and, it should be, below assembly/. */
const folders = [
  'bitstream/syntax',
  'dct',
  'macroblock',
  'macroblock/row',
  'motion/search',
  'pattern/search',
  'picture',
  'stereo/matching',
];
const paths = folders.flatMap(folder =>
  readdirSync(join(ROOT, 'src', folder))
    .filter(file => file.endsWith('.ts'))
    .map(file => `${folder}/${file}`),
);
const modules = await Promise.all(
  paths.map(async path => ({ path, exported: (await import(join(ROOT, 'src', path))) as Record<string, unknown> })),
);
const twins = modules.flatMap(({ path, exported }) =>
  Object.entries(exported)
    .filter(([name]) => /^reference[A-Z]/.test(name))
    .flatMap(([, create]) => namesOf((create as (memory: KernelMemory) => object)(memory)))
    .map(kernel => ({ kernel, path })),
);

describe('kernel twins', () => {
  it('the readable files define every kernel of the contract once', () => {
    expect(twins.map(({ kernel }) => kernel).sort()).toEqual(contract);
  });

  it('the SIMD modules export the kernels of the contracts and nothing else', async () => {
    expect(namesOf(await createSimdKernels(new KernelMemory(1 << 16)))).toEqual(coding);
    expect(namesOf(await createVisionKernels(new KernelMemory(1 << 16), 'simd'))).toEqual(vision);
  });

  it.each(twins)('$kernel has its SIMD twin in assembly/$path', ({ kernel, path }) => {
    const assembly = join(ROOT, 'assembly', path);
    expect(existsSync(assembly)).toBe(true);
    expect(readFileSync(assembly, 'utf8')).toMatch(new RegExp(`^export function ${kernel}\\(`, 'm'));
  });

  it('the contracts declare every kernel', () => {
    const folder = join(ROOT, 'src/kernels/contracts');
    const text = readdirSync(folder).map(file => readFileSync(join(folder, file), 'utf8'));
    for (const kernel of contract) expect(text.filter(source => source.includes(`  ${kernel}(`))).toHaveLength(1);
  });
});
