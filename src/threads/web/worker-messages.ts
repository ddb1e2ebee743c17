// The messages between a worker of a browser and whoever has started it.
import type { TaskMessage, TaskReply } from '../thread-messages.js';

/** The first message to a worker: what it does, and what with. */
export interface WorkerStart {
  readonly entry: string;
  readonly data: unknown;
}

/** A task; its reply has its number. */
export interface NumberedTask {
  readonly number: number;
  readonly message: TaskMessage;
}

/** The reply to a task. */
export interface NumberedReply {
  readonly number: number;
  readonly reply: TaskReply<unknown>;
}
