// Finds a pattern on the GPU.
import { UnsupportedError } from '../../errors.js';
import { createCpuFinder } from '../../pattern/cpu-finder.js';
import { type Components, componentsOf, type PelImage, pelsWithoutAlpha } from '../../pattern/pel-image.js';
import type { FinderSetup, FoundPlaces, PlaceFinder } from '../../pattern/place-finder.js';
import { largestSum } from '../../pattern/tolerance.js';
import { nextPowerOfTwo } from '../../portable-math.js';
import { BUFFER_USAGE, createFilledBuffer } from '../device/buffers.js';
import { type DeviceOptions, type GpuDevice, openDevice } from '../device/device.js';
import { gpuError, popErrorScopes, pushErrorScopes, whenAllSettle } from '../device/gpu-errors.js';
import { bindBuffers, createPipeline } from '../device/pipelines.js';
import { structWords } from '../layouts.js';
import { LOCATE_PATTERN } from './pattern-layouts.js';
import { type PatternWords, patternWords } from './pattern-words.js';
import { AnswerBuffers, PictureUpload, SLACK_BYTES } from './picture-buffers.js';
import { SHADER_SOURCES } from './shader-sources.js';

/** Places that the first answer has room for: 128 KiB come back with each picture. */
const FIRST_CAPACITY = 16_384;
const { SIDE } = LOCATE_PATTERN.constants;
/** The sum of absolute differences in pels.wgsl. */
const SAD = 0;

/**
 * Makes a finder on the GPU, which finds what the CPU finder finds. Rejects with `UnsupportedError` where there is no
 * GPU, the shader does not compile, or a small search differs from that of the CPU.
 */
export async function createGpuFinder(setup: FinderSetup, options: DeviceOptions = {}): Promise<PlaceFinder> {
  const gpu = await openDevice(options);
  try {
    const pipeline = await createPipeline(gpu.device, LOCATE_PATTERN, { METRIC: SAD }, SHADER_SOURCES);
    const finder = new GpuFinder(setup, gpu, pipeline);
    await checkFinder(finder, setup);
    return finder;
  } catch (error) {
    await gpu.close();
    throw asUnsupported(error);
  }
}

class GpuFinder implements PlaceFinder {
  readonly device: string;
  readonly #upload: PictureUpload;
  readonly #parameters: GPUBuffer;
  /** The pattern by the number of components that are compared. */
  readonly #patterns = new Map<Components, PatternOnGpu>();
  #answer: AnswerBuffers;

