// Takes planned pictures in coded order, has their motion, codes them, and hands out access units and reports.

import type { Frame } from '../picture/frame.js';
import type { AccessUnitQueue } from './access-unit-queue.js';
import type { CallerFunctions } from './caller-functions.js';
import { keepingEventLoopAlive, settledWithin, yieldToEventLoop } from './event-loop.js';
import { DisplayOrder } from './gop/display-order.js';
import type { PlannedPicture } from './gop/gop-plan.js';
import type { SourcePictures } from './gop/source-pictures.js';
import { proposedVectors } from './motion/anchor-motion.js';
import { requestClosedLoopMotion } from './motion/closed-loop-motion.js';
import type { MotionPipeline } from './motion/motion-pipeline.js';
import type { ByDirection, VectorProposals } from './motion/vector-proposals.js';
import { coefficientWriter } from './picture/coefficient-writer.js';
import { PictureCoder } from './picture/picture-coder.js';
import type { PictureJob } from './picture/picture-job.js';
import { frameFromPlanes, squaredErrors } from './picture/reconstruction.js';
import { StreamWriter } from './picture/stream-writer.js';
import { createWorkspace, type Workspace } from './picture/workspace.js';
import type { PendingPicture, PictureQueue } from './picture-queue.js';
import type { PlanningLoop } from './planning-loop.js';
import type { Progress } from './progress.js';
import { constantPictureScale } from './quantizer/base-scale.js';
import { macroblockFactors } from './quantizer/macroblock-factors.js';
import { type CodedPicture, codeAtRate } from './rate-control/rate-controlled-coder.js';
import { RateController } from './rate-control/rate-controller.js';
import { pictureReport } from './report/picture-report.js';
import type { EncodeTotals } from './report/statistics.js';
import type { ConstantMode } from './settings/rate-mode.js';
import type { EncoderSettings } from './settings/resolve-options.js';

/** How long a failed encode waits for the estimator to close, in milliseconds, before `finish` rejects. */
const CLOSE_GRACE_MS = 1000;

/** What the loop shares with the encoder. */
export interface CodingJob {
  readonly settings: EncoderSettings;
  readonly caller: CallerFunctions;
  readonly motion: MotionPipeline;
  /** The coder waits for it; the part of that in which it waits for motion is the motion's. */
  readonly planning: PlanningLoop;
  /** Planned pictures come from here ... */
  readonly queue: PictureQueue;
  /** ... and their memory goes back here. */
  readonly sources: SourcePictures;
  readonly output: AccessUnitQueue;
  readonly progress: Progress;
  readonly totals: EncodeTotals;
}

/** The coder's side of an encode. */
export class CodingLoop {
  readonly #job: CodingJob;
  readonly #workspace: Workspace;
  readonly #coder: PictureCoder;
  readonly #writer: StreamWriter;
  readonly #rate: RateController | ConstantMode;
  readonly #shown = new DisplayOrder<Frame>();

  private constructor(job: CodingJob, workspace: Workspace) {
    const { tools, matrices, sliceRows, pattern, rateMode } = job.settings;
    this.#job = job;
    this.#workspace = workspace;
    this.#coder = new PictureCoder({ workspace, tools, matrices, sliceRows, gop: pattern.gop });
    this.#writer = new StreamWriter(job.settings, coefficientWriter(workspace));
    this.#rate =
      rateMode.kind === 'bit-rate' ? new RateController(rateMode, job.settings, job.caller.onWarning) : rateMode;
  }

  /** Makes the coder. Rejects with UnsupportedError if its kernels cannot run here. */
  static async create(job: CodingJob): Promise<CodingLoop> {
    return new CodingLoop(job, await createWorkspace(job.settings.grid, job.settings.kernels));
  }

  /**
   * Codes all pictures, then closes the estimator. Resolves when that is done; after a failure, when it is done or
   * takes too long. Never rejects: `progress` is told of a failure.
   */
  async run(): Promise<void> {
    const { settings, caller, motion, queue, sources, output, progress } = this.#job;
    try {
      for (let next = await this.#nextPicture(); next; next = await this.#nextPicture()) {
        await keepingEventLoopAlive(this.#code(next));
        queue.pending.shift();
        sources.coded(next.plan, id => motion.isReading(id));
        progress.notify();
        await yieldToEventLoop();
        await progress.until(() => !output.isTaken || output.length < settings.maxPendingPictures);
      }
      if (!progress.hasFailed) this.#job.totals.bits += output.end(this.#writer.sequenceEnd());
    } catch (error) {
      progress.fail(error);
    } finally {
      await this.#closeEstimator();
      caller.end();
      progress.end();
    }
  }

  /** A failure to close is a warning: the pictures are coded. */
  async #closeEstimator(): Promise<void> {
    const { caller, motion, progress } = this.#job;
    const closing = motion.close().catch(error => {
      caller.onWarning(`the estimator has not been closed: ${error instanceof Error ? error.message : String(error)}`);
    });
    await keepingEventLoopAlive(progress.unlessFailed(closing));
    if (progress.hasFailed) await settledWithin(closing, CLOSE_GRACE_MS);
  }

