// `gpu-sgm`: semi-global matching on the GPU, with the disparities of `cpu-sgm`.
import { InputError, InternalError, OptionError, UnsupportedError } from '../../errors.js';
import type { DisparityMap, GrayPicture, MatcherContext, StageMs, StereoMatcher } from '../../stereo/matcher.js';
import { STEREO_STAGES } from '../../stereo/matcher.js';
import { requireSize } from '../../stereo/picture-size.js';
import { requireRoomForRange, type StereoSettings } from '../../stereo/stereo-options.js';
import { firstLineOf } from '../device/adapter-choice.js';
import { BUFFER_USAGE, MAP_MODE } from '../device/buffers.js';
import { type GpuDevice, openDevice } from '../device/device.js';
import { popErrorScopes, pushErrorScopes } from '../device/error-scopes.js';
import { checkStereo } from './stereo-check.js';
import type { StereoPassName } from './stereo-layouts.js';
import { compileStereo, pictureBytes, StereoPasses } from './stereo-passes.js';

/** The passes of each stage. */
const PASSES_OF_STAGE = {
  features: ['features'],
  costs: ['costs'],
  paths: ['paths', 'sums'],
  selection: ['selection'],
  filling: ['median', 'occlusions'],
} as const satisfies Readonly<Record<keyof StageMs, readonly StereoPassName[]>>;

const QUERIES = 2 * STEREO_STAGES.length;
const QUERY_BYTES = 8;

/** Options of {@link createGpuMatcher}. */
export interface GpuMatcherOptions extends MatcherContext {
  /** The WebGPU entry point; by default this machine's. */
  readonly gpu?: GPU | undefined;
}

/**
 * Makes `gpu-sgm` for pairs of one size. Rejects with InputError for pictures that are too narrow, and with
 * UnsupportedError where there is no GPU that can do it, or one that computes other disparities than `cpu-sgm`.
 */
export async function createGpuMatcher(
  width: number,
  height: number,
  settings: StereoSettings,
  options: GpuMatcherOptions = {},
): Promise<StereoMatcher> {
  requireRoomForRange(width, settings);
  let gpu: GpuDevice | undefined;
  try {
    gpu = await openDevice({ gpu: options.gpu, allowSoftware: options.allowSoftware });
    const { device } = gpu;
    const pipelines = await compileStereo(device, settings);
    const matcherFor = (columns: number, rows: number) =>
      new GpuMatcher(gpu!, new StereoPasses(device, pipelines, columns, rows, settings), columns, rows);
    await checkStereo(gpu.name, settings, matcherFor);
    return matcherFor(width, height);
  } catch (error) {
    await gpu?.close();
    throw asUnsupported(error);
  }
}

/** Errors of the GPU as UnsupportedError; those of the caller and of ours as they are. */
function asUnsupported(error: unknown): unknown {
  if (error instanceof OptionError || error instanceof InputError || error instanceof InternalError) return error;
  return new UnsupportedError(`gpu-sgm: ${firstLineOf(error)}`, { cause: error });
}

/** See {@link createGpuMatcher}. */
class GpuMatcher implements StereoMatcher {
  readonly name = 'gpu-sgm';
  readonly device: string;
  /** The result, then the timestamps. */
  readonly #readback: GPUBuffer;
  readonly #querySet: GPUQuerySet | undefined;
  readonly #queryBuffer: GPUBuffer | undefined;
  #stageMs: StageMs | undefined;
  /** Whether the commands have run without an error: they are the same each time. */
  #isProven = false;

