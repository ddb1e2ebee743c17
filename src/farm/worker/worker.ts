// A worker of a farm: takes steps from the queue and has processes of its own do them.
import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OptionError, UnsupportedError } from '../../errors.js';
import { inWords } from '../../given-options.js';
import { flowAfter } from '../jobs/farm-flow.js';
import type { EarlyEnd, JobRecord, Planned, StepData, StepKind } from '../jobs/farm-step.js';
import { packageVersion } from '../package-version.js';
import { ATTEMPTS, FarmQueue, type StepJob } from '../queue/farm-queue.js';
import { endJob } from '../queue/job-record.js';
import { parseQueueUrl } from '../queue/queue-url.js';
import { callerFunction } from './caller-function.js';
import { StepError } from './encoder-host.js';
import { GivenBack, Hand, JobIsOver } from './hand.js';
import { resultInWords, type StepOutcome, stepInWords } from './step-outcome.js';
import { DEFAULT_QUEUE, type FarmWorkerOptions, type WorkerTimes, workerTimes } from './worker-options.js';

/** How often the workers of a step may die before the step counts as failed for good. */
const MAX_LOST_WORKERS = ATTEMPTS - 1;
/** The folder for what only this machine needs, below the system's; it is made when something is put there. */
const SCRATCH = 'mpegpu-farm-';
const SCRATCH_BYTES = 8;

/** A worker that runs. */
export class FarmWorker {
  readonly #options: FarmWorkerOptions;
  readonly #version: string;
  readonly #times: WorkerTimes;
  readonly #queue: FarmQueue;
  readonly #scratch: string;
  readonly #hands: readonly Hand[];
  #stopping: Promise<void> | undefined;
  #refuse: (error: Error) => void = () => {};

  /** Rejects with an UnsupportedError once the worker has met a job of another version; else it never settles. */
  readonly refused: Promise<never>;

