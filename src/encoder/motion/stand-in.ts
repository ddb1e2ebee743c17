// Answers searches while the estimator is being made, by a CPU estimator of this thread that gives the same fields.
import type { EstimateRequest, MotionEstimator, MotionField } from '../../motion/estimator.js';
import { yieldToEventLoop } from '../event-loop.js';

/** An estimator for the time until another one is made: threads take a tenth of a second, a GPU half a second. */
export class StandIn {
  /** Time in which it searched, in milliseconds. */
  busyMs = 0;
  readonly #estimator: Promise<MotionEstimator>;
  #isOver = false;
  /** Settles when no request is waiting. */
  #answered: Promise<unknown> = Promise.resolve();

  constructor(estimator: Promise<MotionEstimator>) {
    this.#estimator = estimator;
    estimator.catch(() => {}); // every request goes to the estimator that is being made
  }

  /** Whether the estimator reads the start of a request; undefined where it cannot be made. */
  async usesStart(): Promise<boolean | undefined> {
    const estimator = await this.#estimator.catch(() => undefined);
    return estimator && estimator.traits.usesStart === true;
  }

  /** The field of a pair; undefined if the other estimator is made before it is the request's turn. */
  estimate(request: EstimateRequest): Promise<MotionField | undefined> {
    const answer = this.#answered.then(() => this.#search(request));
    this.#answered = answer;
    return answer;
  }

  /** The other estimator is made, or cannot be: answers no more. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#answered;
    await (await this.#estimator.catch(() => undefined))?.close();
  }

  async #search(request: EstimateRequest): Promise<MotionField | undefined> {
    // A search blocks this thread: the message that the other estimator is made could not come in between.
    if (!this.#isOver) await yieldToEventLoop();
    const estimator = await this.#estimator.catch(() => undefined);
    if (this.#isOver || !estimator) return undefined;
    const startMs = performance.now();
    const field = await estimator.estimate(request).catch(() => undefined);
    this.busyMs += performance.now() - startMs;
    return field;
  }
}
