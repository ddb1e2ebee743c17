import { UnsupportedError } from '../../errors.js';
import type { EstimatorParameters, MotionField } from '../../motion/estimator.js';
import type { PassLayout } from '../layouts.js';
import { SHADER_SOURCES } from '../shader-sources.js';

/** The GPU's side of one picture. */
export interface PictureSlot {
  readonly index: number;
  /** Takes the luma plane as bytes, tight, from offset 0 on. */
  readonly pels: GPUBuffer;
  readonly destroy: () => void;
}

/** A search for pictures of one size: its buffers and what it records. */
export interface SearchPasses {
  /** Answer of the last search: packed vectors, then costs, `fieldBytes` in all. */
  readonly field: GPUBuffer;
  readonly fieldBytes: number;
  /** The field's shape. */
  readonly shape: Pick<MotionField, 'blockSize' | 'blockColumns' | 'blockRows' | 'candidatesPerBlock'>;
  /** Makes room for a picture; indices are 0, 1, 2 ... */
  createSlot(index: number): PictureSlot;
  /** Records what is done once per picture, after its pels have come. */
  prepare(pass: GPUComputePassEncoder, slot: PictureSlot): void;
  /** Records the search of one pair. */
  search(pass: GPUComputePassEncoder, current: PictureSlot, reference: PictureSlot): void;
  /** Frees the buffers, those of the slots too. */
  destroy(): void;
}

/** Compiled shaders of a search, for pictures of any size. */
export interface SearchProgram {
  readonly name: 'gpu-full' | 'gpu-mrmp';
  createPasses(width: number, height: number): SearchPasses;
}

/** Name of a shader file, without its ending. */
export type ShaderName = keyof typeof SHADER_SOURCES;

/**
 * Compiles one pass from the named shader files, taken together. Rejects with the compiler's message.
 */
export async function createPipeline(
  device: GPUDevice,
  layout: PassLayout,
  files: readonly ShaderName[],
  constants: Record<string, number>,
): Promise<GPUComputePipeline> {
  device.pushErrorScope('validation');
  const module = device.createShaderModule({
    label: layout.entryPoint,
    code: files.map(file => SHADER_SOURCES[file]).join('\n'),
  });
  const shaderError = device.popErrorScope();
  const pipeline = device.createComputePipelineAsync({
    label: layout.entryPoint,
    layout: 'auto',
    compute: { module, entryPoint: layout.entryPoint, constants },
  });
  const [error, compiled] = await Promise.allSettled([shaderError, pipeline]);
  if (error.status === 'fulfilled' && error.value) throw new UnsupportedError(error.value.message);
  if (compiled.status === 'rejected') throw compiled.reason;
  return compiled.value;
}

/** A bind group for group 0 of a pass: a buffer for each of the layout's bindings. */
export function bindBuffers<Layout extends PassLayout>(
  device: GPUDevice,
  pipeline: GPUComputePipeline,
  layout: Layout,
  label: string,
  buffers: Readonly<Record<Layout['bindings'][number], GPUBuffer>>,
): GPUBindGroup {
  return device.createBindGroup({
    label,
    layout: pipeline.getBindGroupLayout(0),
    entries: layout.bindings.map((name, binding) => ({
      binding,
      resource: { buffer: buffers[name as Layout['bindings'][number]] },
    })),
  });
}

/** Bind groups of a search by the slots of its two pictures, each made once. */
export class PairBindings {
  readonly #known = new Map<string, GPUBindGroup>();

  /** What is bound to search `current` in `reference`; `bind` makes it, with the label it is given. */
  of(current: PictureSlot, reference: PictureSlot, bind: (label: string) => GPUBindGroup): GPUBindGroup {
    const key = `${current.index}/${reference.index}`;
    const bindings = this.#known.get(key) ?? bind(`bindings${key}`);
    this.#known.set(key, bindings);
    return bindings;
  }
}

/** The shape of the fields of a search. */
export function fieldShape(parameters: EstimatorParameters): SearchPasses['shape'] {
  const { width, height, blockSize, candidatesPerBlock } = parameters;
  return { blockSize, blockColumns: width / blockSize, blockRows: height / blockSize, candidatesPerBlock };
}

/** A buffer that holds `words` from the start. */
export function createFilledBuffer(
  device: GPUDevice,
  label: string,
  usage: number,
  words: ArrayLike<number>,
): GPUBuffer {
  const buffer = device.createBuffer({ label, size: Math.max(16, 4 * words.length), usage, mappedAtCreation: true });
  new Uint32Array(buffer.getMappedRange()).set(words);
  buffer.unmap();
  return buffer;
}
