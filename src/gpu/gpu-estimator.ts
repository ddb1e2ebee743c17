// Runs a GPU search algorithm behind the estimator contract; its CPU twin answers when the GPU fails.
import type { GpuEstimatorName } from '../motion/built-in-estimators.js';
import type {
  EstimateRequest,
  EstimatorParameters,
  EstimatorStatistics,
  EstimatorTraits,
  MotionEstimator,
  MotionField,
} from '../motion/estimator.js';
import type { FilterRequest, PictureFilter } from '../motion/filter-request.js';
import { checkParameters } from '../motion/parameter-checks.js';
import { checkRequest, closedError } from '../motion/request-checks.js';
import { CPU_TWINS } from './cpu-twins.js';
import { firstLineOf } from './device/adapter-choice.js';
import { type DeviceOptions, DeviceRefusedError, type GpuDevice, openDevice } from './device/device.js';
import { gpuError } from './device/gpu-errors.js';
import type { GpuFilter } from './filter/gpu-filter.js';
import type { CheckedGpu, KeptGpu } from './kept-gpu.js';
import type { SubmissionTimes } from './search/pair-lane.js';
import { type PairResult, PairSearch } from './search/pair-search.js';
import type { SearchProgram } from './search/search-passes.js';
import { checkProgram, expectedField } from './search/self-check.js';

/** Options of the GPU estimators. */
export interface GpuEstimatorOptions extends Omit<DeviceOptions, 'entryPoints'> {
  /** What the calling thread keeps for the estimators to come. */
  readonly keptGpu?: KeptGpu | undefined;
  /** Whether the device is kept there, too, when the estimator is closed; false by default. */
  readonly keepsDevice?: boolean | undefined;
  /** Called once, when the GPU fails and the CPU twin takes over; and once where the GPU cannot filter. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Submissions under way on the GPU at a time; {@link DEFAULT_DEPTH} by default. */
  readonly depth?: number | undefined;
  /** Pairs of a submission, at most; {@link DEFAULT_PAIRS} by default. */
  readonly pairs?: number | undefined;
  /** Pictures kept on the GPU, at least 2; {@link DEFAULT_PICTURES} by default. */
  readonly pictures?: number | undefined;
  /** Whether the statistics tell the GPU's times; false by default, as each submission takes longer with them. */
  readonly isTimed?: boolean | undefined;
}

/** The work of a GPU estimator so far. */
export interface GpuStatistics extends EstimatorStatistics {
  /** GPU time in ns over all pairs, with the preparation of pictures; undefined until times are taken. */
  readonly kernelTimeNs: number | undefined;
  /** The part of `kernelTimeNs` that is search alone. */
  readonly searchTimeNs: number | undefined;
  /** Wall time in ms from the call of the factory to the end of the self-check. */
  readonly setupMs: number;
  /** The reason why the CPU twin took over, if it did. */
  readonly fault: string | undefined;
}

/** A GPU algorithm for one set of parameters. */
export interface GpuAlgorithm {
  readonly name: GpuEstimatorName;
  readonly exhaustive: boolean;
  readonly compile: (device: GPUDevice) => Promise<SearchProgram>;
}

/** While the GPU searches some pairs, others are uploaded and read. `npm run bench:gpu` compares 2, 4 and 8. */
const DEFAULT_DEPTH = 4;
/** More than the lookahead asks for with one picture. */
const DEFAULT_PAIRS = 8;
/** Those of the pairs that the lookahead asks for with a few pictures. */
const DEFAULT_PICTURES = 12;

/**
 * Makes an estimator of a GPU algorithm. Rejects with `OptionError` for parameters out of range, and with
 * `UnsupportedError` where there is no adapter, a shader does not compile, or the self-check differs from the CPU twin.
 * A driver that refuses the device counts as a fault: the twin answers everything.
 */
