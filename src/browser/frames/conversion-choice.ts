// Chooses what converts a picture of RGB: a canvas and the CPU, or the GPU.
import { MAX_HEIGHT, MAX_WIDTH } from '../../bitstream/limits.js';
import { messageOf, UnsupportedError } from '../../errors.js';
import type { RgbConversion, RgbPicture } from '../../gpu/conversion/rgb-conversion.js';
import type { Frame } from '../../picture/frame.js';
import { RGB_TO_FRAME_CONSTANTS } from '../../picture/rgb-to-frame.js';
import { withTimeLimit } from '../../threads/time-limit.js';
import { isVideoFrame } from './frame-input.js';

/** What may be asked for. */
export const CONVERSIONS = ['auto', 'gpu', 'cpu'] as const;

/** What converts pictures: the GPU, the CPU, or what is faster. */
export type Conversion = (typeof CONVERSIONS)[number];

/** How many pictures the CPU converts before 'auto' opens a GPU: for fewer, its code is not worth loading. */
const FEW_PICTURES = 8;
/** How many pictures 'auto' times on the GPU, and on the CPU, before it decides. */
const TRIALS = 4;

/** Time to set the GPU up, in seconds, as for an estimator. */
const START_LIMIT_S = 120;
/** A picture takes a GPU some milliseconds: one that takes so many seconds is stuck. */
const ANSWER_LIMIT_S = 10;

/** A picture that either way converts: what is no VideoFrame can be given to the GPU as it is. */
export interface ConvertedPicture {
  readonly source: RgbPicture['source'] | VideoFrame;
  readonly width: number;
  readonly height: number;
}

/** How long the pictures of one way took. */
class Trials {
  readonly #times: number[] = [];

  get isOver(): boolean {
    return this.#times.length >= TRIALS;
  }

  /** The shortest time in milliseconds: what else runs, and what is made once, adds to the others. */
  get best(): number {
    return Math.min(...this.#times);
  }

  async time(convert: () => Frame | Promise<Frame>): Promise<Frame> {
    const start = performance.now();
    const frame = await convert();
    this.#times.push(performance.now() - start);
    return frame;
  }
}

/**
 * Has each picture converted by the GPU or by the CPU, which give the same frame. Until the GPU is set up, and after it
 * has failed, it is the CPU.
 */
export class ConversionChoice {
  #conversion: Conversion;
  readonly #background: () => number;
  #opening: Promise<void> | undefined;
  #gpu: RgbConversion | undefined;
  #pictures = 0;
  readonly #onCpu = new Trials();
  readonly #onGpu = new Trials();

  /** `background`: gives R, G, B in the low three bytes. */
  constructor(conversion: Conversion, background: () => number) {
    this.#conversion = conversion;
    this.#background = background;
  }

  /** The frame of a picture; `byCpu` gives it, too. Rejects with UnsupportedError where 'gpu' cannot be had. */
  async convert(picture: ConvertedPicture, byCpu: () => Frame): Promise<Frame> {
    const isTooLarge = picture.width > MAX_WIDTH || picture.height > MAX_HEIGHT;
    if (this.#conversion === 'cpu' || isTooLarge) return byCpu();
    const byGpu = () => this.#convertByGpu(picture, byCpu);
    if (this.#conversion === 'gpu') {
      if (this.#gpu) return byGpu();
      const frame = byCpu();
      await this.#open();
      return frame;
    }
    if (!this.#gpu) {
      if (++this.#pictures === FEW_PICTURES) this.#open().catch(() => this.#giveUp());
      return byCpu();
    }
    return this.#faster(byCpu, byGpu);
  }

  /** Frees the GPU. The CPU converts what still comes. */
  async close(): Promise<void> {
    // One that is still being opened is closed when it comes: a browser may never answer.
    this.#opening?.then(() => this.#giveUp()).catch(() => {}); // there is none
    this.#giveUp();
  }

  #faster(byCpu: () => Frame, byGpu: () => Promise<Frame>): Frame | Promise<Frame> {
    if (!this.#onGpu.isOver) return this.#onGpu.time(byGpu);
    if (!this.#onCpu.isOver) return this.#onCpu.time(byCpu);
    if (this.#onGpu.best < this.#onCpu.best) return byGpu();
    this.#giveUp();
    return byCpu();
  }

  #open(): Promise<void> {
    this.#opening ??= this.#openWithinLimit();
    return this.#opening;
  }

  /** Rejects with UnsupportedError, whatever the reason. */
  async #openWithinLimit(): Promise<void> {
    const opening = (async () => {
      const { RgbConversion } = await import('../../gpu/conversion/rgb-conversion.js');
      const allowSoftware = this.#conversion === 'gpu';
      return RgbConversion.open({ matrix: RGB_TO_FRAME_CONSTANTS, background: this.#background(), allowSoftware });
    })();
    try {
      this.#gpu = await withTimeLimit(opening, START_LIMIT_S, () => noAnswer(START_LIMIT_S));
    } catch (error) {
      opening.then(gpu => gpu.close()).catch(() => {}); // nobody waits for it any more
      if (error instanceof UnsupportedError) throw error;
      throw new UnsupportedError(`the GPU cannot be used: ${messageOf(error)}`, { cause: error });
    }
  }

  async #convertByGpu({ source, width, height }: ConvertedPicture, byCpu: () => Frame): Promise<Frame> {
    const gpu = this.#gpu!;
    const convert = (source: RgbPicture['source']) =>
      withTimeLimit(gpu.convert({ source, width, height }), ANSWER_LIMIT_S, () => noAnswer(ANSWER_LIMIT_S));
    try {
      if (!isVideoFrame(source)) return await convert(source);
      const bitmap = await createImageBitmap(source);
      try {
        return await convert(bitmap);
      } finally {
        bitmap.close();
      }
    } catch (error) {
      // A picture from another origin is no fault of the GPU.
      if ((error as Error).name !== 'SecurityError') this.#giveUp();
      return byCpu();
    }
  }

  #giveUp(): void {
    this.#conversion = 'cpu';
    void this.#gpu?.close();
    this.#gpu = undefined;
  }
}

function noAnswer(seconds: number): UnsupportedError {
  return new UnsupportedError(`the GPU has not answered for ${seconds} s`);
}
