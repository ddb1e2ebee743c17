import type { AccessUnit } from '../bitstream/access-unit.js';
import { InputError } from '../errors.js';
import type { Frame } from '../picture/frame.js';
import { DisplayOrder } from './gop/display-order.js';
import type { PlannedPicture } from './gop/gop-plan.js';
import { SourcePictures } from './gop/source-pictures.js';
import { PicturePlanner } from './lookahead/picture-planner.js';
import { completeFields } from './motion/anchor-motion.js';
import { MotionPipeline } from './motion/motion-pipeline.js';
import type { EncoderOptions } from './options.js';
import { coefficientWriter } from './picture/coefficient-writer.js';
import { PictureCoder, type PictureJob } from './picture/picture-coder.js';
import { frameFromPlanes, lumaFromPlanes, squaredErrors } from './picture/reconstruction.js';
import { StreamWriter } from './picture/stream-writer.js';
import { createWorkspace, type PlanePointers, type Workspace } from './picture/workspace.js';
import { type AnchorFields, type PendingPicture, PictureQueue } from './picture-queue.js';
import { constantPictureScale } from './quantizer/base-scale.js';
import { macroblockFactors } from './quantizer/macroblock-factors.js';
import type { PassPicture, PassStatistics } from './rate-control/pass-statistics.js';
import { type CodedPicture, codeAtRate } from './rate-control/rate-controlled-coder.js';
import { RateController } from './rate-control/rate-controller.js';
import { pictureReport } from './report/picture-report.js';
import { type EncoderStatistics, QualitySum, type StageTimes } from './report/statistics.js';
import type { ConstantMode } from './settings/rate-mode.js';
import { type EncoderSettings, resolveOptions } from './settings/resolve-options.js';
import { keepingEventLoopAlive, Wakeup, yieldToEventLoop } from './wakeup.js';

/** What is made once the first frame comes. */
interface Machinery {
  readonly workspace: Workspace;
  readonly coder: PictureCoder;
  readonly motion: MotionPipeline;
  readonly planner: PicturePlanner;
  readonly writer: StreamWriter;
  readonly rate: RateController | ConstantMode;
}

/**
 * An MPEG-1 video encoder. Frames go in through `add`, access units come out of the iteration; the two run side by side:
 *
 *     const encoder = new Encoder({ width: 352, height: 288, frameRate: 25 });
 *     const written = (async () => { for await (const unit of encoder) await file.write(unit.data); })();
 *     for (const frame of frames) await encoder.add(frame);
 *     await encoder.finish();
 *     await written;
 *
 * `add` waits while `maxPendingPictures` pictures are ahead of the coder, or while the iteration, once begun, lags behind as far.
 */
export class Encoder implements AsyncIterable<AccessUnit> {
  readonly #options: EncoderSettings;
  readonly #callbacks: Pick<EncoderOptions, 'onPicture' | 'onReconstruction' | 'onWarning'>;
  readonly #signal: AbortSignal | undefined;
  readonly #changed = new Wakeup();
  readonly #output: AccessUnit[] = [];
  readonly #quality = new QualitySum();
  readonly #stages: StageTimes = { inputMs: 0, motionMs: 0, codingMs: 0, writingMs: 0 };
  #machinery: Promise<Machinery> | undefined;
  #running: Promise<void> | undefined;
  #motion: MotionPipeline | undefined;
  #framesAdded = 0;
  readonly #queue: PictureQueue;
  readonly #sources: SourcePictures;
  #held: AccessUnit | undefined;
  readonly #shown = new DisplayOrder<Frame>();
  readonly #passed: PassPicture[] = [];
  /** No more frames are taken; and then: all that were are planned. */
  #finishing = false;
  #ended = false;
  #done = false;
  #iterated = false;
  #failure: { readonly reason: unknown } | undefined;

  /** Throws OptionError for an option out of range; the estimator is made from the first frame on, beside the coder. */
  constructor(options: EncoderOptions) {
    this.#options = resolveOptions(options);
    this.#sources = new SourcePictures(this.#options.grid, this.#options.threads > 1);
    this.#queue = new PictureQueue(this.#options, this.#sources);
    this.#callbacks = options;
    this.#signal = options.signal;
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (options.signal?.aborted) this.#onAbort();
  }

