// The entry of a coder thread: makes a coder and codes pictures with it.
import { workerData } from 'node:worker_threads';
import { useSimdModule } from '../../kernels/simd-kernels.js';
import { answerTasks } from '../../threads/answer-tasks.js';
import { copyOfReported } from '../report/picture-report.js';
import type { CodedPicture } from './coded-picture.js';
import { Coder } from './coder.js';
import type { CoderSetup, CoderTasks } from './coder-tasks.js';

const { settings, part, module } = workerData as CoderSetup;
if (module) useSimdModule(module);
let coder: Promise<Coder> | undefined;

function opened(): Promise<Coder> {
  coder ??= Coder.create(settings, part);
  return coder;
}

const tasks: CoderTasks = {
  async open() {
    await opened();
  },
  async code(job) {
    const coded = (await opened()).code(job);
    return { ...coded, symbols: copyOfReported(coded.symbols) };
  },
};

/** The bytes and the symbols of a picture are made for the thread that asked. */
function handedOver(answer: unknown): ArrayBufferLike[] {
  if (answer === undefined) return [];
  const { data, symbols } = answer as CodedPicture;
  return [data.buffer, ...Object.values(symbols).flatMap(value => (ArrayBuffer.isView(value) ? [value.buffer] : []))];
}

export default answerTasks<CoderTasks, undefined>(tasks, { report: () => undefined, handedOver });
