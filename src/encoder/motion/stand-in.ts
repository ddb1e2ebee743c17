// Answers searches while the estimator is being made, by a CPU estimator of this thread that gives the same fields.
import type { EstimateRequest, MotionEstimator, MotionField } from '../../motion/estimator.js';
import { yieldToEventLoop } from '../event-loop.js';

/**
 * A search that takes longer is the last one, in milliseconds, but for the first, whose code is not compiled well yet.
 * Long ones keep this thread from hearing that the other estimator is made, and find little until then.
 */
const MAX_SEARCH_MS = 10;

/** An estimator for the time until another one is made: threads take a tenth of a second, a GPU half a second. */
export class StandIn {
  /** Time in which it searched, in milliseconds. */
  busyMs = 0;
  readonly #estimator: Promise<MotionEstimator>;
  #isOver = false;
  #searches = 0;
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

  /** The field of a pair; undefined if the request is left to the other estimator. */
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
    const tookMs = performance.now() - startMs;
    this.busyMs += tookMs;
    if (this.#searches++ > 0 && tookMs > MAX_SEARCH_MS) this.#isOver = true;
    return field;
  }
}
