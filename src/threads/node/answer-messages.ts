// Answers the messages of whoever has started this thread of Node.
import type { MessagePort, Transferable } from 'node:worker_threads';
import { answerTask } from '../answer-tasks.js';
import type { NumberedReply, NumberedTask, ThreadTasks, ThreadWork } from '../thread-messages.js';
import type { AssignedWork } from './pool-thread.js';

/**
 * The function that an entry exports as its default. Called with a work, it opens that and answers the messages of its
 * port until that is closed.
 */
export function answerMessages<Data, Tasks extends ThreadTasks<Tasks>, Report>(
  open: (data: Data) => ThreadWork<Tasks, Report>,
): (assigned: AssignedWork) => void {
  const answer = async (work: ThreadWork<Tasks, Report>, port: MessagePort, task: NumberedTask): Promise<void> => {
    const { reply, handedOver } = await answerTask(work, task.message);
    port.postMessage({ number: task.number, reply } satisfies NumberedReply, handedOver as Transferable[]);
  };
  const endThread = (error: unknown) =>
    queueMicrotask(() => {
      throw error;
    });
  return ({ port, data }) => {
    const work = open(data as Data);
    port.on('message', task => answer(work, port, task).catch(endThread));
  };
}
