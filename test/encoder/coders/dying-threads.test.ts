// Coder threads that die, at times that real ones seldom choose: who codes what they leave undone, and in which order.
import { expect, it, vi } from 'vitest';
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
const job = (name: string) => name as unknown as PictureJob;
const codedBy = (who: string, name: unknown) => `${name} by ${who}` as unknown as CodedPicture;

/** A thread that codes nothing until it is told to. */
class FakeThread implements HostedThread {
  /** Jobs that it has been given. */
  readonly jobs: unknown[] = [];
  #reply = (_: TaskReply<unknown>) => {};
  #fail = (_: Error) => {};

  constructor(
    readonly name: string,
    readonly onDeath: (reason: unknown) => void,
  ) {}

  run({ kind, given }: TaskMessage): Promise<TaskReply<unknown>> {
    if (kind !== 'code') return Promise.resolve(answered(undefined));
    this.jobs.push(given);
    return new Promise((resolve, reject) => {
      this.#reply = resolve;
      this.#fail = reject;
    });
  }

  async end(): Promise<void> {}

  finish(): void {
    this.#reply(answered(codedBy(this.name, this.jobs.at(-1))));
  }

  die(): void {
    const reason = new Error('it was ended');
    this.#fail(reason);
    this.onDeath(reason);
  }
}

const answered = (answer: unknown) => ({ kind: 'answered', answer, report: undefined }) as const;

/** Coders with so many threads. */
async function codersWith(count: number) {
  const settings = coderSettings(resolveOptions({ width: 16, height: 16, frameRate: 25, threads: 1 }));
  const threads: FakeThread[] = [];
  const start: ThreadKeeper['start'] = async (_, onDeath) => {
    const thread = new FakeThread(`thread ${threads.length}`, onDeath);
    threads.push(thread);
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
  const coders = new CoderThreads({
    settings,
    memory: new KernelMemory(count * partBytes(workspaceBytes(settings.grid, settings.tools))),
    references: {} as never,
    quantizers: {} as never,
    count,
    shared: shareCoders(count),
    workerUrl: undefined,
    keptThreads: { keepsThreads: true, start } as Partial<ThreadKeeper> as ThreadKeeper,
    isLong: true,
    setsUpGpu: false,
    own,
    onWarning: warning => warnings.push(warning),
  });
  await vi.waitFor(() => expect(threads).toHaveLength(count));
  await new Promise(setImmediate); // they have opened their coders
  return { coders, threads, codedHere, warnings };
}

it('the calling thread codes what dead threads leave in coded order: it must not wait for the rows of an anchor', async () => {
  const { coders, threads, codedHere, warnings } = await codersWith(2);
  const anchor = (await coders.idle()).code(job('P3'));
  const next = (await coders.idle()).code(job('B1'));
  await new Promise(setImmediate);
  expect(threads.map(({ jobs }) => jobs)).toEqual([['P3'], ['B1']]);
  threads[1]!.die();
  await new Promise(setImmediate);
  // B1 needs rows of P3, which its thread still reconstructs.
  expect(codedHere).toEqual([]);
  threads[0]!.die();
  expect(await Promise.all([anchor, next])).toEqual(['P3 by caller', 'B1 by caller']);
  expect(codedHere).toEqual(['P3', 'B1']);
  expect(warnings).toHaveLength(2);
  await coders.close();
});

it('a picture whose thread dies while it is coded again is coded as it was to be coded again', async () => {
  const { coders, threads, codedHere } = await codersWith(1);
  const seen: unknown[] = [];
  const again = (coded: CodedPicture) => {
    seen.push(coded);
    return seen.length === 1 ? job('P3, coarser') : undefined;
  };
  const picture = (await coders.idle()).code(job('P3'), again);
  await new Promise(setImmediate);
  threads[0]!.finish();
  await vi.waitFor(() => expect(threads[0]!.jobs).toEqual(['P3', 'P3, coarser']));
  threads[0]!.die();
  expect(await picture).toBe('P3, coarser by caller');
  expect(codedHere).toEqual(['P3, coarser']);
  expect(seen).toEqual(['P3 by thread 0', 'P3, coarser by caller']);
  await coders.close();
});

it('a thread that dies while it codes nothing is given no picture: another one codes it', async () => {
  const { coders, threads, codedHere, warnings } = await codersWith(2);
  threads[0]!.die();
  expect(warnings).toEqual(['a coder thread died (it was ended); 1 others go on']);
  const picture = (await coders.idle()).code(job('P3'));
  await new Promise(setImmediate);
  threads[1]!.finish();
  expect(await picture).toBe('P3 by thread 1');
  expect(codedHere).toEqual([]);
  await coders.close();
});
