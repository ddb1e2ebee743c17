// Coder threads: each codes one picture at a time, and waits for the rows of anchors that others still reconstruct.
import { InternalError, messageOf } from '../../errors.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { forkedSignals } from '../../threads/forked-signals.js';
import { threadEntry } from '../../threads/node/start-thread.js';
import { TaskThread, ThreadDeath } from '../../threads/task-thread.js';
import type { ThreadKeeper } from '../../threads/thread-messages.js';
import { yieldToEventLoop } from '../event-loop.js';
import type { PictureJob } from '../picture/picture-job.js';
import type { ReferencePictures } from '../picture/reference-pictures.js';
import { workspaceBytes } from '../picture/workspace.js';
import type { QuantizerPointers } from '../quantizer/quantizer-set.js';
import type { CodedPicture } from './coded-picture.js';
import type { Coder, CoderSettings } from './coder.js';
import type { CoderSetup, CoderTasks } from './coder-tasks.js';
import { type CodeAgain, type Coders, type CodingThread, OwnThread } from './coding-thread.js';

type Thread = TaskThread<CoderTasks, undefined>;

/** Coding time after which the threads are started, in milliseconds: a shorter encode would end before they run. */
const START_AFTER_MS = 20;

/** What the threads are started with. */
export interface CoderThreadsStart {
  readonly settings: CoderSettings;
  /** Has room for a workspace of each thread. */
  readonly memory: KernelMemory;
  readonly references: ReferencePictures;
  readonly quantizers: QuantizerPointers;
  readonly count: number;
  readonly workerUrl: string | undefined;
  readonly keptThreads: ThreadKeeper | undefined;
  /** Whether there is enough to code for them: they are started at once. */
  readonly isLong: boolean;
  /** The calling thread's coder: it codes until the threads run, and where they cannot. */
  readonly own: Coder;
  readonly onWarning: (message: string) => void;
}

/**
 * Threads that code pictures side by side. Where the length of an encode is not known, they start once it takes a
 * while; until then the calling thread codes. What a thread leaves undone when it dies, the calling thread codes again:
 * the same rows come out, so that threads which have read some of them are not misled.
 */
export class CoderThreads implements Coders {
  readonly memory: KernelMemory;
  readonly references: ReferencePictures;
  readonly count: number;
  readonly #start: CoderThreadsStart;
  readonly #here: CodingThread;
  readonly #threads: Thread[] = [];
  readonly #idle: CodingThread[] = [];
  /** Whoever waits for a thread that codes nothing. */
  #waiting: (() => void)[] = [];
  /** Threads that are being started. */
  #opening = 0;
  /** Pictures that threads are coding. */
  #underWay = 0;
  /** Time that the calling thread has coded, in milliseconds. */
  #ownMs = 0;
  #isStarted = false;
  #isClosed = false;
  /** Gives up the threads that are being started. */
  readonly #givenUp = new AbortController();
  /** Settles when the threads run, or have not started. */
  #opened: Promise<unknown> = Promise.resolve();
  /** Settles when all pictures so far are coded. */
  #allCoded: Promise<unknown> = Promise.resolve();

  constructor(start: CoderThreadsStart) {
    this.memory = start.memory;
    this.references = start.references;
    this.count = start.count;
    this.#start = start;
    const own = new OwnThread(start.own);
    this.#here = { code: (job, again) => this.#codeHere(own, job, again) };
    if (start.isLong) this.#open();
  }

