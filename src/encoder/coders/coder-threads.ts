// Coder threads: each codes one picture at a time, and waits for the rows of anchors that others still reconstruct.
import { counted } from '../../counted.js';
import { InternalError, messageOf } from '../../errors.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { forkedSignals } from '../../threads/forked-signals.js';
import { loadThreads, threadEntry } from '../../threads/node/start-thread.js';
import { TaskThread, ThreadDeath } from '../../threads/task-thread.js';
import { ThreadClaims } from '../../threads/thread-claims.js';
import type { ThreadKeeper } from '../../threads/thread-messages.js';
import { yieldToEventLoop } from '../event-loop.js';
import type { PictureJob } from '../picture/picture-job.js';
import type { ReferencePictures } from '../picture/reference-pictures.js';
import { workspaceBytes } from '../picture/workspace.js';
import type { QuantizerPointers } from '../quantizer/quantizer-set.js';
import type { CodedPicture } from './coded-picture.js';
import type { Coder, CoderSettings } from './coder.js';
import type { CoderSetup, CoderTasks } from './coder-tasks.js';
import { type CodeAgain, CoderInTurn, type Coders, type CodingThread } from './coding-thread.js';
import { closePorts, type SharedCoders } from './shared-coders.js';

// In the same bundle: whoever codes in one thread loads neither.
export { shareCoders } from './shared-coders.js';

type Thread = TaskThread<CoderTasks, undefined>;

/** Coding time after which the threads are started, in milliseconds: a shorter encode would end before they run. */
const START_AFTER_MS = 20;

/**
 * Up to so many threads may be given a picture while they code another one: they need not wait for the calling thread
 * then. Where more threads code, nothing is gained by it: docs/decisions/threads.md.
 */
const MAX_FOLLOWED_THREADS = 4;

/** While a GPU is set up, a part of the threads start at a time, or so many: if all did, it would take longer. */
const PART_AT_A_TIME = 1 / 3;
const MIN_AT_A_TIME = 4;

/** What the threads are started with. */
export interface CoderThreadsStart {
  readonly settings: CoderSettings;
  /** Has room for a workspace of each thread. */
  readonly memory: KernelMemory;
  readonly references: ReferencePictures;
  readonly quantizers: QuantizerPointers;
  readonly count: number;
  /** What `shareCoders` gave for `count` threads. */
  readonly shared: SharedCoders;
  readonly workerUrl: string | undefined;
  readonly keptThreads: ThreadKeeper | undefined;
  /** Whether there is enough to code for them: they are started at once. */
  readonly isLong: boolean;
  /** Whether other threads set up a GPU meanwhile. */
  readonly setsUpGpu: boolean;
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
  /** By number, the threads that run. */
  readonly #threads: (Thread | undefined)[];
  /** How many pictures a thread has been given and not finished. The one that began its picture first comes first. */
  readonly #pictures = new Map<number, number>();
  readonly #claims: ThreadClaims;
  /** Threads that were claimed for this one while it waits for one. */
  readonly #givenThreads: number[] = [];
  /** Whoever waits for a thread that codes nothing. */
  #waiting: (() => void)[] = [];
  /** Threads that are being started. */
  #opening = 0;
  /** Time that the calling thread has coded, in milliseconds. */
  #ownMs = 0;
  #isStarted = false;
  #isClosed = false;
  /** The first tasks of threads: these write into the encode's memory. */
  readonly #firstTasks = new Set<Promise<unknown>>();
  /** Gives up the threads that are being started. */
  readonly #givenUp = new AbortController();
  /** Settles when the threads run, or have not started. */
  #opened: Promise<unknown> = Promise.resolve();
  /** Settles when all pictures so far are coded. */
  #allCoded: Promise<unknown> = Promise.resolve();

