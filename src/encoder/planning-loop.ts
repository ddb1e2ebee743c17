// Plans the pictures that come in display order and queues them for the coder in coded order.
import type { Picture } from '../picture/picture.js';
import { keepingEventLoopAlive } from './event-loop.js';
import type { ForecastPicture, Planner } from './lookahead/picture-planner.js';
import type { MotionPipeline } from './motion/motion-pipeline.js';
import type { PictureQueue } from './picture-queue.js';
import type { Progress } from './progress.js';

/** What the loop shares with the encoder. */
export interface PlanningJob {
  readonly planner: Planner;
  readonly motion: MotionPipeline;
  readonly queue: PictureQueue;
  readonly progress: Progress;
  /** How many plans may be asked for at a time. */
  readonly picturesAhead: () => number;
  /** No plan is made while as many pictures wait for the coder. */
  readonly maxPendingPictures: number;
}

/** The planner's side of an encode: it waits for the motion that its decisions need. */
export class PlanningLoop {
  readonly #job: PlanningJob;
  /** Pictures that have come and that the planner does not know yet. */
  readonly #arrived: Picture[] = [];
  /** The plans that the planner has been asked for and that are not queued yet. */
  readonly #asked: Promise<ForecastPicture[]>[] = [];
  #isEnded = false;
  /** When the plan that is under way was begun; undefined while the loop waits for pictures. */
  #planningSinceMs: number | undefined;
  #planningMs = 0;

  constructor(job: PlanningJob) {
    this.#job = job;
  }

  /** Whether another picture may be added: an estimator that works beside the coder is asked about several. */
  get hasRoom(): boolean {
    return this.#arrived.length + this.#asked.length < this.#maxAsked;
  }

  get #maxAsked(): number {
    return this.#job.motion.searchesAhead ? this.#job.picturesAhead() : 1;
  }

  /** Whether the queue takes more pictures. */
  get #mayQueue(): boolean {
    return this.#job.queue.pending.length < this.#job.maxPendingPictures;
  }

  /** Time in which plans waited for motion, or were made from it, until now, in milliseconds. */
  get planningMs(): number {
    if (!this.#job.planner.usesMotion) return 0;
    const since = this.#planningSinceMs;
    return this.#planningMs + (since === undefined ? 0 : performance.now() - since);
  }

  /** Adds the next picture in display order, also while there is no room. */
  add(picture: Picture): void {
    this.#arrived.push(picture);
    this.#ask();
    this.#job.progress.notify();
  }

  /** No more pictures will be added. */
  end(): void {
    this.#isEnded = true;
    this.#job.progress.notify();
  }

  /** Plans all pictures. Resolves when that is done or the encode has failed; `progress` is told of a failure. */
  async run(): Promise<void> {
    const { planner, motion, queue, progress } = this.#job;
    try {
      while (!progress.hasFailed && !progress.isPlanned) {
        await progress.until(() => this.#arrived.length + this.#asked.length > 0 || this.#isEnded);
        await progress.until(() => this.#mayQueue);
        this.#ask();
        const [asked] = this.#asked;
        const planned = await this.#timed(asked ?? planner.end());
        if (!planned) return;
        queue.add(motion, planned);
        if (asked === undefined) progress.isPlanned = true;
        this.#asked.shift();
        this.#ask();
        progress.notify();
      }
    } catch (error) {
      progress.fail(error);
    }
  }

  /** Asks for as many plans as are allowed; ahead of need only where the estimator works beside the coder. */
  #ask(): void {
    const { planner, motion, queue, progress } = this.#job;
    while (this.#arrived.length > 0 && this.#asked.length < this.#maxAsked) {
      if (!motion.searchesAhead && !this.#mayQueue) return;
      const asked = planner.plan(this.#arrived.shift()!, queue.codedCount);
      asked.catch(error => progress.fail(error));
      this.#asked.push(asked);
    }
  }

  /** The result, or undefined as soon as the encode has failed. */
  async #timed<T>(plan: Promise<T>): Promise<T | undefined> {
    this.#planningSinceMs = performance.now();
    try {
      return await keepingEventLoopAlive(this.#job.progress.unlessFailed(plan));
    } finally {
      this.#planningMs = this.planningMs;
      this.#planningSinceMs = undefined;
    }
  }
}
