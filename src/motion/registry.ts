// Makes an estimator from its name, a module path or a factory; `auto` takes the first that this machine can run.
import { OptionError, UnsupportedError } from '../errors.js';
import { BUILT_IN_ESTIMATORS, BUILT_IN_NAMES, isBuiltInName } from './built-in-estimators.js';
import type { EstimatorFactory, EstimatorParameters, MotionEstimator } from './estimator.js';
import { isModulePath } from './estimator-module.js';
import { guarded, makeGuarded } from './guarded-estimator.js';
import { createInThisThread } from './own-thread.js';
import { checkParameters } from './parameter-checks.js';
import { makeWithinLimit } from './time-limits.js';

/** The names that {@link createEstimator} takes: `auto` and the built-in estimators. */
export const ESTIMATOR_NAMES = ['auto', ...BUILT_IN_NAMES] as const;

/** What `auto` tries, in order. */
const AUTO_ORDER = BUILT_IN_NAMES.filter(name => BUILT_IN_ESTIMATORS[name].auto);

/** How an estimator is made. */
export interface EstimatorOptions {
  /** Worker threads to search in; 0, the default, searches in the calling thread. A factory always runs there. */
  readonly threads?: number;
  /** Kernel set of the CPU estimators, see select-kernels.ts. */
  readonly kernels?: string | undefined;
  /** Called once for each fault that the estimator survives. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Gives up making the estimator, with the signal's reason. What has been made is not ended by it. */
  readonly signal?: AbortSignal | undefined;
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
 * Makes the estimator called `choice`: one of {@link ESTIMATOR_NAMES}, the path of a module, or a factory. Throws
 * OptionError for an illegal name or parameter, UnsupportedError where this machine cannot run the estimator or does
 * not make it in two minutes, InputError where a third party's estimator lacks a part.
 */
export async function createEstimator(
  choice: string | EstimatorFactory,
  parameters: EstimatorParameters,
  options: EstimatorOptions = {},
): Promise<ChosenEstimator> {
  checkParameters(parameters);
  if (typeof choice === 'function') {
    const name = choice.name || 'given as a function';
    const make = () => makeGuarded(name, choice, parameters);
    const estimator = await makeWithinLimit(name, options.signal, make);
    return { estimator, name: estimator.traits.name, passedOver: [] };
  }
  requireEstimatorName(choice);
  if (choice === 'auto') return createFirstSupported(parameters, options);
  return { estimator: await createNamed(choice, parameters, options, true), name: choice, passedOver: [] };
}

/** Throws an OptionError that lists the legal names unless `choice` is one or a module path. */
export function requireEstimatorName(choice: string): void {
  if (typeof choice !== 'string') throw new OptionError('estimator', 'the estimator is neither a name nor a function');
  if (isModulePath(choice) || choice === 'auto' || isBuiltInName(choice)) return;
  throw new OptionError(
    'estimator',
    `no estimator is called '${choice}'; legal: ${ESTIMATOR_NAMES.join(', ')}, or the path of a module`,
  );
}

/** Tries {@link AUTO_ORDER}, without software GPUs. */
async function createFirstSupported(
  parameters: EstimatorParameters,
  options: EstimatorOptions,
): Promise<ChosenEstimator> {
  const passedOver: { name: string; reason: string }[] = [];
  for (const name of AUTO_ORDER) {
    try {
      return { estimator: await createNamed(name, parameters, options, false), name, passedOver };
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
      passedOver.push({ name, reason: error.message });
    }
  }
  const reasons = passedOver.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
  throw new UnsupportedError(`auto: this machine can run none of ${AUTO_ORDER.join(', ')} (${reasons})`);
}

function createNamed(
  name: string,
  parameters: EstimatorParameters,
  { threads = 0, kernels, onWarning, signal }: EstimatorOptions,
  allowSoftware: boolean,
): Promise<MotionEstimator> {
  return makeWithinLimit(name, signal, async giveUp => {
    if (threads === 0) return createInThisThread(name, parameters, { allowSoftware, kernels, onWarning });
    const { createThreadedEstimator } = await import('./threads/worker-host.js');
    const options = { threads, allowSoftware, kernels, onWarning, signal: giveUp };
    const estimator = await createThreadedEstimator(name, parameters, options);
    // A module is guarded in its thread already, but cannot tell there that it is stuck.
    return isBuiltInName(name) ? estimator : guarded(name, estimator, parameters);
  });
}
