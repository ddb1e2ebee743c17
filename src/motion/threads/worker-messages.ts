import { InputError, InternalError, OptionError, UnsupportedError } from '../../errors.js';
import type { EstimateRequest, EstimatorParameters, EstimatorTraits, MotionField } from '../estimator.js';

/** What a search thread is started with. */
export interface WorkerSetup {
  /** A registered name or a module path. */
  readonly estimator: string;
  readonly parameters: EstimatorParameters;
  readonly allowSoftware: boolean;
  readonly kernels: string | undefined;
}

/** What a search thread is asked. */
export type WorkerTask =
  | { readonly kind: 'open' }
  | { readonly kind: 'estimate'; readonly request: EstimateRequest }
  | { readonly kind: 'close' };

/** What every reply carries beside its answer. */
interface WorkerReport {
  /** Time with at least one search under way since the thread began, in milliseconds. */
  readonly busyMs: number;
  /** Warnings since the last reply. */
  readonly warnings: readonly string[];
}

/** What a search thread replies. */
export type WorkerReply = WorkerReport &
  (
    | { readonly kind: 'opened'; readonly traits: EstimatorTraits; readonly device: string }
    | { readonly kind: 'field'; readonly field: MotionField }
    | { readonly kind: 'closed' }
    | { readonly kind: 'failed'; readonly error: PlainError }
  );

/** An error as plain data: structured cloning would lose its class. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly option?: string;
  readonly stack?: string;
}

/** An error, or whatever was thrown, as plain data. */
export function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  return {
    name,
    message,
    ...(error instanceof OptionError ? { option: error.option } : {}),
    ...(stack === undefined ? {} : { stack }),
  };
}

/** The error that `plainError` described, of its own class where it is one of ours. */
export function revivedError({ name, message, option, stack }: PlainError): Error {
  const error =
    name === 'OptionError'
      ? new OptionError(option ?? 'estimator', message)
      : name === 'InputError'
        ? new InputError(message)
        : name === 'UnsupportedError'
          ? new UnsupportedError(message)
          : name === 'InternalError'
            ? new InternalError(message)
            : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
