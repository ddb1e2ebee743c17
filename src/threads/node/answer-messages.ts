// Answers the messages of whoever has started this thread of Node.
import type { MessagePort, Transferable } from 'node:worker_threads';
import { answerTask } from '../answer-tasks.js';
import type { NumberedReply, NumberedTask, ThreadTasks, ThreadWork } from '../thread-messages.js';
import { ArrayCollection } from './array-collection.js';
import type { WorkStart } from './port-work.js';

/**
 * The function that an entry exports as its default. Called with the port of a work, it opens that with the data that
 * comes first, and answers the messages that follow until the port is closed.
 */
export function answerMessages<Data, Tasks extends ThreadTasks<Tasks>, Report>(
  open: (data: Data) => ThreadWork<Tasks, Report>,
): (port: MessagePort) => void {
  const arrays = new ArrayCollection();
  const answer = async (work: ThreadWork<Tasks, Report>, port: MessagePort, task: NumberedTask): Promise<void> => {
    const { reply, handedOver } = await answerTask(work, task.message);
    port.postMessage({ number: task.number, reply } satisfies NumberedReply, handedOver as Transferable[]);
    arrays.check();
  };
  const endThread = (error: unknown) =>
    queueMicrotask(() => {
      throw error;
    });
  return port => {
    let work: ThreadWork<Tasks, Report> | undefined;
    port.on('message', (message: WorkStart | NumberedTask) => {
      if (work) answer(work, port, message as NumberedTask).catch(endThread);
      else work = open((message as WorkStart).data as Data);
    });
  };
}
