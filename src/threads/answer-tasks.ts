// The thread's side: answers tasks.
import { plainError } from './plain-error.js';
import {
  type NumberedReply,
  type NumberedTask,
  START,
  type TaskMessage,
  type TaskReply,
  type ThreadTasks,
  type ThreadWork,
} from './thread-messages.js';

/** A reply, and the buffers that go with it instead of a copy. */
interface Answered<Report> {
  readonly reply: TaskReply<Report>;
  readonly handedOver: readonly ArrayBufferLike[];
}

/** Answers a task that has come by `port`, on which the reply goes back. Rejects where the reply cannot be sent. */
export async function answerTask<Tasks extends ThreadTasks<Tasks>, Report>(
  port: MessagePort,
  work: ThreadWork<Tasks, Report>,
  { number, message }: NumberedTask,
): Promise<void> {
  const { reply, handedOver } = await replyTo(work, message);
  port.postMessage({ number, reply } satisfies NumberedReply, handedOver as Transferable[]);
}

/** What a thread replies to a message. Errors are answers, too. */
async function replyTo<Tasks extends ThreadTasks<Tasks>, Report>(
  { tasks, report, handedOver = () => [] }: ThreadWork<Tasks, Report>,
  { kind, given }: TaskMessage,
): Promise<Answered<Report>> {
  if (kind === START) return { reply: { kind: 'started' }, handedOver: [] };
  try {
    const answer = await tasks[kind as keyof Tasks](given as never);
    // Arrays may lie on one buffer, which can be handed over once.
    return { reply: { kind: 'answered', answer, report: report() }, handedOver: [...new Set(handedOver(answer))] };
  } catch (error) {
    return { reply: { kind: 'failed', error: plainError(error), report: report() }, handedOver: [] };
  }
}