  private constructor(start: CoderThreadsStart) {
    this.memory = start.memory;
    this.references = start.references;
    this.count = start.count;
    this.#start = start;
    this.#threads = Array.from({ length: start.count }, () => undefined);
    const { claims, claimsPort } = start.shared;
    this.#claims = new ThreadClaims(claims, 'caller', claimsPort, thread => this.#given(thread));
    const { signal } = start.shared.lookaheadEnded;
    signal.addEventListener('abort', () => this.#takeOver(), { once: true });
    if (signal.aborted) this.#takeOver();
    const own = new CoderInTurn(start.own);
    this.#here = { isBusy: false, code: (job, again) => this.#codeHere(own, job, again) };
  }

  /** Threads that start now, or once coding takes a while. */
  static async create(start: CoderThreadsStart): Promise<CoderThreads> {
    const threads = new CoderThreads(start);
    if (start.isLong) await threads.#open();
    return threads;
  }

  /** See `Coders`. A busy thread is given one more picture, unless the lookahead waits for threads. */
  async nextThread(mayFollow: () => boolean = () => false): Promise<CodingThread> {
    if (this.#ownMs >= START_AFTER_MS && !this.#isStarted) await this.#open();
    // Threads say by messages that they run: these come between two pictures that the calling thread codes.
    if (this.#opening > 0) await yieldToEventLoop();
    try {
      for (;;) {
        // Before it looks: whoever releases one from now on gives it to this thread.
        this.#claims.want(1);
        const thread = this.#givenThreads.shift() ?? this.#claims.claim();
        if (thread !== undefined) return this.#give(thread);
        const busy = this.#firstToBeIdle;
        if (busy !== undefined && mayFollow()) return this.#give(busy);
        // While the calling thread waits for rows, it does not see that the thread which reconstructs them has died.
        if (this.#pictures.size === 0 && (this.#opening > 0 || this.#running === 0)) return this.#here;
        await new Promise<void>(resolve => this.#waiting.push(resolve));
      }
    } finally {
      this.#claims.want(0);
      for (const thread of this.#givenThreads.splice(0)) this.#claims.release(thread);
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

  /**
   * Ends the threads at once. Kept ones that are being started go to whoever keeps them when they run. None works in
   * the encode's memory afterwards: the next encode may get that.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (!this.#start.keptThreads) {
      this.#givenUp.abort();
      await this.#opened;
    }
    this.#claims.close();
    // One that still analyses a picture is not kept.
    await Promise.all(this.#threads.map((thread, number) => thread?.end(!this.#claims.isOthers(number))));
    await Promise.allSettled(this.#firstTasks);
    closePorts(this.#start.shared);
  }

  /** The lookahead's thread has ended: what it has claimed is nobody's. */
  #takeOver(): void {
    for (const thread of this.#claims.takeOver()) this.#claims.release(thread);
    this.#wake();
  }

  /** How many threads run. */
  get #running(): number {
    return this.#threads.filter(thread => thread !== undefined).length;
  }

  async #open(): Promise<void> {
    const { memory, settings, quantizers, count, setsUpGpu } = this.#start;
    this.#isStarted = true;
    // Loading takes some turns of the event loop. Later each of them would wait for a picture that is coded here.
    await loadThreads().catch(() => {}); // whoever starts a thread is told
    if (this.#isClosed) return;
    this.#opening = count;
    const atATime = setsUpGpu ? Math.max(MIN_AT_A_TIME, Math.ceil(count * PART_AT_A_TIME)) : count;
    const opened: Promise<string | undefined>[] = [];
    for (const [number, signal] of forkedSignals(this.#givenUp.signal, count).entries()) {
      const part = memory.allocatePart(workspaceBytes(settings));
      const setup = { settings, quantizers, part };
      const open = () => this.#openThread(number, setup, signal);
      opened.push(opened[number - atATime]?.then(open) ?? open());
    }
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
  async #openThread(
    number: number,
    setup: Omit<CoderSetup, 'analysisPort'>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    let thread: Thread | undefined;
    try {
      if (this.#isClosed) return undefined;
      const started = await this.#startThread(number, setup, signal);
      thread = started;
      if (!this.#isClosed) await this.#firstTask(thread);
      this.#threads[number] = started;
      if (!this.#isClosed) this.#claims.add(number);
      return undefined;
    } catch (error) {
      this.#claims.remove(number);
      return messageOf(error);
    } finally {
      if (this.#isClosed) await thread?.end();
      this.#opening--;
      this.#wake();
    }
  }

  async #firstTask(thread: Thread): Promise<void> {
    const task = thread.ask('open', undefined);
    this.#firstTasks.add(task);
    await task;
  }

  async #startThread(number: number, setup: Omit<CoderSetup, 'analysisPort'>, signal: AbortSignal): Promise<Thread> {
    const { shared, workerUrl, keptThreads } = this.#start;
    const { signal: lastAsked } = shared.lastAsked;
    const start = (analysisPort: MessagePort): Promise<Thread> =>
      TaskThread.start({
        entry: threadEntry(import.meta.url, 'coder-worker.js'),
        data: { ...setup, analysisPort },
        handedOver: [analysisPort],
        workerUrl,
        keptThreads,
        onReport: () => {},
        onDeath: reason => this.#onDeath(number, reason),
        signal,
      });
    const unasked = () => start(new MessageChannel().port2);
    if (lastAsked.aborted) return unasked();
    try {
      return await start(shared.ports[number]!);
    } catch (error) {
      // A port cannot be sent once its other end is gone.
      if (lastAsked.aborted && !signal.aborted) return unasked();
      throw error;
    }
  }

  /** The rest of its work is done by others. */
  #onDeath(number: number, reason: string): void {
    if (this.#isClosed || !this.#threads[number]) return;
    this.#threads[number] = undefined;
    this.#claims.remove(number);
    this.#start.onWarning(
      `a coder thread died (${reason}); the encode goes on with ${counted(this.#running, 'other')}`,
    );
    this.#wake();
  }

  /** A thread for one more picture. */
  #give(number: number): CodingThread {
    const pictures = this.#pictures.get(number) ?? 0;
    this.#pictures.set(number, pictures + 1);
    return { isBusy: pictures > 0, code: (job, again) => this.#codeIn(number, job, again) };
  }

  /** Of the threads that code one picture and may be given another, the one that has coded for the longest time. */
  get #firstToBeIdle(): number | undefined {
    if (this.count > MAX_FOLLOWED_THREADS || this.#claims.othersWait) return undefined;
    for (const [number, pictures] of this.#pictures) if (pictures === 1 && this.#threads[number]) return number;
    return undefined;
  }

  /** A thread was claimed for this one; it is given up if nobody waits for it. */
  #given(thread: number | undefined): void {
    if (thread !== undefined && this.#waiting.length === 0) this.#claims.release(thread);
    else if (thread !== undefined) this.#givenThreads.push(thread);
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  async #codeHere(own: CoderInTurn, job: PictureJob, again?: CodeAgain): Promise<CodedPicture> {
    const coded = await own.code(job, again);
    this.#ownMs += coded.codingMs;
    return coded;
  }

  async #codeIn(number: number, job: PictureJob, again?: CodeAgain): Promise<CodedPicture> {
    const earlier = this.#allCoded;
    const coded = this.#codeUntilDone(number, job, earlier, again);
    // Keeps nothing of the pictures.
    this.#allCoded = Promise.allSettled([earlier, coded]).then(() => {});
    try {
      return await coded;
    } finally {
      const left = this.#pictures.get(number)! - 1;
      this.#pictures.delete(number);
      if (left > 0) this.#pictures.set(number, left);
      else if (this.#threads[number]) this.#claims.release(number);
      this.#wake();
    }
  }

  async #codeUntilDone(
    number: number,
    job: PictureJob,
    earlier: Promise<unknown>,
    again?: CodeAgain,
  ): Promise<CodedPicture> {
    let next = job;
    const thread = this.#threads[number];
    try {
      for (;;) {
        if (!thread) throw new ThreadDeath('it has ended');
        const coded = await thread.ask('code', next);
        const another = again?.(coded);
        if (!another) return coded;
        next = another;
      }
    } catch (error) {
      if (!(error instanceof ThreadDeath) || this.#isClosed) throw error;
      // The calling thread must not wait for rows: it alone could take the place of another thread that dies.
      await earlier;
      return this.#here.code(next, again);
    }
  }
}
