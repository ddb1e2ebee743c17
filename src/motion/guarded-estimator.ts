// Guards a third party's estimator: what breaks the contract or never answers is an error that names it.
import { InputError, messageOf } from '../errors.js';
import { withTimeLimit } from '../threads/time-limit.js';
import type {
  EstimateRequest,
  EstimatorFactory,
  EstimatorParameters,
  EstimatorStatistics,
  EstimatorTraits,
  MotionEstimator,
  MotionField,
} from './estimator.js';
import { checkedField } from './field-check.js';
import { checkRequest, closedError } from './request-checks.js';
import { ANSWER_LIMIT_S, CLOSE_LIMIT_S } from './time-limits.js';

/** By name, because modules and threads may have classes of their own. */
const OWN_ERRORS = ['InputError', 'InternalError', 'OptionError', 'OutputError', 'UnsupportedError'];

/**
 * The estimator of a third party's factory, made and guarded. `name` stands for it in errors until its traits are
 * known. Rejects with the factory's error, or with InputError where the estimator lacks a part.
 */
export async function makeGuarded(
  name: string,
  factory: EstimatorFactory,
  parameters: EstimatorParameters,
): Promise<MotionEstimator> {
  let estimator: MotionEstimator;
  try {
    estimator = await factory(parameters);
  } catch (error) {
    throw namedError(name, error);
  }
  return guarded(name, estimator, parameters);
}

/** A third party's estimator, guarded. Throws InputError where it lacks a part. */
export function guarded(name: string, estimator: MotionEstimator, parameters: EstimatorParameters): MotionEstimator {
  requireParts(name, estimator);
  return new GuardedEstimator(estimator, parameters);
}

function requireParts(name: string, estimator: unknown): void {
  const fault = (what: string) => new InputError(`the estimator ${name} ${what}`);
  if (typeof estimator !== 'object' || estimator === null) throw fault(`is ${String(estimator)}, not an object`);
  const { traits, device, estimate, close } = estimator as Partial<MotionEstimator>;
  for (const [method, value] of Object.entries({ estimate, close })) {
    if (typeof value !== 'function') throw fault(`has no method ${method}`);
  }
  if (typeof traits !== 'object' || traits === null) throw fault('has no traits: name, runsOn and exhaustive');
  if (typeof traits.name !== 'string' || traits.name === '') throw fault('has no name in its traits');
  if (!['js', 'wasm', 'gpu'].includes(traits.runsOn)) throw fault('has a trait runsOn that is none of js, wasm, gpu');
  if (typeof traits.exhaustive !== 'boolean') throw fault('has a trait exhaustive that is not true or false');
  if (typeof device !== 'string') throw fault('has no device, which says for people what it runs on');
}

class GuardedEstimator implements MotionEstimator {
  readonly traits: EstimatorTraits;
  readonly statistics?: () => EstimatorStatistics;
  /** Reject the calls in flight. */
  readonly #open = new Set<(error: Error) => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pictures = 0;
  #closed: Promise<void> | undefined;

  constructor(
    readonly inner: MotionEstimator,
    readonly parameters: EstimatorParameters,
  ) {
    const { name, runsOn, exhaustive, usesStart } = inner.traits;
    this.traits = { name, runsOn, exhaustive, usesStart: usesStart === true };
    if (typeof inner.statistics === 'function') this.statistics = () => this.#statistics();
  }

  get device(): string {
    return this.inner.device;
  }

  async estimate(request: EstimateRequest): Promise<MotionField> {
    const { name } = this.traits;
    if (this.#closed) throw closedError(name);
    checkRequest(request, this.parameters, name);
    let reject: (error: Error) => void = () => {};
    const givenUp = new Promise<never>((_, rejectCall) => {
      reject = rejectCall;
    });
    this.#open.add(reject);
    if (this.#open.size === 1) this.#watch();
    try {
      const answer = await Promise.race([(async () => this.inner.estimate(request))(), givenUp]);
      const field = checkedField(answer, this.parameters, name);
      this.#pictures++;
      return field;
    } catch (error) {
      throw namedError(name, error);
    } finally {
      this.#open.delete(reject);
      this.#watch();
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { name } = this.traits;
    try {
      const late = () => new InputError(`the estimator ${name} did not close within ${CLOSE_LIMIT_S} s`);
      await withTimeLimit((async () => this.inner.close())(), CLOSE_LIMIT_S, late);
    } catch (error) {
      throw namedError(name, error);
    } finally {
      this.#giveUp(closedError(name));
    }
  }

  /** The time limit begins anew with each answer, since calls may wait for each other. */
  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#open.size === 0) return;
    const { name } = this.traits;
    const late = () => this.#giveUp(new InputError(`the estimator ${name} has not answered for ${ANSWER_LIMIT_S} s`));
    this.#timer = setTimeout(late, 1000 * ANSWER_LIMIT_S);
  }

  #giveUp(error: Error): void {
    for (const reject of this.#open) reject(error);
  }

  #statistics(): EstimatorStatistics {
    let busyMs: unknown;
    try {
      busyMs = this.inner.statistics?.().busyMs;
    } catch {} // figures alone fail no encode
    return { busyMs: typeof busyMs === 'number' && Number.isFinite(busyMs) ? busyMs : 0, pictures: this.#pictures };
  }
}

/** Errors of mpegpu's kinds as they are; any other as an error that names the estimator, if it does not yet. */
function namedError(name: string, error: unknown): Error {
  const message = messageOf(error);
  const start = `the estimator ${name} `;
  if (error instanceof Error && (OWN_ERRORS.includes(error.name) || message.startsWith(start))) return error;
  return new Error(`${start}failed: ${message}`, { cause: error });
}
