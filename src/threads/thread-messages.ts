// The messages between a thread that answers tasks and the thread that asks it.
import type { WasmMemoryType } from '../platform-types.js';
import type { PlainError } from './plain-error.js';

/**
 * What a thread can be asked: a method for each kind of task, with at most one parameter. What is given and what is
 * answered must be plain data, typed arrays or buffers, which are copied, or memory that is shared.
 */
export type ThreadTasks<Tasks> = { readonly [Kind in keyof Tasks]: (given: never) => Promise<unknown> };

/** What a task of a kind is given; undefined where its method takes nothing. */
export type Given<Tasks extends ThreadTasks<Tasks>, Kind extends keyof Tasks> = Parameters<Tasks[Kind]>[0];

/** What a task of a kind is answered. */
export type Answer<Tasks extends ThreadTasks<Tasks>, Kind extends keyof Tasks> = Awaited<ReturnType<Tasks[Kind]>>;

/** The kind of the task that asks whether a thread runs; every thread answers it. */
export const START = 'start';

/** A task on its way to a thread. */
export interface TaskMessage {
  readonly kind: string;
  readonly given: unknown;
}

/** The reply to a task. The report of the thread's work comes with every reply but that to `start`. */
export type TaskReply<Report> =
  | { readonly kind: 'started' }
  | { readonly kind: 'answered'; readonly answer: unknown; readonly report: Report }
  | { readonly kind: 'failed'; readonly error: PlainError; readonly report: Report };

/** The first message to a thread: what its entry is started with. */
export interface WorkStart {
  readonly data: unknown;
}

/** A task as it is sent; its reply has its number. */
export interface NumberedTask {
  readonly number: number;
  readonly message: TaskMessage;
}

/** The reply to a task as it is sent. */
export interface NumberedReply {
  readonly number: number;
  readonly reply: TaskReply<unknown>;
}

/** What a thread runs. */
export interface ThreadEntry {
  /** What it does, by `threadEntry`. */
  readonly entry: string;
  /** What the entry is started with. */
  readonly data: unknown;
  /** What lies in `data` and goes to the thread, instead of a copy: ports to other threads. */
  readonly handedOver?: readonly MessagePort[] | undefined;
  /** The script of a browser's workers, where it is not beside the bundle; Node starts files of its own. */
  readonly workerUrl?: string | undefined;
}

/** A thread as what starts it sees it: Node's or a browser's. */
export interface HostedThread {
  /** Sends a task; the buffers `handedOver` go with it. Rejects where the thread ends before its reply. */
  run(message: TaskMessage, handedOver: ArrayBuffer[]): Promise<TaskReply<unknown>>;
  /** Ends the thread at once. Where threads are kept, it may be if it has no task. Called once. */
  end(mayBeKept?: boolean): Promise<void>;
}

/**
 * Threads that one thread starts for another, which then asks them itself: they run sooner than if that one, which has
 * to start first, started them.
 */
export interface LentThreads {
  /** One of each thread, for the thread that uses them. It is closed when the thread ends, or cannot start. */
  readonly ports: readonly MessagePort[];
  /** Starts the threads. Called once. */
  start(): void;
  /** Nobody uses them any more. Ends them, or keeps those that do nothing: `areIdle` says that none has a task. */
  end(areIdle?: boolean): Promise<void>;
}

/** Threads that encodes use one after the other: `new KeptThreads()` of `mpegpu/node`. */
export interface EncodeThreads {
  /** Their `ThreadKeeper`: for encoders alone. */
  readonly keeper: object;
}

/** Where threads come from. */
export interface ThreadSource {
  /** Whether a thread that has ended its work may have others. */
  readonly keepsThreads?: boolean | undefined;
  /** Starts a thread for a work, or takes one that is there. `onDeath` is told why it has ended, or could not start. */
  start(entry: ThreadEntry, onDeath: (reason: unknown) => void): Promise<HostedThread>;
}

/** Threads that were lent to this thread. */
export interface Borrowed extends ThreadSource {
  /** Gives them back; none is used any more. Returns whether none had a task when its work was ended. */
  giveBack(): boolean;
}

/** What keeps threads, and the memory that they share, from one encode to the next. */
export interface ThreadKeeper extends ThreadSource {
  /** Makes so many threads for another thread, or takes some that are there. */
  lend(entry: string, count: number): LentThreads;
  /** A memory of `bytes` bytes or more, if there is one; what an encode has left there may lie in it. */
  takeMemory(bytes: number): WasmMemoryType | undefined;
  /** Keeps a memory that nobody uses any more. */
  keepMemory(memory: WasmMemoryType): void;
  /** By name, texts that one encode has found and those to come need not look for. */
  readonly texts: Map<string, SharedArrayBuffer>;
}

/** What a thread does: its tasks, made from the data that it is started with, and how it replies. */
export interface ThreadWork<Tasks extends ThreadTasks<Tasks>, Report> {
  readonly tasks: Tasks;
  /** The report that goes with a reply. */
  readonly report: () => Report;
  /** The buffers of an answer that go to the thread that asked, instead of a copy; none by default. */
  readonly handedOver?: (answer: unknown) => readonly ArrayBufferLike[];
}
