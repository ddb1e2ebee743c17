// What a search thread is started with, what it can be asked, and what it reports.
import type { KernelChoice } from '../../kernels/kernels.js';
import type { PlainError } from '../../threads/plain-error.js';
import type { EstimateRequest, EstimatorParameters, EstimatorTraits, MotionField } from '../estimator.js';

/** Start data of a search thread. */
export interface SearchSetup {
  /** A built-in name or a module path. */
  readonly estimator: string;
  readonly parameters: EstimatorParameters;
  readonly allowSoftware: boolean;
  readonly kernels: KernelChoice | undefined;
  /** See `askDriversEarly`. */
  readonly drivers?: SharedArrayBuffer | undefined;
  /** Whether the device of a GPU stays open for the thread's next work. */
  readonly keepsDevice?: boolean | undefined;
  /** The port by which the calling thread of the encode may have the GPU filter pictures. */
  readonly filterPort?: MessagePort | undefined;
}

/** An estimator as its thread describes it. */
export interface OpenedEstimator {
  readonly traits: EstimatorTraits;
}

/** The answer to a request: the field, or why there is none. */
export type EstimateAnswer = { readonly field: MotionField } | { readonly error: PlainError };

/** The tasks of a search thread. */
export interface SearchTasks {
  /** Makes the estimator. */
  open(): Promise<OpenedEstimator>;
  /** Answers when all are answered. */
  estimate(requests: readonly EstimateRequest[]): Promise<EstimateAnswer[]>;
  /** Closes the estimator, if it is made. */
  close(): Promise<void>;
}

/** What a search thread reports with each reply. */
export interface SearchReport {
  /** That of the estimator, which may change: a GPU can be lost. Undefined until the estimator is made. */
  readonly device: string | undefined;
  /** Time with at least one search under way since the thread began, in milliseconds. */
  readonly busyMs: number;
  /** Warnings since the last reply. */
  readonly warnings: readonly string[];
}
