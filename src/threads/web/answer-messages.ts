// Answers the messages of whoever has started this worker of a browser.
import { messageOf } from '../../errors.js';
import { answerTask } from '../answer-tasks.js';
import type { NumberedReply, NumberedTask, ThreadWork } from '../thread-messages.js';
import type { WorkerStart } from './worker-messages.js';

/** Makes the work of a thread from the data that it is started with. */
// biome-ignore lint/suspicious/noExplicitAny: each work has tasks, data and reports of its own
export type OpenWork = (data: any) => ThreadWork<any, any>;

/** What this needs of a worker's global scope. */
interface Scope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer: Transferable[]): void;
}

/** Answers messages in a worker, whose works are in `works` by the names of entries. */
export function answerMessages(works: Readonly<Record<string, OpenWork>>): void {
  const scope = globalThis as unknown as Scope;
  let work: Promise<ReturnType<OpenWork>> | undefined;
  const start = async ({ entry, data }: WorkerStart): Promise<ReturnType<OpenWork>> => {
    const open = works[entry];
    if (!open) throw new Error(`this worker knows no work called ${entry}: it is of another version`);
    return open(data);
  };
  const answer = async ({ number, message }: NumberedTask): Promise<void> => {
    const { reply, handedOver } = await answerTask(await work!, message);
    scope.postMessage({ number, reply } satisfies NumberedReply, handedOver as Transferable[]);
  };
  scope.onmessage = ({ data }: MessageEvent<WorkerStart | NumberedTask>) => {
    if ('entry' in data) work = start(data);
    // Whoever has started the worker hears of it by its `onerror`.
    else answer(data).catch(error => reportError(new Error(messageOf(error))));
  };
}
