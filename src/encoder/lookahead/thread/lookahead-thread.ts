// The lookahead in a thread of its own, as the encoder sees it.
import { mayUseGpu } from '../../../motion/built-in-estimators.js';
import type { LumaPicture, MotionField } from '../../../motion/estimator.js';
import { SEARCH_ENTRY } from '../../../motion/threads/search-entry.js';
import { sendableBuffer, sendablePicture } from '../../../motion/threads/sendable.js';
import { GPU_CLOSE_LIMIT_S, START_LIMIT_S } from '../../../motion/time-limits.js';
import type { Picture } from '../../../picture/picture.js';
import { lendThreads, threadEntry } from '../../../threads/node/start-thread.js';
import { TaskThread, ThreadDeath } from '../../../threads/task-thread.js';
import type { LentThreads } from '../../../threads/thread-messages.js';
import type { SharedCoders } from '../../coders/shared-coders.js';
import type { EstimatorInfo, MotionSource, SearchWork } from '../../motion/motion-search.js';
import { mostPicturesAhead } from '../../settings/pictures-ahead.js';
import type { Lookahead, LookaheadContext } from '../lookahead.js';
import { unweightedFactors } from '../macroblock-tree.js';
import type { ForecastPicture, Planner } from '../picture-planner.js';
import { searchesHere, surelyNeeded } from './analysis-counts.js';
import type { AnchorFactors, LookaheadReport, LookaheadSetup, LookaheadTasks, SentPicture } from './lookahead-tasks.js';

type Thread = TaskThread<LookaheadTasks, LookaheadReport>;

/** Time for the estimator to be made, if it is being made, and for its GPU to finish its searches, in seconds. */
const CLOSE_LIMIT_S = START_LIMIT_S + GPU_CLOSE_LIMIT_S;

/**
 * Asks the lookahead's thread. Where it cannot start, or dies before it has planned a picture, the lookahead of the
 * calling thread takes its place and is given the pictures again. A death after that ends the encode.
 */
