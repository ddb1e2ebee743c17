import { createCpuLog } from '../../motion/cpu-log.js';
import type { LumaPicture, MotionEstimator, MotionField } from '../../motion/estimator.js';
import type { Picture } from '../../picture/picture.js';
import { halfResolution, halfSize } from './half-resolution.js';

/** Side of a block at half resolution: a macroblock. */
const BLOCK = 8;
/** Search range at half resolution in pels per axis. */
const RANGE = { x: 31, y: 31 };

/** A picture of the lookahead. */
export interface LookaheadPicture {
  readonly displayNumber: number;
  readonly half: LumaPicture;
  /** Sum of |pel - mean| per block: what it costs without a prediction. */
  readonly intra: Uint16Array;
  readonly intraTotal: number;
  /** Mean of all pels. */
  readonly mean: number;
}

/**
 * What pictures would cost to predict from each other, in SAD at half resolution: rough, but enough to compare plans. Fields are kept as
 * long as both pictures are.
 */
export class SceneCosts {
  readonly #search: MotionEstimator;
  readonly #fields = new Map<string, MotionField>();

  private constructor(search: MotionEstimator) {
    this.#search = search;
  }

  /** Costs of pictures of a coded size in pels. */
  static async create(codedWidth: number, codedHeight: number, kernels: string): Promise<SceneCosts> {
    const search = await createCpuLog(
      {
        width: halfSize(codedWidth),
        height: halfSize(codedHeight),
        metric: 'sad',
        blockSize: BLOCK,
        range: RANGE,
        candidatesPerBlock: 1,
        lambda: 2,
      },
      { kernels },
    );
    return new SceneCosts(search);
  }

  /** Takes a picture in. */
  analyse(picture: Picture): LookaheadPicture {
    const half = halfResolution(picture);
    const { intra, intraTotal, mean } = blockDeviations(half);
    return { displayNumber: picture.id, half, intra, intraTotal, mean };
  }

  /** Cost of `current` predicted from `reference`, each block the cheaper of predicted and intra. */
  async predicted(current: LookaheadPicture, reference: LookaheadPicture): Promise<number> {
    const { cost } = await this.#field(current, reference);
    let total = 0;
    for (let block = 0; block < cost.length; block++) total += Math.min(cost[block]!, current.intra[block]!);
    return total;
  }

  /** Cost of `current` as a B picture between two anchors: each block the cheapest of four ways. */
  async bidirectional(current: LookaheadPicture, past: LookaheadPicture, future: LookaheadPicture): Promise<number> {
    const forward = await this.#field(current, past);
    const backward = await this.#field(current, future);
    const columns = forward.blockColumns;
    let total = 0;
    for (let block = 0; block < forward.cost.length; block++) {
      const x = (block % columns) * BLOCK;
      const y = Math.floor(block / columns) * BLOCK;
      const both = interpolatedSad(
        current.half,
        x,
        y,
        past.half,
        (y + forward.dy[block]!) * past.half.width + x + forward.dx[block]!,
        future.half,
        (y + backward.dy[block]!) * future.half.width + x + backward.dx[block]!,
      );
      total += Math.min(forward.cost[block]!, backward.cost[block]!, both, current.intra[block]!);
    }
    return total;
  }

  /** Forgets everything about pictures before `displayNumber`. */
  forgetBefore(displayNumber: number): void {
    for (const key of this.#fields.keys()) {
      const [current, reference] = key.split('<');
      if (Number(current) < displayNumber || Number(reference) < displayNumber) this.#fields.delete(key);
    }
  }

  async close(): Promise<void> {
    await this.#search.close();
  }

  async #field(current: LookaheadPicture, reference: LookaheadPicture): Promise<MotionField> {
    const key = `${current.displayNumber}<${reference.displayNumber}`;
    const known = this.#fields.get(key);
    if (known) return known;
    const field = await this.#search.estimate({ current: current.half, reference: reference.half });
    this.#fields.set(key, field);
    return field;
  }
}

/** Sum of |pel - mean| of each 8x8 block in raster order, their sum, and the mean of all pels. */
function blockDeviations({
  width,
  height,
  pels,
}: LumaPicture): Pick<LookaheadPicture, 'intra' | 'intraTotal' | 'mean'> {
  const columns = width / BLOCK;
  const intra = new Uint16Array(columns * (height / BLOCK));
  let intraTotal = 0;
  let total = 0;
  for (let block = 0; block < intra.length; block++) {
    const first = Math.floor(block / columns) * BLOCK * width + (block % columns) * BLOCK;
    const end = first + BLOCK * width;
    let sum = 0;
    for (let row = first; row < end; row += width) for (let at = row; at < row + BLOCK; at++) sum += pels[at]!;
    const mean = (sum + 32) >> 6;
    let deviation = 0;
    for (let row = first; row < end; row += width) {
      for (let at = row; at < row + BLOCK; at++) deviation += Math.abs(pels[at]! - mean);
    }
    intra[block] = deviation;
    intraTotal += deviation;
    total += sum;
  }
  return { intra, intraTotal, mean: total / pels.length };
}

/** SAD of an 8x8 block against the mean of two others, given by the index of their first pel. */
function interpolatedSad(
  current: LumaPicture,
  x: number,
  y: number,
  past: LumaPicture,
  pastAt: number,
  future: LumaPicture,
  futureAt: number,
): number {
  const { width, pels } = current;
  const at = y * width + x;
  let sum = 0;
  for (let row = 0; row < BLOCK * width; row += width) {
    for (let column = 0; column < BLOCK; column++) {
      const predicted = (past.pels[pastAt + row + column]! + future.pels[futureAt + row + column]! + 1) >> 1;
      sum += Math.abs(pels[at + row + column]! - predicted);
    }
  }
  return sum;
}
