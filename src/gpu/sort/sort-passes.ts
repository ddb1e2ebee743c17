// Sorts buffers that are on the GPU: compiles the shaders, and records the passes of the network.
import { OptionError } from '../../errors.js';
import { BUFFER_USAGE, createFilledBuffer } from '../device/buffers.js';
import { bindBuffers, createPipeline } from '../device/pipelines.js';
import { structWords } from '../layouts.js';
import type { SortBuffers, SortPasses } from './gpu-sorter.js';
import { SHADER_SOURCES } from './shader-sources.js';
import { SORT_ACROSS, SORT_TILES } from './sort-layouts.js';
import { type NetworkPass, networkPasses } from './sort-network.js';

/** Most items: so many that the workgroups of a pass fit one dimension of every WebGPU device. */
const MAX_ITEMS = 2 ** 26;

/** The pipelines of the two passes. */
interface SortPipelines {
  readonly tiles: GPUComputePipeline;
  readonly across: GPUComputePipeline;
}

/** The compiled shaders of the sort. */
export class SortProgram {
  readonly #withValues: SortPipelines;
  readonly #keysAlone: SortPipelines;

  private constructor(
    readonly device: GPUDevice,
    withValues: SortPipelines,
    keysAlone: SortPipelines,
  ) {
    this.#withValues = withValues;
    this.#keysAlone = keysAlone;
  }

  /** Compiles the shaders. Rejects with the compiler's message. */
  static async compile(device: GPUDevice): Promise<SortProgram> {
    const compile = async (hasValues: boolean): Promise<SortPipelines> => {
      const overrides = { HAS_VALUES: hasValues ? 1 : 0 };
      const [tiles, across] = await Promise.all([
        createPipeline(device, SORT_TILES, overrides, SHADER_SOURCES),
        createPipeline(device, SORT_ACROSS, overrides, SHADER_SOURCES),
      ]);
      return { tiles, across };
    };
    const [withValues, keysAlone] = await Promise.all([compile(true), compile(false)]);
    return new SortProgram(device, withValues, keysAlone);
  }

  /** Most items of one sort: those of a storage buffer, and not more than 2^26. */
  get maxItems(): number {
    return Math.min(MAX_ITEMS, Math.floor(this.device.limits.maxStorageBufferBindingSize / 4));
  }

  /** The passes that sort these buffers. Throws OptionError if the length is out of range or a buffer too short. */
  createPasses(buffers: SortBuffers): BitonicPasses {
    const { keys, values, length = Math.floor(keys.size / 4) } = buffers;
    this.checkLength(length);
    for (const [name, buffer] of Object.entries({ keys, values })) {
      if (buffer && buffer.size < 4 * length) {
        throw new OptionError(
          name,
          `${name} is a buffer of ${buffer.size} bytes; legal: 4 for each of ${length} items`,
        );
      }
    }
    const pipelines = values ? this.#withValues : this.#keysAlone;
    return new BitonicPasses(this.device, pipelines, keys, values, length);
  }

  /** Throws an OptionError for a length that cannot be sorted. */
  checkLength(length: number): void {
    if (Number.isInteger(length) && length >= 0 && length <= this.maxItems) return;
    throw new OptionError('length', `length is ${length} items; legal on this GPU: 0..${this.maxItems}`);
  }
}

/** One pass, ready to be recorded. */
interface BoundPass {
  readonly pipeline: GPUComputePipeline;
  readonly bindings: GPUBindGroup;
  readonly workgroups: number;
}

/** See {@link SortPasses}; made by {@link SortProgram.createPasses}. */
class BitonicPasses implements SortPasses {
  readonly #passes: readonly BoundPass[];
  /** What the passes need besides the buffers that they sort. */
  readonly #own: GPUBuffer[] = [];

  constructor(
    device: GPUDevice,
    pipelines: SortPipelines,
    keys: GPUBuffer,
    values: GPUBuffer | undefined,
    readonly length: number,
  ) {
    const own = (label: string, usage: number, words: readonly number[]): GPUBuffer => {
      const buffer = createFilledBuffer(device, label, usage, words);
      this.#own.push(buffer);
      return buffer;
    };
    const network = length > 1 ? networkPasses(length) : [];
    const bound = values ?? own('Sort.noValues', BUFFER_USAGE.storage, []);
    // Passes of several stages have the same parameters.
    const bindings = new Map<string, GPUBindGroup>();
    const bindingsOf = ({ shader, shift, steps, isFirst }: NetworkPass): GPUBindGroup => {
      const label = `Sort.${shader}${shift}.${steps}${isFirst ? 'First' : ''}`;
      const known = bindings.get(label);
      if (known) return known;
      const layout = shader === 'tiles' ? SORT_TILES : SORT_ACROSS;
      const words = structWords(layout, { length, shift, steps, isFirst: isFirst ? 1 : 0 });
      const parameters = own(`${label}.parameters`, BUFFER_USAGE.uniform, words);
      const made = bindBuffers(device, pipelines[shader], layout, label, { parameters, keys, values: bound });
      bindings.set(label, made);
      return made;
    };
    this.#passes = network.map(pass => ({
      pipeline: pipelines[pass.shader],
      bindings: bindingsOf(pass),
      workgroups: pass.workgroups,
    }));
  }

  record(pass: GPUComputePassEncoder): void {
    for (const { pipeline, bindings, workgroups } of this.#passes) {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindings);
      pass.dispatchWorkgroups(workgroups);
    }
  }

  destroy(): void {
    for (const buffer of this.#own) buffer.destroy();
  }
}
