// The thread's side: what the entry of a thread exports, to answer tasks.
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { plainError } from './plain-error.js';
import { START, type TaskMessage, type TaskReply, type ThreadTasks } from './thread-messages.js';

/** How a thread replies. */
export interface ReplyOptions<Report> {
  /** The report that goes with a reply. */
  readonly report: () => Report;
  /** The buffers of an answer that go to the thread that asked, instead of a copy; none by default. */
  readonly handedOver?: (answer: unknown) => readonly ArrayBufferLike[];
}

/** The function that an entry exports as its default: the pool calls it for each task. Errors are answers, too. */
export function answerTasks<Tasks extends ThreadTasks<Tasks>, Report>(
  tasks: Tasks,
  { report, handedOver = () => [] }: ReplyOptions<Report>,
): (message: TaskMessage) => Promise<TaskReply<Report>> {
  return async ({ kind, given }) => {
    if (kind === START) return { kind: 'started' };
    try {
      const answer = await tasks[kind as keyof Tasks](given as never);
      return moved({ kind: 'answered', answer, report: report() }, handedOver(answer));
    } catch (error) {
      return { kind: 'failed', error: plainError(error), report: report() };
    }
  };
}

/** `reply` as the pool sends it with `buffers` handed over, not copied. */
function moved<Reply extends object>(reply: Reply, buffers: readonly ArrayBufferLike[]): Reply {
  if (buffers.length === 0) return reply;
  return move({ [valueSymbol]: reply, [transferableSymbol]: buffers }) as unknown as Reply;
}