  private constructor(options: FarmWorkerOptions, times: WorkerTimes, queue: FarmQueue, scratch: string) {
    this.#options = options;
    this.#version = options.version ?? packageVersion();
    this.#times = times;
    this.#queue = queue;
    this.#scratch = scratch;
    this.refused = new Promise((_, reject) => {
      this.#refuse = reject;
    });
    this.refused.catch(() => {});
    const { roots, threads, gpu } = options;
    const context = {
      recordOf: (step: StepData) => this.#recordOf(step),
      queueAnswers: () => this.#queue.answers(),
      stallMs: times.stallMs,
      onWarning: (message: string) => this.#say(message),
    };
    this.#hands = ['steps', 'chunks'].map(
      name => new Hand({ roots, threads, gpu, scratch: join(scratch, name) }, context),
    );
  }

  /**
   * Starts a worker. Throws an OptionError for a wrong option, and an UnsupportedError if the queue cannot be reached
   * or holds jobs of another version of mpegpu.
   */
  static async start(given: FarmWorkerOptions): Promise<FarmWorker> {
    const times = workerTimes(given);
    const onMessage = callerFunction('onMessage', (message: string) => given.onMessage?.(message));
    const onStep = callerFunction('onStep', (outcome: StepOutcome) => given.onStep?.(outcome));
    const { url, queue: name = DEFAULT_QUEUE, roots } = given;
    if (Object(roots) !== roots) {
      throw new OptionError('roots', `roots ${inWords(roots)} is not an object, such as { file: FOLDER }`);
    }
    const { file } = roots;
    if (file !== undefined && !(await stat(file).catch(() => undefined))?.isDirectory()) {
      throw new OptionError('root', named => `${named('root')} ${file} is no folder`);
    }
    const queue = await FarmQueue.open(parseQueueUrl(url), name, sayingOnce(onMessage));
    const scratch = join(tmpdir(), `${SCRATCH}${randomBytes(SCRATCH_BYTES).toString('hex')}`);
    const worker = new FarmWorker({ ...given, onMessage, onStep }, times, queue, scratch);
    try {
      const next = await Promise.all([queue.next('steps'), queue.next('chunks')]);
      for (const { data } of next.flat()) worker.#requireVersion(data);
      await worker.#take();
      return worker;
    } catch (error) {
      await worker.stop(0);
      throw error;
    }
  }

  /** Takes no more steps. What runs may end within `graceMs`; then it is given back to the queue. Idempotent. */
  stop(graceMs: number): Promise<void> {
    this.#stopping ??= (async () => {
      await Promise.all(this.#hands.map(hand => hand.stop(graceMs)));
      await this.#queue.close();
      await rm(this.#scratch, { recursive: true, force: true });
    })();
    return this.#stopping;
  }

  async #take(): Promise<void> {
    const { leaseMs } = this.#times;
    const options = { lockDuration: leaseMs, stalledInterval: leaseMs / 2, maxStalledCount: MAX_LOST_WORKERS };
    for (const [i, name] of (['steps', 'chunks'] as const).entries()) {
      const hand = this.#hands[i]!;
      const taker = await this.#queue.taker(name, (job, token) => this.#do(hand, job, token), options);
      taker.on('failed', (job, error) => {
        if (job && /stalled more than/.test(error.message)) void this.#lost(job).catch(() => {});
      });
      hand.taker = taker;
    }
    // Not before both are there: a step of another version stops both.
    for (const { taker } of this.#hands) taker?.run().catch(error => taker.emit('error', error));
  }

  async #do(hand: Hand, job: StepJob, token: string): Promise<unknown> {
    const kind = job.name as StepKind;
    const start = performance.now();
    let frames = 0;
    const tell = (outcome: StepOutcome['outcome'], words: string): void => {
      const seconds = (performance.now() - start) / 1000;
      this.#options.onStep?.({ kind, outcome, seconds, frames });
      this.#say(`${stepInWords(kind, job.data)}: ${words}`);
    };
    try {
      this.#requireVersion(job.data);
      const result = await hand.run(job, progress => {
        frames = progress.frames;
      });
      if ('chunks' in result) await this.#queue.addFlow(flowAfter(job.data, result as Planned));
      hand.failures = 0;
      frames = result.frames;
      const isReused = 'wasThere' in result && result.wasThere;
      tell(isReused ? 'reused' : 'done', resultInWords(result, (performance.now() - start) / 1000));
      return result;
    } catch (error) {
      if (error instanceof JobIsOver) {
        tell('skipped', error.message);
        if (kind === 'encode' || kind === 'measure') return { skipped: true };
        throw this.#queue.noMoreAttempts(error.message);
      }
      if (error instanceof GivenBack || error instanceof UnsupportedError) {
        if (error instanceof UnsupportedError) this.#leave(error);
        tell('returned', error.message);
        await hand.taker?.pause(true);
        throw await this.#queue.giveBack(job, token);
      }
      const reason = failureInWords(error);
      tell('failed', reason);
      throw await this.#failed(hand, job, error, reason);
    }
  }

  /** After a failed attempt: the error that the queue is to see. The last attempt ends the job. */
  async #failed(hand: Hand, job: StepJob, error: unknown, reason: string): Promise<Error> {
    const isMistake = error instanceof StepError && error.failure.isMistake;
    if (isMistake || job.attemptsMade + 1 >= ATTEMPTS) {
      const often = isMistake ? '' : ` failed ${ATTEMPTS} times`;
      await this.#end(job.data, `${partInWords(job)}${often}: ${reason}`);
    }
    if (isMistake) return this.#queue.noMoreAttempts(reason);
    hand.failures++;
    await hand.restFor(this.#times.restMs(hand.failures));
    return new Error(reason);
  }

  async #lost(job: StepJob): Promise<void> {
    await this.#end(job.data, `${partInWords(job)}: ${ATTEMPTS} workers took it and were not heard of again`);
  }

  async #end(step: StepData, reason: string): Promise<void> {
    const end: EarlyEnd = { state: 'failed', reason };
    const record = await this.#queue.record(step.job);
    if (record && record.data.run === step.run) await endJob(record, end);
  }

  async #recordOf({ job, run }: StepData): Promise<JobRecord | undefined> {
    const record = await this.#queue.record(job);
    return record?.data.run === run ? record.data : undefined;
  }

  #requireVersion({ version, job }: StepData): void {
    if (version === this.#version) return;
    const what = `job ${job} is of mpegpu ${version}, and this worker is mpegpu ${this.#version}`;
    throw new UnsupportedError(`${what}: only the same version gives the same bytes`);
  }

  /** Stops for good. Not awaited: the step that noticed it must end first. */
  #leave(error: UnsupportedError): void {
    const refuse = () => this.#refuse(error);
    this.stop(0).then(refuse, refuse);
  }

  #say(message: string): void {
    this.#options.onMessage?.(message);
  }
}

function partInWords({ name, data }: StepJob): string {
  return stepInWords(name as StepKind, data).replace(/ of job .*/, '');
}

function failureInWords(error: unknown): string {
  if (!(error instanceof StepError)) return (error as Error).message;
  const { reason, frame } = error.failure;
  return frame === undefined || reason.includes(`frame ${frame} `)
    ? reason
    : `${reason} (frame ${frame} was read last)`;
}

/** Errors of a queue that is away come again and again: each is said once, until another one comes. */
function sayingOnce(say: (message: string) => void): (error: Error) => void {
  let last = '';
  return ({ message }) => {
    const line = `the queue: ${message || 'connection lost'}`;
    if (line !== last) say(line);
    last = line;
  };
}