  /**
   * Takes one frame; its planes are copied. Resolves when there is room for the next. Rejects with InputError for a frame of
   * another size, the reason of an abort, or, as soon as that is known, UnsupportedError when the estimator cannot run here.
   */
  async add(frame: Frame): Promise<void> {
    this.#throwIfFailed();
    if (this.#finishing) throw new InputError('add: the encoder has been finished');
    this.#checkFrame(frame);
    const number = this.#framesAdded++;
    const { motion, planner } = await this.#start();
    const { maxPendingPictures } = this.#options;
    this.#queue.plan(motion, planner.push(this.#sources.add(number, frame)));
    this.#changed.notify();
    while (this.#queue.pending.length >= maxPendingPictures && !this.#failure) await this.#changed.wait();
    this.#throwIfFailed();
  }

  /** No more frames: resolves when all are coded and the estimator is closed. The iteration may still hold units to be taken. */
  async finish(): Promise<void> {
    if (!this.#finishing && this.#machinery) {
      this.#finishing = true;
      const { motion, planner } = await this.#machinery;
      this.#queue.plan(motion, planner.end());
    }
    this.#finishing = true;
    this.#ended = true;
    this.#changed.notify();
    if (this.#machinery) await this.#running;
    else this.#done = true;
    this.#changed.notify();
    this.#throwIfFailed();
  }

  /** The access units in coded order, each as soon as it is coded; to be iterated once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<AccessUnit, void, undefined> {
    this.#iterated = true;
    for (;;) {
      this.#throwIfFailed();
      const unit = this.#output.shift();
      if (unit) {
        this.#changed.notify();
        yield unit;
      } else if (this.#done) return;
      else await this.#changed.wait();
    }
  }

  /** What has been done so far. */
  get statistics(): EncoderStatistics {
    const { grid, threads } = this.#options;
    const estimator = this.#motion?.estimator;
    return {
      frames: this.#quality.frames,
      bits: this.#quality.bits,
      psnr: this.#quality.psnr(grid),
      estimator: estimator?.name ?? '',
      device: estimator?.device ?? '',
      passedOver: estimator?.passedOver ?? [],
      threads,
      motion: this.#motion?.statistics ?? { waitMs: 0, busyMs: 0, pictures: 0 },
      stages: { ...this.#stages },
    };
  }

  /** What has been found of the pictures so far: `firstPass` of a second encode of the same frames. */
  get passStatistics(): PassStatistics {
    return [...this.#passed];
  }

  readonly #onAbort = (): void => this.#fail(this.#signal?.reason);

  #fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#changed.notify();
  }

  /** What `work` gives, or undefined as soon as the encode has failed: nobody waits for an estimator after an abort. */
  async #unlessFailed<T>(work: Promise<T>): Promise<T | undefined> {
    let isDone = false;
    const settle = () => {
      isDone = true;
      this.#changed.notify();
    };
    work.then(settle, settle);
    while (!isDone && !this.#failure) await this.#changed.wait();
    return this.#failure ? undefined : work;
  }

  #throwIfFailed(): void {
    if (this.#failure) throw this.#failure.reason;
  }

  #checkFrame(frame: Frame): void {
    const { displayWidth, displayHeight } = this.#options.grid;
    if (frame.width !== displayWidth || frame.height !== displayHeight) {
      const size = `${frame.width}x${frame.height}`;
      throw new InputError(`frame ${this.#framesAdded} is ${size}, not ${displayWidth}x${displayHeight}`);
    }
  }

  #start(): Promise<Machinery> {
    this.#machinery ??= keepingEventLoopAlive(this.#build());
    return this.#machinery;
  }

  async #build(): Promise<Machinery> {
    const options = this.#options;
    const motion = new MotionPipeline(options, this.#callbacks.onWarning);
    this.#motion = motion;
    try {
      motion.ready().catch(error => this.#fail(error));
      const workspace = await createWorkspace(options.grid, options.kernels);
      const { tools, matrices, sliceRows, pattern, rateMode } = options;
      const coder = new PictureCoder({ workspace, tools, matrices, sliceRows, gop: pattern.gop });
      const planner = await PicturePlanner.create(options);
      const writer = new StreamWriter(options, coefficientWriter(workspace));
      const { onWarning } = this.#callbacks;
      const rate = rateMode.kind === 'bit-rate' ? new RateController(rateMode, options, onWarning) : rateMode;
      const machinery = { workspace, coder, motion, planner, writer, rate };
      this.#running = this.#run(machinery);
      return machinery;
    } catch (error) {
      this.#fail(error);
      await motion.close().catch(() => {});
      throw error;
    }
  }

  /** The coder's loop: takes pending pictures in coded order until the end or a failure. */
  async #run(machinery: Machinery): Promise<void> {
    try {
      for (;;) {
        const waitingSince = performance.now();
        const ahead = machinery.rate instanceof RateController ? machinery.rate.window : 0;
        while (this.#queue.pending.length <= ahead && !this.#ended && !this.#failure) await this.#changed.wait();
        this.#stages.inputMs += performance.now() - waitingSince;
        const next = this.#queue.pending[0];
        if (this.#failure || next === undefined) break;
        await keepingEventLoopAlive(this.#code(machinery, next));
        this.#queue.pending.shift();
        this.#sources.coded(next.plan);
        this.#changed.notify();
        await yieldToEventLoop();
        while (this.#iterated && this.#output.length >= this.#options.maxPendingPictures && !this.#failure) {
          await this.#changed.wait();
        }
      }
      if (!this.#failure) this.#emitLast(machinery.writer);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#signal?.removeEventListener('abort', this.#onAbort);
      await machinery.motion.close().catch(error => this.#fail(error));
      this.#done = true;
      this.#changed.notify();
    }
  }

  async #code(machinery: Machinery, pending: PendingPicture): Promise<void> {
    const { coder, workspace } = machinery;
    const { picture, plan } = pending;
    const start = performance.now();
    const fields = this.#options.motionReference === 'source' ? pending.fields : this.#closedLoop(machinery, pending);
    const searchedForward = fields.forward && (await this.#unlessFailed(fields.forward.take()));
    const searchedBackward = fields.backward && (await this.#unlessFailed(fields.backward.take()));
    const searchedFields = { forward: searchedForward, backward: searchedBackward };
    const { forward, backward } = completeFields(plan, searchedFields, pending.hints);
    if (this.#failure) return;
    const searched = performance.now();
    const { symbols, data, bits, scale, writingMs } = this.#codeFields(machinery, {
      picture,
      plan,
      forwardField: forward,
      backwardField: backward,
      ...macroblockFactors(this.#options, pending, this.#passed),
    });
    this.#stages.motionMs += searched - start;
    this.#stages.codingMs += performance.now() - searched - writingMs;
    this.#stages.writingMs += writingMs;
    const { displayNumber, codedNumber, type: pictureType } = plan;
    const squaredError = squaredErrors(workspace, coder.reconstruction);
    const report = pictureReport({ plan, symbols, bits: data.length * 8, squaredError, grid: workspace.grid });
    this.#passed.push({ type: pictureType, bits, quantizerScale: scale });
    this.#quality.add(report);
    if (this.#held) this.#output.push(this.#held);
    this.#held = { data, pictureType, displayNumber, codedNumber };
    await this.#callbacks.onPicture?.(report);
    await this.#show(machinery, plan);
  }

  /** Codes a picture whose motion is known: at the constant quantizer_scale, or as the rate has it. */
  #codeFields({ coder, writer, rate }: Machinery, job: Omit<PictureJob, 'quantizerScale'>): CodedPicture {
    if (rate instanceof RateController) {
      const upcoming = this.#queue.pending.slice(0, rate.window).map(({ plan }) => plan);
      return codeAtRate({ coder, writer, rate }, job, upcoming, this.#queue.pending.length <= rate.window);
    }
    const scale = constantPictureScale(job.plan.type, rate);
    const symbols = coder.code({ ...job, quantizerScale: scale });
    const coded = performance.now();
    const data = writer.accessUnit(job.plan, symbols);
    return { symbols, data, bits: data.length * 8, scale, writingMs: performance.now() - coded };
  }

  /** Hands out reconstructions in display order. */
  async #show({ workspace, coder }: Machinery, plan: PlannedPicture): Promise<void> {
    const { onReconstruction } = this.#callbacks;
    if (!onReconstruction) return;
    const shown = this.#shown.push(plan.displayNumber, frameFromPlanes(workspace, coder.reconstruction));
    for (const [displayNumber, frame] of shown) await onReconstruction(frame, displayNumber);
  }

  /** Searches on the reconstructed anchors, which cannot start before those are there. */
  #closedLoop({ workspace, coder, motion }: Machinery, { picture, plan }: PendingPicture): AnchorFields {
    const search = (anchor: number | undefined, planes: PlanePointers) => {
      if (anchor === undefined) return undefined;
      // Negative ids: reconstructions are not to be taken for the source pictures of the same number.
      return motion.request(picture, { ...picture, id: -1 - anchor, y: lumaFromPlanes(workspace, planes) });
    };
    const past = plan.type === 'B' ? coder.anchorBefore : coder.lastAnchor;
    return { forward: search(plan.forward, past), backward: search(plan.backward, coder.lastAnchor) };
  }

  /** Ends the stream: sequence_end_code goes with the last picture. */
  #emitLast(writer: StreamWriter): void {
    const last = this.#held;
    if (!last) return;
    const end = writer.sequenceEnd();
    const data = new Uint8Array(last.data.length + end.length);
    data.set(last.data);
    data.set(end, last.data.length);
    this.#quality.bits += end.length * 8;
    this.#output.push({ ...last, data });
    this.#held = undefined;
  }
}
