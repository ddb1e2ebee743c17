// `gpu-sgm`: semi-global matching on the GPU, with the disparities of `cpu-sgm`.
import type { DisparityMap, GrayPicture, MatcherContext, StageMs, StereoMatcher } from '../../stereo/matcher.js';
import { STEREO_STAGES } from '../../stereo/matcher.js';
import { requireSize } from '../../stereo/picture-size.js';
import { requireRoomForRange, type StereoSettings } from '../../stereo/stereo-options.js';
import { BUFFER_USAGE, MAP_MODE } from '../device/buffers.js';
import { type GpuDevice, openDevice } from '../device/device.js';
import { gpuError, popErrorScopes, pushErrorScopes, whenAllSettle } from '../device/gpu-errors.js';
import type { PassTimer } from '../device/pass-timer.js';
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

const NAME = 'gpu-sgm';

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
    throw gpuError(NAME, error);
  }
}

/** See {@link createGpuMatcher}. */
class GpuMatcher implements StereoMatcher {
  readonly name = NAME;
  readonly device: string;
  /** The result, then the timestamps. */
  readonly #readback: GPUBuffer;
  readonly #timer: PassTimer | undefined;
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
    const { mapRead, copyTarget } = BUFFER_USAGE;
    const { device } = gpu;
    this.#timer = gpu.createTimer('Stereo', STEREO_STAGES.length);
    this.#readback = device.createBuffer({
      label: 'Stereo.readback',
      size: passes.result.size + (this.#timer?.bytes ?? 0),
      usage: mapRead | copyTarget,
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
      throw gpuError(NAME, error);
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
      const label = `Stereo.${stage}`;
      const pass = encoder.beginComputePass(this.#timer?.pass(label, number) ?? { label });
      for (const name of PASSES_OF_STAGE[stage]) this.passes.record(pass, name);
      pass.end();
    });
    const resultBytes = this.passes.result.size;
    encoder.copyBufferToBuffer(this.passes.result, 0, this.#readback, 0, resultBytes);
    this.#timer?.record(encoder, this.#readback, resultBytes);
    device.queue.submit([encoder.finish()]);
    const scopes = this.#isProven ? [] : popErrorScopes(device);
    await whenAllSettle([...scopes, this.#readback.mapAsync(MAP_MODE.read)]);
    this.#isProven = true;
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
    this.#stageMs = stageTimes(this.#timer?.readNs(bytes, this.passes.result.size));
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
    this.#timer?.destroy();
  }

  async close(): Promise<void> {
    this.destroy();
    await this.gpu.close();
  }
}

/** The times of the stages in ms; undefined where none were taken. */
function stageTimes(timesNs: readonly number[] | undefined): StageMs | undefined {
  if (!timesNs) return undefined;
  return Object.fromEntries(STEREO_STAGES.map((stage, number) => [stage, timesNs[number]! / 1e6])) as StageMs;
}
