// The encoder as its users see it: frames go in, access units come out.

import type { AccessUnit } from '../bitstream/access-unit.js';
import { InputError, OptionError } from '../errors.js';
import type { KernelChoice } from '../kernels/kernels.js';
import { compiledKernels, createKernels } from '../kernels/select-kernels.js';
import { needsGpu } from '../motion/built-in-estimators.js';
import type { Frame, FrameMemory } from '../picture/frame.js';
import { checkedFrame } from '../picture/frame-check.js';
import type { Picture } from '../picture/picture.js';
import { rowSpreadingBy } from '../picture/row-spreading.js';
import type { ThreadKeeper } from '../threads/thread-messages.js';
import { AccessUnitIteration, AccessUnitQueue } from './access-unit-queue.js';
import { CallerFunctions } from './caller-functions.js';
import { sharedCodersOf } from './coders/coders.js';
import type { SharedCoders } from './coders/shared-coders.js';
import { createSharedPictures, maxPicturesHeld, type SharedPictures } from './coders/shared-pictures.js';
import { CodingLoop } from './coding-loop.js';
import { keepingEventLoopAlive, yieldToEventLoop } from './event-loop.js';
import { SourcePictures } from './gop/source-pictures.js';
import { createLiveGroups } from './live/create-live-groups.js';
import { checkLeftOut } from './live/leave-out-check.js';
import type { LiveGroups } from './live/live-groups.js';
import { createLookahead } from './lookahead/create-lookahead.js';
import type { Lookahead } from './lookahead/lookahead.js';
import { MotionPipeline } from './motion/motion-pipeline.js';
import type { EncoderOptions } from './options.js';
import { PictureQueue } from './picture-queue.js';
import { PlanningLoop } from './planning-loop.js';
import { Progress } from './progress.js';
import type { PassStatistics } from './rate-control/pass-statistics.js';
import { type EncoderStatistics, EncodeTotals } from './report/statistics.js';
import { picturesAhead } from './settings/pictures-ahead.js';
import { readOptions } from './settings/read-options.js';
import { type EncoderSettings, resolveOptions } from './settings/resolve-options.js';

/** What plans pictures, asks for their motion and codes them; made when the first frame comes. */
interface Stages {
  readonly planning: PlanningLoop;
  readonly loop: CodingLoop;
  /** Settles when the coding loop has ended. */
  readonly coding: Promise<void>;
}

/**
 * An MPEG-1 video encoder. Frames go in through `add`, access units come out of the iteration; the two run side by
 * side:
 *
 *     const encoder = new Encoder({ width: 352, height: 288, frameRate: 25 });
 *     const drain = async () => { for await (const unit of encoder) await file.write(unit.data); };
 *     const feed = async () => { for (const frame of frames) await encoder.add(frame); await encoder.finish(); };
 *     await Promise.all([feed(), drain()]);
 *
 * `add` waits while `maxPendingPictures` pictures are planned and not coded yet. An estimator that works beside the
 * coder is given more pictures ahead: up to eight, or two for each thread, or four for each where a GPU searches. Once
 * the iteration has begun, the coder waits while `maxPendingPictures` access units are not taken yet. With
 * `latency: 'low'`, `add` resolves when the access unit of the frame is out.
 */
export class Encoder implements AsyncIterable<AccessUnit>, FrameMemory {
  readonly #settings: EncoderSettings;
  readonly #caller: CallerFunctions;
  readonly #progress: Progress;
  readonly #keptThreads: ThreadKeeper | undefined;
  /** Made before the first picture is, so that every picture has a place in it; empty where memory is not shared. */
  #memory: { readonly shared: SharedPictures | undefined } | undefined;
  readonly #sources: SourcePictures;
  readonly #queue: PictureQueue;
  readonly #output: AccessUnitQueue;
  readonly #totals = new EncodeTotals();
  #stages: Promise<Stages> | undefined;
  #planning: PlanningLoop | undefined;
  #motion: MotionPipeline | undefined;
  #framesAdded = 0;
  /** At low latency: the groups, and when the last frame that was added or left out is done. */
  readonly #live: LiveGroups | undefined;
  #turn: Promise<void> = Promise.resolve();
  #finished: Promise<void> | undefined;
  #isIterated = false;
  /** Set once the iteration has been left before its end; resolves when the encode has failed for it. */
  #left: Promise<void> | undefined;

  /** Throws OptionError for a wrong option. The estimator and the coder are made when the first frame comes. */
  constructor(given: EncoderOptions) {
    const options = readOptions(given);
    this.#settings = resolveOptions(options);
    this.#keptThreads = options.keptThreads?.keeper as ThreadKeeper | undefined;
    const { isLive } = this.#settings;
    this.#live = isLive ? createLiveGroups(this.#settings) : undefined;
    this.#output = new AccessUnitQueue(isLive);
    this.#sources = new SourcePictures(this.#settings.grid, this.#settings.threads > 1);
    this.#progress = new Progress(options.signal);
    this.#queue = new PictureQueue(this.#settings, this.#sources, this.#progress);
    this.#caller = new CallerFunctions(options, this.#progress);
  }