export class LookaheadThread implements Planner, MotionSource {
  readonly usesMotion = true;
  readonly searchesAhead = true;
  /** See {@link Lookahead.filterPort}. */
  readonly filterPort: MessagePort | undefined;
  readonly #thread: Promise<Thread>;
  /** Threads that analyse pictures for it. */
  readonly #lent: LentThreads | undefined;
  /** The thread of a GPU, if one may be used. */
  readonly #lentSearcher: LentThreads | undefined;
  readonly #createHere: (more: Pick<LookaheadContext, 'hasNoThreads'>) => Promise<Lookahead>;
  readonly #onWarning: ((message: string) => void) | undefined;
  /** Aborted when the encode has failed. */
  readonly #failed: AbortSignal | undefined;
  readonly #sharedCoders: SharedCoders | undefined;
  #estimator: EstimatorInfo | undefined;
  #work: SearchWork = { busyMs: 0, pictures: 0 };
  #oldestRead = 0;
  readonly #macroblocks: number;
  readonly #picturesAhead: number;
  /** `MacroblockTree.mean` after the last anchor whose factors were taken. */
  #meanFactor: number | undefined;
  /** What takes the thread's place. */
  #substitute: Promise<Lookahead> | undefined;
  #here: Lookahead | undefined;
  /** The pictures that have come, until the first is planned. */
  #unplanned: Picture[] | undefined = [];
  /** By display number, what the substitute has planned of the pictures that had come before. */
  readonly #again = new Map<number, Promise<ForecastPicture[]>>();
  #ready: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  /** Starts the thread. `createHere` makes the lookahead in the calling thread. */
  constructor(
    setup: LookaheadSetup,
    { onWarning, signal, keptThreads, sharedCoders }: LookaheadContext,
    createHere: (more: Pick<LookaheadContext, 'hasNoThreads'>) => Promise<Lookahead>,
    entry: string = threadEntry(import.meta.url, 'lookahead-worker.js'),
  ) {
    this.#createHere = createHere;
    this.#macroblocks = setup.grid.mbWidth * setup.grid.mbHeight;
    this.#picturesAhead = mostPicturesAhead(setup);
    this.#onWarning = onWarning;
    this.#failed = signal;
    const onReport = ({ device, work, warnings, oldestRead }: LookaheadReport) => {
      if (device !== undefined && this.#estimator) this.#estimator = { ...this.#estimator, device };
      this.#work = work;
      this.#oldestRead = Math.max(this.#oldestRead, oldestRead);
      for (const warning of warnings) onWarning?.(warning);
    };
    const { workerUrl } = setup;
    const lentCoders = sharedCoders?.lent;
    const analysts = () => ({
      entry: threadEntry(import.meta.url, 'analysis-worker.js'),
      count: surelyNeeded({ ...setup, lentCoders }),
    });
    this.#lent = lendThreads(analysts, keptThreads);
    const lentPorts = this.#lent?.ports;
    // Where drivers have been asked, a GPU may be used.
    this.#lentSearcher = setup.drivers && lendThreads(() => ({ entry: SEARCH_ENTRY, count: 1 }), keptThreads);
    const searcherPorts = this.#lentSearcher?.ports ?? [];
    const filterPorts = searcherPorts.length > 0 && setup.tools.temporalFilter ? new MessageChannel() : undefined;
    this.filterPort = filterPorts?.port1;
    const data = {
      ...setup,
      lentPorts,
      lentSearcher: searcherPorts[0],
      filterPort: filterPorts?.port2,
      lentCoders,
    } satisfies LookaheadSetup;
    const givenUp = new AbortController();
    const coderPorts = lentCoders ? [lentCoders.claimsPort, ...lentCoders.ports] : [];
    const handedOver = [...(lentPorts ?? []), ...searcherPorts, ...coderPorts];
    if (filterPorts) handedOver.push(filterPorts.port2);
    const start = { entry, data, handedOver, workerUrl, onReport, keptThreads, signal: givenUp.signal };
    this.#thread = TaskThread.start<LookaheadTasks, LookaheadReport>(start);
    this.#lentSearcher?.start();
    // After the thread that they wait for.
    this.#lent?.start();
    this.#thread.catch(() => {}); // whoever asks is told
    this.#sharedCoders = sharedCoders;
    const giveUp = async () => {
      // The driver of a GPU has to answer before its thread may end.
      if (!mayUseGpu(setup.estimator)) givenUp.abort();
      await (await this.#thread).ask('giveUp', undefined);
    };
    signal?.addEventListener('abort', () => void giveUp().catch(() => {})); // no thread, no estimator
  }

  get estimator(): EstimatorInfo | undefined {
    return this.#here?.motion.estimator ?? this.#estimator;
  }

  get work(): SearchWork {
    return this.#here?.motion.work ?? this.#work;
  }

  ready(): Promise<void> {
    this.#ready ??= this.#ask(
      async thread => {
        this.#estimator = await thread.ask('ready', undefined);
        // `auto` has found no GPU.
        if (searchesHere(this.#estimator.name)) void this.#lentSearcher?.end();
      },
      ({ motion }) => motion.ready(),
    );
    return this.#ready;
  }

  plan(picture: Picture, codedPictures: number): Promise<ForecastPicture[]> {
    this.#unplanned?.push(picture);
    const { id: displayNumber, y } = picture;
    return this.#ask(
      async thread => {
        const copies: ArrayBuffer[] = [];
        const buffer = sendableBuffer(y.buffer, copies);
        const arrived = { displayNumber, buffer, first: y.byteOffset, codedPictures };
        return this.#forecasts(thread, await thread.ask('plan', arrived, copies));
      },
      ({ planner }) => this.#again.get(displayNumber) ?? planner.plan(picture, codedPictures),
    );
  }

  end(): Promise<ForecastPicture[]> {
    return this.#ask(
      async thread => this.#forecasts(thread, await thread.ask('end', undefined)),
      ({ planner }) => planner.end(),
    );
  }

  /** The lookahead has its own starts; nobody else gives one. */
  async usesStart(): Promise<boolean> {
    return false;
  }

  search(current: LumaPicture, reference: LumaPicture): Promise<MotionField> {
    return this.#ask(
      thread => {
        const copies: ArrayBuffer[] = [];
        const pair = { current: sendablePicture(current, copies), reference: sendablePicture(reference, copies) };
        return thread.ask('search', pair, copies);
      },
      ({ motion }) => motion.search(current, reference),
    );
  }

