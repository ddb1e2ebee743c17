// The passes of semi-global matching for pairs of one size: pipelines, buffers, and what is dispatched.
import { UnsupportedError } from '../../errors.js';
import { CENSUS_COST, INTERVAL_COST } from '../../kernels/records/stereo-job.js';
import { PARTS_OF_COST, penaltiesByDifference, type StereoSettings } from '../../stereo/stereo-options.js';
import { BUFFER_USAGE, createFilledBuffer } from '../device/buffers.js';
import { bindBuffers, createPipeline } from '../device/pipelines.js';
import { structWords } from '../layouts.js';
import { SHADER_SOURCES } from './shader-sources.js';
import { DIRECTIONS, STEREO_PASSES, type StereoPassName } from './stereo-layouts.js';

/** Threads of a workgroup that goes along scan lines: a warp, or what one line needs. */
const PATH_THREADS = 32;

/** Workgroups along the axes. */
type Groups = readonly [x: number, y: number, z?: number];

/** A pass that is ready to be recorded. */
interface ReadyPass {
  readonly pipeline: GPUComputePipeline;
  readonly bindings: GPUBindGroup;
  readonly groups: Groups;
}

/** Bytes of a picture's pels in a buffer: whole words. */
export function pictureBytes(width: number, height: number): number {
  return 4 * Math.ceil((width * height) / 4);
}

/** Scan lines that a workgroup of `stereo_paths` goes along at a time. */
function linesOfGroup(words: number): number {
  return Math.max(1, Math.floor(PATH_THREADS / words));
}

/** Values of the `override` constants of each pass. */
function overridesOf({ range, cost, fill }: StereoSettings): Record<StereoPassName, Record<string, number>> {
  const parts = PARTS_OF_COST[cost];
  const words = range / 4;
  const lines = linesOfGroup(words);
  return {
    features: {},
    costs: {
      HAS_CENSUS: parts & CENSUS_COST ? 1 : 0,
      HAS_INTERVALS: parts & INTERVAL_COST ? 1 : 0,
    },
    paths: { WORDS: words, LINES: lines, THREADS: lines * words },
    sums: {},
    selection: {},
    median: {},
    occlusions: { FILL: fill ? 1 : 0 },
  };
}

/** The compiled passes, for pairs of any size. */
export type StereoPipelines = Readonly<Record<StereoPassName, GPUComputePipeline>>;

/** Compiles all passes. Rejects with UnsupportedError where a shader does not compile. */
export async function compileStereo(device: GPUDevice, settings: StereoSettings): Promise<StereoPipelines> {
  const overrides = overridesOf(settings);
  const names = Object.keys(STEREO_PASSES) as StereoPassName[];
  const compile = (name: StereoPassName) =>
    createPipeline(device, STEREO_PASSES[name], overrides[name], SHADER_SOURCES);
  const pipelines = await Promise.all(names.map(async name => [name, await compile(name)] as const));
  return Object.fromEntries(pipelines) as StereoPipelines;
}

/** The buffers and passes for pairs of one size. */
export class StereoPasses {
  /** Takes the pels of the left picture, then those of the right one, `pictureBytes` each. */
  readonly pels: GPUBuffer;
  /** A word for each pel, as stereo_occlusions makes it. */
  readonly result: GPUBuffer;
  readonly #buffers: GPUBuffer[] = [];
  readonly #passes: Readonly<Record<StereoPassName, ReadyPass>>;

  /** Throws UnsupportedError where the device has no buffers of the size that the pictures need. */
  constructor(
    readonly device: GPUDevice,
    pipelines: StereoPipelines,
    width: number,
    height: number,
    settings: StereoSettings,
  ) {
    const { range, p1 } = settings;
    const pels = width * height;
    const pathBytes = DIRECTIONS * pels * range;
    const { maxStorageBufferBindingSize, maxBufferSize } = device.limits;
    const limit = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    if (pathBytes > limit) {
      const need = `a pair of ${width}x${height} with a range of ${range} needs a buffer of ${pathBytes} bytes`;
      throw new UnsupportedError(`${need}, but the GPU's largest has ${limit}`);
    }
    const { storage, uniform, copySource, copyTarget } = BUFFER_USAGE;
    const parameters = this.#keep(
      createFilledBuffer(
        device,
        'Stereo.parameters',
        uniform,
        structWords(STEREO_PASSES.features, { width, height, range, p1 }),
      ),
    );
    const penalties = this.#keep(
      createFilledBuffer(device, 'Stereo.penalties', storage, penaltiesByDifference(settings)),
    );
    const make = (label: string, size: number, usage: number = storage) =>
      this.#keep(device.createBuffer({ label: `Stereo.${label}`, size, usage }));
    this.pels = make('pels', 2 * pictureBytes(width, height), storage | copyTarget);
    this.result = make('result', 4 * pels, storage | copySource);
    const buffers = {
      parameters,
      penalties,
      pels: this.pels,
      result: this.result,
      features: make('features', 16 * pels),
      costs: make('costs', pels * range),
      paths: make('paths', pathBytes),
      sums: make('sums', 2 * pels * range),
      disparities: make('disparities', 8 * pels),
      medians: make('medians', 8 * pels),
    };
    const groupsOf = this.#groups(width, height, range);
    this.#passes = Object.fromEntries(
      (Object.keys(STEREO_PASSES) as StereoPassName[]).map(name => {
        const pipeline = pipelines[name];
        const bindings = bindBuffers(device, pipeline, STEREO_PASSES[name], `Stereo.${name}`, buffers);
        return [name, { pipeline, bindings, groups: groupsOf[name] }];
      }),
    ) as Record<StereoPassName, ReadyPass>;
  }

  #groups(width: number, height: number, range: number): Readonly<Record<StereoPassName, Groups>> {
    const words = range / 4;
    const { GROUP_PELS } = STEREO_PASSES.features.constants;
    const { GROUP_WORDS } = STEREO_PASSES.costs.constants;
    const acrossPels = Math.ceil(width / GROUP_PELS);
    const acrossWords = Math.ceil((width * words) / GROUP_WORDS);
    return {
      features: [acrossPels, height, 2],
      costs: [acrossWords, height],
      paths: [Math.ceil((width + height - 1) / linesOfGroup(words)), DIRECTIONS],
      sums: [acrossWords, height],
      selection: [acrossPels, height],
      median: [acrossPels, height, 2],
      occlusions: [acrossPels, height],
    };
  }

  #keep(buffer: GPUBuffer): GPUBuffer {
    this.#buffers.push(buffer);
    return buffer;
  }

  /** Records one pass. */
  record(pass: GPUComputePassEncoder, name: StereoPassName): void {
    const { pipeline, bindings, groups } = this.#passes[name];
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindings);
    pass.dispatchWorkgroups(...groups);
  }

  /** Frees the GPU's memory. */
  destroy(): void {
    for (const buffer of this.#buffers) buffer.destroy();
  }
}