  /**
   * A frame in the encoder's own memory, whose pels are arbitrary. Fill its planes and give it to `add` once, which
   * then copies nothing. After `add`, and after `finish`, its planes belong to the encoder.
   */
  newFrame(): Frame {
    this.#sharedPictures();
    return this.#sources.newFrame();
  }

  /**
   * Takes one frame. Its planes are copied before `add` returns, unless they are those of `newFrame`; a buffer on a GPU
   * is read until its release. Resolves when there is room for the next one. Rejects with InputError for a frame that
   * is not as the options say, which is not counted; after `finish`; after the iteration has been left; and in a
   * callback that the encode waits for, if there is no room. Rejects with the reason of a failure or an abort.
   */
  async add(given: Frame): Promise<void> {
    const { grid } = this.#settings;
    const progress = this.#progress;
    const mayHold = () => this.#sources.count < maxPicturesHeld(this.#settings, this.#usesGpu);
    const hasRoom = () => this.#planning === undefined || (this.#planning.hasRoom && mayHold());
    progress.throwIfFailed();
    if (this.#left) await this.#throwIfLeft();
    if (this.#finished) throw new InputError('add: the encoder has been finished');
    const isInside = this.#caller.isInside;
    if (isInside && (this.#live || !hasRoom())) {
      throw new InputError('add: called in a callback while no frame has room, it would wait for the callback itself');
    }
    const frame = checkedFrame(given, grid.displayWidth, grid.displayHeight, `frame ${this.#framesAdded}`);
    this.#sharedPictures();
    const picture = this.#sources.add(this.#framesAdded++, frame);
    if (this.#live) {
      this.#live.addFrame();
      return this.#inTurn(({ planning }) => this.#codeNow(picture, planning));
    }
    const { planning } = await this.#start();
    planning.add(picture);
    if (!isInside) await progress.until(hasRoom);
    progress.throwIfFailed();
  }

  /**
   * The next frame that is added becomes an I picture: a sequence header and a closed group begin with it, so that a
   * decoder can start there. At a bit rate, one soon after another I picture waits until the decoder's buffer is sure
   * to hold it. Throws OptionError unless `latency` is 'low'.
   */
  requestKeyFrame(): void {
    this.#requireLive('requestKeyFrame').requestKeyFrame();
  }

  /**
   * Leaves out so many frames, 1 or more, at the caller's own pace: a picture of a few bytes in the place of each
   * repeats the one before, since the pictures of MPEG-1 follow each other at one rate. Resolves when their access
   * units are out, whether anybody takes them or not. A key frame that is due waits for the next frame. Rejects with
   * InputError before the first frame and for a number that is not whole or more than a day, with OptionError unless
   * `latency` is 'low', and else as `add` does.
   */
  async leaveOut(frames = 1): Promise<void> {
    const live = this.#requireLive('leaveOut');
    this.#progress.throwIfFailed();
    if (this.#left) await this.#throwIfLeft();
    if (this.#finished) throw new InputError('leaveOut: the encoder has been finished');
    if (this.#caller.isInside) {
      throw new InputError('leaveOut: called in a callback, it would wait for the callback itself');
    }
    checkLeftOut(frames, this.#framesAdded);
    const repetitions = live.leaveOut(frames);
    await this.#inTurn(async ({ loop }) => {
      for (const plan of repetitions) {
        if (this.#progress.hasFailed) return;
        await loop.repeat(plan);
      }
    });
  }

  /**
   * No more frames: resolves when all are coded and the estimator is closed. Access units may still be left to take.
   * Rejects with the reason of a failure or an abort, and with InputError in a callback that the encode waits for and
   * after the iteration has been left.
   */
  async finish(): Promise<void> {
    if (this.#caller.isInside) {
      throw new InputError('finish: called in a callback, it would wait for the callback itself');
    }
    this.#finished ??= this.#finish();
    await this.#finished;
  }

  async #finish(): Promise<void> {
    const progress = this.#progress;
    await this.#left;
    await this.#turn;
    const stages = await this.#stages?.catch(() => undefined); // `progress` has failed
    stages?.planning.end();
    if (stages) await stages.coding;
    else progress.end();
    await this.#throwIfLeft();
    this.#memory?.shared?.keep();
  }

  /**
   * The access units in coded order, each as soon as it is coded. Throws InputError when it is called again. Leaving
   * the iteration before its end ends the encode.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<AccessUnit> {
    if (this.#isIterated) throw new InputError('the access units are iterated already: they can be taken once');
    this.#isIterated = true;
    return new AccessUnitIteration(this.#output, this.#progress, () => this.#onIterationLeft());
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
      motion: this.#motion?.statistics ?? { waitMs: 0, setupWaitMs: 0, setupMs: 0, busyMs: 0, pictures: 0 },
      stages: { ...stages },
    };
  }

  /**
   * What the encode has found of its pictures so far: `firstPass` of a second encode of the same frames. Empty at low
   * latency, whose memory does not grow.
   */
  get passStatistics(): PassStatistics {
    return this.#totals.passed.statistics();
  }

  /** Whether a GPU searches, as far as that is known: `auto` has to look for one first. */
  get #usesGpu(): boolean {
    return needsGpu(String(this.#motion?.estimator?.name ?? this.#settings.estimator));
  }

  #requireLive(method: string): LiveGroups {
    if (this.#live) return this.#live;
    throw new OptionError('latency', named => `${method} needs ${named('latency')} low`);
  }

  /** At low latency: does `work` when all is done that was asked for before. */
  async #inTurn(work: (stages: Stages) => Promise<void>): Promise<void> {
    const turn = this.#turn.then(async () => work(await this.#start()));
    this.#turn = turn.catch(() => {}); // whoever waits for `turn` is told
    await turn;
    this.#progress.throwIfFailed();
  }

  /** Resolves when the picture is coded and whoever iterates has got its access unit. */
  async #codeNow(picture: Picture, planning: PlanningLoop): Promise<void> {
    planning.add(picture);
    await this.#progress.until(() => this.#sources.codedCount > picture.id);
    await yieldToEventLoop();
  }

  async #throwIfLeft(): Promise<void> {
    await this.#left;
    this.#progress.throwIfFailed();
  }

  #onIterationLeft(): void {
    if (this.#output.isEnded || this.#progress.hasFailed) return;
    const error = new InputError('the iteration of the access units was left before its end, which ended the encode');
    // Whoever left the iteration because of an error can tell of it first.
    this.#left = yieldToEventLoop().then(() => this.#progress.fail(error));
  }

  #sharedPictures(): SharedPictures | undefined {
    this.#memory ??= { shared: createSharedPictures(this.#settings, this.#sources, this.#keptThreads) };
    return this.#memory.shared;
  }

  #start(): Promise<Stages> {
    this.#stages ??= keepingEventLoopAlive(this.#createStages());
    return this.#stages;
  }

