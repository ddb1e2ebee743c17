// Sorts arrays on the GPU: opens a device, uploads the items, and reads them back.
import { OptionError, UnsupportedError } from '../../errors.js';
import { requireKnownNames } from '../../given-options.js';
import { BUFFER_USAGE, MAP_MODE } from '../device/buffers.js';
import { openDevice } from '../device/device.js';
import { gpuError, popErrorScopes, pushErrorScopes, whenAllSettle } from '../device/gpu-errors.js';
import type { GpuSorter, GpuSorterOptions, SortBuffers, SortPasses } from './gpu-sorter.js';
import { type SortedItems, sortItems } from './sort-items.js';
import { SortProgram } from './sort-passes.js';

/** Items of the self-check: several tiles, the last one not full. */
const CHECKED_ITEMS = 5000;
/** Begins the messages of errors. */
const FAILED = 'the sort on the GPU failed';

/**
 * Makes a sorter. Rejects with `OptionError` for a wrong option, with `UnsupportedError` where there is no GPU, and for
 * one that sorts wrong.
 */
export async function createGpuSorter(options: GpuSorterOptions = {}): Promise<GpuSorter> {
  requireKnownNames(
    options,
    ['device', 'gpu', 'allowSoftware'] satisfies (keyof GpuSorterOptions)[],
    'GpuSorterOptions',
  );
  for (const [name, method] of [
    ['device', 'createBuffer'],
    ['gpu', 'requestAdapter'],
  ] as const) {
    const value: unknown = options[name];
    if (!value || Object(value)[method]) continue;
    throw new OptionError(name, `${name} is ${typeof value}: one with ${method}() is needed`);
  }
  const opened = options.device ? undefined : await openDevice(options);
  const device = options.device ?? opened!.device;
  try {
    const sorter = new ArraySorter(await SortProgram.compile(device), async () => opened?.close());
    await checkSorter(sorter);
    return sorter;
  } catch (error) {
    await opened?.close();
    throw error instanceof UnsupportedError ? error : gpuError(FAILED, error);
  }
}

/** Sorts once; see {@link GpuSorter.sort}. Wrong arrays are refused before a GPU is looked for. */
export async function sortOnGpu(
  keys: Uint32Array,
  values?: Uint32Array,
  options: GpuSorterOptions = {},
): Promise<SortedItems> {
  checkArrays(keys, values);
  const sorter = await createGpuSorter(options);
  try {
    return await sorter.sort(keys, values);
  } finally {
    await sorter.close();
  }
}

/** Throws an OptionError unless both are of u32, and there are as many values as keys. */
function checkArrays(keys: Uint32Array, values: Uint32Array | undefined): void {
  for (const [name, array] of Object.entries({ keys, ...(values !== undefined && { values }) })) {
    const type = Object.prototype.toString.call(array).slice('[object '.length, -1);
    if (type === 'Uint32Array') continue;
    throw new OptionError(name, `${name} is of type ${type}; legal: a Uint32Array`);
  }
  if (!values || values.length === keys.length) return;
  throw new OptionError('values', `there are ${values.length} values; legal: one for each of ${keys.length} keys`);
}

/** The array, or a copy if it lies on a SharedArrayBuffer: the package `webgpu` ends the process for such a one. */
function unshared(array: Uint32Array): Uint32Array<ArrayBuffer> {
  return array.buffer instanceof ArrayBuffer ? (array as Uint32Array<ArrayBuffer>) : Uint32Array.from(array);
}

/** A buffer, or passes. */
interface Destroyable {
  destroy(): void;
}

/** See {@link GpuSorter}. */
class ArraySorter implements GpuSorter {
  #closing: Promise<void> | undefined;

  constructor(
    readonly program: SortProgram,
    readonly closeDevice: () => Promise<void>,
  ) {}

  get device(): GPUDevice {
    return this.program.device;
  }

  get maxItems(): number {
    return this.program.maxItems;
  }

  createPasses(buffers: SortBuffers): SortPasses {
    return this.program.createPasses(buffers);
  }

  async sort(keys: Uint32Array, values?: Uint32Array): Promise<SortedItems> {
    checkArrays(keys, values);
    this.program.checkLength(keys.length);
    if (this.#closing) throw new UnsupportedError('the sorter is closed');
    if (keys.length === 0) return { keys: new Uint32Array(), values: values && new Uint32Array() };
    const owned: Destroyable[] = [];
    try {
      const readback = await this.#submit(values ? [keys, values] : [keys], owned);
      const sorted = new Uint32Array(readback.getMappedRange());
      return { keys: sorted.slice(0, keys.length), values: values && sorted.slice(keys.length) };
    } catch (error) {
      throw gpuError(FAILED, error);
    } finally {
      for (const resource of owned) resource.destroy();
    }
  }

  /** Uploads, sorts, and returns a mapped buffer with one array after the other. What it makes is added to `owned`. */
  async #submit(arrays: readonly Uint32Array[], owned: Destroyable[]): Promise<GPUBuffer> {
    const { device } = this;
    const create = (label: string, size: number, usage: number): GPUBuffer => {
      const buffer = device.createBuffer({ label: `Sort.${label}`, size, usage });
      owned.push(buffer);
      return buffer;
    };
    const { storage, copySource, copyTarget, mapRead } = BUFFER_USAGE;
    let pending: Promise<void>[];
    let readback: GPUBuffer;
    pushErrorScopes(device);
    try {
      const encoder = device.createCommandEncoder({ label: 'Sort.encoder' });
      const [keys, values] = arrays.map((array, index) => {
        const buffer = create(index === 0 ? 'keys' : 'values', array.byteLength, storage | copySource | copyTarget);
        device.queue.writeBuffer(buffer, 0, unshared(array));
        return buffer;
      });
      const passes = this.createPasses({ keys: keys!, values });
      owned.push(passes);
      const pass = encoder.beginComputePass({ label: 'Sort.pass' });
      passes.record(pass);
      pass.end();
      const { byteLength } = arrays[0]!;
      readback = create('readback', arrays.length * byteLength, copyTarget | mapRead);
      encoder.copyBufferToBuffer(keys!, 0, readback, 0, byteLength);
      if (values) encoder.copyBufferToBuffer(values, 0, readback, byteLength, byteLength);
      device.queue.submit([encoder.finish()]);
    } finally {
      pending = popErrorScopes(device);
    }
    await whenAllSettle([...pending, readback.mapAsync(MAP_MODE.read)]);
    return readback;
  }

  close(): Promise<void> {
    this.#closing ??= this.closeDevice();
    return this.#closing;
  }
}

/** Sorts few items with and without values, and compares them with the definition: a driver may compute wrong. */
async function checkSorter(sorter: GpuSorter): Promise<void> {
  const keys = Uint32Array.from({ length: CHECKED_ITEMS }, (_, item) => Math.imul(item % 3000, 0x9e3779b1));
  const values = Uint32Array.from({ length: CHECKED_ITEMS }, (_, item) => ~Math.imul(item, 0x85ebca6b));
  for (const given of [values, undefined]) {
    const actual = await sorter.sort(keys, given);
    const expected = sortItems(keys, given);
    for (const part of ['keys', 'values'] as const) {
      const item = expected[part]?.findIndex((word, index) => actual[part]?.[index] !== word) ?? -1;
      if (item >= 0) throw new UnsupportedError(`this GPU sorts wrong (item ${item} of the ${part})`);
    }
  }
}
