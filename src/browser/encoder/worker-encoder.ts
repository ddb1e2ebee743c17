// An encoder in a worker of its own: what it does never holds up the page.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { CallerFunctions } from '../../encoder/caller-functions.js';
import { yieldToEventLoop } from '../../encoder/event-loop.js';
import { checkLeftOut } from '../../encoder/live/leave-out-check.js';
import type { EncoderOptions } from '../../encoder/options.js';
import { Progress } from '../../encoder/progress.js';
import type { PassStatistics } from '../../encoder/rate-control/pass-statistics.js';
import { type EncoderStatistics, psnrSummary } from '../../encoder/report/statistics.js';
import { readOptions } from '../../encoder/settings/read-options.js';
import { type EncoderSettings, resolveOptions } from '../../encoder/settings/resolve-options.js';
import { InputError, messageOf, OptionError, UnsupportedError } from '../../errors.js';
import { requireOptions } from '../../given-options.js';
import { pageUrl } from '../../page-url.js';
import type { Frame } from '../../picture/frame.js';
import { checkedFrame } from '../../picture/frame-check.js';
import { threadEntry } from '../../threads/node/start-thread.js';
import { TaskThread, ThreadDeath } from '../../threads/task-thread.js';
import type { Answer, Given } from '../../threads/thread-messages.js';
import {
  buffersOf,
  CALLBACKS,
  type CallbackCall,
  ENCODER_ENTRY,
  type EncoderReport,
  type EncoderSetup,
  type EncoderTasks,
  receivedReport,
} from './encoder-tasks.js';

/** How a frame is added. */
export interface AddOptions {
  /** True: the planes' buffers go to the worker, and the frame cannot be used any more; default false: a copy goes. */
  readonly transfer?: boolean | undefined;
}

type EncoderThread = TaskThread<EncoderTasks, EncoderReport>;

/**
 * An {@link Encoder} in a worker of its own, so that the page stays responsive: the same options and bytes, and the
 * same methods except `newFrame`. The worker is started by the first frame. It ends when the encode is finished, fails
 * or is aborted, when the iteration is left, and by `close`. `estimator` cannot be a function. The `gpu` of a frame is
 * not read, and its `onRelease` not called.
 */
export class WorkerEncoder implements AsyncIterable<AccessUnit> {
  readonly #settings: EncoderSettings;
  readonly #setup: EncoderSetup;
  readonly #progress: Progress;
  readonly #caller: CallerFunctions;
  #thread: Promise<EncoderThread> | undefined;
  #statistics: EncoderStatistics;
  #passStatistics: PassStatistics = [];
  #framesAdded = 0;
  /** Frames that wait for room. */
  #waitingFrames = 0;
  #finished: Promise<void> | undefined;
  #isIterated = false;
  /** Resolves when no more functions of the caller will be called. */
  #calling: Promise<void> | undefined;
  /** What was not taken yet when all was coded. */
  #rest: AccessUnit[] | undefined;

  /** Throws OptionError for a wrong option, and for an estimator that is a function. */
  constructor(given: EncoderOptions) {
    const { signal, onPicture, onReconstruction, onWarning, keptThreads: _, ...options } = readOptions(given);
    if (typeof options.estimator === 'function') {
      throw new OptionError(
        'estimator',
        named => `${named('estimator')} is a function, which cannot be sent to a worker: use Encoder, or its name`,
      );
    }
    this.#settings = resolveOptions(options);
    const functions = { onPicture, onReconstruction, onWarning };
    const wanted = Object.fromEntries(Object.entries(functions).filter(([, value]) => value !== undefined));
    this.#setup = { options: withAddresses(options), callbacks: CALLBACKS.filter(name => wanted[name]) };
    this.#progress = new Progress(signal);
    this.#caller = new CallerFunctions(wanted, this.#progress);
    this.#progress.failed.addEventListener('abort', () => void this.#endThread(), { once: true });
    this.#statistics = emptyStatistics(this.#settings);
  }

