// Answers the messages of a thread's pool.
import { workerData } from 'node:worker_threads';
import { answerTask } from '../answer-tasks.js';
import type { TaskMessage, TaskReply, ThreadTasks, ThreadWork } from '../thread-messages.js';

/**
 * The function that an entry exports as its default: the pool calls it for each task. Answers are copied: to hand their
 * buffers over, each thread would have to load the pool's own code, which takes longer than all copies of an encode.
 */
export function answerMessages<Data, Tasks extends ThreadTasks<Tasks>, Report>(
  open: (data: Data) => ThreadWork<Tasks, Report>,
): (message: TaskMessage) => Promise<TaskReply<Report>> {
  const work = open(workerData.data as Data);
  return async message => (await answerTask(work, message)).reply;
}
