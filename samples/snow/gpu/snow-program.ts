// The compiled passes of a film.
/// <reference types="@webgpu/types" />
import type { SnowScene } from '../scene.js';
import { SHADER_SOURCES } from '../shader-sources.js';
import { OVERRIDE_TYPES, overrideName, SNOW_PASSES, type SnowPassName } from './layouts.js';

type SnowPipelines = Readonly<Record<SnowPassName, GPUComputePipeline>>;

/** A pass with the buffers that it works on. */
export interface BoundPass {
  readonly pipeline: GPUComputePipeline;
  readonly bindings: GPUBindGroup;
}

/** See {@link SnowProgram.compile}. */
export class SnowProgram {
  private constructor(
    readonly device: GPUDevice,
    readonly pipelines: SnowPipelines,
  ) {}

  /** Compiles all passes for one film. Rejects with the compiler's message. */
  static async compile(device: GPUDevice, scene: SnowScene): Promise<SnowProgram> {
    const names = Object.keys(OVERRIDE_TYPES) as (keyof typeof OVERRIDE_TYPES)[];
    const constants = Object.fromEntries(names.map(name => [overrideName(name), scene[name]]));
    const compiled = Object.entries(SNOW_PASSES).map(async ([name, { entryPoint, files }]) => {
      const code = files.map(file => SHADER_SOURCES[file]).join('\n');
      const module = device.createShaderModule({ label: entryPoint, code });
      const compute = { module, entryPoint, constants };
      return [name, await device.createComputePipelineAsync({ label: entryPoint, layout: 'auto', compute })];
    });
    return new SnowProgram(device, Object.fromEntries(await Promise.all(compiled)) as SnowPipelines);
  }

  /** A pass with a buffer for each of its bindings. */
  bind<Name extends SnowPassName>(
    name: Name,
    buffers: Readonly<Record<(typeof SNOW_PASSES)[Name]['bindings'][number], GPUBuffer>>,
  ): BoundPass {
    const names = SNOW_PASSES[name].bindings as readonly (keyof typeof buffers)[];
    const pipeline = this.pipelines[name];
    const bindings = this.device.createBindGroup({
      label: `Snow.${name}`,
      layout: pipeline.getBindGroupLayout(0),
      entries: names.map((binding, number) => ({ binding: number, resource: { buffer: buffers[binding] } })),
    });
    return { pipeline, bindings };
  }
}
