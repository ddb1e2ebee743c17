// The entry of a coder thread: makes a coder and codes pictures with it.
import { workerData } from 'node:worker_threads';
import { answerTasks } from '../../threads/answer-tasks.js';
import type { PictureJob } from '../picture/picture-job.js';
import type { CodedPicture } from './coded-picture.js';
import { Coder } from './coder.js';
import type { CoderSetup, CoderTasks } from './coder-tasks.js';

/** The coder of this thread, made by the task that asks for it. */
class CoderThread implements CoderTasks {
  #coder: Coder | undefined;

  async open(): Promise<void> {
    const { settings, part, module } = workerData as CoderSetup;
    this.#coder = await Coder.create(settings, part, module);
  }

  async code(job: PictureJob): Promise<CodedPicture> {
    return this.#coder!.code(job);
  }
}

/** The bytes and the symbols of a picture are made for the thread that asked. */
function handedOver(answer: unknown): ArrayBufferLike[] {
  if (answer === undefined) return [];
  const { data, symbols } = answer as CodedPicture;
  return [data.buffer, ...Object.values(symbols).flatMap(value => (ArrayBuffer.isView(value) ? [value.buffer] : []))];
}

export default answerTasks<CoderTasks, undefined>(new CoderThread(), { report: () => undefined, handedOver });
