// Takes planned pictures in coded order, has them coded, and hands out access units and reports in that order.

import { messageOf } from '../errors.js';
import type { Frame } from '../picture/frame.js';
import { planesOf } from '../picture/picture.js';
import { createCoders } from './coders/coders.js';
import type { Coders, CodingThread } from './coders/coding-thread.js';
import type { FilteringAhead } from './coders/filtering-ahead.js';
import { maxWaitingPictures, WaitingPictures } from './coders/waiting-pictures.js';
import type { CodingJob, PictureUnderWay, PreparedPicture } from './coding-job.js';
import { keepingEventLoopAlive, settledWithin, yieldToEventLoop } from './event-loop.js';
import { DisplayOrder } from './gop/display-order.js';
import { numberedWithRepetitions, type PlannedPicture } from './gop/gop-plan.js';
import { type AnchorMotion, proposedVectors } from './motion/anchor-motion.js';
import { requestClosedLoopMotion } from './motion/closed-loop-motion.js';
import type { RequestedField } from './motion/motion-pipeline.js';
import type { ByDirection, VectorProposals } from './motion/vector-proposals.js';
import type { PictureJob } from './picture/picture-job.js';
import { publishRows, type ReconstructedPicture } from './picture/reconstructed-picture.js';
import { frameFromPlanes } from './picture/reconstruction.js';
import type { References } from './picture/reference-pictures.js';
import type { PendingPicture } from './picture-queue.js';
import { constantPictureScale } from './quantizer/base-scale.js';
import { macroblockFactors } from './quantizer/macroblock-factors.js';
import { createPictureRate } from './rate-control/create-picture-rate.js';
import type { UpcomingPictures } from './rate-control/forecast/bit-model.js';
import { isConstant, type PictureRate } from './rate-control/picture-rate.js';
import { codeAtRate, delivered, type ScaledPicture } from './rate-control/rate-controlled-coder.js';
import { pictureReport } from './report/picture-report.js';
import type { ConstantMode } from './settings/rate-mode.js';

/** How long a failed encode waits for the estimator to close, in milliseconds, before `finish` rejects. */
const CLOSE_GRACE_MS = 1000;

/** The coder's side of an encode. */
export class CodingLoop {
  readonly #job: CodingJob;
  readonly #coders: Coders;
  readonly #rate: PictureRate | ConstantMode;
  readonly #shown = new DisplayOrder<Frame>();
  readonly #filtering: FilteringAhead | undefined;
  readonly #waiting: WaitingPictures<PreparedPicture, ScaledPicture>;
  /** In coded order, those that wait among them; the first is handed out next. */
  readonly #underWay: PictureUnderWay[] = [];
  #isAllPrepared = false;
  #beingCoded = 0;
  #idleSinceMs = 0;

  private constructor(job: CodingJob, coders: Coders, rate: PictureRate | ConstantMode, filtering?: FilteringAhead) {
    this.#job = job;
    this.#filtering = filtering;
    this.#coders = coders;
    this.#rate = rate;
    this.#waiting = new WaitingPictures(coders.memory, job.settings.grid.mbHeight);
  }

  /** Makes the coders. Rejects with UnsupportedError if their kernels cannot run here. */
  static async create(job: CodingJob): Promise<CodingLoop> {
    const { settings, caller, memory, keptThreads, sharedCoders: shared, setsUpGpu, filterPort: port } = job;
    const { rateMode } = settings;
    const { onWarning } = caller;
    const coders = await createCoders(settings, { onWarning, keptThreads, memory, shared, setsUpGpu });
    const rate =
      rateMode.kind === 'bit-rate' ? await createPictureRate(rateMode, settings, caller.onWarning) : rateMode;
    const module = port && (await import('./coders/filtering-ahead.js'));
    const filtering = module?.filterAhead(port!, job.sources, () => job.progress.notify());
    return new CodingLoop(job, coders, rate, filtering);
  }