  constructor(
    readonly setup: FinderSetup,
    readonly gpu: GpuDevice,
    readonly pipeline: GPUComputePipeline,
  ) {
    const { uniform, copyTarget } = BUFFER_USAGE;
    const { device } = gpu;
    this.device = gpu.name;
    this.#upload = new PictureUpload(device);
    this.#answer = new AnswerBuffers(device, FIRST_CAPACITY);
    this.#parameters = device.createBuffer({
      label: 'PatternSearch.parameters',
      size: 4 * LOCATE_PATTERN.fields.length,
      usage: uniform | copyTarget,
    });
  }

  async find(picture: PelImage, components: Components): Promise<FoundPlaces> {
    // Alpha may stay in coloured pels: the masks of the pattern leave it out.
    const isReady = components === 3 ? picture.channels >= 3 : picture.channels === 1;
    const pels = isReady ? picture.pels : pelsWithoutAlpha(picture, components);
    const { maxStorageBufferBindingSize: maxBytes } = this.gpu.device.limits;
    if (pels.length + 4 + SLACK_BYTES > maxBytes) {
      throw new UnsupportedError(`the picture has ${pels.length} bytes, and ${this.device} takes ${maxBytes}`);
    }
    try {
      const found = await this.#search({ ...picture, pels }, components);
      if (typeof found !== 'number') return found;
      this.#answer.destroy();
      this.#answer = new AnswerBuffers(this.gpu.device, nextPowerOfTwo(found));
      return (await this.#search({ ...picture, pels }, components)) as FoundPlaces;
    } catch (error) {
      throw asUnsupported(error);
    }
  }

  async close(): Promise<void> {
    this.#upload.destroy();
    this.#answer.destroy();
    this.#parameters.destroy();
    for (const { buffer } of this.#patterns.values()) buffer.destroy();
    await this.gpu.close();
  }

  /** The places, or their number if the answer has no room for them. Rejects with the error of the GPU. */
  async #search(picture: PelImage, components: Components): Promise<FoundPlaces | number> {
    const { device } = this.gpu;
    pushErrorScopes(device);
    let answer: Promise<FoundPlaces | number>;
    const pending: Promise<unknown>[] = [];
    try {
      this.#submit(picture, components);
      answer = this.#answer.read();
      pending.push(answer, this.#upload.remap());
    } finally {
      pending.push(...popErrorScopes(device));
    }
    await whenAllSettle(pending);
    return answer;
  }

  #submit(picture: PelImage, components: Components): void {
    const { device } = this.gpu;
    const { width, height, pels } = picture;
    const { pattern, tolerance } = this.setup;
    const { buffer, step, wordsPerRow } = this.#patternBy(components);
    const columns = width - pattern.width + 1;
    const rows = height - pattern.height + 1;
    const parameters = structWords(LOCATE_PATTERN, {
      columns,
      rows,
      pelBytes: pels.length / (width * height),
      width,
      step,
      patternWords: wordsPerRow,
      patternRows: pattern.height,
      limit: largestSum(tolerance, pattern.pelsThatCount * components),
      capacity: this.#answer.capacity,
    });
    device.queue.writeBuffer(this.#parameters, 0, Uint32Array.from(parameters));
    const encoder = device.createCommandEncoder({ label: 'PatternSearch.encoder' });
    const bindings = bindBuffers(device, this.pipeline, LOCATE_PATTERN, 'PatternSearch.bindings', {
      parameters: this.#parameters,
      pattern: buffer,
      picture: this.#upload.record(encoder, pels),
      answer: this.#answer.recordStart(encoder),
    });
    const pass = encoder.beginComputePass({ label: 'PatternSearch.search' });
    pass.setPipeline(this.pipeline);
    pass.setBindGroup(0, bindings);
    pass.dispatchWorkgroups(Math.ceil(columns / SIDE), Math.ceil(rows / SIDE));
    pass.end();
    this.#answer.recordEnd(encoder);
    device.queue.submit([encoder.finish()]);
  }

  #patternBy(components: Components): PatternOnGpu {
    const known = this.#patterns.get(components);
    if (known) return known;
    const words = patternWords(this.setup.pattern, components);
    const { storage } = BUFFER_USAGE;
    const buffer = createFilledBuffer(this.gpu.device, `PatternSearch.pattern${components}`, storage, words.words);
    const made = { ...words, buffer };
    this.#patterns.set(components, made);
    return made;
  }
}

/** The words of a pattern and the buffer that has them. */
type PatternOnGpu = PatternWords & { readonly buffer: GPUBuffer };

function asUnsupported(error: unknown): unknown {
  return error instanceof UnsupportedError ? error : gpuError('gpu', error);
}

/** Size of the test picture in pels: more than one workgroup. */
const TEST_SIDE = 100;

/** Throws an UnsupportedError if the places of a small picture are not those that the CPU finds. */
async function checkFinder(finder: PlaceFinder, setup: FinderSetup): Promise<void> {
  const { pattern } = setup;
  const { channels } = pattern;
  const picture = { width: TEST_SIDE, height: TEST_SIDE, channels, pels: new Uint8Array(TEST_SIDE ** 2 * channels) };
  // Pels of the pattern in another order, and the pattern itself in the middle.
  for (let at = 0; at < picture.pels.length; at++) picture.pels[at] = pattern.pels[(7 * at) % pattern.pels.length]!;
  const left = (TEST_SIDE - pattern.width) >> 1;
  const top = (TEST_SIDE - pattern.height) >> 1;
  for (let y = 0; y < pattern.height; y++) {
    const row = pattern.pels.subarray(y * pattern.width * channels, (y + 1) * pattern.width * channels);
    picture.pels.set(row, ((top + y) * TEST_SIDE + left) * channels);
  }
  const cpu = await createCpuFinder(setup);
  const components = componentsOf(pattern);
  const [expected, actual] = [await cpu.find(picture, components), await finder.find(picture, components)];
  if (asText(actual) === asText(expected)) return;
  throw new UnsupportedError(`${finder.device} finds other places than the CPU`);
}

/** The places in order, as text. */
function asText({ positions, sums }: FoundPlaces): string {
  return Array.from(positions, (position, i) => [position, sums[i]!] as const)
    .sort(([a], [b]) => a - b)
    .join(' ');
}
