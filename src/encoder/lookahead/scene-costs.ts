// Estimates what pictures cost when they are predicted from each other.
import { isBuiltInName } from '../../motion/built-in-estimators.js';
import { penaltyTable } from '../../motion/cost.js';
import type { MotionField } from '../../motion/estimator.js';
import { MACROBLOCK_SIZE, type Picture } from '../../picture/picture.js';
import { AnchorWindow } from '../gop/anchor-window.js';
import { bestVectors } from '../motion/best-vectors.js';
import { type SearchOptions, searchParameters } from '../motion/search-parameters.js';
import type { SourceMotion } from '../motion/source-motion.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import type { CodingCosts } from './coding-cost.js';
import { nthSmallest } from './nth-smallest.js';
import { type MacroblockVectors, SourceCosts, type SourcePlane } from './source-costs.js';

/** A picture of the lookahead. */
export interface LookaheadPicture {
  readonly displayNumber: number;
  readonly plane: SourcePlane;
  /** Cost of each macroblock without a prediction: the sum of |pel - mean of its 8x8 block|. */
  readonly intra: Uint16Array;
  /** Cost of the picture without a prediction; see {@link SceneCosts.predictionCost}. */
  readonly intraTotal: number;
  /** Mean absolute deviation of the flattest macroblocks: the picture has no more noise than this. */
  readonly flattest: number;
  /** Mean of all pels. */
  readonly mean: number;
}

/** The best vectors of a field, and what they cost. */
export interface BestMotion extends MacroblockVectors {
  readonly field: MotionField;
  /** SAD of each macroblock. */
  readonly sad: Uint32Array;
}

/** How the macroblocks of a picture are predicted best; arrays in raster order. */
export interface PicturePrediction {
  /** Cost of each macroblock without a prediction. */
  readonly intra: Uint16Array;
  /** SAD of each macroblock with the prediction. */
  readonly sad: Uint32Array;
  /** Mean absolute noise of a pel, about: what no prediction takes away. */
  readonly noise: number;
  /** The motion from the past anchor and, in B pictures, from the future one. */
  readonly motion: readonly BestMotion[];
}

interface PredictionFrom {
  /** Display numbers of the anchors. */
  readonly past: number;
  readonly future: number | undefined;
  readonly prediction: PicturePrediction;
}

/** What has been found of a picture so far. */
interface Findings {
  readonly picture: LookaheadPicture;
  /** By the display number of the picture that the motion comes from. */
  readonly motion: Map<number, BestMotion>;
  predictions: PredictionFrom[];
}

/** Which part of the macroblocks counts as the flattest, and as the best predicted, where noise is looked for. */
const FLATTEST_PART = 0.02;
const BEST_PREDICTED_PART = 0.1;
/** At most so many macroblocks are looked at for that. */
const MAX_SAMPLES = 1000;
/**
 * Least cost of a macroblock without a prediction, as a mean absolute error: even a uniform one takes about 20 bits.
 * So a cut between two greys is one from three levels on. docs/decisions/uniform-pictures.md has the figures.
 */
const MIN_INTRA_ERROR = 4;
const MIN_INTRA_COST = MIN_INTRA_ERROR * MACROBLOCK_SIZE ** 2;

/**
 * Costs of source pictures by full pels, at full resolution: grain, which no prediction takes away, counts as it does
 * in the coder.
 */
export class SceneCosts {
  readonly #source: SourceCosts;
  readonly #motion: SourceMotion;
  /** By |component|, the part of a field's costs that is not SAD; undefined where costs are not taken for SADs. */
  readonly #penalties: Uint32Array | undefined;
  readonly #findings = new AnchorWindow<Findings>();

  private constructor(source: SourceCosts, motion: SourceMotion, penalties: Uint32Array | undefined) {
    this.#source = source;
    this.#motion = motion;
    this.#penalties = penalties;
  }

  /** Costs of pictures whose motion is searched by these options, with room for `maxPictures` at a time. */
  static async create(
    options: SearchOptions & Pick<EncoderSettings, 'kernels' | 'estimator'>,
    maxPictures: number,
    motion: SourceMotion,
  ): Promise<SceneCosts> {
    const source = await SourceCosts.create(options.grid, maxPictures, options.kernels);
    return new SceneCosts(source, motion, knowsCosts(options) ? penalties(options) : undefined);
  }

  /** Adds the next picture in display order. */
  add(source: Picture): LookaheadPicture {
    const plane = this.#source.add(source);
    const { intra, mean } = this.#source.deviations(plane);
    let intraTotal = 0;
    for (let address = 0; address < intra.length; address++) intraTotal += Math.max(intra[address]!, MIN_INTRA_COST);
    const flattest = sampledQuantile(intra, FLATTEST_PART) / MACROBLOCK_SIZE ** 2;
    const picture = { displayNumber: source.id, plane, intra, intraTotal, flattest, mean };
    this.#findings.add(picture.displayNumber, { picture, motion: new Map(), predictions: [] });
    this.#motion.add(source);
    return picture;
  }

  /** The smallest display number of a picture that may still be searched; infinite where there is none. */
  get oldestSearched(): number {
    return this.#motion.oldest;
  }

  /** A picture that was added and is still kept. */
  picture(displayNumber: number): LookaheadPicture {
    return this.#findings.get(displayNumber).picture;
  }

