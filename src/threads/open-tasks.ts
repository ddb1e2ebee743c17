// The tasks that a thread has not replied to.
import type { NumberedReply, TaskReply } from './thread-messages.js';

/** Whom to tell the reply to a task. */
interface OpenTask {
  readonly resolve: (reply: TaskReply<unknown>) => void;
  readonly reject: (reason: unknown) => void;
}

/** Tasks that wait for their replies, by their numbers. */
export class OpenTasks {
  readonly #tasks = new Map<number, OpenTask>();
  #next = 0;
  #end: { readonly reason: unknown } | undefined;

  /** Whether all tasks are replied to. */
  get isEmpty(): boolean {
    return this.#tasks.size === 0;
  }

  /** The reply to a task, which `send` sends with its number. */
  add(send: (number: number) => void): Promise<TaskReply<unknown>> {
    return new Promise((resolve, reject) => {
      if (this.#end) throw this.#end.reason;
      const number = this.#next++;
      send(number);
      this.#tasks.set(number, { resolve, reject });
    });
  }

  /** A reply has come. Returns how many tasks are left. */
  settle({ number, reply }: NumberedReply): number {
    this.#tasks.get(number)?.resolve(reply);
    this.#tasks.delete(number);
    return this.#tasks.size;
  }

  /** The thread has ended: the tasks are rejected, and those to come. Only the first reason counts. */
  reject(reason: unknown): void {
    this.#end ??= { reason };
    for (const { reject } of this.#tasks.values()) reject(this.#end.reason);
    this.#tasks.clear();
  }
}