export async function createGpuEstimator(
  algorithm: GpuAlgorithm,
  parameters: EstimatorParameters,
  options: GpuEstimatorOptions = {},
): Promise<GpuEstimator> {
  checkParameters(parameters);
  const startMs = performance.now();
  const { keptGpu, allowSoftware = true } = options;
  const searchesWith = JSON.stringify([algorithm.name, parameters]);
  const idle = keptGpu?.take(allowSoftware);
  let gpu: GpuDevice;
  try {
    gpu = idle?.gpu ?? (await openDevice({ ...options, entryPoints: keptGpu?.entryPoints }));
  } catch (error) {
    if (!(error instanceof DeviceRefusedError)) throw gpuError(algorithm.name, error);
    return new GpuEstimator(algorithm, parameters, options, { startMs, fault: error.message });
  }
  try {
    const isKnown = idle?.searchesWith === searchesWith;
    const program = isKnown ? idle.program : await compileChecked(algorithm, parameters, gpu);
    const passes = program.createPasses(parameters.width, parameters.height);
    const { depth = DEFAULT_DEPTH, pairs = DEFAULT_PAIRS, pictures = DEFAULT_PICTURES, isTimed = false } = options;
    // On a device of its own, the estimator hears of every error.
    const settings = { depth, pairs, pictures, isTimed, catchesErrors: gpu.isGiven };
    const search = new PairSearch(gpu, passes, parameters.width * parameters.height, settings);
    return new GpuEstimator(algorithm, parameters, options, { startMs, gpu, program, searchesWith, pairs: search });
  } catch (error) {
    await gpu.close();
    throw gpuError(algorithm.name, error);
  }
}

/** Rejects with `UnsupportedError` where a shader does not compile, or its field is not that of the CPU twin. */
async function compileChecked(
  algorithm: GpuAlgorithm,
  parameters: EstimatorParameters,
  gpu: GpuDevice,
): Promise<SearchProgram> {
  const [program, expected] = await Promise.all([
    algorithm.compile(gpu.device),
    expectedField(CPU_TWINS[algorithm.name], parameters),
  ]);
  await checkProgram(gpu, program, expected);
  return program;
}

/** A working GPU, or the reason why there is none. */
type Start =
  | ({ readonly startMs: number; readonly pairs: PairSearch; readonly fault?: undefined } & CheckedGpu)
  | { readonly startMs: number; readonly gpu?: undefined; readonly pairs?: undefined; readonly fault: string };

/** See {@link createGpuEstimator}. */
export class GpuEstimator implements MotionEstimator, PictureFilter {
  readonly traits: EstimatorTraits;
  readonly #name: GpuEstimatorName;
  readonly #parameters: EstimatorParameters;
  readonly #options: GpuEstimatorOptions;
  readonly #checked: CheckedGpu | undefined;
  readonly #pairs: PairSearch | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #setupMs: number;
  readonly #filtersUnderWay = new Set<Promise<unknown>>();
  /** Whether pairs that still wait for a lane are not searched any more. */
  readonly #isOver = () => this.#fault !== undefined || this.#closing !== undefined;
  #twin: Promise<MotionEstimator> | undefined;
  /** Undefined until a picture is to be filtered; of undefined where the GPU cannot. */
  #filter: Promise<GpuFilter | undefined> | undefined;
  #fault: string | undefined;
  #closing: Promise<void> | undefined;
  #pictures = 0;
  #busyMs = 0;
  #busySinceMs = 0;
  #kernelTimeNs: number | undefined;
  #searchTimeNs: number | undefined;

  constructor(
    { name, exhaustive }: GpuAlgorithm,
    parameters: EstimatorParameters,
    options: GpuEstimatorOptions,
    start: Start,
  ) {
    this.traits = { name, runsOn: 'gpu', exhaustive };
    this.#name = name;
    this.#parameters = parameters;
    this.#options = options;
    this.#pairs = start.pairs;
    if (start.gpu) {
      const { gpu, program, searchesWith } = start;
      this.#checked = { gpu, program, searchesWith };
      gpu.onFault = fault => this.#fail(fault);
    }
    const fault = start.gpu?.fault ?? start.fault;
    if (fault !== undefined) this.#fail(fault);
    this.#setupMs = performance.now() - start.startMs;
  }

