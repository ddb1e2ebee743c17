// Answers the messages of a thread's pool.
import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { answerTask } from '../answer-tasks.js';
import type { TaskMessage, TaskReply, ThreadTasks, ThreadWork } from '../thread-messages.js';

/** The function that an entry exports as its default: the pool calls it for each task. */
export function answerMessages<Data, Tasks extends ThreadTasks<Tasks>, Report>(
  open: (data: Data) => ThreadWork<Tasks, Report>,
): (message: TaskMessage) => Promise<TaskReply<Report>> {
  const work = open(workerData as Data);
  return async message => {
    const { reply, handedOver } = await answerTask(work, message);
    if (handedOver.length === 0) return reply;
    return move({ [valueSymbol]: reply, [transferableSymbol]: handedOver }) as unknown as TaskReply<Report>;
  };
}
