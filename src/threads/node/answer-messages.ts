// Answers the messages of whoever has started this thread of Node.
import { workerData } from 'node:worker_threads';
import { answerPort } from '../answer-port.js';
import type { ThreadTasks, ThreadWork } from '../thread-messages.js';
import { ArrayCollection } from './array-collection.js';
import { heapOf } from './thread-heap.js';

/**
 * The function that an entry exports as its default. Called with the port of a work, it answers that. `open` makes the
 * work from the data that comes first; if it answers other ports, it has to call `onAnswered` after each reply there.
 */
export function answerMessages<Data, Tasks extends ThreadTasks<Tasks>, Report>(
  open: (data: Data, onAnswered: () => void) => ThreadWork<Tasks, Report>,
): (port: MessagePort) => void {
  const entry: string = workerData; // see pool-thread.ts
  const arrays = new ArrayCollection(heapOf(entry));
  const onAnswered = () => arrays.check();
  return port => answerPort(port, (data: Data) => open(data, onAnswered), onAnswered);
}