  constructor(
    readonly gpu: GpuDevice,
    readonly passes: StereoPasses,
    readonly width: number,
    readonly height: number,
  ) {
    this.device = gpu.name;
    const { mapRead, copyTarget, copySource, queryResolve } = BUFFER_USAGE;
    const { device } = gpu;
    this.#readback = device.createBuffer({
      label: 'Stereo.readback',
      size: passes.result.size + QUERIES * QUERY_BYTES,
      usage: mapRead | copyTarget,
    });
    if (!gpu.hasTimestamps) return;
    this.#querySet = device.createQuerySet({ label: 'Stereo.queries', type: 'timestamp', count: QUERIES });
    this.#queryBuffer = device.createBuffer({
      label: 'Stereo.timestamps',
      size: QUERIES * QUERY_BYTES,
      usage: queryResolve | copySource,
    });
  }

  async match(left: GrayPicture, right: GrayPicture): Promise<DisparityMap> {
    const { width, height } = this;
    requireSize('the left picture', left, width, height);
    requireSize('the right picture', right, width, height);
    try {
      await this.#submit(left, right);
      return this.#read();
    } catch (error) {
      throw asUnsupported(error);
    }
  }

  async #submit(left: GrayPicture, right: GrayPicture): Promise<void> {
    const { device } = this.gpu;
    if (!this.#isProven) pushErrorScopes(device);
    const bytes = pictureBytes(this.width, this.height);
    const pels = new Uint8Array(2 * bytes);
    pels.set(left.pels);
    pels.set(right.pels, bytes);
    device.queue.writeBuffer(this.passes.pels, 0, pels);
    const encoder = device.createCommandEncoder({ label: 'Stereo.encoder' });
    STEREO_STAGES.forEach((stage, number) => {
      const pass = encoder.beginComputePass(this.#timedPass(stage, 2 * number));
      for (const name of PASSES_OF_STAGE[stage]) this.passes.record(pass, name);
      pass.end();
    });
    const resultBytes = this.passes.result.size;
    encoder.copyBufferToBuffer(this.passes.result, 0, this.#readback, 0, resultBytes);
    if (this.#querySet && this.#queryBuffer) {
      encoder.resolveQuerySet(this.#querySet, 0, QUERIES, this.#queryBuffer, 0);
      encoder.copyBufferToBuffer(this.#queryBuffer, 0, this.#readback, resultBytes, QUERIES * QUERY_BYTES);
    }
    device.queue.submit([encoder.finish()]);
    const scopes = this.#isProven ? [] : popErrorScopes(device);
    // All are waited for: a process that ends with a pending map is aborted.
    for (const outcome of await Promise.allSettled([...scopes, this.#readback.mapAsync(MAP_MODE.read)])) {
      if (outcome.status === 'rejected') throw outcome.reason;
    }
    this.#isProven = true;
  }

  #timedPass(stage: string, firstQuery: number): GPUComputePassDescriptor {
    const label = `Stereo.${stage}`;
    if (!this.#querySet) return { label };
    const timestampWrites = {
      querySet: this.#querySet,
      beginningOfPassWriteIndex: firstQuery,
      endOfPassWriteIndex: firstQuery + 1,
    };
    return { label, timestampWrites };
  }

  #read(): DisparityMap {
    const { width, height } = this;
    const pels = width * height;
    const bytes = this.#readback.getMappedRange();
    // Of each pel the low half, then the high half of a word: WebGPU's order of bytes is little-endian.
    const halves = new Int16Array(bytes, 0, 2 * pels);
    const sixteenths = new Int16Array(pels);
    const matched = new Uint8Array(pels);
    for (let pel = 0; pel < pels; pel++) {
      sixteenths[pel] = halves[2 * pel]!;
      matched[pel] = halves[2 * pel + 1]!;
    }
    if (this.#querySet) this.#stageMs = readTimes(bytes, this.passes.result.size);
    this.#readback.unmap();
    return { width, height, sixteenths, matched };
  }

  stageMs(): StageMs | undefined {
    return this.#stageMs;
  }

  /** Frees the buffers; the device stays. */
  destroy(): void {
    this.passes.destroy();
    this.#readback.destroy();
    this.#queryBuffer?.destroy();
    this.#querySet?.destroy();
  }

  async close(): Promise<void> {
    this.destroy();
    await this.gpu.close();
  }
}

/** The times of the stages from their timestamps in ns, a start and an end each. */
function readTimes(bytes: ArrayBuffer, offset: number): StageMs {
  const words = new Uint32Array(bytes.slice(offset));
  const timestamps = new BigUint64Array(words.buffer);
  const times = STEREO_STAGES.map((stage, number) => {
    const spanNs = Number(timestamps[2 * number + 1]! - timestamps[2 * number]!);
    return [stage, spanNs / 1e6] as const;
  });
  return Object.fromEntries(times) as StageMs;
}
