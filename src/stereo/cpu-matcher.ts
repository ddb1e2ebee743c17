// `cpu-sgm`: semi-global matching by the kernels.
import { InputError } from '../errors.js';
import type { StereoSide } from '../kernels/contracts/stereo-kernels.js';
import { ALIGNMENT_BYTES, KernelMemory, MAX_MEMORY_BYTES } from '../kernels/kernel-memory.js';
import {
  PATH_ROWS,
  PATHS_FROM_ROW_BEFORE,
  STEREO_JOB,
  type StereoJob,
  stereoWorkBytes,
  UNKNOWN_DISPARITY,
} from '../kernels/records/stereo-job.js';
import { createVisionKernels } from '../kernels/select-vision-kernels.js';
import type { VisionKernels } from '../kernels/vision-kernels.js';
import type { DisparityMap, GrayPicture, MatcherContext, StageMs, StereoMatcher } from './matcher.js';
import { STEREO_STAGES } from './matcher.js';
import { requireSize } from './picture-size.js';
import { PARTS_OF_COST, penaltiesByDifference, requireRoomForRange, type StereoSettings } from './stereo-options.js';

const SIDES: readonly StereoSide[] = [0, 1];

/** Bytes of each array of a job, by the field that points to it. */
function arrayBytes(width: number, height: number, range: number) {
  const pels = width * height;
  const rowsBefore = PATH_ROWS * PATHS_FROM_ROW_BEFORE * width;
  return {
    p2: 256,
    left: pels,
    right: pels,
    leftCensus: 4 * pels,
    rightCensus: 4 * pels,
    leftLow: pels,
    leftHigh: pels,
    rightLow: pels,
    rightHigh: pels,
    matchingCosts: pels * range,
    pathSums: 2 * pels * range,
    pathRows: rowsBefore * range,
    pathLeasts: rowsBefore,
    rowPath: 2 * range,
    leftDisparities: 2 * pels,
    rightDisparities: 2 * pels,
    work: stereoWorkBytes(width),
  } as const satisfies Partial<Record<keyof StereoJob, number>>;
}

/** Makes `cpu-sgm` for pairs of one size. Rejects with InputError for pictures that are too narrow or too large. */
export async function createCpuMatcher(
  width: number,
  height: number,
  settings: StereoSettings,
  { kernels: kernelSet }: MatcherContext = {},
): Promise<StereoMatcher> {
  requireRoomForRange(width, settings);
  const arrays = arrayBytes(width, height, settings.range);
  const bytes = Object.values(arrays).reduce((sum, length) => sum + length + ALIGNMENT_BYTES, STEREO_JOB.bytes);
  if (bytes > MAX_MEMORY_BYTES) {
    throw new InputError(
      named =>
        `a pair of ${width}x${height} with ${named('range')} ${settings.range} needs ${bytes} bytes of memory, ` +
        `more than the ${MAX_MEMORY_BYTES} that cpu-sgm can use: scale the pictures down, or take a smaller range`,
    );
  }
  const memory = new KernelMemory(bytes + ALIGNMENT_BYTES);
  const kernels = await createVisionKernels(memory, kernelSet);
  const { range, cost, p1 } = settings;
  const job = STEREO_JOB.allocate(memory, { width, height, range, p1, costs: PARTS_OF_COST[cost] });
  for (const [field, length] of Object.entries(arrays) as [keyof typeof arrays, number][]) {
    job[field] = memory.allocate(length);
  }
  memory.u8.set(penaltiesByDifference(settings), job.p2);
  return new CpuMatcher(memory, kernels, job, settings.fill);
}

class CpuMatcher implements StereoMatcher {
  readonly name = 'cpu-sgm';
  readonly device: string;
  #stageMs: StageMs | undefined;

  constructor(
    readonly memory: KernelMemory,
    readonly kernels: VisionKernels,
    readonly job: StereoJob,
    readonly fill: boolean,
  ) {
    this.device = kernels.name === 'simd' ? 'CPU, WebAssembly SIMD' : 'CPU, JavaScript';
  }

  async match(left: GrayPicture, right: GrayPicture): Promise<DisparityMap> {
    const { job, memory } = this;
    const { width, height } = job;
    requireSize('the left picture', left, width, height);
    requireSize('the right picture', right, width, height);
    memory.u8.set(left.pels, job.left);
    memory.u8.set(right.pels, job.right);
    this.#stageMs = this.#run();
    const first = job.leftDisparities / 2;
    const unfilled = memory.i16.slice(first, first + width * height);
    const matched = new Uint8Array(unfilled.length);
    for (let pel = 0; pel < matched.length; pel++) matched[pel] = unfilled[pel] === UNKNOWN_DISPARITY ? 0 : 1;
    if (!this.fill) return { width, height, sixteenths: unfilled, matched };
    const startMs = performance.now();
    for (let row = 0; row < height; row++) this.kernels.fillDisparities(job.pointer, row);
    const fillMs = performance.now() - startMs;
    this.#stageMs = { ...this.#stageMs, filling: this.#stageMs.filling + fillMs };
    return { width, height, sixteenths: memory.i16.slice(first, first + width * height), matched };
  }

  /** Runs all stages up to the check, and returns their times. */
  #run(): StageMs {
    const { kernels } = this;
    const { pointer, height } = this.job;
    const forEachRow = (kernel: (job: number, row: number) => void) => {
      for (let row = 0; row < height; row++) kernel(pointer, row);
    };
    const stages: Readonly<Record<keyof StageMs, () => void>> = {
      features: () => {
        for (const side of SIDES) kernels.describePels(pointer, side);
      },
      costs: () => forEachRow(kernels.matchingCosts),
      paths: () => {
        kernels.aggregatePaths(pointer, 0);
        kernels.aggregatePaths(pointer, 1);
      },
      selection: () => forEachRow(kernels.selectDisparities),
      filling: () => {
        for (const side of SIDES) kernels.filterDisparities(pointer, side);
        forEachRow(kernels.checkDisparities);
      },
    };
    const times = STEREO_STAGES.map(stage => {
      const startMs = performance.now();
      stages[stage]();
      return [stage, performance.now() - startMs] as const;
    });
    return Object.fromEntries(times) as StageMs;
  }

  stageMs(): StageMs | undefined {
    return this.#stageMs;
  }

  async close(): Promise<void> {}
}