  /**
   * Takes one frame; its planes are copied before `add` returns, or handed over. Resolves when there is room for the
   * next one. Rejects as `Encoder.add` does, with OptionError for wrong options, with InputError for planes that cannot
   * be handed over, and with UnsupportedError if the worker cannot start.
   */
  async add(given: Frame, options: AddOptions = {}): Promise<void> {
    requireOptions(options, ['transfer'], 'AddOptions', ['transfer']);
    const { displayWidth, displayHeight } = this.#settings.grid;
    this.#progress.throwIfFailed();
    if (this.#finished) throw new InputError('add: the encoder has been finished');
    const { isInside } = this.#caller;
    if (isInside && this.#waitingFrames > 0) {
      throw new InputError('add: called in a callback while no frame has room, it would wait for the callback itself');
    }
    const name = `frame ${this.#framesAdded}`;
    const { gpu: _, ...frame } = checkedFrame(given, displayWidth, displayHeight, name);
    const sent = options.transfer ? taken(frame, name) : copyOf(frame);
    this.#framesAdded++;
    this.#waitingFrames++;
    const added = this.#ask('add', sent, buffersOf(planesOf(sent))).finally(() => this.#waitingFrames--);
    if (isInside)
      added.catch(() => {}); // the encode has failed
    else await added;
  }

  /** As `Encoder.requestKeyFrame`; it holds for the next frame that is added. */
  requestKeyFrame(): void {
    this.#requireLive('requestKeyFrame');
    if (this.#finished) return; // no frame comes any more: none would end a worker that this starts
    this.#ask('requestKeyFrame', undefined).catch(() => {}); // the encode has failed, as `add` will tell
  }

  /** As `Encoder.leaveOut`. */
  async leaveOut(frames = 1): Promise<void> {
    this.#requireLive('leaveOut');
    this.#progress.throwIfFailed();
    if (this.#finished) throw new InputError('leaveOut: the encoder has been finished');
    if (this.#caller.isInside) {
      throw new InputError('leaveOut: called in a callback, it would wait for the callback itself');
    }
    checkLeftOut(frames, this.#framesAdded);
    await this.#ask('leaveOut', frames);
  }

  /** No more frames: resolves when all are coded and the worker has ended. Rejects as `Encoder.finish` does. */
  async finish(): Promise<void> {
    if (this.#caller.isInside) {
      throw new InputError('finish: called in a callback, it would wait for the callback itself');
    }
    this.#finished ??= this.#finish();
    await this.#finished;
  }

  /** The access units in coded order, as those of `Encoder`. */
  [Symbol.asyncIterator](): AsyncIterableIterator<AccessUnit> {
    if (this.#isIterated) throw new InputError('the access units are iterated already: they can be taken once');
    this.#isIterated = true;
    let isOver = false;
    /** A `next` that waits ends when the iteration is left, and does not fail. */
    const unlessOver = (error: unknown): undefined => {
      if (!isOver) throw error;
    };
    const iteration: AsyncIterableIterator<AccessUnit> = {
      next: async () => {
        const value = isOver ? undefined : await this.#next().catch(unlessOver);
        isOver ||= value === undefined;
        return value && !isOver ? { done: false, value } : { done: true, value: undefined };
      },
      return: async () => {
        if (!isOver) this.#leave();
        isOver = true;
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]: () => iteration,
    };
    return iteration;
  }

  /** The encode so far, as of the last news from the worker. */
  get statistics(): EncoderStatistics {
    return this.#statistics;
  }

  /** What the encode has found of its pictures: `firstPass` of a second one. Empty until `finish` has resolved. */
  get passStatistics(): PassStatistics {
    return this.#passStatistics;
  }

  /** Ends the worker at once. What still waits rejects with InputError, unless the encode is finished. */
  async close(): Promise<void> {
    this.#progress.fail(new InputError('the encoder was closed before its end'));
    await this.#endThread();
  }

  #requireLive(method: string): void {
    if (!this.#settings.isLive) throw new OptionError('latency', named => `${method} needs ${named('latency')} low`);
  }

  async #finish(): Promise<void> {
    const progress = this.#progress;
    progress.throwIfFailed();
    if (this.#thread) {
      const { units, passStatistics } = await this.#ask('finish', undefined);
      await progress.unlessFailed(this.#calling ?? Promise.resolve());
      progress.throwIfFailed();
      this.#rest = units;
      this.#passStatistics = passStatistics;
    } else this.#rest = [];
    progress.end();
    this.#caller.end();
    await this.#endThread();
  }

  async #next(): Promise<AccessUnit | undefined> {
    const progress = this.#progress;
    await progress.until(() => this.#thread !== undefined || progress.isDone);
    progress.throwIfFailed();
    if (!this.#rest) {
      const unit = await this.#ask('next', undefined);
      if (unit) return unit;
      await this.#finished; // it has taken what was left
    }
    return this.#rest?.shift();
  }

  /** The iteration was left before its end. */
  #leave(): void {
    if (this.#rest) {
      this.#rest = [];
      return;
    }
    const error = new InputError('the iteration of the access units was left before its end, which ended the encode');
    // Whoever left the iteration because of an error can tell of it first.
    void yieldToEventLoop().then(() => this.#progress.fail(error));
  }

  /** The answer of the worker. A failure is one of the whole encode; rejects with the reason of the first. */
  async #ask<Kind extends keyof EncoderTasks>(
    kind: Kind,
    given: Given<EncoderTasks, Kind>,
    handedOver: ArrayBuffer[] = [],
  ): Promise<Answer<EncoderTasks, Kind>> {
    this.#thread ??= this.#start();
    const answer = this.#thread.then(thread => thread.ask(kind, given, handedOver));
    const told = await this.#progress.unlessFailed(answer).catch(error => this.#progress.fail(failureOf(error)));
    this.#progress.throwIfFailed();
    return told as Answer<EncoderTasks, Kind>;
  }

  #start(): Promise<EncoderThread> {
    const thread = TaskThread.start<EncoderTasks, EncoderReport>({
      entry: threadEntry(import.meta.url, ENCODER_ENTRY),
      data: this.#setup,
      workerUrl: this.#settings.workerUrl,
      onReport: statistics => {
        this.#statistics = statistics;
      },
      signal: this.#progress.failed,
    });
    this.#progress.notify();
    if (this.#setup.callbacks.length > 0) {
      this.#calling = Promise.resolve().then(() => this.#makeCalls());
      this.#calling.catch(error => this.#progress.fail(error));
    }
    return thread;
  }

  /** Calls the caller's functions, one after the other, until the end. */
  async #makeCalls(): Promise<void> {
    for (let call = await this.#ask('call', undefined); call; call = await this.#ask('call', undefined)) {
      await this.#make(call);
    }
  }

  async #make(call: CallbackCall): Promise<void> {
    if (call.name === 'onWarning') this.#caller.onWarning(call.message);
    else if (call.name === 'onPicture') await this.#caller.onPicture(receivedReport(call.report));
    else await this.#caller.onReconstruction(call.frame, call.displayNumber);
  }

  async #endThread(): Promise<void> {
    const thread = await this.#thread?.catch(() => undefined); // it has not started
    await thread?.end();
  }
}

