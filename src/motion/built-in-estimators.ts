// The table of the built-in estimators: what each does, where it runs, how it is made, and who stands in for it.
import type { CpuEstimatorOptions } from './cpu/cpu-estimator.js';
import { createCpuLog } from './cpu/cpu-log.js';
import { createCpuPredictive } from './cpu/cpu-predictive.js';
import { createZero } from './cpu/zero.js';
import type { EstimatorParameters, MotionEstimator } from './estimator.js';

/** A row of the table. */
interface BuiltInEstimator {
  /** What it does, in one sentence for people. */
  readonly summary: string;
  /** Whether `auto` tries it; `auto` goes down the table. */
  readonly auto: boolean;
}

/** A row of an estimator that every machine can run. */
interface CpuRow extends BuiltInEstimator {
  readonly runsOn: 'cpu';
  readonly create: (parameters: EstimatorParameters, options: CpuEstimatorOptions) => Promise<MotionEstimator>;
}

/** A row of an estimator that needs a GPU; src/gpu/gpu-estimators.ts makes it. */
interface GpuRow extends BuiltInEstimator {
  readonly runsOn: 'gpu';
  /** The CPU estimator that gives the same fields. It answers where the GPU or its thread fails. */
  readonly cpuTwin: string;
}

/** The built-in estimators by name. */
export const BUILT_IN_ESTIMATORS = {
  'gpu-full': {
    runsOn: 'gpu',
    cpuTwin: 'cpu-full',
    auto: false,
    summary: 'Tries every vector of the range, on the GPU.',
  },
  'gpu-mrmp': {
    runsOn: 'gpu',
    cpuTwin: 'cpu-mrmp',
    auto: true,
    summary: 'Tries every vector at quarter resolution and refines the best few up to full resolution, on the GPU.',
  },
  'gpu-sgm': {
    runsOn: 'gpu',
    cpuTwin: 'cpu-sgm',
    auto: false,
    summary: 'Chooses among the eight best vectors of each block by semi-global matching, found on the GPU.',
  },
  'cpu-full': {
    runsOn: 'cpu',
    // Loaded when they are asked for, as cpu-mrmp and cpu-sgm are: most pages never do.
    create: async (parameters, options = {}) => (await import('./cpu/cpu-full.js')).createCpuFull(parameters, options),
    auto: false,
    summary: 'Finds the best of all vectors of the range; vectors that cannot win are ruled out early.',
  },
  'cpu-mrmp': {
    runsOn: 'cpu',
    create: async (parameters, options = {}) => (await import('./cpu/cpu-mrmp.js')).createCpuMrmp(parameters, options),
    auto: false,
    summary: 'Tries every vector at quarter resolution and refines the best few up to full resolution.',
  },
  'cpu-sgm': {
    runsOn: 'cpu',
    create: async (parameters, options = {}) => (await import('./cpu/cpu-sgm.js')).createCpuSgm(parameters, options),
    auto: false,
    summary: 'Chooses among the eight best vectors of each block by semi-global matching: a smooth field.',
  },
  'cpu-predictive': {
    runsOn: 'cpu',
    create: createCpuPredictive,
    auto: true,
    summary: "Searches from neighbours' vectors at half resolution and refines the best two at full resolution.",
  },
  'cpu-log': {
    runsOn: 'cpu',
    create: createCpuLog,
    auto: false,
    summary: 'Searches with steps that are halved; compares few vectors and may miss the best one.',
  },
  zero: {
    runsOn: 'cpu',
    create: createZero,
    auto: false,
    summary: 'Does not search: every block gets the zero vector.',
  },
} as const satisfies Readonly<Record<string, CpuRow | GpuRow>>;

/** Name of a built-in estimator. */
export type BuiltInName = keyof typeof BUILT_IN_ESTIMATORS;

/** Name of a built-in estimator that needs a GPU. */
export type GpuEstimatorName = {
  [Name in BuiltInName]: (typeof BUILT_IN_ESTIMATORS)[Name]['runsOn'] extends 'gpu' ? Name : never;
}[BuiltInName];

/** The names in the order of the table. */
export const BUILT_IN_NAMES = Object.keys(BUILT_IN_ESTIMATORS) as readonly BuiltInName[];

/** Whether `name` is that of a built-in estimator. */
export function isBuiltInName(name: string): name is BuiltInName {
  return Object.hasOwn(BUILT_IN_ESTIMATORS, name);
}

/** Whether `name` is that of a built-in estimator that needs a GPU. */
export function needsGpu(name: string): name is GpuEstimatorName {
  return isBuiltInName(name) && BUILT_IN_ESTIMATORS[name].runsOn === 'gpu';
}

/** Whether the estimator that is chosen by `choice` is, or with `auto` may be, a built-in one that needs a GPU. */
export function mayUseGpu(choice: unknown): boolean {
  return choice === 'auto' || (typeof choice === 'string' && needsGpu(choice));
}

/** CPU estimators whose search of a picture takes less time than its coding. */
const FAST: readonly string[] = ['cpu-predictive', 'cpu-log', 'zero'] satisfies BuiltInName[];

/** Whether `name` is that of a CPU estimator whose search of a picture takes longer than its coding. */
export function isSlow(name: string): boolean {
  return isBuiltInName(name) && !needsGpu(name) && !FAST.includes(name);
}

/** Whether `choice` is `auto` or the name of a built-in estimator; not a module, nor a function. */
export function isOurs(choice: unknown): boolean {
  return typeof choice === 'string' && (choice === 'auto' || isBuiltInName(choice));
}

/** The CPU estimator that gives the same fields: a CPU estimator is its own twin. */
export function cpuTwinOf(name: BuiltInName): BuiltInName {
  return needsGpu(name) ? BUILT_IN_ESTIMATORS[name].cpuTwin : name;
}

/** The GPU estimator that gives the same fields; a GPU estimator is its own twin. Undefined where there is none. */
export function gpuTwinOf(name: string): GpuEstimatorName | undefined {
  return BUILT_IN_NAMES.filter(needsGpu).find(gpu => gpu === name || BUILT_IN_ESTIMATORS[gpu].cpuTwin === name);
}

/** The estimator that goes on when a thread of `choice` has died: its CPU twin, or the same module. */
export function standInFor(choice: string): string {
  return isBuiltInName(choice) ? cpuTwinOf(choice) : choice;
}