  /** Resolves with a thread that codes nothing; a picture is given to one after its anchors. */
  async idle(): Promise<CodingThread> {
    if (this.#ownMs >= START_AFTER_MS && !this.#isStarted) this.#open();
    // Threads say by messages that they run: these come between two pictures that the calling thread codes.
    if (this.#opening > 0 && this.#idle.length === 0) await yieldToEventLoop();
    for (;;) {
      const thread = this.#idle.shift();
      if (thread) return thread;
      // While the calling thread waits for rows, it does not see that the thread which reconstructs them has died.
      if (this.#underWay === 0 && (this.#opening > 0 || this.#threads.length === 0)) return this.#here;
      await new Promise<void>(resolve => this.#waiting.push(resolve));
    }
  }

  /** The calling thread has not coded the newest anchor. */
  repetition(): never {
    throw new InternalError('coder threads repeat no pictures');
  }

  /** The bytes of sequence_end_code. */
  sequenceEnd(): Uint8Array {
    return this.#start.own.sequenceEnd();
  }

  /** Ends the threads at once. Kept ones that are being started go to whoever keeps them when they run. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (!this.#start.keptThreads) {
      this.#givenUp.abort();
      await this.#opened;
    }
    await Promise.all(this.#threads.map(thread => thread.end()));
  }

  #open(): void {
    const { memory, settings, quantizers, count } = this.#start;
    this.#isStarted = true;
    this.#opening = count;
    const opened = forkedSignals(this.#givenUp.signal, count).map(signal => {
      const part = memory.allocatePart(workspaceBytes(settings.grid, settings.tools.rowPasses));
      return this.#openThread({ settings, quantizers, part }, signal);
    });
    this.#opened = Promise.all(opened).then(faults => this.#warn(faults));
  }

  /** Tells of the threads that could not start: once, if none did. */
  #warn(faults: readonly (string | undefined)[]): void {
    const { onWarning } = this.#start;
    const [first, ...others] = faults.filter(fault => fault !== undefined);
    if (this.#isClosed || first === undefined) return;
    if (others.length + 1 === faults.length) onWarning(`no coder thread starts (${first}); the calling thread codes`);
    else for (const fault of [first, ...others]) onWarning(`a coder thread could not start (${fault})`);
  }

  /** Resolves with the reason why the thread could not start, if that is so. */
  async #openThread(data: CoderSetup, signal: AbortSignal): Promise<string | undefined> {
    let thread: Thread | undefined;
    try {
      const started: Thread = await TaskThread.start({
        entry: threadEntry(import.meta.url, 'coder-worker.js'),
        data,
        workerUrl: this.#start.workerUrl,
        keptThreads: this.#start.keptThreads,
        onReport: () => {},
        signal,
      });
      thread = started;
      if (!this.#isClosed) await thread.ask('open', undefined);
      this.#threads.push(thread);
      this.#offer({ code: (job, again) => this.#codeIn(started, job, again) }, thread);
      return undefined;
    } catch (error) {
      return messageOf(error);
    } finally {
      if (this.#isClosed) await thread?.end();
      this.#opening--;
      this.#wake();
    }
  }

  #offer(idle: CodingThread, thread: Thread): void {
    if (this.#threads.includes(thread)) this.#idle.push(idle);
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  async #codeHere(own: OwnThread, job: PictureJob, again?: CodeAgain): Promise<CodedPicture> {
    const coded = await own.code(job, again);
    this.#ownMs += coded.codingMs;
    return coded;
  }

  async #codeIn(thread: Thread, job: PictureJob, again?: CodeAgain): Promise<CodedPicture> {
    const earlier = this.#allCoded;
    const coded = this.#codeUntilDone(thread, job, earlier, again);
    // Keeps nothing of the pictures.
    this.#allCoded = Promise.allSettled([earlier, coded]).then(() => {});
    this.#underWay++;
    try {
      return await coded;
    } finally {
      this.#underWay--;
      this.#offer({ code: (next, nextAgain) => this.#codeIn(thread, next, nextAgain) }, thread);
    }
  }

  async #codeUntilDone(
    thread: Thread,
    job: PictureJob,
    earlier: Promise<unknown>,
    again?: CodeAgain,
  ): Promise<CodedPicture> {
    let next = job;
    try {
      for (;;) {
        const coded = await thread.ask('code', next);
        const another = again?.(coded);
        if (!another) return coded;
        next = another;
      }
    } catch (error) {
      if (!(error instanceof ThreadDeath) || this.#isClosed) throw error;
      const rest = this.#threads.length - 1;
      this.#threads.splice(this.#threads.indexOf(thread), 1);
      this.#start.onWarning(`a coder thread died (${error.message}); ${rest} others go on`);
      // The calling thread must not wait for rows: it alone could take the place of another thread that dies.
      await earlier;
      return this.#here.code(next, again);
    }
  }
}