/** The options with absolute addresses: relative ones are the page's, which the worker does not know. */
function withAddresses({ workerUrl, kernelsUrl, ...options }: EncoderOptions): EncoderOptions {
  const worker = pageUrl('workerUrl', workerUrl);
  const kernels = pageUrl('kernelsUrl', kernelsUrl);
  return { ...options, ...(worker && { workerUrl: worker }), ...(kernels && { kernelsUrl: kernels }) };
}

function emptyStatistics({ grid, threads }: EncoderSettings): EncoderStatistics {
  return {
    frames: 0,
    bits: 0,
    psnr: psnrSummary({ y: 0, u: 0, v: 0 }, 0, grid.displayWidth, grid.displayHeight),
    ...{ estimator: '', device: '', passedOver: [], threads },
    motion: { waitMs: 0, setupWaitMs: 0, setupMs: 0, busyMs: 0, pictures: 0 },
    stages: { inputMs: 0, motionMs: 0, codingMs: 0, writingMs: 0 },
  };
}

function planesOf({ y, u, v }: Frame): Uint8Array[] {
  return [y, u, v];
}

/** The frame with the buffers of its planes, which `frame` loses. Throws InputError where they cannot be moved. */
function taken(frame: Frame, name: string): Frame {
  try {
    return structuredClone(frame, { transfer: buffersOf(planesOf(frame)) });
  } catch (cause) {
    const reason = `such as those of a WebAssembly.Memory: ${messageOf(cause)}`;
    throw new InputError(`${name} has planes that cannot be handed over, ${reason}`, { cause });
  }
}

/** A frame whose planes lie in one buffer of its own. */
function copyOf({ width, height, y, u, v }: Frame): Frame {
  const bytes = new Uint8Array(y.length + u.length + v.length);
  const [uAt, vAt] = [y.length, y.length + u.length];
  bytes.set(y);
  bytes.set(u, uAt);
  bytes.set(v, vAt);
  return { width, height, y: bytes.subarray(0, uAt), u: bytes.subarray(uAt, vAt), v: bytes.subarray(vAt) };
}

/** An error of the encoder as it is; the death of the worker in words. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof ThreadDeath)) return error;
  const reason = messageOf(error);
  if (!error.isAtStart) return new Error(`the worker of the encoder has ended: ${reason}`, { cause: error });
  const advice = 'Encoder encodes without it, in the page itself';
  return new UnsupportedError(`the worker of the encoder could not start: ${reason}; ${advice}`, { cause: error });
}
