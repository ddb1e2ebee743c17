// Compiles the shader of a pass, and binds buffers to it.
import { UnsupportedError } from '../../errors.js';
import type { PassLayout } from '../layouts.js';
import { SHADER_SOURCES } from '../shader-sources.js';

/**
 * Compiles a pass; `overrides` are the values of its `override` constants, `more` shaders that are not in
 * SHADER_SOURCES. Rejects with the compiler's message.
 */
export async function createPipeline(
  device: GPUDevice,
  layout: PassLayout,
  overrides: Readonly<Record<string, number>>,
  more: Readonly<Record<string, string>> = {},
): Promise<GPUComputePipeline> {
  const sources: Readonly<Record<string, string>> = { ...SHADER_SOURCES, ...more };
  device.pushErrorScope('validation');
  const module = device.createShaderModule({
    label: layout.entryPoint,
    code: layout.files.map(file => sources[file]).join('\n'),
  });
  const shaderError = device.popErrorScope();
  const pipeline = device.createComputePipelineAsync({
    label: layout.entryPoint,
    layout: 'auto',
    compute: { module, entryPoint: layout.entryPoint, constants: overrides },
  });
  const [error, compiled] = await Promise.allSettled([shaderError, pipeline]);
  if (error.status === 'fulfilled' && error.value) throw new UnsupportedError(error.value.message);
  if (compiled.status === 'rejected') throw compiled.reason;
  return compiled.value;
}

/** A bind group for group 0 of a pass: a buffer for each binding of the layout. */
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