  isReading(displayNumber: number): boolean {
    return this.#here?.motion.isReading(displayNumber) ?? displayNumber >= this.#oldestRead;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    let lentAreIdle: boolean | undefined;
    try {
      const thread = await this.#thread;
      const closing = thread.ask('close', undefined);
      await thread.finish(closing, CLOSE_LIMIT_S);
      lentAreIdle = await closing;
    } catch (error) {
      if (!(error instanceof ThreadDeath)) throw error;
    } finally {
      await Promise.all([this.#lent?.end(lentAreIdle), this.#lentSearcher?.end(lentAreIdle)]);
    }
    await (await this.#substitute?.catch(() => undefined))?.motion.close();
  }

  /** The answer of the thread, or of what has taken its place. */
  async #ask<T>(ask: (thread: Thread) => Promise<T>, askHere: (lookahead: Lookahead) => Promise<T>): Promise<T> {
    if (!this.#substitute) {
      try {
        return await ask(await this.#thread);
      } catch (error) {
        if (!(error instanceof ThreadDeath)) throw error;
        this.#substitute ??= this.#substituteFor(error);
      }
    }
    return askHere(await this.#substitute);
  }

  async #substituteFor({ isAtStart, message }: ThreadDeath): Promise<Lookahead> {
    this.#sharedCoders?.lookaheadEnded.abort();
    if (!this.#unplanned || this.#closed || this.#failed?.aborted)
      throw new Error(`the lookahead failed: its thread ended (${message})`);
    const what = isAtStart ? 'no thread starts for the lookahead' : "the lookahead's thread died";
    this.#onWarning?.(`${what} (${message}); it goes on in the calling thread`);
    const here = await this.#createHere({ hasNoThreads: isAtStart });
    for (const picture of this.#unplanned) {
      const planned = here.planner.plan(picture, 0);
      planned.catch(() => {}); // whoever has asked is told
      this.#again.set(picture.id, planned);
      await this.#again.get(picture.id - this.#picturesAhead + 1);
    }
    this.#unplanned = undefined;
    this.#here = here;
    return here;
  }

  #forecasts(thread: Thread, pictures: readonly SentPicture[]): ForecastPicture[] {
    if (pictures.length > 0) this.#unplanned = undefined;
    return pictures.map(({ factors, ...picture }) => ({ ...picture, ...this.#factorSource(thread, picture, factors) }));
  }

  #factorSource(
    thread: Thread,
    { plan: { codedNumber } }: Pick<SentPicture, 'plan'>,
    sent: SentPicture['factors'],
  ): Pick<ForecastPicture, 'weightFactors' | 'askWeightFactors'> {
    if (sent === undefined) return { weightFactors: undefined };
    if (sent === 'on request') return this.#factorsOnRequest(thread, codedNumber);
    if (sent !== 'unweighted') return { weightFactors: () => this.#take(sent) };
    return { weightFactors: baseScale => unweightedFactors(this.#macroblocks, baseScale, this.#meanFactor!) };
  }

  #factorsOnRequest(thread: Thread, codedNumber: number): Pick<ForecastPicture, 'weightFactors' | 'askWeightFactors'> {
    let asked: { readonly baseScale: number; readonly answer: Promise<AnchorFactors> } | undefined;
    const ask = (baseScale: number) => {
      if (asked?.baseScale === baseScale) return asked.answer;
      const answer = thread.ask('factors', { codedNumber, baseScale, mean: this.#meanFactor });
      answer.catch(() => {}); // `weightFactors` rejects
      asked = { baseScale, answer };
      return answer;
    };
    return { askWeightFactors: ask, weightFactors: async baseScale => this.#take(await ask(baseScale)) };
  }

  #take({ mean, scaleFactors }: AnchorFactors): Float64Array {
    this.#meanFactor = mean;
    return scaleFactors;
  }
}
