// What the lookahead's thread does: plans pictures, and searches their motion in threads of its own.
import { counted } from '../../../counted.js';
import { inRoom } from '../../../kernels/memory-room.js';
import { isOurs, mayUseGpu } from '../../../motion/built-in-estimators.js';
import type { LumaPicture, MotionField } from '../../../motion/estimator.js';
import { pictureOnBuffer } from '../../../picture/picture.js';
import type { Borrowed, ThreadWork } from '../../../threads/thread-messages.js';
import { yieldToEventLoop } from '../../event-loop.js';
import type { EstimatorInfo, SearchWork } from '../../motion/motion-search.js';
import type { ProposedField } from '../../motion/vector-proposals.js';
import { initialScaleGuess } from '../../quantizer/base-scale.js';
import { createLookaheadHere } from '../lookahead.js';
import type { ForecastPicture } from '../picture-planner.js';
import { waitsForThreads } from './analysis-counts.js';
import type { AnalysisThreads } from './analysis-threads.js';
import type {
  AnchorFactors,
  ArrivedPicture,
  LookaheadReport,
  LookaheadSetup,
  LookaheadTasks,
  SentPicture,
  WantedFactors,
} from './lookahead-tasks.js';
import { loadAnalysis, startAnalysis } from './start-analysis.js';

/** The lookahead of this thread, and the report that every reply carries. */
class LookaheadInThread implements LookaheadTasks {
  readonly #setup: LookaheadSetup;
  /** Threads that analyse pictures, and threads that search them, which the calling thread has started. */
  readonly #analysts: Borrowed | undefined;
  readonly #searchThreads: Borrowed | undefined;
  readonly #givenUp = new AbortController();
  readonly #lookahead: ReturnType<typeof createLookaheadHere>;
  #made: Awaited<ReturnType<typeof createLookaheadHere>> | undefined;
  /** The threads that analyse pictures, if there are any, once they are started. */
  readonly #analysing: Promise<AnalysisThreads | undefined>;
  #analysis: AnalysisThreads | undefined;
  /** Gives up the start of those threads. */
  readonly #noAnalysis = new AbortController();
  #isStarting = true;
  /** Resolves when the picture that came last may be planned. */
  #turn: Promise<void>;
  #warnings: string[] = [];
  /** Pictures with smaller display numbers have come. */
  #nextArrival = 0;
  /** By coded number, the factors that are asked for later. */
  readonly #factors = new Map<number, NonNullable<ForecastPicture['weightFactors']>>();