  /**
   * Codes all pictures, then closes the estimator. Resolves when that is done; after a failure, when it is done or
   * takes too long. Never rejects: `progress` is told of a failure.
   */
  async run(): Promise<void> {
    const { caller, output, progress } = this.#job;
    try {
      const preparing = this.#prepareAll().then(() => this.#startClosing());
      await Promise.all([preparing, this.#codeAll(), this.#handOutAll()]);
      if (!progress.hasFailed) this.#job.totals.bits += output.end(this.#coders.sequenceEnd());
    } catch (error) {
      progress.fail(error);
    } finally {
      await this.#coders.close();
      this.#filtering?.close();
      await this.#closeEstimator();
      caller.end();
      progress.end();
    }
  }

  /** Hands out a picture that repeats the newest one; no other may be under way. Never rejects, like `run`. */
  async repeat(plan: PlannedPicture): Promise<void> {
    const { progress } = this.#job;
    try {
      await yieldToEventLoop(); // there may be thousands of them
      if (progress.hasFailed) return;
      const { newest } = this.#coders.references;
      const repetition = this.#coders.repetition(plan);
      const bits = 8 * repetition.data.length;
      if (!isConstant(this.#rate)) this.#rate.acceptRepetition?.(bits);
      await this.#handOutCoded(plan, { ...repetition, bits, scale: repetition.figures.q }, newest);
    } catch (error) {
      progress.fail(error);
    }
  }

  /** Prepares each picture as soon as few wait for a thread and there is room for what comes out. */
  async #prepareAll(): Promise<void> {
    const { settings, usesGpu, queue, output, progress } = this.#job;
    const { references, count } = this.#coders;
    try {
      for (let next = await this.#nextPicture(); next; next = await this.#nextPicture()) {
        await progress.until(() => !output.isTaken || output.length < settings.maxPendingPictures);
        await progress.until(() => this.#waiting.length < maxWaitingPictures(count, usesGpu()));
        const needed = this.#neededPictures();
        const { plan } = next;
        const held = await progress.when(
          () => references.mayBegin(plan.type) && this.#acceptedPictures >= needed,
          () => references.begin(plan.type),
        );
        if (!held) return;
        const proposals = await this.#proposals(next, held);
        if (!proposals) return;
        const prepared = await this.#prepare(next, { plan, references: held, proposals });
        if (!prepared) return;
        this.#underWay.push({ plan, references: held, coded: this.#waiting.add(prepared) });
        queue.shift();
        const budget = prepared.rated?.budget;
        if (budget && !budget.isAwaited) this.#askNextFactors(plan, budget.scale);
        progress.notify();
        // One coder: the next picture may depend on all of this one.
        if (count === 1) await progress.until(() => this.#underWay.length === 0);
      }
    } catch (error) {
      progress.fail(error);
    } finally {
      this.#isAllPrepared = true;
      progress.notify();
    }
  }

  /** Has pictures coded, each as soon as there is a thread for it. */
  async #codeAll(): Promise<void> {
    const { progress } = this.#job;
    try {
      for (;;) {
        const isDone = () => this.#isAllPrepared && this.#waiting.length === 0;
        await progress.until(() => this.#waiting.hasNext || isDone());
        if (isDone() || progress.hasFailed) return;
        const thread = await progress.unlessFailed(this.#coders.nextThread(() => this.#waiting.hasFollower));
        if (!thread || progress.hasFailed) return;
        this.#countBeingCoded(
          this.#waiting.take(thread, async prepared => {
            const picture = await keepingEventLoopAlive(this.#code(thread, prepared));
            prepared.filtering?.release();
            return picture;
          }),
        );
        progress.notify();
      }
    } catch (error) {
      progress.fail(error);
    }
  }

  /** How many pictures must be accepted, since the budget of the next one follows from what they take. */
  #neededPictures(): number {
    const rate = this.#rate;
    return isConstant(rate) ? 0 : rate.neededPictures(this.#upcoming(rate));
  }

  get #acceptedPictures(): number {
    return isConstant(this.#rate) ? 0 : this.#rate.acceptedPictures;
  }

  #upcoming({ window }: PictureRate): UpcomingPictures {
    const { upcoming } = this.#job.queue;
    return { pictures: upcoming.slice(0, Math.max(1, window)), isEnd: upcoming.length <= window };
  }

  /** The scale of an anchor is known, or planned: asks for the factors of the next anchor at this scale. */
  #askNextFactors({ type }: PlannedPicture, scale: number): void {
    if (type === 'B') return;
    this.#job.queue.pending.find(({ plan }) => plan.type !== 'B')?.askWeightFactors?.(scale);
  }

  /** Hands out pictures in coded order. */
  async #handOutAll(): Promise<void> {
    const { motion, sources, progress } = this.#job;
    for (;;) {
      await progress.until(() => this.#underWay.length > 0 || this.#isAllPrepared);
      const [picture] = this.#underWay;
      if (!picture || progress.hasFailed) return;
      await this.#handOut(picture);
      if (progress.hasFailed) return;
      sources.coded(picture.plan, id => motion.isReading(id));
      // Before the next one is coded in this thread: a frame that has been read is taken, and the one after it is read.
      await yieldToEventLoop();
      this.#underWay.shift();
      progress.notify();
    }
  }

  /** Keeps the number of pictures that are being coded, and the time since which a thread has been idle. */
  #countBeingCoded(coded: Promise<unknown>): void {
    const count = () => {
      if (this.#beingCoded-- === this.#coders.count) this.#idleSinceMs = performance.now();
    };
    this.#beingCoded++;
    coded.then(count, count);
  }

  /** Closes the estimator once nothing more is asked of it: a GPU takes a tenth of a second and more. */
  #startClosing(): void {
    const { motion, progress, sharedCoders } = this.#job;
    if (progress.hasFailed) return;
    sharedCoders?.lastAsked.abort();
    motion.close().catch(() => {}); // `#closeEstimator` tells
  }

  /** A failure to close is a warning: the pictures are coded. */
  async #closeEstimator(): Promise<void> {
    const { caller, motion, progress } = this.#job;
    const closing = motion.close().catch(error => {
      caller.onWarning(`the estimator has not been closed: ${messageOf(error)}`);
    });
    await keepingEventLoopAlive(progress.unlessFailed(closing));
    if (progress.hasFailed) await settledWithin(closing, CLOSE_GRACE_MS);
  }

