// What a coder thread does: makes a coder and codes pictures with it.
import { type Picture, pictureOnBuffer } from '../../picture/picture.js';
import { answerPort } from '../../threads/answer-port.js';
import type { ThreadWork } from '../../threads/thread-messages.js';
import { analysisWork } from '../lookahead/thread/analysis-work.js';
import type { PictureJob } from '../picture/picture-job.js';
import type { CodedPicture } from './coded-picture.js';
import { Coder } from './coder.js';
import type { CoderSetup, CoderTasks } from './coder-tasks.js';
import { CoderInTurn } from './coding-thread.js';

/** The coder of this thread, made by the task that asks for it. */
class CoderThread implements CoderTasks {
  readonly #setup: CoderSetup;
  #coder: CoderInTurn | undefined;

  constructor(setup: CoderSetup) {
    this.#setup = setup;
  }

  async open(): Promise<void> {
    const { settings, part, quantizers } = this.#setup;
    this.#coder = new CoderInTurn(await Coder.create(settings, part, quantizers));
  }

  async code(job: PictureJob): Promise<CodedPicture> {
    const around = job.around.map(other => ({ ...other, picture: this.#placed(other.picture) }));
    return this.#coder!.code({ ...job, picture: this.#placed(job.picture), around });
  }

  /** A picture that has a place comes on another object than this thread's memory; only there it has an offset. */
  #placed(picture: Picture): Picture {
    const { settings, part } = this.#setup;
    const { id, y } = picture;
    return y.byteOffset > 0 ? pictureOnBuffer(id, settings.grid, part.wasm.buffer, y.byteOffset) : picture;
  }
}

/** The bytes, the symbols and the reconstruction of a picture are made for the thread that asked. */
function handedOver(answer: unknown): ArrayBufferLike[] {
  if (answer === undefined) return [];
  const { data, symbols, reconstruction } = answer as CodedPicture;
  const values = [...Object.values(symbols), ...Object.values(reconstruction ?? {})];
  return [data.buffer, ...values.flatMap(value => (ArrayBuffer.isView(value) ? [value.buffer] : []))];
}

/**
 * The work of a coder thread, which analyses pictures, too, if the lookahead's thread asks it. `onAnswered` is called
 * after each of those answers.
 */
export function coderWork(setup: CoderSetup, onAnswered?: () => void): ThreadWork<CoderTasks, undefined> {
  answerPort(setup.analysisPort, analysisWork, onAnswered);
  return { tasks: new CoderThread(setup), report: () => undefined, handedOver };
}