  constructor(setup: LookaheadSetup, analysts: Borrowed | undefined, searchThreads: Borrowed | undefined) {
    this.#setup = setup;
    this.#analysts = analysts;
    this.#searchThreads = searchThreads;
    // The driver of a GPU has to answer before its thread may end.
    const signal = mayUseGpu(setup.estimator) ? undefined : this.#givenUp.signal;
    const onWarning = (message: string) => this.#warnings.push(message);
    const { drivers } = setup;
    const made = createLookaheadHere(setup, { onWarning, signal, drivers, searchThreads, isBesideCoders: true });
    this.#analysing = this.#startAnalysis(made, onWarning).finally(() => {
      this.#isStarting = false;
    });
    // Loading takes some turns of the event loop. Later each of them would wait for the search of a picture.
    this.#turn = loadAnalysis(setup);
    this.#lookahead = this.#make(made);
    this.#lookahead.catch(() => {}); // each task rejects
  }

  async #make(making: ReturnType<typeof createLookaheadHere>): ReturnType<typeof createLookaheadHere> {
    const made = await making;
    this.#made = made;
    if (waitsForThreads(this.#setup.estimator)) await this.#analysing;
    return made;
  }

  async #startAnalysis(
    making: ReturnType<typeof createLookaheadHere>,
    onWarning: (message: string) => void,
  ): Promise<AnalysisThreads | undefined> {
    const { estimator } = this.#setup;
    const made = making.catch(() => undefined); // each task rejects
    // `auto` may take a GPU or not.
    const name = estimator === 'auto' ? await nameWhenReady(made) : estimator;
    if (name === undefined) return undefined;
    const analysis = await startAnalysis(this.#setup, name, {
      onWarning,
      keptThreads: this.#analysts,
      signal: this.#noAnalysis.signal,
    });
    if (analysis) (await made)?.planner.analyseBy(analysis);
    this.#analysis = analysis;
    return analysis;
  }

  async ready(): Promise<EstimatorInfo> {
    const { motion } = await this.#lookahead;
    await motion.ready();
    await this.#analysing;
    return { ...motion.estimator!, device: this.#device! };
  }

  get #device(): string | undefined {
    const device = this.#made?.motion.estimator?.device;
    const analysis = this.#analysis;
    return device !== undefined && analysis?.searches ? `${device}, ${counted(analysis.count, 'thread')}` : device;
  }

  async plan({ displayNumber, buffer, first, codedPictures }: ArrivedPicture): Promise<SentPicture[]> {
    const { planner } = await this.#lookahead;
    await this.#yieldWhileStarting();
    this.#nextArrival = displayNumber + 1;
    for (const codedNumber of this.#factors.keys()) if (codedNumber < codedPictures) this.#factors.delete(codedNumber);
    const picture = pictureOnBuffer(displayNumber, this.#setup.grid, buffer, first);
    return this.#send(await planner.plan({ ...picture, y: inRoom(picture.y, this.#setup.kernels) }));
  }

  async end(): Promise<SentPicture[]> {
    const { planner } = await this.#lookahead;
    await this.#turn;
    return this.#send(await planner.end());
  }

  async factors({ codedNumber, baseScale, mean }: WantedFactors): Promise<AnchorFactors> {
    const { planner } = await this.#lookahead;
    planner.meanFactor = mean;
    const factors = this.#factors.get(codedNumber)!(baseScale);
    const meanAfter = planner.meanFactor!;
    return { scaleFactors: await factors, mean: meanAfter };
  }

  async search({ current, reference }: { current: LumaPicture; reference: LumaPicture }): Promise<MotionField> {
    const { motion } = await this.#lookahead;
    return motion.search(current, reference);
  }

  async giveUp(): Promise<void> {
    this.#givenUp.abort(new Error('the encode has failed'));
    this.#noAnalysis.abort();
  }

  async close(): Promise<boolean> {
    // Threads that are kept are of use when they run.
    if (!this.#setup.keepsThreads) this.#noAnalysis.abort();
    const made = await this.#lookahead.catch(() => undefined);
    await (await this.#analysing)?.close();
    await made?.motion.close();
    const areIdle = [this.#analysts, this.#searchThreads].map(lent => lent?.giveBack() ?? true);
    return areIdle.every(Boolean);
  }

  report(): LookaheadReport {
    const { motion, planner } = this.#made ?? {};
    return {
      device: this.#device,
      work: sumOf([motion?.work, this.#analysis?.work]),
      warnings: this.#warnings.splice(0),
      oldestRead: Math.min(motion?.oldestRead ?? 0, planner?.oldestKept ?? 0, this.#nextArrival),
    };
  }

  /**
   * Many pictures come at once, and this thread searches them without a pause. Threads that are to take this over say
   * by messages that they run: these come between two pictures. The order of the pictures stays.
   */
  #yieldWhileStarting(): Promise<void> {
    if (this.#isStarting) this.#turn = this.#turn.then(() => (this.#isStarting ? yieldToEventLoop() : undefined));
    return this.#turn;
  }

  async #send(pictures: readonly ForecastPicture[]): Promise<SentPicture[]> {
    const { rateMode } = this.#setup;
    const { planner } = await this.#lookahead;
    const sent: SentPicture[] = [];
    for (const { weightFactors, ...picture } of pictures) {
      let factors: SentPicture['factors'];
      if (weightFactors && picture.plan.type === 'B') factors = 'unweighted';
      else if (weightFactors && rateMode.kind === 'bit-rate') {
        this.#factors.set(picture.plan.codedNumber, weightFactors);
        factors = 'on request';
      } else if (weightFactors) {
        const scaleFactors = await weightFactors(initialScaleGuess(rateMode));
        factors = { scaleFactors, mean: planner.meanFactor! };
      }
      sent.push({ ...picture, factors });
    }
    return sent;
  }
}

function sumOf(works: readonly (SearchWork | undefined)[]): SearchWork {
  const sum = { busyMs: 0, pictures: 0 };
  for (const work of works) {
    sum.busyMs += work?.busyMs ?? 0;
    sum.pictures += work?.pictures ?? 0;
  }
  return sum;
}

/** The name of a lookahead's estimator; undefined where there is none. */
async function nameWhenReady(
  making: Promise<Awaited<ReturnType<typeof createLookaheadHere>> | undefined>,
): Promise<string | undefined> {
  const motion = (await making)?.motion;
  return motion?.ready().then(
    () => motion.estimator?.name,
    () => undefined,
  );
}

/**
 * Scale factors are made for the coder. Fields are its own once a picture has its weights: 16 pictures follow then, at
 * most seven of them before the next anchor, and searches start from the newest anchor's motion or from later motion.
 * A module may keep the fields that it gives.
 */
function handedOver({ estimator, tools }: LookaheadSetup): (answer: unknown) => readonly ArrayBufferLike[] {
  const givesFields = tools.macroblockTree && isOurs(estimator);
  const buffersOf = (field: ProposedField | undefined) =>
    field && givesFields ? [field.dx.buffer, field.dy.buffer] : [];
  return answer => {
    const pictures: readonly SentPicture[] = Array.isArray(answer) ? answer : [];
    return pictures.flatMap(({ fields, factors }) => [
      ...buffersOf(fields?.forward),
      ...buffersOf(fields?.backward),
      ...(typeof factors === 'object' ? [factors.scaleFactors.buffer] : []),
    ]);
  };
}

/** The work of the lookahead's thread. `analysts`: threads that analyse pictures; `searchThreads`: they search. */
export function lookaheadWork(
  setup: LookaheadSetup,
  analysts?: Borrowed,
  searchThreads?: Borrowed,
): ThreadWork<LookaheadTasks, LookaheadReport> {
  const thread = new LookaheadInThread(setup, analysts, searchThreads);
  return { tasks: thread, report: () => thread.report(), handedOver: handedOver(setup) };
}