  get device(): string {
    if (!this.#checked) return 'CPU in place of a GPU that gives no device';
    const { name } = this.#checked.gpu;
    return this.#fault === undefined ? name : `${name}, then CPU`;
  }

  statistics(): GpuStatistics {
    return {
      pictures: this.#pictures,
      busyMs: this.#busyMs + (this.#underWay.size > 0 ? performance.now() - this.#busySinceMs : 0),
      kernelTimeNs: this.#kernelTimeNs,
      searchTimeNs: this.#searchTimeNs,
      setupMs: this.#setupMs,
      fault: this.#fault,
    };
  }

  async estimate(request: EstimateRequest): Promise<MotionField> {
    if (this.#closing) throw closedError(this.#name);
    checkRequest(request, this.#parameters, this.#name);
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
    let result: PairResult | null | undefined;
    try {
      if (this.#fault === undefined) result = await this.#pairs?.search(request, this.#isOver);
    } catch (error) {
      this.#fail(firstLineOf(error));
    }
    // A fault in the meantime may have spoilt this field, too.
    if (this.#fault !== undefined) result = undefined;
    if (result?.times) this.#addTimes(result.times);
    const field = result?.field ?? (await this.#searchOnTwin(request));
    this.#pictures++;
    return field;
  }

  #addTimes({ prepareNs, searchNs }: SubmissionTimes): void {
    this.#kernelTimeNs = (this.#kernelTimeNs ?? 0) + prepareNs + searchNs;
    this.#searchTimeNs = (this.#searchTimeNs ?? 0) + searchNs;
  }

  async #searchOnTwin(request: EstimateRequest): Promise<MotionField> {
    if (this.#closing) throw closedError(this.#name);
    this.#twin ??= CPU_TWINS[this.#name](this.#parameters);
    return (await this.#twin).estimate(request);
  }

  /** Makes ready to filter pictures. False where there is no GPU that works, or that filters as the kernel does. */
  async openFilter(allowSoftware: boolean): Promise<boolean> {
    if (!allowSoftware && this.#checked?.gpu.software) return false;
    return (await this.#openFilter()) !== undefined;
  }

  /**
   * Filters a picture on the estimator's GPU. False where there is none that works, or not any more: then the caller
   * filters it, and `target` may hold anything.
   */
  async filter(request: FilterRequest): Promise<boolean> {
    const answer = this.#filterOnGpu(request);
    this.#filtersUnderWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#filtersUnderWay.delete(answer);
    }
  }

  async #filterOnGpu(request: FilterRequest): Promise<boolean> {
    const filter = await this.#openFilter();
    if (!filter || this.#isOver()) return false;
    try {
      await filter.filter(request);
      return true;
    } catch (error) {
      this.#fail(firstLineOf(error));
      return false;
    }
  }

  async #openFilter(): Promise<GpuFilter | undefined> {
    if (!this.#checked || this.#isOver()) return undefined;
    this.#filter ??= this.#createFilter(this.#checked.gpu);
    return this.#filter;
  }

  async #createFilter(gpu: GpuDevice): Promise<GpuFilter | undefined> {
    const { width, height } = this.#parameters;
    try {
      const { createGpuFilter } = await import('./filter/gpu-filter.js');
      const filter = await createGpuFilter(gpu, { mbWidth: width / 16, mbHeight: height / 16 });
      // On a device of the caller's, a filter may be over before it is known that the search was invalid.
      if (this.#pairs && !gpu.isGiven) this.#pairs.onUpload = (...uploaded) => filter.keep(...uploaded);
      return filter;
    } catch (error) {
      if (this.#isOver()) return undefined;
      const reason = firstLineOf(error);
      this.#options.onWarning?.(`${this.#name}: ${reason}; the CPU filters in its place, with the same result`);
      return undefined;
    }
  }

  #fail(reason: string): void {
    if (this.#fault !== undefined || this.#closing) return;
    this.#fault = reason;
    this.#options.onWarning?.(`${this.#name}: ${reason}; the CPU goes on in its place, with the same result`);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await null; // sets #closing first: pairs that still wait for their turn are rejected, not submitted
    await Promise.allSettled([...this.#underWay, ...this.#filtersUnderWay]);
    this.#pairs?.destroy();
    (await this.#filter)?.destroy();
    const { keptGpu, keepsDevice } = this.#options;
    const isKept = keptGpu && keepsDevice && this.#fault === undefined;
    if (this.#checked && isKept) await keptGpu.giveBack(this.#checked);
    else await this.#checked?.gpu.close();
    if (this.#twin) await (await this.#twin).close();
  }
}