  /**
   * Waits for the next picture; with rate control, also for those that it looks at. The time counts from when a thread
   * is idle. Undefined at the end or after a failure.
   */
  async #nextPicture(): Promise<PendingPicture | undefined> {
    const { queue, planning, motion, progress, totals } = this.#job;
    const start = performance.now();
    const planningMs = planning.planningMs;
    const ahead = isConstant(this.#rate) ? 0 : this.#rate.window;
    const isPlanned = () => queue.pending.length > 0 && (isConstant(this.#rate) || queue.upcoming.length > ahead);
    await progress.until(() => (isPlanned() || progress.isPlanned) && queue.knowsErrors(Math.max(1, ahead)));
    const isIdle = this.#beingCoded < this.#coders.count;
    const waitedMs = isIdle ? performance.now() - Math.max(start, this.#idleSinceMs) : 0;
    const motionMs = Math.min(waitedMs, planning.planningMs - planningMs);
    motion.addWait(motionMs);
    totals.stages.motionMs += motionMs;
    totals.stages.inputMs += waitedMs - motionMs;
    return progress.hasFailed ? undefined : queue.pending[0];
  }

  /** The vectors proposed for a picture, once its motion is there; undefined after a failure. */
  async #proposals(pending: PendingPicture, references: References): Promise<ByDirection<VectorProposals> | undefined> {
    const { settings, motion, progress, totals } = this.#job;
    const { plan } = pending;
    const start = performance.now();
    const { forward, backward, firstStep }: AnchorMotion<RequestedField> =
      settings.motionReference === 'source'
        ? pending.fields
        : requestClosedLoopMotion(motion, this.#coders.memory, references, pending);
    const take = async (field: RequestedField | undefined) => field && progress.unlessFailed(field.take());
    const searched = {
      forward: await take(forward),
      backward: await take(backward),
      firstStep: await take(firstStep),
    };
    totals.stages.motionMs += performance.now() - start;
    return progress.hasFailed ? undefined : proposedVectors(plan, searched);
  }

  /** What a picture is coded with, in coded order; undefined after a failure. */
  async #prepare(
    pending: PendingPicture,
    begun: Pick<PictureJob, 'plan' | 'references' | 'proposals'>,
  ): Promise<PreparedPicture | undefined> {
    const { settings, progress } = this.#job;
    const rate = this.#rate;
    const rated = isConstant(rate) ? undefined : this.#beginAtRate(rate);
    const factors = await progress.unlessFailed(macroblockFactors(settings, pending, rated?.budget.anchorScale));
    if (!factors) return undefined;
    const around = pending.around.map(other => ({ ...other, picture: planesOf(other.picture) }));
    const job = { ...begun, picture: planesOf(pending.picture), around, ...factors };
    const quantizerScale = rated?.budget.scale ?? constantPictureScale(pending, rate as ConstantMode);
    // Where most threads have nothing to do, one of them filters it sooner.
    const filtering = 2 * this.#beingCoded < this.#coders.count ? undefined : this.#filtering;
    return { job, rated, quantizerScale, filtering: filtering?.begin({ ...job, quantizerScale }) };
  }

  #beginAtRate(rate: PictureRate): PreparedPicture['rated'] {
    const upcoming = this.#upcoming(rate);
    return { upcoming, budget: rate.begin(upcoming) };
  }

  /** Codes and writes a picture: at its constant scale, or within the budget that the rate controller gives it. */
  async #code(thread: CodingThread, prepared: PreparedPicture): Promise<ScaledPicture> {
    const job = { ...prepared.job, filtered: prepared.filtering?.luma };
    const { target } = job.references;
    const { settings, progress } = this.#job;
    const rate = this.#rate;
    if (!isConstant(rate)) {
      const rated = prepared.rated!;
      const coded = await codeAtRate(thread, rate, { job, ...rated }, scale => {
        if (target) publishRows(this.#coders.memory, target, settings.grid.mbHeight);
        if (rated.budget.isAwaited) this.#askNextFactors(job.plan, scale);
      });
      progress.notify();
      return coded;
    }
    const { quantizerScale } = prepared;
    const coded = await thread.code({ ...job, quantizerScale });
    return { ...coded, bits: coded.data.length * 8, scale: quantizerScale };
  }

  /** Reports a picture and hands out its bytes, once it is coded. */
  async #handOut({ plan, references, coded }: PictureUnderWay): Promise<void> {
    const picture = await this.#job.progress.unlessFailed(coded);
    if (!picture) return;
    await this.#handOutCoded(plan, picture, references.target);
    this.#coders.references.release(references);
  }

