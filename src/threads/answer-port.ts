// Answers the messages that come by a port.
import { answerTask } from './answer-tasks.js';
import type { NumberedReply, NumberedTask, ThreadTasks, ThreadWork, WorkStart } from './thread-messages.js';

/**
 * Opens a work with the data that comes first by a port, and answers the messages that follow until the port is closed.
 * `onAnswered` is called after each reply.
 */
export function answerPort<Data, Tasks extends ThreadTasks<Tasks>, Report>(
  port: MessagePort,
  open: (data: Data) => ThreadWork<Tasks, Report>,
  onAnswered: () => void = () => {},
): void {
  let work: ThreadWork<Tasks, Report> | undefined;
  const answer = async (opened: ThreadWork<Tasks, Report>, { number, message }: NumberedTask): Promise<void> => {
    const { reply, handedOver } = await answerTask(opened, message);
    port.postMessage({ number, reply } satisfies NumberedReply, handedOver as Transferable[]);
    onAnswered();
  };
  const endThread = (error: unknown) =>
    queueMicrotask(() => {
      throw error;
    });
  port.onmessage = ({ data }: MessageEvent<WorkStart | NumberedTask>) => {
    if (work) answer(work, data as NumberedTask).catch(endThread);
    else work = open((data as WorkStart).data as Data);
  };
}