  async #createStages(): Promise<Stages> {
    const progress = this.#progress;
    const startMs = performance.now();
    try {
      const settings = { ...this.#settings, kernels: await this.#compileKernels() };
      if (settings.wantsMotionErrors) {
        // Pages need not load what they do not use.
        const { MotionErrors } = await import('./lookahead/analysis/motion-errors.js');
        this.#queue.errors = await MotionErrors.create(settings);
      }
      const sharedCoders = await sharedCodersOf(settings);
      const { planner, motion: search, setsUpGpu, filterPort } = await this.#createLookahead(settings, sharedCoders);
      const motion = new MotionPipeline(search, startMs);
      this.#motion = motion;
      const planning = new PlanningLoop({
        planner,
        motion,
        queue: this.#queue,
        progress,
        picturesAhead: () => picturesAhead(settings, this.#usesGpu),
        maxPendingPictures: settings.maxPendingPictures,
      });
      const loop = await CodingLoop.create({
        settings,
        memory: this.#sharedPictures()?.memory,
        keptThreads: this.#keptThreads,
        sharedCoders,
        setsUpGpu,
        filterPort,
        caller: this.#caller,
        motion,
        usesGpu: () => this.#usesGpu,
        planning,
        queue: this.#queue,
        sources: this.#sources,
        output: this.#output,
        progress,
        totals: this.#totals,
      });
      this.#planning = planning;
      void planning.run();
      return { planning, loop, coding: loop.run() };
    } catch (error) {
      progress.fail(error);
      await this.#motion?.close().catch(() => {});
      progress.end();
      throw error;
    }
  }

  /** The kernels of all threads; from now on one of them widens the pictures that come. */
  async #compileKernels(): Promise<KernelChoice> {
    const shared = this.#sharedPictures();
    const { grid, kernels: choice } = this.#settings;
    const kernels = await compiledKernels(choice, shared?.room);
    if (shared && grid.codedWidth > grid.displayWidth) {
      this.#sources.spread = rowSpreadingBy(await createKernels(shared.memory, kernels), shared.memory);
    }
    return kernels;
  }

  async #createLookahead(settings: EncoderSettings, sharedCoders: SharedCoders | undefined): Promise<Lookahead> {
    const { onWarning } = this.#caller;
    const signal = this.#progress.failed;
    const { changes } = this.#queue;
    const context = { onWarning, signal, keptThreads: this.#keptThreads, sharedCoders, changes };
    const lookahead = await createLookahead(settings, context, this.#live);
    lookahead.motion.ready().catch(error => this.#progress.fail(error));
    return lookahead;
  }
}