  /**
   * The next anchor is known, and how far from it the one after will probably be: forgets the pictures that none is
   * predicted from any more.
   */
  advanceTo({ displayNumber }: LookaheadPicture, nextDistance: number): void {
    for (const { picture } of this.#findings.advanceTo(displayNumber)) this.#source.release(picture.plane);
    const isKept = (number: number) => this.#findings.find(number) !== undefined;
    for (const findings of this.#findings.items) {
      for (const reference of findings.motion.keys()) if (!isKept(reference)) findings.motion.delete(reference);
      findings.predictions = findings.predictions.filter(({ past }) => isKept(past));
    }
    this.#motion.advanceTo(displayNumber, nextDistance);
  }

  /**
   * Cost of `current` predicted from one picture; a macroblock that costs less as intra counts as intra. An intra
   * macroblock costs at least MIN_INTRA_COST, so that what is uniform, or nearly so, is predicted by a picture that is
   * equal to it.
   */
  async predictionCost(current: LookaheadPicture, reference: LookaheadPicture): Promise<number> {
    const { sad } = await this.#bestMotion(current, reference);
    let total = 0;
    for (let address = 0; address < sad.length; address++) {
      total += Math.min(sad[address]!, Math.max(current.intra[address]!, MIN_INTRA_COST));
    }
    return total;
  }

  /** Cost of `current` where every macroblock is predicted from one picture. */
  async predictionError(current: LookaheadPicture, reference: LookaheadPicture): Promise<number> {
    const { sad } = await this.#bestMotion(current, reference);
    let total = 0;
    for (let address = 0; address < sad.length; address++) total += sad[address]!;
    return total;
  }

  /** Rate-distortion cost of `current` predicted from one anchor or two, in the mean of its macroblocks. */
  async codingCost(
    current: LookaheadPicture,
    past: LookaheadPicture,
    future: LookaheadPicture | undefined,
    costs: CodingCosts,
  ): Promise<number> {
    const { sad, intra, noise } = await this.predict(current, past, future);
    return costs.mean(sad, intra, future ? 2 : 1, noise);
  }

  /** How each macroblock of `current` is predicted best: from one anchor, or from either or both of two. */
  async predict(
    current: LookaheadPicture,
    past: LookaheadPicture,
    future: LookaheadPicture | undefined,
  ): Promise<PicturePrediction> {
    const { predictions } = this.#findings.get(current.displayNumber);
    const known = predictions.find(
      other => other.past === past.displayNumber && other.future === future?.displayNumber,
    );
    if (known) return known.prediction;
    const forward = await this.#bestMotion(current, past);
    const prediction = future
      ? this.#fromBoth(current, past, forward, future, await this.#bestMotion(current, future))
      : { intra: current.intra, sad: forward.sad, noise: noiseOf(current, forward.sad, 2), motion: [forward] };
    predictions.push({ past: past.displayNumber, future: future?.displayNumber, prediction });
    return prediction;
  }

  #fromBoth(
    current: LookaheadPicture,
    past: LookaheadPicture,
    forward: BestMotion,
    future: LookaheadPicture,
    backward: BestMotion,
  ): PicturePrediction {
    const sad = this.#source.interpolatedSads(current.plane, past.plane, forward, future.plane, backward);
    for (let address = 0; address < sad.length; address++) {
      sad[address] = Math.min(forward.sad[address]!, backward.sad[address]!, sad[address]!);
    }
    return { intra: current.intra, sad, noise: noiseOf(current, sad, 1.5), motion: [forward, backward] };
  }

  async #bestMotion(current: LookaheadPicture, reference: LookaheadPicture): Promise<BestMotion> {
    const field = await this.#motion.field(current.displayNumber, reference.displayNumber);
    const { motion } = this.#findings.get(current.displayNumber);
    let best = motion.get(reference.displayNumber);
    if (!best) {
      best = this.#best(current, reference, field);
      motion.set(reference.displayNumber, best);
    }
    return best;
  }

  #best(current: LookaheadPicture, reference: LookaheadPicture, field: MotionField): BestMotion {
    const { candidatesPerBlock: candidates } = field;
    const penalties = this.#penalties;
    const { dx, dy } = bestVectors(field);
    if (!penalties) return { field, dx, dy, sad: this.#source.sads(current.plane, reference.plane, { dx, dy }) };
    const sad = new Uint32Array(dx.length);
    for (let address = 0, entry = 0; address < sad.length; address++, entry += candidates) {
      const penalty = penalties[Math.abs(dx[address]!)]! + penalties[Math.abs(dy[address]!)]!;
      sad[address] = Math.max(0, field.cost[entry]! - penalty);
    }
    return { field, dx, dy, sad };
  }
}

/**
 * Mean absolute noise of a picture: no more than its flattest macroblocks vary by, and no more than the error of its
 * best predicted ones has of it. That error has the picture's own noise and the prediction's: `power` times the squared
 * noise.
 */
function noiseOf({ flattest }: LookaheadPicture, sad: Uint32Array, power: number): number {
  return Math.min(flattest, sampledQuantile(sad, BEST_PREDICTED_PART) / MACROBLOCK_SIZE ** 2 / Math.sqrt(power));
}

/** The value below which this part of the values lies, about; they are sampled. */
function sampledQuantile(values: Uint16Array | Uint32Array, part: number): number {
  const step = Math.ceil(values.length / MAX_SAMPLES);
  const samples = new Uint32Array(Math.ceil(values.length / step));
  for (let i = 0; i < samples.length; i++) samples[i] = values[i * step]!;
  return nthSmallest(samples, Math.floor(part * samples.length));
}

/** Whether the costs of fields are SADs but for their vectors: a third party's vectors are taken, its costs are not. */
function knowsCosts({ metric, estimator }: Pick<EncoderSettings, 'metric' | 'estimator'>): boolean {
  return metric === 'sad' && (estimator === 'auto' || (typeof estimator === 'string' && isBuiltInName(estimator)));
}

function penalties(options: SearchOptions): Uint32Array {
  const parameters = searchParameters(options);
  return penaltyTable(parameters, Math.max(parameters.width, parameters.height));
}
