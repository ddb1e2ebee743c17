// The messages between the main thread and a search thread.
import { InputError, InternalError, OptionError, UnsupportedError } from '../../errors.js';
import type { EstimateRequest, EstimatorParameters, EstimatorTraits, MotionField } from '../estimator.js';

/** Start data of a search thread. */
export interface WorkerSetup {
  /** A built-in name or a module path. */
  readonly estimator: string;
  readonly parameters: EstimatorParameters;
  readonly allowSoftware: boolean;
  readonly kernels: string | undefined;
}

/** A question to a search thread: whether it runs; to make its estimator; for a field; to close the estimator. */
export type WorkerTask =
  | { readonly kind: 'start' }
  | { readonly kind: 'open' }
  | { readonly kind: 'estimate'; readonly request: EstimateRequest }
  | { readonly kind: 'close' };

/** The part that every reply has. */
interface WorkerReport {
  /** Time with at least one search under way since the thread began, in milliseconds. */
  readonly busyMs: number;
  /** Warnings since the last reply. */
  readonly warnings: readonly string[];
}

/** The reply of a search thread to a task. */
export type WorkerReply = WorkerReport &
  (
    | { readonly kind: 'started' }
    | { readonly kind: 'opened'; readonly traits: EstimatorTraits; readonly device: string }
    | { readonly kind: 'field'; readonly field: MotionField }
    | { readonly kind: 'closed' }
    | { readonly kind: 'failed'; readonly error: PlainError }
  );

/** An error as plain data: structured cloning loses the class of an error. */
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

/** The error that `plainError` was given, of the same class where the class is one of ours. */
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
