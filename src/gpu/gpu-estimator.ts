import { InputError, InternalError, OptionError, UnsupportedError } from '../errors.js';
import type {
  EstimateRequest,
  EstimatorFactory,
  EstimatorParameters,
  EstimatorTraits,
  MotionEstimator,
  MotionField,
} from '../motion/estimator.js';
import { checkParameters } from '../motion/parameters.js';
import { type DeviceOptions, DeviceRefusedError, type GpuDevice, messageOf, openDevice } from './device/device.js';
import { checkProgram } from './device/self-check.js';
import { PairSearch } from './search/pair-search.js';
import type { SearchProgram } from './search/search-passes.js';

/** How a GPU estimator is made; all optional. */
export interface GpuEstimatorOptions extends DeviceOptions {
  /** Told once, when the GPU fails and the CPU twin takes over. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Pairs under way on the GPU at a time, 4 by default. */
  readonly depth?: number | undefined;
  /** Pictures kept on the GPU, 8 by default, at least 2. */
  readonly pictures?: number | undefined;
}

/** What a GPU estimator has done so far. */
export interface GpuStatistics {
  /** Pairs answered. */
  readonly pictures: number;
  /** Wall time in ms during which at least one pair was under way. */
  readonly busyMs: number;
  /** GPU time in ns over all pairs, preparation of pictures included; undefined without timestamp queries. */
  readonly kernelTimeNs: number | undefined;
  /** The part of `kernelTimeNs` that is search alone. */
  readonly searchTimeNs: number | undefined;
  /** Wall time in ms from the factory's call to the finished self-check. */
  readonly setupMs: number;
  /** Why the CPU twin took over, if it did. */
  readonly fault: string | undefined;
}

/** One GPU algorithm: how it is compiled, and who answers when the GPU cannot. */
export interface GpuAlgorithm {
  readonly traits: EstimatorTraits;
  readonly compile: (device: GPUDevice, parameters: EstimatorParameters) => Promise<SearchProgram>;
  /** Gives the same fields on the CPU. */
  readonly twin: EstimatorFactory;
}

const DEFAULT_DEPTH = 4;
const DEFAULT_PICTURES = 8;

/**
 * A running GPU estimator. Rejects with `OptionError` for parameters out of range, and with `UnsupportedError` where there is no adapter, the shaders do not compile, or the
 * self-check differs from the CPU twin. A driver that refuses the device is a fault: the twin answers.
 */
export async function createGpuEstimator(
  algorithm: GpuAlgorithm,
  parameters: EstimatorParameters,
  options: GpuEstimatorOptions = {},
): Promise<GpuEstimator> {
  checkParameters(parameters);
  const startMs = performance.now();
  let gpu: GpuDevice;
  try {
    gpu = await openDevice(options);
  } catch (error) {
    if (!(error instanceof DeviceRefusedError)) throw withName(algorithm, error);
    return new GpuEstimator(algorithm, parameters, options, { startMs, fault: error.message });
  }
  try {
    const program = await algorithm.compile(gpu.device, parameters);
    await checkProgram(gpu, program, algorithm.twin, parameters);
    const passes = program.createPasses(parameters.width, parameters.height);
    const { depth = DEFAULT_DEPTH, pictures = DEFAULT_PICTURES } = options;
    const pairs = new PairSearch(gpu, passes, parameters.width * parameters.height, depth, pictures);
    return new GpuEstimator(algorithm, parameters, options, { startMs, gpu, pairs });
  } catch (error) {
    await gpu.close();
    throw withName(algorithm, error);
  }
}

/** Whatever the GPU throws makes the machine unsupported; mistakes of the caller or ours stay what they are. */
function withName({ traits }: GpuAlgorithm, error: unknown): unknown {
  if (error instanceof OptionError || error instanceof InternalError) return error;
  return new UnsupportedError(`${traits.name}: ${messageOf(error)}`, { cause: error });
}

/** Either a working GPU, or why there is none. */
type Start =
  | { readonly startMs: number; readonly gpu: GpuDevice; readonly pairs: PairSearch; readonly fault?: undefined }
  | { readonly startMs: number; readonly gpu?: undefined; readonly pairs?: undefined; readonly fault: string };

