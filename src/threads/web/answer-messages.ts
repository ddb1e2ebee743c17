// Answers the messages of whoever has asked for this worker of a browser.
import { messageOf } from '../../errors.js';
import { answerTask } from '../answer-tasks.js';
import type { NumberedTask, ThreadWork } from '../thread-messages.js';
import type { WorkerStart } from './worker-messages.js';
import { workerStarter } from './worker-starter.js';

/** Makes the work of a thread from the data that it is started with. */
// biome-ignore lint/suspicious/noExplicitAny: each work has tasks, data and reports of its own
export type OpenWork = (data: any) => ThreadWork<any, any>;

/** Answers messages in a worker, whose works are in `works` by the names of entries. */
export function answerMessages(works: Readonly<Record<string, OpenWork>>): void {
  const open = async ({ entry, data }: WorkerStart): Promise<ReturnType<OpenWork>> => {
    const openWork = works[entry];
    if (!openWork) throw new Error(`this worker knows no work called ${entry}: it is of another version`);
    return openWork(data);
  };
  globalThis.onmessage = ({ data: start }: MessageEvent<WorkerStart>) => {
    const { tasks, starter } = start;
    workerStarter.askBy(starter);
    const work = open(start);
    const answer = async (task: NumberedTask): Promise<void> => answerTask(tasks, await work, task);
    // Whoever has asked for the worker hears of it by its `onerror`.
    tasks.onmessage = ({ data }: MessageEvent<NumberedTask>) =>
      void answer(data).catch(error => reportError(new Error(messageOf(error))));
  };
}
