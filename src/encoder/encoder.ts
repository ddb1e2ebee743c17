// The encoder as its users see it: frames go in, access units come out.

import type { AccessUnit } from '../bitstream/access-unit.js';
import { InputError } from '../errors.js';
import type { Frame } from '../picture/frame.js';
import { AccessUnitQueue } from './access-unit-queue.js';
import { CodingLoop, type EncoderCallbacks } from './coding-loop.js';
import { keepingEventLoopAlive } from './event-loop.js';
import { SourcePictures } from './gop/source-pictures.js';
import { PicturePlanner } from './lookahead/picture-planner.js';
import { MotionPipeline } from './motion/motion-pipeline.js';
import type { EncoderOptions } from './options.js';
import { PictureQueue } from './picture-queue.js';
import { Progress } from './progress.js';
import type { PassStatistics } from './rate-control/pass-statistics.js';
import { type EncoderStatistics, EncodeTotals } from './report/statistics.js';
import { type EncoderSettings, resolveOptions } from './settings/resolve-options.js';

/** What plans pictures, asks for their motion and codes them; made when the first frame comes. */
interface Stages {
  readonly planner: PicturePlanner;
  readonly motion: MotionPipeline;
  /** Settles when the coding loop has ended. */
  readonly coding: Promise<void>;
}

/**
 * An MPEG-1 video encoder. Frames go in through `add`, access units come out of the iteration; the two run side by
 * side:
 *
 *     const encoder = new Encoder({ width: 352, height: 288, frameRate: 25 });
 *     const written = (async () => { for await (const unit of encoder) await file.write(unit.data); })();
 *     for (const frame of frames) await encoder.add(frame);
 *     await encoder.finish();
 *     await written;
 *
 * `add` waits while `maxPendingPictures` pictures are not coded yet. Once the iteration has begun, the coder waits
 * while as many access units are not taken yet.
 */
export class Encoder implements AsyncIterable<AccessUnit> {
  readonly #settings: EncoderSettings;
  readonly #callbacks: EncoderCallbacks;
  readonly #progress: Progress;
  readonly #sources: SourcePictures;
  readonly #queue: PictureQueue;
  readonly #output = new AccessUnitQueue();
  readonly #totals = new EncodeTotals();
  #stages: Promise<Stages> | undefined;
  #motion: MotionPipeline | undefined;
  #framesAdded = 0;
  #isFinishing = false;

  /** Throws OptionError for an option out of range. The estimator and the coder are made when the first frame comes. */
  constructor(options: EncoderOptions) {
    this.#settings = resolveOptions(options);
    this.#callbacks = options;
    this.#sources = new SourcePictures(this.#settings.grid, this.#settings.threads > 1);
    this.#queue = new PictureQueue(this.#settings, this.#sources);
    this.#progress = new Progress(options.signal);
  }

  /**
   * Takes one frame; its planes are copied. Resolves when there is room for the next one. Rejects with InputError for a
   * frame of another size, with the reason of an abort, or with UnsupportedError if the estimator cannot run here.
   */
  async add(frame: Frame): Promise<void> {
    const { maxPendingPictures } = this.#settings;
    this.#progress.throwIfFailed();
    if (this.#isFinishing) throw new InputError('add: the encoder has been finished');
    this.#checkSize(frame);
    const number = this.#framesAdded++;
    const { planner, motion } = await this.#start();
    this.#queue.plan(motion, planner.push(this.#sources.add(number, frame)));
    this.#progress.notify();
    await this.#progress.until(() => this.#queue.pending.length < maxPendingPictures);
    this.#progress.throwIfFailed();
  }

  /**
   * No more frames: resolves when all are coded and the estimator is closed. Access units may still be left to take.
   */
  async finish(): Promise<void> {
    const progress = this.#progress;
    const isFirstCall = !this.#isFinishing;
    this.#isFinishing = true;
    const stages = await this.#stages;
    if (stages && isFirstCall) this.#queue.plan(stages.motion, stages.planner.end());
    progress.isPlanned = true;
    progress.notify();
    if (stages) await stages.coding;
    else progress.isDone = true;
    progress.notify();
    progress.throwIfFailed();
  }

  /** The access units in coded order, each as soon as it is coded; to be iterated once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<AccessUnit, void, undefined> {
    const output = this.#output;
    const progress = this.#progress;
    output.isTaken = true;
    for (;;) {
      await progress.until(() => output.length > 0 || progress.isDone);
      progress.throwIfFailed();
      const unit = output.shift();
      if (!unit) return;
      progress.notify();
      yield unit;
    }
  }

  /** The encode so far. */
  get statistics(): EncoderStatistics {
    const { grid, threads } = this.#settings;
    const { frames, bits, stages } = this.#totals;
    const estimator = this.#motion?.estimator;
    return {
      frames,
      bits,
      psnr: this.#totals.psnr(grid),
      estimator: estimator?.name ?? '',
      device: estimator?.device ?? '',
      passedOver: estimator?.passedOver ?? [],
      threads,
      motion: this.#motion?.statistics ?? { waitMs: 0, busyMs: 0, pictures: 0 },
      stages: { ...stages },
    };
  }

  /** What the encode has found of its pictures so far: `firstPass` of a second encode of the same frames. */
  get passStatistics(): PassStatistics {
    return this.#totals.passed.statistics();
  }

  #checkSize({ width, height }: Frame): void {
    const { displayWidth, displayHeight } = this.#settings.grid;
    if (width === displayWidth && height === displayHeight) return;
    throw new InputError(`frame ${this.#framesAdded} is ${width}x${height}, not ${displayWidth}x${displayHeight}`);
  }

  #start(): Promise<Stages> {
    this.#stages ??= keepingEventLoopAlive(this.#createStages());
    return this.#stages;
  }

  async #createStages(): Promise<Stages> {
    const settings = this.#settings;
    const progress = this.#progress;
    const motion = new MotionPipeline(settings, this.#callbacks.onWarning);
    this.#motion = motion;
    motion.ready().catch(error => progress.fail(error));
    try {
      const loop = await CodingLoop.create({
        settings,
        callbacks: this.#callbacks,
        motion,
        queue: this.#queue,
        sources: this.#sources,
        output: this.#output,
        progress,
        totals: this.#totals,
      });
      const planner = await PicturePlanner.create(settings);
      return { planner, motion, coding: loop.run() };
    } catch (error) {
      progress.fail(error);
      await motion.close().catch(() => {});
      throw error;
    }
  }
}