/** See {@link createGpuEstimator}. */
export class GpuEstimator implements MotionEstimator {
  readonly traits: EstimatorTraits;
  readonly #algorithm: GpuAlgorithm;
  readonly #parameters: EstimatorParameters;
  readonly #options: GpuEstimatorOptions;
  readonly #gpu: GpuDevice | undefined;
  readonly #pairs: PairSearch | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #setupMs: number;
  #twin: Promise<MotionEstimator> | undefined;
  #fault: string | undefined;
  #closing: Promise<void> | undefined;
  #pictures = 0;
  #busyMs = 0;
  #busySinceMs = 0;
  #kernelTimeNs = 0;
  #searchTimeNs = 0;

  constructor(algorithm: GpuAlgorithm, parameters: EstimatorParameters, options: GpuEstimatorOptions, start: Start) {
    this.traits = algorithm.traits;
    this.#algorithm = algorithm;
    this.#parameters = parameters;
    this.#options = options;
    this.#gpu = start.gpu;
    this.#pairs = start.pairs;
    if (start.gpu) {
      const { device } = start.gpu;
      device.addEventListener('uncapturederror', event => this.#fail(messageOf(event.error)));
      // 'destroyed' too: not we alone can destroy it. Our own close() comes with #closing set.
      void device.lost.then(({ message }) => this.#fail(`the device was lost (${message || 'no reason given'})`));
    } else {
      this.#fail(start.fault);
    }
    this.#setupMs = performance.now() - start.startMs;
  }

  get device(): string {
    return this.#gpu?.name ?? 'CPU in place of a GPU that gives no device';
  }

  statistics(): GpuStatistics {
    const timed = this.#gpu?.hasTimestamps ?? false;
    return {
      pictures: this.#pictures,
      busyMs: this.#busyMs + (this.#underWay.size > 0 ? performance.now() - this.#busySinceMs : 0),
      kernelTimeNs: timed ? this.#kernelTimeNs : undefined,
      searchTimeNs: timed ? this.#searchTimeNs : undefined,
      setupMs: this.#setupMs,
      fault: this.#fault,
    };
  }

  async estimate(request: EstimateRequest): Promise<MotionField> {
    if (this.#closing) throw closedError(this.traits.name);
    const answer = this.#answer(request);
    if (this.#underWay.size === 0) this.#busySinceMs = performance.now();
    this.#underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(answer);
      if (this.#underWay.size === 0) this.#busyMs += performance.now() - this.#busySinceMs;
    }
  }

  async #answer(request: EstimateRequest): Promise<MotionField> {
    const field = (await this.#searchOnGpu(request)) ?? (await this.#searchOnTwin(request));
    this.#pictures++;
    return field;
  }

  /** Null where the twin has to answer. */
  async #searchOnGpu(request: EstimateRequest): Promise<MotionField | null> {
    if (!this.#pairs || this.#fault !== undefined) return null;
    try {
      const result = await this.#pairs.search(request, () => this.#fault !== undefined || this.#closing !== undefined);
      // A fault that came meanwhile may have spoilt this field as well.
      if (!result || this.#fault !== undefined) return null;
      if (result.times) {
        this.#kernelTimeNs += result.times.prepareNs + result.times.searchNs;
        this.#searchTimeNs += result.times.searchNs;
      }
      return result.field;
    } catch (error) {
      this.#fail(messageOf(error));
      return null;
    }
  }

  async #searchOnTwin(request: EstimateRequest): Promise<MotionField> {
    if (this.#closing) throw closedError(this.traits.name);
    this.#twin ??= this.#algorithm.twin(this.#parameters);
    return (await this.#twin).estimate(request);
  }

  #fail(reason: string): void {
    if (this.#fault !== undefined || this.#closing) return;
    this.#fault = reason;
    this.#options.onWarning?.(`${this.traits.name}: ${reason}; the CPU goes on in its place, with the same result`);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await null; // so that #closing is set: pairs that still wait for their turn are rejected, not submitted
    await Promise.allSettled(this.#underWay);
    this.#pairs?.destroy();
    await this.#gpu?.close();
    if (this.#twin) await (await this.#twin).close();
  }
}

function closedError(name: string): Error {
  return new InputError(`the estimator ${name} is closed`);
}