  /**
   * Waits for the next picture; with rate control, also for those that it looks at. Undefined at the end or after a
   * failure.
   */
  async #nextPicture(): Promise<PendingPicture | undefined> {
    const { queue, planning, motion, progress, totals } = this.#job;
    const start = performance.now();
    const planningMs = planning.planningMs;
    const ahead = this.#rate instanceof RateController ? this.#rate.window : 0;
    await progress.until(() => queue.pending.length > ahead || progress.isPlanned);
    const waitedMs = performance.now() - start;
    const motionMs = Math.min(waitedMs, planning.planningMs - planningMs);
    motion.addWait(motionMs);
    totals.stages.motionMs += motionMs;
    totals.stages.inputMs += waitedMs - motionMs;
    return progress.hasFailed ? undefined : queue.pending[0];
  }

  async #code(pending: PendingPicture): Promise<void> {
    const { settings, caller, output, totals } = this.#job;
    const { picture, plan } = pending;
    const start = performance.now();
    const proposals = await this.#proposals(pending);
    if (!proposals) return;
    const coding = performance.now();
    const factors = await macroblockFactors(settings, pending, totals.passed.lastAnchorScale);
    const { symbols, data, bits, scale, writingMs } = this.#codeAtScale({ picture, plan, proposals, ...factors });
    totals.stages.motionMs += coding - start;
    totals.stages.codingMs += performance.now() - coding - writingMs;
    totals.stages.writingMs += writingMs;
    const { displayNumber, codedNumber, type: pictureType } = plan;
    const squaredError = squaredErrors(this.#workspace, this.#coder.reconstruction);
    const report = pictureReport({ plan, symbols, bits: data.length * 8, squaredError, grid: settings.grid });
    totals.add(report, { type: pictureType, bits, quantizerScale: scale });
    output.push({ data, pictureType, displayNumber, codedNumber });
    await caller.onPicture(report);
    await this.#show(plan);
  }

  /** The vectors proposed for a picture, once its motion is there; undefined after a failure. */
  async #proposals(pending: PendingPicture): Promise<ByDirection<VectorProposals> | undefined> {
    const { settings, motion, progress } = this.#job;
    const { plan } = pending;
    const { forward, backward } =
      settings.motionReference === 'source'
        ? pending.fields
        : requestClosedLoopMotion(motion, this.#workspace, this.#coder.anchorsOf(plan.type), pending);
    const searched = {
      forward: forward && (await progress.unlessFailed(forward.take())),
      backward: backward && (await progress.unlessFailed(backward.take())),
    };
    return progress.hasFailed ? undefined : proposedVectors(plan, searched);
  }

  /** Codes and writes a picture: at its constant scale, or within the budget that the rate controller gives it. */
  #codeAtScale(job: Omit<PictureJob, 'quantizerScale'>): CodedPicture {
    const rate = this.#rate;
    const coder = this.#coder;
    const writer = this.#writer;
    if (rate instanceof RateController) {
      const { pending } = this.#job.queue;
      const upcoming = pending.slice(0, rate.window).map(({ plan }) => plan);
      return codeAtRate({ coder, writer, rate }, job, upcoming, pending.length <= rate.window);
    }
    const scale = constantPictureScale(job.plan.type, rate);
    const symbols = coder.code({ ...job, quantizerScale: scale });
    const writing = performance.now();
    const data = writer.accessUnit(job.plan, symbols);
    return { symbols, data, bits: data.length * 8, scale, writingMs: performance.now() - writing };
  }

  /** Hands out the reconstructions that are next in display order. */
  async #show({ displayNumber }: PlannedPicture): Promise<void> {
    const { caller } = this.#job;
    if (!caller.wantsReconstructions) return;
    const reconstruction = frameFromPlanes(this.#workspace, this.#coder.reconstruction);
    for (const [number, frame] of this.#shown.push(displayNumber, reconstruction))
      await caller.onReconstruction(frame, number);
  }
}
