// Answers the messages that come by a port.
import { answerTask } from './answer-tasks.js';
import type { NumberedTask, ThreadTasks, ThreadWork, WorkStart } from './thread-messages.js';

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
  const answer = async (opened: ThreadWork<Tasks, Report>, task: NumberedTask): Promise<void> => {
    await answerTask(port, opened, task);
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
