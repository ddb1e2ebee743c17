// Entry of the process that encodes for a worker: the worker stays free to answer the queue, and can end it at any time.
import { InputError, messageOf, OptionError, UnsupportedError } from '../../errors.js';
import { doStep } from '../steps/do-step.js';
import type { FarmTask, FromEncoder, ToEncoder } from '../steps/farm-task.js';
import { StepContext } from '../steps/step-context.js';

/** Progress is told so often at most. */
const PROGRESS_MS = 200;

function tell(message: FromEncoder): void {
  if (process.connected) process.send?.(message);
}

let context: StepContext | undefined;
let toldMs = 0;

async function answer(task: FarmTask, given: StepContext): Promise<void> {
  try {
    tell({ result: await doStep(task, given) });
  } catch (error) {
    const isMistake =
      task.kind !== 'encode' &&
      task.kind !== 'measure' &&
      (error instanceof InputError || error instanceof OptionError || error instanceof UnsupportedError);
    tell({ failure: { reason: messageOf(error), frame: given.frame, isMistake } });
  }
}

process.on('message', (message: ToEncoder) => {
  if ('task' in message) {
    void answer(message.task, context!);
    return;
  }
  context = new StepContext(message.machine, {
    onProgress: progress => {
      if (performance.now() - toldMs < PROGRESS_MS) return;
      toldMs = performance.now();
      tell({ progress });
    },
    onWarning: warning => tell({ warning }),
  });
});

// The worker decides when to stop; Ctrl-C reaches all processes of a terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
// Without its worker, nobody wants the result. The encoder's threads would keep the process alive.
process.on('disconnect', () => {
  const ended = context?.close() ?? Promise.resolve();
  void ended.catch(() => {}).then(() => process.kill(process.pid, 'SIGKILL'));
});
