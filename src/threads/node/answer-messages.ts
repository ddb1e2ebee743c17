// Answers the messages of whoever has started this thread of Node.
import { type MessagePort, type Transferable, workerData } from 'node:worker_threads';
import { answerTask } from '../answer-tasks.js';
import type { NumberedReply, NumberedTask, ThreadTasks, ThreadWork } from '../thread-messages.js';

/** The function that an entry exports as its default: from then on, the thread answers the messages of a port. */
export function answerMessages<Data, Tasks extends ThreadTasks<Tasks>, Report>(
  open: (data: Data) => ThreadWork<Tasks, Report>,
): (port: MessagePort) => void {
  const work = open(workerData.data as Data);
  const answer = async (port: MessagePort, { number, message }: NumberedTask): Promise<void> => {
    const { reply, handedOver } = await answerTask(work, message);
    port.postMessage({ number, reply } satisfies NumberedReply, handedOver as Transferable[]);
  };
  const endThread = (error: unknown) =>
    queueMicrotask(() => {
      throw error;
    });
  return port => {
    port.on('message', task => answer(port, task).catch(endThread));
  };
}
