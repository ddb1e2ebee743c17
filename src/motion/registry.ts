// Makes an estimator from its name, a module path or a factory; `auto` takes the first that this machine can run.

import { OptionError, UnsupportedError } from '../errors.js';
import { requireOptions } from '../given-options.js';
import type { KernelChoice, KernelSetName } from '../kernels/kernels.js';
import { kernelChoice } from '../kernels/select-kernels.js';
import { suggestion } from '../nearest-name.js';
import { pageUrl } from '../page-url.js';
import type { AbortSignalType, UrlType } from '../platform-types.js';
import type { ThreadSource } from '../threads/thread-messages.js';
import {
  BUILT_IN_ESTIMATORS,
  BUILT_IN_NAMES,
  type BuiltInName,
  cpuTwinOf,
  isBuiltInName,
  needsGpu,
} from './built-in-estimators.js';
import type { EstimatorFactory, EstimatorParameters, MotionEstimator } from './estimator.js';
import { isModulePath } from './estimator-module.js';
import type { WarningFactory } from './gpu-estimator-on.js';
import { checkParameters } from './parameter-checks.js';
import { createInThisThread } from './this-thread.js';
import { makeWithinLimit } from './time-limits.js';

/** The names that {@link createEstimator} takes: `auto` and the built-in estimators. */
export const ESTIMATOR_NAMES = ['auto', ...BUILT_IN_NAMES] as const;

/** Names of estimators. */
export type EstimatorName = (typeof ESTIMATOR_NAMES)[number];

/** What an estimator is chosen by: a name, the path of a module (any other text), or a factory. */
export type EstimatorChoice = EstimatorName | (string & {}) | EstimatorFactory;

/** What `auto` tries, in order. */
const AUTO_ORDER = BUILT_IN_NAMES.filter(name => BUILT_IN_ESTIMATORS[name].auto);

/** How an estimator is made. */
export interface EstimatorOptions {
  /** Worker threads to search in, 0..64; 0, the default, searches in the calling thread, as a factory always does. */
  readonly threads?: number | undefined;
  /** Worker threads for a built-in CPU estimator, if it is to have fewer than `threads`. */
  readonly cpuThreads?: number | undefined;
  /**
   * Called with the name of a built-in CPU estimator, once it is certain that its fields are those to come; not if the
   * calling thread searches anyway.
   */
  readonly onStandIn?: ((name: BuiltInName) => void) | undefined;
  /** Kernel set of the CPU estimators, see select-kernels.ts. */
  readonly kernels?: KernelSetName | undefined;
  /** As in the options of an encoder. */
  readonly workerUrl?: string | UrlType | undefined;
  readonly kernelsUrl?: string | UrlType | undefined;
  /** The kernels in place of these two, as an encoder has chosen them. */
  readonly chosenKernels?: KernelChoice | undefined;
  /** What `askDriversEarly` has given for the choice. */
  readonly drivers?: SharedArrayBuffer | undefined;
  /** Where the worker threads come from, a `ThreadSource`; by default they are started. */
  readonly threadSource?: object | undefined;
  /** Called once for each fault that the estimator survives. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Gives up making the estimator, with the signal's reason. What has been made is not ended by it. */
  readonly signal?: AbortSignalType | undefined;
}

const OPTION_NAMES = Object.keys({
  threads: true,
  cpuThreads: true,
  onStandIn: true,
  kernels: true,
  workerUrl: true,
  kernelsUrl: true,
  chosenKernels: true,
  drivers: true,
  threadSource: true,
  onWarning: true,
  signal: true,
} satisfies Record<keyof EstimatorOptions, true>);

