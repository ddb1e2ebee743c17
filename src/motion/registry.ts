import { OptionError, UnsupportedError } from '../errors.js';
import { createCpuFull } from './cpu/cpu-full.js';
import { createCpuLog } from './cpu/cpu-log.js';
import { createCpuMrmp } from './cpu/cpu-mrmp.js';
import { createZero } from './cpu/zero.js';
import type { EstimatorFactory, EstimatorParameters, MotionEstimator } from './estimator.js';
import { isModulePath, loadEstimatorModule } from './estimator-module.js';
import { checkParameters } from './parameters.js';

/** The built-in estimators by name; `auto` takes the first of {@link AUTO_ORDER} that this machine can run. */
export const ESTIMATOR_NAMES = ['auto', 'gpu-full', 'gpu-mrmp', 'cpu-full', 'cpu-mrmp', 'cpu-log', 'zero'] as const;

/** What `auto` tries, in order. */
export const AUTO_ORDER = ['gpu-mrmp', 'cpu-mrmp'] as const;

/** How an estimator is made. */
export interface EstimatorOptions {
  /** Worker threads to search in; 0, the default, searches in the calling thread. A factory always runs there. */
  readonly threads?: number;
  /** Kernel set of the CPU estimators, see select-kernels.ts. */
  readonly kernels?: string;
  /** Told, once each, of faults that an estimator survives. */
  readonly onWarning?: (message: string) => void;
}

/** A running estimator and how it was chosen. */
export interface ChosenEstimator {
  readonly estimator: MotionEstimator;
  /** The name or module path that was taken; the estimator's own name for a factory. */
  readonly name: string;
  /** What `auto` tried before, each with the reason why this machine cannot run it. */
  readonly passedOver: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Makes the estimator called `choice`: a name of {@link ESTIMATOR_NAMES}, the path of a module, or a factory. Throws
 * OptionError for a name or parameters that are not legal, UnsupportedError where this machine cannot run it.
 */
export async function createEstimator(
  choice: string | EstimatorFactory,
  parameters: EstimatorParameters,
  options: EstimatorOptions = {},
): Promise<ChosenEstimator> {
  checkParameters(parameters);
  if (typeof choice === 'function') {
    const estimator = await choice(parameters);
    return { estimator, name: estimator.traits.name, passedOver: [] };
  }
  requireEstimatorName(choice);
  if (choice !== 'auto')
    return { estimator: await open(choice, parameters, options, true), name: choice, passedOver: [] };

  const passedOver: { name: string; reason: string }[] = [];
  for (const name of AUTO_ORDER) {
    try {
      return { estimator: await open(name, parameters, options, false), name, passedOver };
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
      passedOver.push({ name, reason: error.message });
    }
  }
  const reasons = passedOver.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
  throw new UnsupportedError(`auto: this machine can run none of ${AUTO_ORDER.join(', ')} (${reasons})`);
}

/** Throws an OptionError that lists the legal names unless `choice` is one or a module path. */
export function requireEstimatorName(choice: string): void {
  if (isModulePath(choice) || ESTIMATOR_NAMES.some(name => name === choice)) return;
  throw new OptionError(
    'estimator',
    `no estimator is called '${choice}'; legal: ${ESTIMATOR_NAMES.join(', ')}, or the path of a module`,
  );
}

async function open(
  name: string,
  parameters: EstimatorParameters,
  options: EstimatorOptions,
  allowSoftware: boolean,
): Promise<MotionEstimator> {
  const { threads = 0, kernels, onWarning } = options;
  if (threads > 0) {
    const { createThreadedEstimator } = await import('./threads/worker-host.js');
    return createThreadedEstimator(name, parameters, {
      threads,
      allowSoftware,
      ...withoutUndefined({ kernels, onWarning }),
    });
  }
  return openHere(name, parameters, { allowSoftware, ...withoutUndefined({ kernels, onWarning }) });
}

/** What `openHere` takes. */
export interface OpenOptions extends Omit<EstimatorOptions, 'threads'> {
  /** Whether a GPU estimator may run on a software adapter. */
  readonly allowSoftware?: boolean;
}

/** Makes the estimator called `name`, any but `auto`, in the calling thread. */
export async function openHere(
  name: string,
  parameters: EstimatorParameters,
  options: OpenOptions = {},
): Promise<MotionEstimator> {
  checkParameters(parameters);
  switch (name) {
    case 'cpu-full':
      return createCpuFull(parameters, options);
    case 'cpu-mrmp':
      return createCpuMrmp(parameters, options);
    case 'cpu-log':
      return createCpuLog(parameters, options);
    case 'zero':
      return createZero(parameters, options);
    case 'gpu-full':
      return (await import('../gpu/gpu-estimators.js')).createGpuFull(parameters, options);
    case 'gpu-mrmp':
      return (await import('../gpu/gpu-estimators.js')).createGpuMrmp(parameters, options);
    default:
      requireEstimatorName(name);
      return (await loadEstimatorModule(name))(parameters);
  }
}

/** `object` without its undefined members, for exact optional properties. */
function withoutUndefined<T extends object>(object: T): { [Key in keyof T]: NonNullable<T[Key]> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: NonNullable<T[Key]>;
  };
}
