// What an analysis thread does: searches the motion of pictures, and finds what they cost.
import { inRoom } from '../../../kernels/memory-room.js';
import type { RowProgress, RowwiseRequest } from '../../../motion/cpu/cpu-estimator.js';
import type { LumaPicture, MotionEstimator, MotionField, StartField } from '../../../motion/estimator.js';
import { PictureSlots } from '../../../motion/picture-slots.js';
import { createInThisThread } from '../../../motion/this-thread.js';
import type { ThreadWork } from '../../../threads/thread-messages.js';
import { bestVectors } from '../../motion/best-vectors.js';
import { searchParameters } from '../../motion/search-parameters.js';
import type { ArrivalQuestion, BetweenQuestion, FoundPrediction } from '../analysis/picture-analysis.js';
import {
  type BestMotion,
  type IntraCosts,
  knownFields,
  type MotionCosts,
  PictureAnalyst,
} from '../analysis/picture-analyst.js';
import { SourceCosts, type SourcePlane } from '../analysis/source-costs.js';
import type {
  AnalysisReport,
  AnalysisSetup,
  AnalysisTasks,
  ArrivalAnswer,
  BetweenAnswer,
  SentMotion,
} from './analysis-tasks.js';
import { copiedTogether } from './arrays-together.js';
import { SharedSteps } from './shared-steps.js';

/** What the thread works with. */
interface Tools {
  readonly analyst: PictureAnalyst;
  readonly estimator: MotionEstimator | undefined;
  readonly planes: PictureSlots<SourcePlane>;
  readonly source: SourceCosts;
}

class AnalysisThread implements AnalysisTasks {
  readonly #setup: AnalysisSetup;
  readonly #steps: SharedSteps;
  #tools: Tools | undefined;
  /** Settles when all questions so far are answered. */
  #answered: Promise<unknown> = Promise.resolve();

  constructor(setup: AnalysisSetup) {
    this.#setup = setup;
    const { options, steps } = setup;
    this.#steps = new SharedSteps(steps.memory, { grid: options.grid, entries: steps.entries });
  }

