// Calls the functions of the caller, and knows whether a call comes from within one of them.
import type { Frame } from '../picture/frame.js';
import type { EncoderOptions } from './options.js';
import type { Progress } from './progress.js';
import type { PictureReport } from './report/picture-report.js';
import { mayCallEncoder } from './settings/calls-no-encoder.js';

/** The functions of the caller that an encode calls. */
export type EncoderCallbacks = Pick<EncoderOptions, 'onPicture' | 'onReconstruction' | 'onWarning'>;

/** One call; `isOver` once its promise has settled. */
interface Call {
  isOver: boolean;
}

/** The part of AsyncLocalStorage that is used here. */
interface CallContext {
  run<T>(call: Call, work: () => T): T;
  getStore(): Call | undefined;
  disable(): void;
}

/**
 * Calls the caller's functions. The encode waits for `onPicture` and `onReconstruction`. So these must not call a
 * method of the encoder that waits for the encode. Such a call is recognized everywhere before their first `await`, and
 * after it on Node from version 20.16 on.
 */
export class CallerFunctions {
  readonly #progress: Progress;
  readonly #callbacks: EncoderCallbacks;
  readonly #context: CallContext | undefined;
  /** The call whose synchronous part is running. */
  #running: Call | undefined;

  constructor(callbacks: EncoderCallbacks, progress: Progress) {
    this.#callbacks = callbacks;
    this.#progress = progress;
    const { onPicture, onReconstruction } = callbacks;
    this.#context = [onPicture, onReconstruction].some(mayCallEncoder) ? createContext() : undefined;
  }

  /** Whether this is called from within a function that the encode waits for. */
  get isInside(): boolean {
    const call = this.#running ?? this.#context?.getStore();
    return call !== undefined && !call.isOver;
  }

  /** Calls `onPicture`; resolves when its promise has settled or the encode has failed. */
  async onPicture(report: PictureReport): Promise<void> {
    const { onPicture } = this.#callbacks;
    if (onPicture) await this.#call(() => onPicture(report));
  }

  /** Calls `onReconstruction` as `onPicture` is called. */
  async onReconstruction(frame: Frame, displayNumber: number): Promise<void> {
    const { onReconstruction } = this.#callbacks;
    if (onReconstruction) await this.#call(() => onReconstruction(frame, displayNumber));
  }

  /** Calls `onWarning`, without waiting for it. If it fails, so does the encode. Never throws. */
  readonly onWarning = (message: string): void => {
    const call = async () => this.#callbacks.onWarning?.(message);
    call().catch(error => this.#progress.fail(error));
  };

  /** No more calls will be made. */
  end(): void {
    this.#context?.disable();
  }

  async #call(callback: () => void | Promise<void>): Promise<void> {
    if (this.#progress.hasFailed) return;
    const call: Call = { isOver: false };
    const outer = this.#running;
    this.#running = call;
    try {
      let result: void | Promise<void>;
      try {
        result = this.#context ? this.#context.run(call, callback) : callback();
      } finally {
        this.#running = outer;
      }
      await this.#progress.unlessFailed(Promise.resolve(result));
    } finally {
      call.isOver = true;
    }
  }
}

/** Follows asynchronous calls, on platforms that can. It is not imported: browsers would refuse that. */
function createContext(): CallContext | undefined {
  type Hooks = { readonly AsyncLocalStorage: new () => CallContext };
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => Hooks | undefined } };
  const hooks = process?.getBuiltinModule?.('async_hooks');
  return hooks && new hooks.AsyncLocalStorage();
}
