// What the worker does that encodes for a page: it has an encoder, and passes on what that gives and asks.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { Encoder } from '../../encoder/encoder.js';
import type { EncoderOptions } from '../../encoder/options.js';
import type { Frame } from '../../picture/frame.js';
import type { ThreadWork } from '../../threads/thread-messages.js';
import {
  buffersOf,
  type CallbackCall,
  type EncodeEnd,
  type EncoderReport,
  type EncoderSetup,
  type EncoderTasks,
  sentReport,
} from './encoder-tasks.js';

/** A call that the page is to make, and whom to tell that it is over. */
interface WaitingCall {
  readonly call: CallbackCall;
  readonly onOver: () => void;
}

/** The encoder of this worker. */
class EncoderInWorker implements EncoderTasks {
  readonly encoder: Encoder;
  readonly #calls: WaitingCall[] = [];
  /** The call that the page is making. */
  #current: WaitingCall | undefined;
  #wake = () => {};
  #isFinished = false;
  #units: AsyncIterator<AccessUnit> | undefined;
  /** Access units are taken one after the other. */
  #taken: Promise<unknown> = Promise.resolve();

  constructor({ options, callbacks }: EncoderSetup) {
    const all = {
      onPicture: report => this.#call({ name: 'onPicture', report: sentReport(report) }),
      onReconstruction: (frame, displayNumber) => this.#call({ name: 'onReconstruction', frame, displayNumber }),
      onWarning: message => void this.#call({ name: 'onWarning', message }),
    } satisfies Partial<EncoderOptions>;
    this.encoder = new Encoder({ ...options, ...Object.fromEntries(callbacks.map(name => [name, all[name]])) });
  }

  async add(frame: Frame): Promise<void> {
    await this.encoder.add(frame);
  }

  async requestKeyFrame(): Promise<void> {
    this.encoder.requestKeyFrame();
  }

  async leaveOut(frames: number): Promise<void> {
    await this.encoder.leaveOut(frames);
  }

  next(): Promise<AccessUnit | undefined> {
    this.#units ??= this.encoder[Symbol.asyncIterator]();
    const units = this.#units;
    const next = this.#taken.then(() => units.next());
    this.#taken = next.catch(() => {}); // `next` itself rejects
    return next.then(({ value }) => value);
  }

  async call(): Promise<CallbackCall | undefined> {
    this.#current?.onOver();
    while (this.#calls.length === 0 && !this.#isFinished) {
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
    this.#current = this.#calls.shift();
    return this.#current?.call;
  }

  async finish(): Promise<EncodeEnd> {
    await this.encoder.finish();
    this.#isFinished = true;
    this.#wake();
    const units: AccessUnit[] = [];
    for (let unit = await this.next(); unit; unit = await this.next()) units.push(unit);
    return { units, passStatistics: this.encoder.passStatistics };
  }

  /** Resolves when the page has made the call. */
  #call(call: CallbackCall): Promise<void> {
    return new Promise(onOver => {
      this.#calls.push({ call, onOver });
      this.#wake();
    });
  }
}

/** The buffers of an answer that are transferred to the page, not copied. */
function handedOver(answer: unknown): ArrayBuffer[] {
  const { data, units, frame } = Object(answer) as Partial<AccessUnit & EncodeEnd & { readonly frame: Frame }>;
  const planes = frame ? [frame.y, frame.u, frame.v] : [];
  return buffersOf([...(data ? [data] : []), ...(units?.map(unit => unit.data) ?? []), ...planes]);
}

/** The work of the worker that encodes for a page. */
export function encoderWork(setup: EncoderSetup): ThreadWork<EncoderTasks, EncoderReport> {
  const thread = new EncoderInWorker(setup);
  return { tasks: thread, report: () => thread.encoder.statistics, handedOver };
}