  async open(): Promise<void> {
    const { options, searcher, mostRead } = this.#setup;
    const { grid, kernels } = options;
    const pictures = mostRead + 1;
    const source = await SourceCosts.create(grid, pictures, kernels, knownFields(options));
    const estimator =
      searcher &&
      (await createInThisThread(searcher, searchParameters(options), { kernels, pictures, borrowsCosts: true }));
    this.#tools = {
      analyst: new PictureAnalyst(source),
      estimator: estimator || undefined,
      planes: new PictureSlots(pictures, () => source.take()),
      source,
    };
  }

  arrival(question: ArrivalQuestion): Promise<ArrivalAnswer> {
    return this.#inTurn(() => this.#arrival(question));
  }

  between(question: BetweenQuestion): Promise<BetweenAnswer> {
    return this.#inTurn(() => this.#between(question));
  }

  report(): AnalysisReport {
    const { busyMs, pictures } = this.#tools?.estimator?.statistics?.() ?? { busyMs: 0, pictures: 0 };
    return { busyMs, pictures };
  }

  /**
   * Questions share kernel memory, and wait for the estimator with what lies there. Node and browsers give no message
   * before that is over; Deno does.
   */
  #inTurn<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
    const answered = this.#answered.then(answer);
    this.#answered = answered.catch(() => {}); // whoever asked is told
    return answered;
  }

  async #arrival(question: ArrivalQuestion): Promise<ArrivalAnswer> {
    const { field: given, startFrom, start } = question;
    const current = this.#received(question.current);
    const before = question.before && this.#received(question.before);
    const costs = this.#tools!.analyst.intraCosts(this.#planeOf(current));
    if (!before) return { costs, step: undefined };
    const field = given ?? (await this.#searchStep(current, before, startFrom, start));
    const step = this.#best(current, costs, before, field);
    const [intra, dx, dy, sad] = copiedTogether([costs.intra, step.dx, step.dy, step.sad]);
    return { costs: { ...costs, intra }, step: { ...sent(step, given !== undefined), dx, dy, sad } };
  }

  async #between({ arrival, known, fields, ...question }: BetweenQuestion): Promise<BetweenAnswer> {
    const [current, past] = [this.#received(question.current), this.#received(question.past)];
    const futures = question.futures.map(picture => this.#received(picture));
    const { analyst } = this.#tools!;
    const { costs, step } = arrival;
    const found: BetweenAnswer['motion'][number][] = [];
    const motionFrom = async (reference: LumaPicture): Promise<MotionCosts> => {
      const before = known.get(reference.id);
      if (before) return before;
      const given = fields?.get(reference.id);
      const field = given ?? (await this.#search(current, reference, startOf(step, current.id - reference.id)));
      const best = this.#best(current, costs, reference, field);
      found.push({ ...sent(best, given !== undefined), reference: reference.id });
      return best;
    };
    const forward = await motionFrom(past);
    const predictions: FoundPrediction[] = [{ future: undefined, ...analyst.fromOne(costs, forward) }];
    for (const future of futures) {
      const backward = await motionFrom(future);
      const fromPast = { plane: this.#planeOf(past), vectors: forward };
      const fromFuture = { plane: this.#planeOf(future), vectors: backward };
      const analysed = { ...costs, plane: this.#planeOf(current) };
      const prediction = analyst.fromBoth(analysed, fromPast, fromFuture);
      predictions.push({ future: future.id, sad: prediction.sad, noise: prediction.noise });
    }
    return together({ motion: found, predictions });
  }

  #best(current: LumaPicture, costs: IntraCosts, reference: LumaPicture, field: MotionField): BestMotion {
    const analysed = { ...costs, plane: this.#planeOf(current) };
    return this.#tools!.analyst.bestMotion(analysed, () => this.#planeOf(reference), field);
  }

  /** The motion of a picture from the one before it, from a start that is given or that another thread looks for. */
  async #searchStep(
    current: LumaPicture,
    before: LumaPicture,
    startFrom: number | undefined,
    given: StartField | undefined,
  ): Promise<MotionField> {
    const steps = this.#steps;
    const followed = given ? undefined : startFrom;
    const start = given ?? (followed === undefined ? undefined : steps.vectors(followed));
    return this.#search(current, before, start, steps.progress(current.id, followed));
  }

  async #search(
    current: LumaPicture,
    reference: LumaPicture,
    start: StartField | undefined,
    progress?: RowProgress,
  ): Promise<MotionField> {
    const estimator = this.#tools!.estimator!;
    if (!estimator.traits.usesStart) return estimator.estimate({ current, reference });
    const request: RowwiseRequest = { current, reference, ...(start && { start }), ...(progress && { progress }) };
    return estimator.estimate(request);
  }

  #received(picture: LumaPicture): LumaPicture {
    return { ...picture, pels: inRoom(picture.pels, this.#setup.options.kernels) };
  }

  #planeOf(picture: LumaPicture): SourcePlane {
    const { planes, source } = this.#tools!;
    return planes.take(picture, picture.id, plane => source.fill(plane, picture.pels));
  }
}

/** Where the search of a picture from another one starts: at its motion from the one before, times the distance. */
function startOf(step: MotionCosts | undefined, distance: number): StartField | undefined {
  return step && bestVectors({ dx: step.dx, dy: step.dy, candidatesPerBlock: 1 }, distance);
}

function sent({ field, dx, dy, sad, error, cost }: BestMotion, isGiven: boolean): SentMotion {
  return { field: isGiven ? undefined : field, dx, dy, sad, error, cost };
}

/** The same answer with its arrays on one buffer; fields keep their own. */
function together({ motion, predictions }: BetweenAnswer): BetweenAnswer {
  const copies = copiedTogether([
    ...motion.flatMap(({ dx, dy, sad }) => [dx, dy, sad]),
    ...predictions.map(({ sad }) => sad),
  ]);
  const take = <Taken>() => copies.shift() as Taken;
  return {
    motion: motion.map(found => ({
      ...found,
      dx: take<Int16Array>(),
      dy: take<Int16Array>(),
      sad: take<Uint16Array>(),
    })),
    predictions: predictions.map(prediction => ({ ...prediction, sad: take<Uint16Array>() })),
  };
}

/** Fields that were searched here go to the asker, and copies of what may be needed here again. */
function handedOver(answer: unknown): readonly ArrayBufferLike[] {
  const { costs, step, motion, predictions } = (answer ?? {}) as Partial<ArrivalAnswer & BetweenAnswer>;
  const fields = (motion ?? (step ? [step] : [])).flatMap(({ field }) =>
    field ? [field.dx.buffer, field.dy.buffer] : [],
  );
  const copies = costs?.intra ?? predictions?.[0]?.sad;
  return copies ? [...fields, copies.buffer] : fields;
}

/** The work of an analysis thread. */
export function analysisWork(setup: AnalysisSetup): ThreadWork<AnalysisTasks, AnalysisReport> {
  const thread = new AnalysisThread(setup);
  return { tasks: thread, report: () => thread.report(), handedOver };
}
