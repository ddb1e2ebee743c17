// Entry of the process that encodes for a worker, which stays free to answer the queue, and can end it at any time.
import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { InputError, messageOf, OptionError, UnsupportedError } from '../../errors.js';
import { shortage } from '../../media/system-error.js';
import { doStep } from '../steps/do-step.js';
import type { FarmMachine, FarmTask, FromEncoder } from '../steps/farm-task.js';
import { StepContext } from '../steps/step-context.js';

/** Progress is told at most once in so many milliseconds. */
const PROGRESS_MS = 200;
/** How long the process may take to close what it has open when its worker has gone, in milliseconds. */
const CLOSE_MS = 1000;

/** Watches, once a second, whether the worker is there: its process is the parent of this one. */
const WATCH = `
  const { workerData } = require('node:worker_threads');
  setInterval(() => process.ppid === workerData || process.kill(process.pid, 'SIGKILL'), 1000);
`;

function tell(message: FromEncoder): void {
  if (process.connected) process.send?.(message);
}

/** The context of a machine's steps, which tells how far they are. */
function contextOf(machine: FarmMachine): StepContext {
  let toldMs = 0;
  return new StepContext(machine, {
    onProgress: progress => {
      if (performance.now() - toldMs < PROGRESS_MS) return;
      toldMs = performance.now();
      tell({ progress });
    },
    onWarning: warning => tell({ warning }),
  });
}

async function answer(task: FarmTask, context: StepContext): Promise<void> {
  try {
    tell({ result: await doStep(task, context) });
  } catch (error) {
    const isOfRequest =
      error instanceof InputError || error instanceof OptionError || error instanceof UnsupportedError;
    const isMistake = isOfRequest && task.kind !== 'encode' && task.kind !== 'measure' && !shortage(error);
    tell({ failure: { reason: messageOf(error), frame: context.frame, isMistake } });
  }
}

process.once('message', ({ machine }: { readonly machine: FarmMachine }) => {
  // A process that was killed has left what it fetched: such an input may be another one now.
  rmSync(machine.scratch, { recursive: true, force: true, maxRetries: 3 });
  const context = contextOf(machine);
  process.on('message', (task: FarmTask) => void answer(task, context));
  // Without its worker, nobody wants the result. The encoder's threads would keep the process alive.
  process.on('disconnect', () => {
    const end = (): void => void process.kill(process.pid, 'SIGKILL');
    setTimeout(end, CLOSE_MS);
    context.close().then(end, end);
  });
});

// A thread of its own: the one of the encoder hears of nothing while a call does not return, such as that of a GPU.
new Worker(WATCH, { eval: true, workerData: process.ppid }).unref();

// The worker decides when to stop; Ctrl-C reaches all processes of a terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
