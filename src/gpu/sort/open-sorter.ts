// Sorts arrays on the GPU: opens a device, uploads the items, and reads them back.
import { OptionError, UnsupportedError } from '../../errors.js';
import { messageOf } from '../device/adapter-choice.js';
import { BUFFER_USAGE, MAP_MODE } from '../device/buffers.js';
import { openDevice } from '../device/device.js';
import type { GpuSorter, GpuSorterOptions, SortBuffers, SortPasses } from './gpu-sorter.js';
import { type SortedItems, sortItems } from './sort-items.js';
import { SortProgram } from './sort-passes.js';

/** Items of the self-check: several tiles, the last one not full. */
const CHECKED_ITEMS = 5000;

/** Makes a sorter. Rejects with `UnsupportedError` where there is no GPU, or where it sorts wrong. */
export async function createGpuSorter(options: GpuSorterOptions = {}): Promise<GpuSorter> {
  const opened = options.device ? undefined : await openDevice(options);
  const device = options.device ?? opened!.device;
  try {
    const sorter = new ArraySorter(await SortProgram.compile(device), async () => opened?.close());
    await checkSorter(sorter);
    return sorter;
  } catch (error) {
    await opened?.close();
    throw error instanceof UnsupportedError ? error : failed(error);
  }
}

/** Sorts once; see {@link GpuSorter.sort}. Wrong lengths are refused before a GPU is looked for. */
export async function sortOnGpu(
  keys: Uint32Array,
  values?: Uint32Array,
  options: GpuSorterOptions = {},
): Promise<SortedItems> {
  checkLengths(keys, values);
  const sorter = await createGpuSorter(options);
  try {
    return await sorter.sort(keys, values);
  } finally {
    await sorter.close();
  }
}

/** Throws an OptionError unless there are as many values as keys. */
function checkLengths(keys: Uint32Array, values: Uint32Array | undefined): void {
  if (!values || values.length === keys.length) return;
  throw new OptionError('values', `there are ${values.length} values; legal: one for each of ${keys.length} keys`);
}

function failed(error: unknown): UnsupportedError {
  return new UnsupportedError(`the sort on the GPU failed: ${messageOf(error)}`, { cause: error });
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
    checkLengths(keys, values);
    this.program.checkLength(keys.length);
    if (this.#closing) throw new UnsupportedError('the sorter is closed');
    if (keys.length === 0) return { keys: new Uint32Array(), values: values && new Uint32Array() };
    const arrays = values ? [keys, values] : [keys];
    const buffers = arrays.map((_, index) => this.#createBuffer(index === 0 ? 'keys' : 'values', keys.byteLength));
    const { copyTarget, mapRead } = BUFFER_USAGE;
    const size = arrays.length * keys.byteLength;
    const readback = this.device.createBuffer({ label: 'Sort.readback', size, usage: copyTarget | mapRead });
    const passes = this.createPasses({ keys: buffers[0]!, values: buffers[1] });
    try {
      await this.#submit(arrays, buffers, passes, readback);
      const sorted = new Uint32Array(readback.getMappedRange());
      return {
        keys: sorted.slice(0, keys.length),
        values: values && sorted.slice(keys.length),
      };
    } catch (error) {
      throw failed(error);
    } finally {
      passes.destroy();
      for (const buffer of [...buffers, readback]) buffer.destroy();
    }
  }

  #createBuffer(name: string, size: number): GPUBuffer {
    const { storage, copySource, copyTarget } = BUFFER_USAGE;
    return this.device.createBuffer({ label: `Sort.${name}`, size, usage: storage | copySource | copyTarget });
  }

  /** Uploads, sorts, and copies to `readback`, which is mapped when the promise is fulfilled. */
  async #submit(
    arrays: readonly Uint32Array[],
    buffers: readonly GPUBuffer[],
    passes: SortPasses,
    readback: GPUBuffer,
  ): Promise<void> {
    const { device } = this;
    for (const kind of ['validation', 'out-of-memory', 'internal'] as const) device.pushErrorScope(kind);
    for (const [index, array] of arrays.entries()) {
      device.queue.writeBuffer(buffers[index]!, 0, array as Uint32Array<ArrayBuffer>);
    }
    const encoder = device.createCommandEncoder({ label: 'Sort.encoder' });
    const pass = encoder.beginComputePass({ label: 'Sort.pass' });
    passes.record(pass);
    pass.end();
    for (const [index, { byteLength }] of arrays.entries()) {
      encoder.copyBufferToBuffer(buffers[index]!, 0, readback, index * byteLength, byteLength);
    }
    device.queue.submit([encoder.finish()]);
    const scopes = [device.popErrorScope(), device.popErrorScope(), device.popErrorScope()];
    const outcomes = await Promise.allSettled([...scopes, readback.mapAsync(MAP_MODE.read)]);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw outcome.reason;
      if (outcome.value) throw outcome.value;
    }
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