/** A running estimator and how it was chosen. */
export interface ChosenEstimator {
  readonly estimator: MotionEstimator;
  /** The name or module path that was taken; the estimator's own name for a factory. */
  readonly name: string;
  /** Worker threads that search; 0 if the calling thread does. */
  readonly threads: number;
  /** What `auto` tried before, each with the reason why this machine cannot run it. */
  readonly passedOver: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Makes the estimator called `choice`: one of {@link ESTIMATOR_NAMES}, the path of a module, or a factory. Throws
 * OptionError for an illegal name or parameter, UnsupportedError where this machine cannot run the estimator or does
 * not make it in two minutes, InputError where a third party's estimator lacks a part.
 */
export async function createEstimator(
  choice: EstimatorChoice,
  parameters: EstimatorParameters,
  options: EstimatorOptions = {},
): Promise<ChosenEstimator> {
  checkParameters(parameters);
  requireOptions(options, OPTION_NAMES, 'EstimatorOptions');
  if (typeof choice === 'function') {
    const name = choice.name || 'given as a function';
    const factory = (choice as WarningFactory).withWarnings?.(options.onWarning) ?? choice;
    const make = async () => {
      const { makeGuarded } = await import('./guarded-estimator.js');
      return makeGuarded(name, factory, parameters);
    };
    const estimator = await makeWithinLimit(name, options.signal, make);
    return { estimator, name: estimator.traits.name, threads: 0, passedOver: [] };
  }
  requireEstimatorName(choice);
  if (choice === 'auto') return createFirstSupported(parameters, options);
  return { ...(await createNamed(choice, parameters, options, true)), passedOver: [] };
}

/** Throws an OptionError that lists the legal names unless `choice` is one or a module path. */
export function requireEstimatorName(choice: string, option = 'estimator'): void {
  if (typeof choice !== 'string') {
    throw new OptionError(option, named => `${named(option)} is ${typeof choice}: a name or a function is needed`);
  }
  if (isModulePath(choice) || choice === 'auto' || isBuiltInName(choice)) return;
  const wrong = `'${choice}' does not exist${suggestion(choice, ESTIMATOR_NAMES)}`;
  const legal = `${ESTIMATOR_NAMES.join(', ')}, or the path of a module, such as ./${choice || 'search'}.js`;
  throw new OptionError(option, named => `${named(option)} ${wrong}; legal: ${legal}`);
}

/** Tries {@link AUTO_ORDER}, without software GPUs. */
async function createFirstSupported(
  parameters: EstimatorParameters,
  options: EstimatorOptions,
): Promise<ChosenEstimator> {
  const passedOver: { name: string; reason: string }[] = [];
  for (const name of AUTO_ORDER) {
    try {
      return { ...(await createNamed(name, parameters, options, false)), passedOver };
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
      passedOver.push({ name, reason: error.message });
    }
  }
  const reasons = passedOver.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
  throw new UnsupportedError(`auto: this machine can run none of ${AUTO_ORDER.join(', ')} (${reasons})`);
}

async function createNamed(
  name: string,
  parameters: EstimatorParameters,
  { onWarning, onStandIn, signal, ...options }: EstimatorOptions,
  allowSoftware: boolean,
): Promise<Omit<ChosenEstimator, 'passedOver'>> {
  const threads = threadsFor(name, options);
  const kernels = options.chosenKernels ?? kernelChoice(options);
  const workerUrl = pageUrl('workerUrl', options.workerUrl);
  const { drivers } = options;
  const threadSource = options.threadSource as ThreadSource | undefined;
  // `auto` does not know yet whether it takes a GPU.
  const isCertain = isBuiltInName(name) && (allowSoftware || !needsGpu(name));
  if (isCertain && threads > 0) onStandIn?.(cpuTwinOf(name));
  const estimator = await makeWithinLimit(name, signal, async giveUp => {
    if (threads === 0) return createInThisThread(name, parameters, { allowSoftware, kernels, onWarning });
    const { createThreadedEstimator } = await import('./threads/worker-host.js');
    const setup = { threads, allowSoftware, kernels, drivers, threadSource, onWarning, signal: giveUp, workerUrl };
    const threaded = await createThreadedEstimator(name, parameters, setup);
    if (isBuiltInName(name)) return threaded;
    // A module is guarded in its thread already, but cannot tell there that it is stuck.
    const { guarded } = await import('./guarded-estimator.js');
    return guarded(name, threaded, parameters);
  });
  return { estimator, name, threads };
}

function threadsFor(
  name: string,
  { threads = 0, cpuThreads = threads }: Pick<EstimatorOptions, 'threads' | 'cpuThreads'>,
): number {
  return isBuiltInName(name) && !needsGpu(name) ? cpuThreads : threads;
}
