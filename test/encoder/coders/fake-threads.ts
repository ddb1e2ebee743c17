// Coder threads that code nothing, and do what a test says.
import { expect } from 'vitest';
import type { CodedPicture } from '../../../src/encoder/coders/coded-picture.js';
import { type Coder, coderSettings } from '../../../src/encoder/coders/coder.js';
import { CoderThreads } from '../../../src/encoder/coders/coder-threads.js';
import { shareCoders } from '../../../src/encoder/coders/shared-coders.js';
import type { PictureJob } from '../../../src/encoder/picture/picture-job.js';
import { workspaceBytes } from '../../../src/encoder/picture/workspace.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';
import { KernelMemory, partBytes } from '../../../src/kernels/kernel-memory.js';
import type { HostedThread, TaskMessage, TaskReply, ThreadKeeper } from '../../../src/threads/thread-messages.js';

/** A job is its name here, and what is coded is the name of the job and who coded it. */
export const job = (name: string) => name as unknown as PictureJob;
const codedBy = (who: string, name: unknown) => `${name} by ${who}` as unknown as CodedPicture;

/** A thread that codes nothing until it is told to. */
class FakeThread implements HostedThread {
  /** Jobs that it has been given. */
  readonly jobs: unknown[] = [];
  hasEnded = false;
  /** Of the jobs that are not coded, in the order in which they came. */
  readonly #open: { job: unknown; reply: (_: TaskReply<unknown>) => void; fail: (_: Error) => void }[] = [];

  constructor(
    readonly name: string,
    readonly onDeath: (reason: unknown) => void,
    readonly mayOpen: Promise<void>,
  ) {}

  async run({ kind, given }: TaskMessage): Promise<TaskReply<unknown>> {
    if (kind === 'open') await this.mayOpen;
    if (kind !== 'code') return answered(undefined);
    this.jobs.push(given);
    return new Promise((reply, fail) => this.#open.push({ job: given, reply, fail }));
  }

  async end(): Promise<void> {
    this.hasEnded = true;
  }

  /** Finishes the oldest job that is not coded. */
  finish(): void {
    const { job, reply } = this.#open.shift()!;
    reply(answered(codedBy(this.name, job)));
  }

  die(): void {
    const reason = new Error('it was ended');
    for (const { fail } of this.#open.splice(0)) fail(reason);
    this.onDeath(reason);
  }
}

const answered = (answer: unknown) => ({ kind: 'answered', answer, report: undefined }) as const;

/** Coders with so many threads; a thread starts once `mayRun` of its number has resolved, and has a coder then. */
export async function codersWith(
  count: number,
  mayRun: (number: number) => Promise<void> = async () => {},
  mayOpen = Promise.resolve(),
) {
  const settings = coderSettings(resolveOptions({ width: 16, height: 16, frameRate: 25, threads: 1 }));
  const threads: FakeThread[] = [];
  const start: ThreadKeeper['start'] = async (_, onDeath) => {
    const number = threads.length;
    const thread = new FakeThread(`thread ${number}`, onDeath, mayOpen);
    threads.push(thread);
    await mayRun(number);
    return thread;
  };
  const codedHere: unknown[] = [];
  const own = {
    code: (given: PictureJob) => {
      codedHere.push(given);
      return codedBy('caller', given);
    },
  } as unknown as Coder;
  const warnings: string[] = [];
  const shared = shareCoders(count);
  const coders = await CoderThreads.create({
    settings,
    memory: new KernelMemory(count * partBytes(workspaceBytes(settings))),
    references: {} as never,
    quantizers: {} as never,
    count,
    shared,
    workerUrl: undefined,
    keptThreads: { keepsThreads: true, start } as Partial<ThreadKeeper> as ThreadKeeper,
    isLong: true,
    setsUpGpu: false,
    own,
    onWarning: warning => warnings.push(warning),
  });
  expect(threads).toHaveLength(count);
  await new Promise(setImmediate); // they have opened their coders
  return { coders, threads, codedHere, warnings, shared };
}