  /** Reports a picture and hands out its bytes. `anchor`: its reconstruction, if it has one. */
  async #handOutCoded(
    planned: PlannedPicture,
    picture: ScaledPicture,
    anchor: ReconstructedPicture | undefined,
  ): Promise<void> {
    const { settings, caller, output, totals, progress } = this.#job;
    const { bits, scale, figures, symbols } = picture;
    const { codedNumber, type: pictureType } = planned;
    const plan = numberedWithRepetitions(planned);
    const rate = this.#rate;
    const delivery = isConstant(rate) ? undefined : rate.deliver(codedNumber, 8 * picture.pictureHeader);
    const data = delivered(picture, delivery);
    totals.stages.codingMs += picture.codingMs;
    totals.stages.writingMs += picture.writingMs;
    const report = pictureReport({ plan, figures, symbols, bits: data.length * 8, grid: settings.grid });
    totals.add(report, settings.isLive ? undefined : { type: pictureType, bits, quantizerScale: scale });
    output.push({ data, pictureType, displayNumber: plan.displayNumber, codedNumber: plan.codedNumber });
    progress.notify();
    await caller.onPicture(report);
    if (settings.wantsReconstructions)
      await this.#show(plan, picture.reconstruction ?? frameFromPlanes(this.#coders.memory, settings.grid, anchor!));
  }

  /** Hands out the reconstructions that are next in display order. */
  async #show({ displayNumber }: PlannedPicture, reconstruction: Frame): Promise<void> {
    for (const [number, frame] of this.#shown.push(displayNumber, reconstruction))
      await this.#job.caller.onReconstruction(frame, number);
  }
}
