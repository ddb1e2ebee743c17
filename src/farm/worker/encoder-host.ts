// The worker's side of the process that encodes for it: starts it, hears of its progress, ends it.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FarmMachine, FarmTask, FromEncoder, StepFailure, StepProgress, StepResult } from '../steps/farm-task.js';

/** A step that could not be done. */
export class StepError extends Error {
  override readonly name = 'StepError';
  constructor(readonly failure: StepFailure) {
    super(failure.reason);
  }
}

/** What a worker hears while a step is done, and how it ends one. */
export interface EncoderRun {
  /** An abort kills the process; the promise rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** The process is killed when it has said nothing for this time, in milliseconds. */
  readonly stallMs: number;
  readonly onProgress: (progress: StepProgress) => void;
  readonly onWarning: (message: string) => void;
}

/** How long a process that is closed may take to end by itself, in milliseconds. */
const CLOSE_MS = 2000;

/** A process that does one step after another. It starts with the first one, and anew when it was killed. */
export class EncoderHost {
  readonly #machine: FarmMachine;
  #process: ChildProcess | undefined;

  constructor(machine: FarmMachine) {
    this.#machine = machine;
  }

  /** Does a step. Rejects with a StepError, or with the reason of the signal. One step at a time. */
  run(task: FarmTask, { signal, stallMs, onProgress, onWarning }: EncoderRun): Promise<StepResult> {
    const child = this.#running();
    return new Promise((resolve, reject) => {
      let frame: number | undefined;
      const fail = (reason: string) => end(() => reject(new StepError({ reason, frame, isMistake: false })));
      const onSilence = () => {
        this.#kill();
        fail(`no progress for ${stallMs / 1000} s`);
      };
      let silence = setTimeout(onSilence, stallMs);
      const end = (settle: () => void) => {
        clearTimeout(silence);
        signal.removeEventListener('abort', onAbort);
        child.off('message', onMessage);
        child.off('exit', onExit);
        child.off('error', onError);
        settle();
      };
      const onAbort = () => {
        this.#kill();
        end(() => reject(signal.reason));
      };
      const onExit = (code: number | null, killer: string | null) => {
        this.#process = undefined;
        fail(`the process that encodes has ended (${killer ?? `status ${code}`})`);
      };
      const onError = (error: Error) => {
        this.#kill();
        fail(`the process that encodes cannot run: ${error.message}`);
      };
      const onMessage = (message: FromEncoder) => {
        clearTimeout(silence);
        silence = setTimeout(onSilence, stallMs);
        if ('progress' in message) {
          frame = message.progress.frame;
          onProgress(message.progress);
        } else if ('warning' in message) onWarning(message.warning);
        else if ('result' in message) end(() => resolve(message.result));
        else end(() => reject(new StepError(message.failure)));
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
      child.on('error', onError);
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) return onAbort();
      child.send?.(task);
    });
  }

  /** Ends the process, and kills it if it does not end soon. Resolves when it has ended. */
  async close(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise(resolve => child.once('exit', resolve));
    const kill = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS);
    if (child.connected) child.disconnect();
    await ended;
    clearTimeout(kill);
  }

  #running(): ChildProcess {
    if (this.#process?.connected) return this.#process;
    this.#kill(); // of no use without its channel
    const entry = fileURLToPath(new URL('encoder-process.js', import.meta.url));
    const child = fork(entry, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.on('error', () => {}); // while no step is done; `run` hears of others
    child.send?.({ machine: this.#machine }); // without a channel, its error follows
    this.#process = child;
    return child;
  }

  #kill(): void {
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
  }
}
