// Finds where scenes begin, with the encoder's own lookahead on small copies of the frames.
import { createLookaheadHere, type Lookahead } from '../encoder/lookahead/lookahead.js';
import type { ForecastPicture } from '../encoder/lookahead/picture-planner.js';
import { type EncoderSettings, resolveOptions } from '../encoder/settings/resolve-options.js';
import { chromaLength, type Frame } from '../picture/frame.js';
import { pictureFromFrame } from '../picture/picture.js';

/** A copy is halved again and again while it keeps so many pels or more: to 88x72 for CIF, to 160x90 for 720p. */
const MIN_PELS = 5000;
const MAX_FACTOR = 16;
/** No I picture but those that begin scenes. */
const NO_REGULAR_GROUPS = 1_000_000;

/** Takes frames one after another and finds those that begin scenes. */
export class SceneFinder {
  readonly #settings: EncoderSettings;
  readonly #lookahead: Lookahead;
  readonly #factor: number;
  readonly #chroma: Uint8Array;
  readonly #cuts: number[] = [];
  #frames = 0;

  private constructor(settings: EncoderSettings, lookahead: Lookahead, factor: number) {
    const { displayWidth, displayHeight } = settings.grid;
    this.#settings = settings;
    this.#lookahead = lookahead;
    this.#factor = factor;
    this.#chroma = new Uint8Array(chromaLength(displayWidth) * chromaLength(displayHeight));
  }

  /** For frames of a size in pels. To be closed. */
  static async create(width: number, height: number, signal?: AbortSignal): Promise<SceneFinder> {
    const factor = reduction(width, height);
    const settings = resolveOptions({
      width: Math.floor(width / factor),
      height: Math.floor(height / factor),
      frameRate: 25,
      adaptiveTypes: true,
      gop: NO_REGULAR_GROUPS,
      bFrames: 0, // each picture is searched from the one before only
      openGop: false,
      tools: { macroblockTree: false },
      estimator: 'cpu-predictive',
      range: { x: 32, y: 16 },
      candidates: 1,
      threads: 1,
    });
    return new SceneFinder(settings, await createLookaheadHere(settings, { signal }), factor);
  }

  /** Takes the next frame in display order. */
  async add(frame: Frame): Promise<void> {
    const { grid } = this.#settings;
    const [width, height] = [grid.displayWidth, grid.displayHeight];
    const y = reducedLuma(frame, this.#factor, width, height);
    const copy = { width, height, y, u: this.#chroma, v: this.#chroma };
    this.#keep(await this.#lookahead.planner.plan(pictureFromFrame(this.#frames, copy, grid), this.#frames));
    this.#frames++;
  }

  /** No more frames: the numbers of those that begin scenes, ascending, without the first frame of all. */
  async end(): Promise<readonly number[]> {
    this.#keep(await this.#lookahead.planner.end());
    return this.#cuts;
  }

  /** Closes the estimator. */
  async close(): Promise<void> {
    await this.#lookahead.motion.close();
  }

  #keep(pictures: readonly ForecastPicture[]): void {
    for (const { plan } of pictures)
      if (plan.type === 'I' && plan.displayNumber > 0) this.#cuts.push(plan.displayNumber);
  }
}

/** The power of two by which both sides are divided. */
function reduction(width: number, height: number): number {
  let factor = 1;
  while (factor < MAX_FACTOR && (width * height) / (4 * factor * factor) >= MIN_PELS) factor *= 2;
  return factor;
}

/** Luma with each `factor` x `factor` block replaced by its mean. */
function reducedLuma({ width, y }: Frame, factor: number, smallWidth: number, smallHeight: number): Uint8Array {
  if (factor === 1) return y;
  const small = new Uint8Array(smallWidth * smallHeight);
  const sums = new Uint32Array(smallWidth);
  const pels = factor * factor;
  for (let row = 0; row < smallHeight; row++) {
    sums.fill(pels >> 1);
    for (let line = row * factor; line < (row + 1) * factor; line++) {
      let at = line * width;
      for (let column = 0; column < smallWidth; column++) {
        let sum = 0;
        for (const end = at + factor; at < end; at++) sum += y[at]!;
        sums[column]! += sum;
      }
    }
    for (let column = 0; column < smallWidth; column++) small[row * smallWidth + column] = sums[column]! / pels;
  }
  return small;
}
